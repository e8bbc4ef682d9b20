//! [`PlayStatistics`]: statistics of the moves played in games, over the analyzed positions.
//!
//! | | |
//! | --- | --- |
//! | loss | the points by which a move is worse than the best move: see [`LossAnnotator`](super::LossAnnotator) |
//! | accuracy | how well the moves keep the expected result, in percent: see [`MoveStatistics`] |
//! | agreement | the share of moves that are the best found or equally good, in percent |
//! | turning point | the last move that changed the expected winner |
//!
//! Memory use grows with the number of distinct players and tournaments, not with the number of
//! games. It is limited by [`MAX_NAME_BYTES`]: further names are counted together as [`OTHERS`].

use std::collections::BTreeMap;

use morello_core::game::{Color, Outcome, Wdl};
use serde::{Deserialize, Serialize};

use super::{AnalysisRow, GameHeader, GameReview, MoveStatistics, MoveSummary};

/// The maximum total length of the distinct player names, and of the distinct tournament names, in
/// bytes: enough for hundreds of thousands of names.
const MAX_NAME_BYTES: usize = 8 << 20;

/// The name under which further players or tournaments are counted.
const OTHERS: &str = "(others)";

/// The games, results and moves of one player, tournament or opening.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct GroupStatistics {
    games: u64,
    /// The results of games with a known result: for the player, or for Black in tournaments and
    /// openings.
    results: Wdl,
    tally: MoveStatistics,
}

impl GroupStatistics {
    /// Adds a game with the moves of one or both sides and the points, if known.
    fn add(&mut self, sides: &[MoveStatistics], points: Option<f64>) {
        self.games += 1;
        sides.iter().for_each(|side| self.tally.merge(side));
        points.into_iter().for_each(|points| self.results.add_points(points));
    }
}

/// Statistics of played games.
///
/// [`add`](Self::add) and [`finish`](Self::finish) return the review of each game as soon as it is
/// complete.
///
/// ```
/// use morello::analysis::{self, AnalysisOptions, PlayStatistics};
/// use morello::game::{Color, Limits};
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let csv = "transcript,black,white\nf5d6c3d3c4,Anna,Bob\nf5f6,Bob,Anna\n".to_owned();
/// let reader = Reader::of(games::get("othello")?, Input::Text(csv))?;
/// let rows = analysis::rows(reader, &AnalysisOptions::new(Limits::depth(3)))?;
/// let mut play = PlayStatistics::default();
/// let mut reviews: Vec<_> = rows.iter().filter_map(|row| play.add(row)).collect();
/// reviews.extend(play.finish());
/// assert_eq!((reviews.len(), reviews[0].statistics(Color::Black).moves()), (2, 3));
/// let summary = play.summary().expect("there are games");
/// assert_eq!((summary.games, summary.by_player[0].name.as_str(), summary.by_player[0].moves.moves), (2, "Anna", 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlayStatistics {
    games: u64,
    all: MoveStatistics,
    by_ply: BTreeMap<u32, MoveStatistics>,
    by_empties: BTreeMap<u32, MoveStatistics>,
    by_player: NamedStatistics,
    by_tournament: NamedStatistics,
    /// Statistics by the last named opening of the game.
    by_opening: BTreeMap<String, GroupStatistics>,
    /// The game of the last row.
    #[serde(skip)]
    current: Option<GameReview>,
}

/// Statistics by name, in bounded memory.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct NamedStatistics {
    by_name: BTreeMap<String, GroupStatistics>,
    /// The total length of the names, in bytes.
    bytes: usize,
}

impl NamedStatistics {
    /// Returns the statistics for a name, or for [`OTHERS`] if the names have reached their limit.
    fn of(&mut self, name: &str) -> &mut GroupStatistics {
        let is_new = !self.by_name.contains_key(name);
        let name = if is_new && self.bytes + name.len() > MAX_NAME_BYTES { OTHERS } else { name };
        if is_new {
            self.bytes += name.len();
        }
        self.by_name.entry(name.to_owned()).or_default()
    }
}

impl PlayStatistics {
    /// Adds a row. Returns the previous game if the row does not belong to it.
    pub fn add(&mut self, row: &AnalysisRow) -> Option<GameReview> {
        let is_current = self.current.as_ref().is_some_and(|game| game.contains(row));
        let done = if is_current { None } else { self.finish() };
        if self.current.is_none() {
            self.current = GameReview::begin(row);
        }
        let (Some(game), Some(context)) = (&mut self.current, &row.game_context) else { return done };
        game.add(row);
        if let Some(loss) = row.loss {
            self.all.add(loss);
            self.by_ply.entry(context.ply).or_default().add(loss);
            if let Some(empties) = row.empty_count() {
                self.by_empties.entry(empties).or_default().add(loss);
            }
        }
        done
    }

