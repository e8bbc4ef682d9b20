//! [`MistakeStatistics`]: the worst moves in analyzed games, and the accuracy of play by year,
//! phase and player.
//!
//! [`analysis`](crate) defines loss, accuracy and agreement.

use std::collections::BTreeMap;
use std::sync::Arc;

use morello_core::game::{AnyPosition, Position as _};
use serde::{Deserialize, Serialize};

use crate::{AnalysisRow, GameHeader, MoveStatistics, MoveSummary, ReviewedMove, RowOrigin};

/// A move that lost points.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Mistake {
    /// The record of the game.
    pub origin: Arc<RowOrigin>,
    /// The game.
    pub game: Arc<GameHeader>,
    /// The move, with the position before it and its score.
    pub m: ReviewedMove,
}

impl Mistake {
    /// Returns the name of the player, or of the opponent.
    #[must_use]
    pub fn name(&self, is_opponent: bool) -> Option<&str> {
        let side = if is_opponent { !self.m.mover } else { self.m.mover };
        self.game.tags.names[side.index()].as_deref()
    }
}

/// A phase of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Phase {
    /// The side to move has men in hand.
    Placing,
    /// The side to move has placed all its men.
    Moving,
    /// More than two thirds of the squares that the game fills are empty.
    Opening,
    /// More than one third of these squares is empty.
    Midgame,
    /// At most one third of these squares is empty.
    Endgame,
}

impl Phase {
    /// Returns the phase of a position; `None` in games without these phases.
    ///
    /// ```
    /// use morello::collection::Phase;
    /// use morello::games;
    ///
    /// assert_eq!(Phase::of(&games::get("othello")?.start()), Some(Phase::Opening));
    /// assert_eq!(Phase::of(&games::get("nine-mens-morris")?.start()), Some(Phase::Placing));
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn of(position: &AnyPosition) -> Option<Self> {
        if let Some(in_hand) = position.in_hand(position.side_to_move()) {
            return Some(if in_hand > 0 { Self::Placing } else { Self::Moving });
        }
        let (empties, all) = (position.empty_count()?, position.game().start().empty_count()?);
        Some(match 3 * empties {
            thirds if thirds > 2 * all => Self::Opening,
            thirds if thirds > all => Self::Midgame,
            _ => Self::Endgame,
        })
    }

    /// Returns the name, such as `midgame`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Placing => "placing",
            Self::Moving => "moving",
            Self::Opening => "opening",
            Self::Midgame => "midgame",
            Self::Endgame => "endgame",
        }
    }
}

/// The worst moves and the accuracy of play.
///
/// ```
/// use morello::analysis::{self, AnalysisOptions};
/// use morello::collection::MistakeStatistics;
/// use morello::game::Limits;
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let csv = "transcript,black,white\nf5f4e3f6,Anna,Bob\n".to_owned();
/// let reader = Reader::of(games::get("othello")?, Input::Text(csv))?;
/// let rows = analysis::rows(reader, &AnalysisOptions::new(Limits::depth(4)))?;
/// let mut statistics = MistakeStatistics::new(1);
/// rows.iter().for_each(|row| statistics.add(row));
/// let worst = &statistics.worst()[0];
/// println!("{:?} played {:?} and lost {:?} discs", worst.name(false), worst.m.played, worst.m.loss);
/// let accuracy = statistics.accuracy();
/// assert_eq!((accuracy[0].group, accuracy[0].moves.moves), ("all", 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MistakeStatistics {
    limit: usize,
    /// The worst moves, the worst first; equal ones in input order.
    worst: Vec<Mistake>,
    groups: BTreeMap<Group, MoveStatistics>,
}

/// A group of moves. The variants have the order of the rows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    All,
    Year(Option<u32>),
    Phase(Phase),
    Player(String),
}

/// The accuracy of a group of moves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AccuracyRow {
    /// What the moves have in common: `all`, `year`, `phase` or `player`.
    pub group: &'static str,
    /// The year, phase or player; `None` for all moves, and for games without a year.
    pub value: Option<String>,
    /// The statistics of the moves.
    pub moves: MoveSummary,
}

impl MistakeStatistics {
    /// Creates empty statistics that keep the `limit` worst moves.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let groups = BTreeMap::from([(Group::All, MoveStatistics::default())]);
        Self { limit, worst: Vec::new(), groups }
    }

    /// Adds a row of a game analysis. Rows without a known loss are ignored.
    pub fn add(&mut self, row: &AnalysisRow) {
        let (Some(loss), Some(context), Some(m)) = (row.loss, &row.game_context, ReviewedMove::of(row)) else { return };
        let tags = &context.game.tags;
        let (phase, player) = (Phase::of(&m.position), tags.names[m.mover.index()].clone());
        let groups = [Some(Group::Year(tags.year())), phase.map(Group::Phase), player.map(Group::Player)];
        for group in [Group::All].into_iter().chain(groups.into_iter().flatten()) {
            self.groups.entry(group).or_default().add(loss);
        }
        let is_worse = |mistake: &Mistake| {
            let worse = mistake.m.loss;
            worse.is_some_and(|worse| (worse.result, worse.points) >= (loss.result, loss.points))
        };
        let place = self.worst.partition_point(is_worse);
        if loss.points > 0.0 && place < self.limit {
            self.worst.truncate(self.limit - 1);
            let (origin, game) = (Arc::clone(&row.origin), Arc::clone(&context.game));
            self.worst.insert(place, Mistake { origin, game, m });
        }
    }

    /// Returns the worst moves, the worst first; moves without a loss are not included.
    #[must_use]
    pub fn worst(&self) -> &[Mistake] {
        &self.worst
    }

    /// Returns the accuracy of all moves, by year, by phase, and by player.
    #[must_use]
    pub fn accuracy(&self) -> Vec<AccuracyRow> {
        let row = |(group, moves): (&Group, &MoveStatistics)| {
            let (group, value) = match group {
                Group::All => ("all", None),
                Group::Year(year) => ("year", year.map(|year| year.to_string())),
                Group::Phase(phase) => ("phase", Some(phase.name().to_owned())),
                Group::Player(name) => ("player", Some(name.clone())),
            };
            AccuracyRow { group, value, moves: moves.into() }
        };
        self.groups.iter().map(row).collect()
    }
}
