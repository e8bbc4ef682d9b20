//! The rows that positions and games become in CSV, JSON lines and Parquet.

use std::sync::Arc;

use crate::game::{AnnotatedGame, AnnotatedPosition, AnyGame, Score, Scoring, write_scores};
use crate::input::{is_game_column, is_score_column, result_fields, tag_fields};
use crate::output::{Field, Value};

/// A game as a row.
pub struct GameRow {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of the game, from 1, in its input.
    pub number: u64,
    /// The game.
    pub game: AnnotatedGame,
    /// What stands beside it.
    pub beside: Arc<[Value]>,
}

impl GameRow {
    /// Returns the fields of the rows; `beside` are the names of what stands beside the games in their files.
    #[must_use]
    pub fn fields(game: &'static dyn AnyGame, beside: &[String]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()).about("The input"),
            Field::<Self>::integer("game", |row| row.number.into())
                .about("The number of the game in its input, from 1"),
        ];
        let (results, rest): (Vec<_>, Vec<_>) =
            result_fields(game).into_iter().partition(|field| field.name() != "theoretical_empties");
        let moves = if game.scoring() == Scoring::Margin { "transcript" } else { "moves" };
        fields.extend(results.into_iter().map(|field| field.of(|row: &Self| &row.game)));
        fields.extend([
            Field::<Self>::boolean("complete", |row| row.game.game.end().is_some().into())
                .about("Whether the game was played to its end"),
            Field::<Self>::text(moves, |row| row.game.game.start().game().write_moves(&row.game.game).into())
                .about("The moves, after the position that they start from if that is not the start of the game"),
        ]);
        fields.extend(tag_fields().into_iter().map(|field| field.of(|row: &Self| &row.game.tags)));
        fields.extend(rest.into_iter().map(|field| field.of(|row: &Self| &row.game)));
        // What these columns tell is among the fields already.
        add_beside(&mut fields, beside, |name| !is_game_column(game, name), |row| &row.beside);
        fields
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
    let passed_on = |name, place| {
        Field::any(name, move |row: &R| of(row).get(place).cloned().unwrap_or_default()).about("A column of the input")
    };
    Field::add_passthrough(fields, fields.len(), names, passed_on);
}

/// A position as a row.
pub struct PositionRow {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of its line, from 1.
    pub line: u64,
    /// The position.
    pub entry: AnnotatedPosition,
    /// What stands beside it.
    pub beside: Arc<[Value]>,
}

impl PositionRow {
    /// Returns the fields of the rows; `beside` are the names of what stands beside the positions in their files.
    #[must_use]
    pub fn fields(beside: &[String]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()).about("The input"),
            Field::<Self>::integer("line", |row| row.line.into()).about("The number of the line or record, from 1"),
            Field::<Self>::text("position", |row| row.entry.position.to_string().into())
                .about("The position in the game's own notation"),
            Field::<Self>::integer("empties", |row| row.entry.position.empties().into())
                .about("The empty squares, in games that fill the board"),
            Field::<Self>::text("scores", |row| row.scores().into())
                .about("The scores of moves that the input tells, as OBF has them: `d2:-14; b8:-16;`"),
        ];
        // What this column tells is among the fields already.
        add_beside(&mut fields, beside, |name| !is_score_column(name), |row| &row.beside);
        fields
    }

    /// Returns the scores of the moves as OBF has them; `None` where there are none.
    fn scores(&self) -> Option<String> {
        let scores = &self.entry.expected;
        (!scores.is_empty()).then(|| write_scores(scores.iter().map(|&(m, points)| (m, Score::exact(points)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    #[test]
    fn every_field_is_described() {
        for game in [any_game::<othello::Position>(), any_game::<morris::Position<NineMensMorris>>()] {
            assert!(GameRow::fields(game, &[]).iter().all(|field| !field.description().is_empty()));
        }
        assert!(PositionRow::fields(&[]).iter().all(|field| !field.description().is_empty()));
    }
}
