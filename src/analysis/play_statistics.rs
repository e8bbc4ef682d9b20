//! [`Play`]: statistics of how games were played, over the moves whose positions were analyzed.
//!
//! | | |
//! | --- | --- |
//! | loss | the points by which a move is worse than the best: see [`Judge`](super::Judge) |
//! | accuracy | the share of the moves that lost less than half a point |
//! | agreement | the share of the moves that are the best found, or as good |
//! | turning point | the last move that changed who stands to win |
//!
//! Memory grows with the number of distinct players and tournaments, not with that of games.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AnalysisRow, GameContext, GameHeader};
use crate::game::{AnyMove, Color, Score};
use crate::input::tag_fields;
use crate::output::Field;

/// A move that loses less than this many thousandths of a point is an accurate one.
const ACCURATE_BELOW: u64 = Score::POINT as u64 / 2;

/// What is counted of some moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// The moves whose loss is known.
    moves: u64,
    /// What they lost together, in thousandths of a point.
    loss: u64,
    /// Those that lost less than half a point.
    accurate: u64,
    /// Those that lost nothing.
    agreeing: u64,
}

impl MoveStatistics {
    fn add(&mut self, loss: f64) {
        let thousandths = (loss * f64::from(Score::POINT)).round() as u64;
        self.moves += 1;
        self.loss += thousandths;
        self.accurate += u64::from(thousandths < ACCURATE_BELOW);
        self.agreeing += u64::from(thousandths == 0);
    }

    /// Returns the moves counted.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns what they lost together, in points.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.loss as f64 / f64::from(Score::POINT)
    }

    /// Returns what a move lost in the mean, in points, rounded to thousandths; `None` without a move.
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

    /// Returns the share of the moves that are the best found, or as good, in percent.
    #[must_use]
    pub fn agreement(&self) -> Option<f64> {
        self.share(self.agreeing)
    }

    fn share(&self, part: u64) -> Option<f64> {
        (self.moves > 0).then(|| (part as f64 / self.moves as f64 * 1e4).round() / 100.0)
    }
}

/// The games, points and moves of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct PlayerStatistics {
    games: u64,
    /// Wins, draws and losses of the games whose result is known.
    results: [u64; 3],
    tally: MoveStatistics,
}

/// The games and moves of a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TournamentStatistics {
    games: u64,
    tally: MoveStatistics,
}

/// Statistics of how games were played.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlayStatistics {
    games: u64,
    all: MoveStatistics,
    by_ply: BTreeMap<u32, MoveStatistics>,
    by_empties: BTreeMap<u32, MoveStatistics>,
    by_player: BTreeMap<String, PlayerStatistics>,
    by_tournament: BTreeMap<String, TournamentStatistics>,
    /// The game of the last row.
    #[serde(skip)]
    present: Option<GameSummary>,
}

/// How one game was played.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSummary {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of the line where the game begins, from 1.
    pub line: u64,
    /// The game.
    pub head: Arc<GameHeader>,
    /// The moves of Black and White.
    pub sides: [MoveStatistics; 2],
    /// The last move that changed who stands to win.
    pub turning_point: Option<TurningPoint>,
}

/// A move that changed who stands to win.
#[derive(Debug, Clone, PartialEq)]
pub struct TurningPoint {
    /// The plies played before it.
    pub ply: u32,
    /// Who played it.
    pub mover: Color,
    /// The move.
    pub played: AnyMove,
    /// What it lost, in points.
    pub loss: f64,
}

impl PlayStatistics {
    /// Counts a row. With the first row of another game, or of none, the game before it is done and returned.
    pub fn add(&mut self, row: &AnalysisRow) -> Option<GameSummary> {
        let Some(place) = &row.game_context else { return self.finish() };
        let is_present = self.present.as_ref().is_some_and(|game| Arc::ptr_eq(&game.head, &place.game));
        let done = if is_present { None } else { self.finish() };
        let game = self.present.get_or_insert_with(|| GameSummary {
            file: Arc::clone(&row.file),
            line: row.line,
            head: Arc::clone(&place.game),
            sides: [MoveStatistics::default(); 2],
            turning_point: None,
        });
        if let Some(loss) = row.loss {
            game.sides[place.mover.index()].add(loss);
            self.all.add(loss);
            self.by_ply.entry(place.ply).or_default().add(loss);
            if let Some(empties) = row.empties() {
                self.by_empties.entry(empties).or_default().add(loss);
            }
            if let Some(turning_point) = turning_point(row, place, loss) {
                game.turning_point = Some(turning_point);
            }
        }
        done
    }

    /// Returns the last game, if it is not done yet.
    pub fn finish(&mut self) -> Option<GameSummary> {
        let game = self.present.take()?;
        self.games += 1;
        let result = game.head.result();
        for color in Color::ALL {
            if let Some(name) = &game.head.tags.names[color.index()] {
                let player = self.by_player.entry(name.clone()).or_default();
                player.games += 1;
                player.tally.merge(&game.sides[color.index()]);
                if let Some(points) = result {
                    let points = if color == Color::Black { points } else { -points };
                    player.results[if points > 0.0 { 0 } else { 1 + usize::from(points < 0.0) }] += 1;
                }
            }
        }
        if let Some(name) = &game.head.tags.tournament {
            let tournament = self.by_tournament.entry(name.clone()).or_default();
            tournament.games += 1;
            game.sides.iter().for_each(|side| tournament.tally.merge(side));
        }
        Some(game)
    }

