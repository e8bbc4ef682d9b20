//! The rows that positions and games become in CSV, JSON lines and Parquet.

use std::sync::Arc;

use super::board_points;
use crate::game::{Annotated, Ending, Entry, Playable, Scoring};
use crate::output::{Field, Value};

/// The squares of Othello's board: half of them and of a difference in discs is Black's score.
const SQUARES: f64 = 64.0;

/// A game as a row.
pub struct GameRow<P: Playable> {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of the game, from 1, in its input.
    pub number: u64,
    /// The game.
    pub game: Annotated<P>,
    /// What stands beside it.
    pub beside: Arc<[Value]>,
}

impl<P: Playable> GameRow<P> {
    /// Returns the fields of the rows; `beside` are the names of what stands beside the games in their files.
    #[must_use]
    pub fn fields(beside: &[String]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()),
            Field::<Self>::integer("game", |row| row.number.into()),
        ];
        if P::SCORING == Scoring::Margin {
            fields.push(Field::<Self>::float("black_discs", |row| row.points().map(discs).into()));
            fields.push(Field::<Self>::float("theoretical_black_discs", |row| {
                row.game.tags.theoretical.map(|told| discs(f64::from(told.points))).into()
            }));
        } else {
            fields.push(Field::<Self>::text("result", |row| row.points().map(result).into()));
        }
        fields.push(Field::<Self>::boolean("complete", |row| row.game.game.end().is_some().into()));
        let moves = if P::SCORING == Scoring::Margin { "transcript" } else { "moves" };
        fields.push(Field::<Self>::text(moves, |row| P::write_moves(&row.game.game).into()));
        fields.extend([
            Field::<Self>::text("black", |row| row.game.tags.names[0].as_deref().into()),
            Field::<Self>::text("white", |row| row.game.tags.names[1].as_deref().into()),
            Field::<Self>::text("tournament", |row| row.game.tags.tournament.as_deref().into()),
            Field::<Self>::integer("year", |row| row.year().into()),
            Field::<Self>::text("date", |row| row.game.tags.date.as_deref().into()),
            Field::<Self>::text("ending", |row| row.ending().into()),
        ]);
        if P::SCORING == Scoring::Margin {
            fields.push(Field::<Self>::integer("theoretical_empties", |row| {
                row.game.tags.theoretical.map(|told| told.empties).into()
            }));
        }
        let has = |name: &str, fields: &[Field<Self>]| fields.iter().any(|field| field.name() == name);
        for (place, name) in beside.iter().enumerate() {
            let name = if has(name, &fields) { format!("input_{name}") } else { name.clone() };
            fields.push(Field::any(name, move |row: &Self| row.beside.get(place).cloned().unwrap_or(Value::Null)));
        }
        fields
    }

    /// Returns the points by which Black won: as the file tells, else on the board.
    fn points(&self) -> Option<f64> {
        self.game.tags.result.map(|verdict| verdict.points).or_else(|| board_points(&self.game.game))
    }

    fn year(&self) -> Option<u32> {
        self.game.tags.date.as_deref()?.get(..4)?.parse().ok()
    }

    fn ending(&self) -> Option<&'static str> {
        Some(match self.game.tags.result?.ending? {
            Ending::Resignation => "resignation",
            Ending::Timeout => "timeout",
            Ending::Agreement => "agreement",
        })
    }
}

/// Returns Black's discs, the empty squares given to the winner.
fn discs(points: f64) -> f64 {
    (SQUARES + points) / 2.0
}

fn result(points: f64) -> &'static str {
    match points {
        points if points > 0.0 => "black",
        points if points < 0.0 => "white",
        _ => "draw",
    }
}

/// A position as a row.
pub struct PositionRow<P: Playable> {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of its line, from 1.
    pub line: u64,
    /// The position.
    pub entry: Entry<P>,
    /// What stands beside it.
    pub beside: Arc<[Value]>,
}
