//! [`PlayStatistics`]: statistics of the moves played in games, over the analyzed positions.
//!
//! | | |
//! | --- | --- |
//! | loss | the points by which a move is worse than the best move: see [`LossAnnotator`](super::LossAnnotator) |
//! | accuracy | the share of the moves that lost less than half a point |
//! | agreement | the share of the moves that are the best found or equally good |
//! | turning point | the last move that changed the expected winner |
//!
//! Memory grows with the number of distinct players and tournaments, not with the number of games, and only up to [`MAX_NAME_BYTES`]: further
//! names are counted together, as [`OTHERS`].

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AnalysisRow, GameContext, GameHeader};
use crate::game::{AnyMove, Color, Score};
use crate::input::tag_fields;
use crate::output::Field;

/// A move is accurate if its loss in thousandths of a point is less than this.
const ACCURATE_BELOW: u64 = Score::POINT as u64 / 2;

/// The most bytes of distinct names of players, and of tournaments: hundreds of thousands of usual names.
const MAX_NAME_BYTES: usize = 8 << 20;

/// The name under which the players or tournaments beyond that are counted.
const OTHERS: &str = "(others)";

/// Statistics of some moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// The number of moves whose loss is known.
    moves: u64,
    /// Their total loss, in thousandths of a point.
    loss: u64,
    /// The number of moves that lost less than half a point.
    accurate: u64,
    /// The number of moves that lost nothing.
    agreeing: u64,
}

impl MoveStatistics {
    /// Adds a move that lost some points.
    pub fn add(&mut self, loss: f64) {
        let thousandths = (loss * f64::from(Score::POINT)).round() as u64;
        self.moves += 1;
        self.loss += thousandths;
        self.accurate += u64::from(thousandths < ACCURATE_BELOW);
        self.agreeing += u64::from(thousandths == 0);
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the total loss, in points.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.loss as f64 / f64::from(Score::POINT)
    }

    /// Returns the mean loss per move, in points, rounded to thousandths; `None` without moves.
    #[must_use]
    pub fn mean_loss(&self) -> Option<f64> {
        let mean = self.loss as f64 / self.moves as f64;
        (self.moves > 0).then(|| mean.round() / f64::from(Score::POINT))
    }

    /// Returns the share of the moves that lost less than half a point, in percent.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        self.share(self.accurate)
    }

    /// Returns the share of the moves that lost nothing, in percent.
    #[must_use]
    pub fn agreement(&self) -> Option<f64> {
        self.share(self.agreeing)
    }

    fn share(&self, part: u64) -> Option<f64> {
        let percent = (part as f64 / self.moves as f64 * 1e4).round() / 100.0;
        // Only all moves are 100 %.
        (self.moves > 0).then(|| if part < self.moves { percent.min(99.99) } else { percent })
    }
}

/// The games, results and moves of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct PlayerStatistics {
    games: u64,
    /// Wins, draws and losses, in games with a known result.
    results: [u64; 3],
    tally: MoveStatistics,
}

/// The games and moves of a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TournamentStatistics {
    games: u64,
    tally: MoveStatistics,
}

/// The games, results and moves of an opening.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct OpeningStatistics {
    games: u64,
    /// Wins of Black, draws and wins of White, in games with a known result.
    results: [u64; 3],
    tally: MoveStatistics,
}

/// Statistics of played games.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlayStatistics {
    games: u64,
    all: MoveStatistics,
    by_ply: BTreeMap<u32, MoveStatistics>,
    by_empties: BTreeMap<u32, MoveStatistics>,
    by_player: NamedStatistics<PlayerStatistics>,
    by_tournament: NamedStatistics<TournamentStatistics>,
    /// By the last named opening of the game.
    #[serde(default)]
    by_opening: BTreeMap<String, OpeningStatistics>,
    /// The game of the last row.
    #[serde(skip)]
    current: Option<GameSummary>,
}

/// Statistics by name, in bounded memory.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct NamedStatistics<T> {
    by_name: BTreeMap<String, T>,
    /// The bytes of the names.
    bytes: usize,
}

impl<T: Default> NamedStatistics<T> {
    /// Returns the statistics of a name, or those of [`OTHERS`].
    fn of(&mut self, name: &str) -> &mut T {
        let is_new = !self.by_name.contains_key(name);
        let name = if is_new && self.bytes + name.len() > MAX_NAME_BYTES { OTHERS } else { name };
        if is_new {
            self.bytes += name.len();
        }
        self.by_name.entry(name.to_owned()).or_default()
    }
}

/// Statistics of one game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSummary {
    /// The name of the input.
    pub file: Arc<str>,
    /// The line where the game begins, from 1.
    pub line: u64,
    /// The game.
    pub head: Arc<GameHeader>,
    /// The moves of Black and White.
    pub sides: [MoveStatistics; 2],
    /// The last move that changed the expected winner.
    pub turning_point: Option<TurningPoint>,
}