    /// Sums up; `None` if there was no game.
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
        (self.games > 0).then(|| PlaySummary {
            games: self.games,
            moves: (&self.all).into(),
            by_ply: by(&self.by_ply),
            by_empties: by(&self.by_empties),
            by_player: self.by_player.iter().map(player).collect(),
            by_tournament: self.by_tournament.iter().map(tournament).collect(),
        })
    }
}

impl MoveStatistics {
    fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.accurate += other.accurate;
        self.agreeing += other.agreeing;
    }
}

impl GameHeader {
    /// Returns the points by which Black won: as the file tells, else on the board; `None` if neither is known.
    #[must_use]
    pub fn result(&self) -> Option<f64> {
        self.tags.points_or(self.black_points)
    }
}

/// Returns the move of a row if it changed who stands to win.
fn turning_point(row: &AnalysisRow, place: &GameContext, loss: f64) -> Option<TurningPoint> {
    let (best, played) = (row.result.as_ref().ok()?.score().points(), place.played?);
    let stands = |points: f64| points.partial_cmp(&0.0);
    (stands(best) != stands(best - loss)).then_some(TurningPoint { ply: place.ply, mover: place.mover, played, loss })
}

/// How the games were played, for machines by serde.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaySummary {
    /// The games of which a position was analyzed.
    pub games: u64,
    /// All moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
    /// By the plies played before the move.
    pub by_ply: Vec<PhaseSummary>,
    /// By the squares empty before the move; empty in games that do not tell them.
    pub by_empties: Vec<PhaseSummary>,
    /// By the player, in the order of the names.
    pub by_player: Vec<PlayerSummary>,
    /// By the tournament, in the order of the names.
    pub by_tournament: Vec<TournamentSummary>,
}

/// What is told of some moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MoveSummary {
    /// The moves whose loss is known.
    pub moves: u64,
    /// What a move lost in the mean, in points.
    pub mean_loss: Option<f64>,
    /// The share that lost less than half a point, in percent.
    pub accuracy: Option<f64>,
    /// The share that lost nothing, in percent.
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

/// The moves at one ply, or with so many empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PhaseSummary {
    /// The plies or the empty squares.
    pub at: u32,
    /// The moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// The moves of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The games.
    pub games: u64,
    /// Those won.
    pub wins: u64,
    /// Those drawn.
    pub draws: u64,
    /// Those lost.
    pub losses: u64,
    /// The moves.
    #[serde(flatten)]
    pub moves: MoveSummary,
}

/// The moves of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentSummary {
    /// The name.
    pub name: String,
    /// The games.
    pub games: u64,
    /// The moves.
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
        let told = tag_fields().into_iter().filter(|field| !["year", "ending"].contains(&field.name()));
        fields.extend(told.map(|field| field.of(|game: &Self| &game.head.tags)));
        fields.extend([
            Named::float("black_points", |game| game.head.result().into())
                .about("The points by which Black won, as the file tells, else on the board"),
            Named::integer("plies", |game| game.head.plies.into()).about("The plies played"),
        ]);
        for (color, side) in [(Color::Black, "black"), (Color::White, "white")] {
            let of = move |game: &Self| game.sides[color.index()];
            fields.extend([
                Named::integer(format!("{side}_moves"), move |game| of(game).moves().into())
                    .about("The moves of the side whose loss is known"),
                Named::float(format!("{side}_loss"), move |game| of(game).loss().into())
                    .about("What these moves lost together, in points"),
                Named::float(format!("{side}_mean_loss"), move |game| of(game).mean_loss().into())
                    .about("What a move lost in the mean, in points"),
                Named::float(format!("{side}_accuracy"), move |game| of(game).accuracy().into())
                    .about("The share of the moves that lost less than half a point, in percent"),
                Named::float(format!("{side}_agreement"), move |game| of(game).agreement().into())
                    .about("The share of the moves that lost nothing, in percent"),
            ]);
        }
        fields.extend([
            Named::integer("turning_ply", |game| game.turn().map(|turn| turn.ply).into())
                .about("The plies played before the last move that changed who stands to win"),
            Named::text("turning_move", |game| game.turn().map(|turn| turn.played.to_string()).into())
                .about("That move"),
            Named::text("turning_side", |game| game.turn().map(|turn| turn.side()).into())
                .about("Who played it: black or white"),
            Named::float("turning_loss", |game| game.turn().map(|turn| turn.loss).into())
                .about("What it lost, in points"),
        ]);
        fields
    }

    fn turn(&self) -> Option<&TurningPoint> {
        self.turning_point.as_ref()
    }
}

impl TurningPoint {
    fn side(&self) -> &'static str {
        if self.mover == Color::Black { "black" } else { "white" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_described() {
        assert!(GameSummary::fields().iter().all(|field| !field.description().is_empty()));
    }
}