    /// Returns the last game, if it has not been returned yet.
    pub fn finish(&mut self) -> Option<GameReview> {
        let game = self.current.take()?;
        self.games += 1;
        let sides = Color::ALL.map(|side| game.statistics(side));
        let (tags, result) = (&game.head.tags, game.head.result());
        for color in Color::ALL {
            if let Some(name) = &tags.names[color.index()] {
                let points = result.map(|points| if color == Color::Black { points } else { -points });
                self.by_player.of(name).add(&sides[color.index()..=color.index()], points);
            }
        }
        if let Some(name) = &tags.tournament {
            self.by_tournament.of(name).add(&sides, result);
        }
        if let Some(name) = game.head.opening {
            self.by_opening.entry(name.to_owned()).or_default().add(&sides, result);
        }
        Some(game)
    }

    /// Returns whether the counts are consistent. Statistics read from a file must be.
    pub(super) fn is_consistent(&self) -> bool {
        let by_phase = self.by_ply.values().chain(self.by_empties.values());
        let groups = self.by_player.by_name.values().chain(self.by_tournament.by_name.values());
        let mut parts = by_phase.chain(groups.map(|group| &group.tally));
        self.all.is_consistent() && parts.all(|part| part.is_consistent() && part.moves() <= self.all.moves())
    }

    /// Returns the summary; `None` if there were no games.
    #[must_use]
    pub fn summary(&self) -> Option<PlaySummary> {
        let by = |counts: &BTreeMap<u32, MoveStatistics>| {
            counts.iter().map(|(&at, tally)| PhaseSummary { at, moves: tally.into() }).collect()
        };
        let player = |(name, of): (&String, &GroupStatistics)| PlayerSummary {
            name: name.clone(),
            games: of.games,
            results: of.results,
            moves: (&of.tally).into(),
        };
        let tournament = |(name, of): (&String, &GroupStatistics)| TournamentSummary {
            name: name.clone(),
            games: of.games,
            moves: (&of.tally).into(),
        };
        let opening = |(name, of): (&String, &GroupStatistics)| OpeningAccuracy {
            name: name.clone(),
            games: of.games,
            black_wins: of.results.wins,
            draws: of.results.draws,
            white_wins: of.results.losses,
            moves: (&of.tally).into(),
        };
        (self.games > 0).then(|| PlaySummary {
            games: self.games,
            moves: (&self.all).into(),
            by_ply: by(&self.by_ply),
            by_empties: by(&self.by_empties),
            by_player: self.by_player.by_name.iter().map(player).collect(),
            by_tournament: self.by_tournament.by_name.iter().map(tournament).collect(),
            by_opening: self.by_opening.iter().map(opening).collect(),
        })
    }
}

impl GameHeader {
    /// Returns Black's margin in points, from the file or else from the board; `None` if unknown.
    #[must_use]
    pub fn result(&self) -> Option<f64> {
        self.tags.points_or(self.black_points)
    }

    /// Returns who won, from the file or else from the board; `None` if unknown.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.result().map(Outcome::from_black_points)
    }
}

/// Statistics of played games, serializable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PlaySummary {
    /// The number of games with analyzed positions.
    pub games: u64,
    /// Statistics of all moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
    /// Statistics by the number of plies played before the move.
    pub by_ply: Vec<PhaseSummary>,
    /// Statistics by the number of empty squares before the move; empty for games that do not count
    /// them.
    pub by_empties: Vec<PhaseSummary>,
    /// Statistics by player, in alphabetical order.
    pub by_player: Vec<PlayerSummary>,
    /// Statistics by tournament, in alphabetical order.
    pub by_tournament: Vec<TournamentSummary>,
    /// Statistics by opening, in alphabetical order; empty for games without named openings.
    pub by_opening: Vec<OpeningAccuracy>,
}

/// Statistics of the moves at one ply, or at one number of empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PhaseSummary {
    /// The number of plies or of empty squares.
    pub at: u32,
    /// The statistics of the moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// Statistics of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The results of the games.
    #[serde(flatten)]
    pub results: Wdl,
    /// The statistics of the player's moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// Statistics of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TournamentSummary {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The statistics of all moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// Statistics of the games whose last named opening is this one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OpeningAccuracy {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The number of games that Black won.
    pub black_wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games that White won.
    pub white_wins: u64,
    /// The statistics of both sides' moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}