/// A move that changed the expected winner.
#[derive(Debug, Clone, PartialEq)]
pub struct TurningPoint {
    /// The plies played before it.
    pub ply: u32,
    /// The side that played it.
    pub mover: Color,
    /// The move.
    pub played: AnyMove,
    /// Its loss, in points.
    pub loss: f64,
}

impl PlayStatistics {
    /// Adds a row. Returns the previous game if the row does not belong to it.
    pub fn add(&mut self, row: &AnalysisRow) -> Option<GameSummary> {
        let Some(context) = &row.game_context else { return self.finish() };
        let is_current = self.current.as_ref().is_some_and(|game| Arc::ptr_eq(&game.head, &context.game));
        let done = if is_current { None } else { self.finish() };
        let game = self.current.get_or_insert_with(|| GameSummary {
            file: Arc::clone(&row.file),
            line: row.line,
            head: Arc::clone(&context.game),
            sides: [MoveStatistics::default(); 2],
            turning_point: None,
        });
        if let Some(loss) = row.loss {
            game.sides[context.mover.index()].add(loss);
            self.all.add(loss);
            self.by_ply.entry(context.ply).or_default().add(loss);
            if let Some(empties) = row.empties() {
                self.by_empties.entry(empties).or_default().add(loss);
            }
            if let Some(turning_point) = turning_point(row, context, loss) {
                game.turning_point = Some(turning_point);
            }
        }
        done
    }

    /// Returns the last game, if it has not been returned yet.
    pub fn finish(&mut self) -> Option<GameSummary> {
        let game = self.current.take()?;
        self.games += 1;
        let result = game.head.result();
        for color in Color::ALL {
            if let Some(name) = &game.head.tags.names[color.index()] {
                let player = self.by_player.of(name);
                player.games += 1;
                player.tally.merge(&game.sides[color.index()]);
                if let Some(points) = result {
                    player.results[outcome(if color == Color::Black { points } else { -points })] += 1;
                }
            }
        }
        if let Some(name) = &game.head.tags.tournament {
            let tournament = self.by_tournament.of(name);
            tournament.games += 1;
            game.sides.iter().for_each(|side| tournament.tally.merge(side));
        }
        if let Some(name) = game.head.opening {
            let opening = self.by_opening.entry(name.to_owned()).or_default();
            opening.games += 1;
            game.sides.iter().for_each(|side| opening.tally.merge(side));
            if let Some(points) = result {
                opening.results[outcome(points)] += 1;
            }
        }
        Some(game)
    }

    /// Returns whether the counts agree with each other, so that statistics from a file can be used.
    pub(super) fn is_consistent(&self) -> bool {
        let by_phase = self.by_ply.values().chain(self.by_empties.values());
        let players = self.by_player.by_name.values().map(|player| &player.tally);
        let tournaments = self.by_tournament.by_name.values().map(|tournament| &tournament.tally);
        let mut parts = by_phase.chain(players).chain(tournaments);
        self.all.is_consistent() && parts.all(|part| part.is_consistent() && part.moves <= self.all.moves)
    }

    /// Returns the summary; `None` if there were no games.
    #[must_use]
    pub fn summary(&self) -> Option<PlaySummary> {
        let by = |counts: &BTreeMap<u32, MoveStatistics>| {
            counts.iter().map(|(&at, tally)| PhaseSummary { at, moves: tally.into() }).collect()
        };
        let player = |(name, of): (&String, &PlayerStatistics)| PlayerSummary {
            name: name.clone(),
            games: of.games,
            wins: of.results[0],
            draws: of.results[1],
            losses: of.results[2],
            moves: (&of.tally).into(),
        };
        let tournament = |(name, of): (&String, &TournamentStatistics)| TournamentSummary {
            name: name.clone(),
            games: of.games,
            moves: (&of.tally).into(),
        };
        let opening = |(name, of): (&String, &OpeningStatistics)| OpeningSummary {
            name: name.clone(),
            games: of.games,
            black_wins: of.results[0],
            draws: of.results[1],
            white_wins: of.results[2],
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

/// Returns the index of a result among win, draw and loss.
fn outcome(points: f64) -> usize {
    if points > 0.0 { 0 } else { 1 + usize::from(points < 0.0) }
}

impl MoveStatistics {
    fn is_consistent(&self) -> bool {
        self.agreeing <= self.accurate && self.accurate <= self.moves && self.moves <= 1 << 56
    }

    fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.accurate += other.accurate;
        self.agreeing += other.agreeing;
    }
}

impl GameHeader {
    /// Returns the points by which Black won, according to the file or else on the board; `None` if unknown.
    #[must_use]
    pub fn result(&self) -> Option<f64> {
        self.tags.points_or(self.black_points)
    }

    /// Returns the winner: `black`, `white` or `draw`; `None` if unknown.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        self.result().map(|points| match points.partial_cmp(&0.0) {
            Some(Ordering::Greater) => "black",
            Some(Ordering::Less) => "white",
            _ => "draw",
        })
    }
}

