//! The rows that positions and games become in CSV, JSON lines and Parquet.

use std::sync::Arc;

use crate::game::{Annotated, AnyGame, Color, Ending, Entry, Score, Scoring, write_scores};
use crate::input::{tells_of_games, tells_scores};
use crate::output::{Field, Float, Value};

/// A game as a row.
pub struct GameRow {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of the game, from 1, in its input.
    pub number: u64,
    /// The game.
    pub game: Annotated,
    /// What stands beside it.
    pub beside: Arc<[Value]>,
}

impl GameRow {
    /// Returns the fields of the rows; `beside` are the names of what stands beside the games in their files.
    #[must_use]
    pub fn fields(game: &'static dyn AnyGame, beside: &[String]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()),
            Field::<Self>::integer("game", |row| row.number.into()),
        ];
        if game.scoring() == Scoring::Margin {
            fields.push(Field::<Self>::float("black_discs", |row| row.points().map(|points| row.discs(points)).into()));
            fields.push(Field::<Self>::float("theoretical_black_discs", |row| {
                row.game.tags.theoretical.map(|told| row.discs(told.points.into())).into()
            }));
        } else {
            fields.push(Field::<Self>::text("result", |row| row.points().map(result).into()));
        }
        fields.push(Field::<Self>::boolean("complete", |row| row.game.game.end().is_some().into()));
        let moves = if game.scoring() == Scoring::Margin { "transcript" } else { "moves" };
        fields.push(Field::<Self>::text(moves, |row| row.game.game.start().game().write_moves(&row.game.game).into()));
        fields.extend([
            Field::<Self>::text("black", |row| row.game.tags.names[0].as_deref().into()),
            Field::<Self>::text("white", |row| row.game.tags.names[1].as_deref().into()),
            Field::<Self>::text("tournament", |row| row.game.tags.tournament.as_deref().into()),
            Field::<Self>::integer("year", |row| row.year().into()),
            Field::<Self>::text("date", |row| row.game.tags.date.as_deref().into()),
            Field::<Self>::text("ending", |row| row.ending().into()),
        ]);
        if game.scoring() == Scoring::Margin {
            fields.push(Field::<Self>::integer("theoretical_empties", |row| {
                row.game.tags.theoretical.map(|told| told.empties).into()
            }));
        }
        // What these columns tell is among the fields already.
        add_beside(&mut fields, beside, |name| !tells_of_games(game, name), |row| &row.beside);
        fields
    }

    /// Returns the points by which Black won: as the file tells, else on the board.
    fn points(&self) -> Option<f64> {
        self.game
            .tags
            .result
            .map(|verdict| verdict.points)
            .or_else(|| self.game.game.points(Color::Black).map(f64::from))
    }

    /// Returns Black's discs, the empty squares given to the winner, for the points by which Black won.
    fn discs(&self, points: f64) -> Float {
        let squares = self.game.game.start().game().layout().points.len();
        let discs = (squares as f64 + points) / 2.0;
        if discs.fract() == 0.0 { (discs as i32).into() } else { discs.into() }
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

/// Adds the columns that stand beside and are wanted.
fn add_beside<R: 'static>(
    fields: &mut Vec<Field<R>>,
    beside: &[String],
    is_wanted: impl Fn(&str) -> bool,
    of: fn(&R) -> &Arc<[Value]>,
) {
    let names = beside.iter().cloned().enumerate().filter(|(_, name)| is_wanted(name));
    let passed_on = |name, place| Field::any(name, move |row: &R| of(row).get(place).cloned().unwrap_or_default());
    Field::pass_on(fields, fields.len(), names, passed_on);
}

fn result(points: f64) -> &'static str {
    match points {
        points if points > 0.0 => "black",
        points if points < 0.0 => "white",
        _ => "draw",
    }
}

/// A position as a row.
pub struct PositionRow {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of its line, from 1.
    pub line: u64,
    /// The position.
    pub entry: Entry,
    /// What stands beside it.
    pub beside: Arc<[Value]>,
}

impl PositionRow {
    /// Returns the fields of the rows; `beside` are the names of what stands beside the positions in their files.
    #[must_use]
    pub fn fields(beside: &[String]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()),
            Field::<Self>::integer("line", |row| row.line.into()),
            Field::<Self>::text("position", |row| row.entry.position.to_string().into()),
            Field::<Self>::integer("empties", |row| row.entry.position.empties().into()),
            Field::<Self>::text("scores", |row| row.scores().into()),
        ];
        // What this column tells is among the fields already.
        add_beside(&mut fields, beside, |name| !tells_scores(name), |row| &row.beside);
        fields
    }

    /// Returns the scores of the moves as OBF has them; `None` where there are none.
    fn scores(&self) -> Option<String> {
        let scores = &self.entry.expected;
        (!scores.is_empty()).then(|| write_scores(scores.iter().map(|&(m, points)| (m, Score::exact(points)))))
    }
}