/// Returns the move of a row if it changed the expected winner.
fn turning_point(row: &AnalysisRow, context: &GameContext, loss: f64) -> Option<TurningPoint> {
    let (best, played) = (row.result.as_ref().ok()?.score().points(), context.played?);
    let winner = |points: f64| points.partial_cmp(&0.0);
    (winner(best) != winner(best - loss)).then_some(TurningPoint {
        ply: context.ply,
        mover: context.mover,
        played,
        loss,
    })
}

/// Statistics of played games, serializable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaySummary {
    /// The number of games with analyzed positions.
    pub games: u64,
    /// Statistics of all moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
    /// By the plies played before the move.
    pub by_ply: Vec<PhaseSummary>,
    /// By the empty squares before the move; empty for games that do not count them.
    pub by_empties: Vec<PhaseSummary>,
    /// By player, in the order of the names.
    pub by_player: Vec<PlayerSummary>,
    /// By tournament, in the order of the names.
    pub by_tournament: Vec<TournamentSummary>,
    /// By opening, in the order of the names; empty for games without named openings.
    pub by_opening: Vec<OpeningSummary>,
}

/// Statistics of some moves, serializable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MoveSummary {
    /// The number of moves whose loss is known.
    pub moves: u64,
    /// The mean loss per move, in points.
    pub mean_loss: Option<f64>,
    /// The share of moves that lost less than half a point, in percent.
    pub accuracy: Option<f64>,
    /// The share of moves that lost nothing, in percent.
    pub agreement: Option<f64>,
}

impl From<&MoveStatistics> for MoveSummary {
    fn from(tally: &MoveStatistics) -> Self {
        Self {
            moves: tally.moves(),
            mean_loss: tally.mean_loss(),
            accuracy: tally.accuracy(),
            agreement: tally.agreement(),
        }
    }
}

/// The moves at one ply, or at one number of empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PhaseSummary {
    /// The plies or empty squares.
    pub at: u32,
    /// The moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// Statistics of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The number of games won.
    pub wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
    /// The moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// Statistics of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentSummary {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// Statistics of the games whose last named opening is this one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpeningSummary {
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
    /// The moves of both sides.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

impl GameSummary {
    /// Returns the fields of a table of games.
    #[must_use]
    pub fn fields() -> Vec<Field<Self>> {
        type Named = Field<GameSummary>;
        let mut fields = vec![
            Named::text("file", |game| (&*game.file).into()).about("The input"),
            Named::integer("line", |game| game.line.into()).about("The number of the line or record, from 1"),
            Named::integer("game", |game| game.head.number.into()).about("The number of the game in its input, from 1"),
        ];
        let tags = tag_fields().into_iter().filter(|field| !["year", "ending"].contains(&field.name()));
        fields.extend(tags.map(|field| field.of(|game: &Self| &game.head.tags)));
        fields.extend([
            Named::text("result", |game| game.head.winner().into()).about("The winner: black, white or draw"),
            Named::float("black_points", |game| game.head.result().into())
                .about("The points by which Black won, according to the file or else on the board"),
            Named::integer("plies", |game| game.head.plies.into()).about("The plies played"),
        ]);
        for (color, side) in [(Color::Black, "black"), (Color::White, "white")] {
            let of = move |game: &Self| game.sides[color.index()];
            fields.extend([
                Named::integer(format!("{side}_moves"), move |game| of(game).moves().into())
                    .about("The number of moves of this side whose loss is known"),
                Named::float(format!("{side}_loss"), move |game| of(game).loss().into())
                    .about("The total loss of these moves, in points"),
                Named::float(format!("{side}_mean_loss"), move |game| of(game).mean_loss().into())
                    .about("The mean loss per move, in points"),
                Named::float(format!("{side}_accuracy"), move |game| of(game).accuracy().into())
                    .about("The share of the moves that lost less than half a point, in percent"),
                Named::float(format!("{side}_agreement"), move |game| of(game).agreement().into())
                    .about("The share of the moves that lost nothing, in percent"),
            ]);
        }
        fields.extend([
            Named::integer("turning_ply", |game| game.turn().map(|turn| turn.ply).into())
                .about("The plies played before the last move that changed the expected winner"),
            Named::text("turning_move", |game| game.turn().map(|turn| turn.played.to_string()).into())
                .about("That move"),
            Named::text("turning_side", |game| game.turn().map(|turn| turn.mover.name()).into())
                .about("The side that played it: black or white"),
            Named::float("turning_loss", |game| game.turn().map(|turn| turn.loss).into()).about("Its loss, in points"),
            Named::text("opening", |game| game.head.opening.into()).about("The last named opening of the game"),
        ]);
        fields
    }

    fn turn(&self) -> Option<&TurningPoint> {
        self.turning_point.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_moves_are_a_hundred_percent() {
        let of = |accurate| MoveStatistics { moves: 100_000, loss: 0, accurate, agreeing: 0 }.accuracy();
        assert_eq!([99_999, 100_000, 99_994, 3].map(of), [Some(99.99), Some(100.0), Some(99.99), Some(0.0)]);
    }

    #[test]
    fn every_field_is_described() {
        assert!(GameSummary::fields().iter().all(|field| !field.description().is_empty()));
    }
}
