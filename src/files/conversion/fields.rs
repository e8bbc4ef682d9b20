//! Positions and games as rows of a table, CSV, JSON lines and Parquet.

use std::sync::Arc;

use morello_core::game::{AnnotatedPosition, AnyGame, Score, Scoring, write_scores};

use crate::input::{
    Column, GameRecord, is_game_column, is_note_column, is_score_column, note_fields, result_fields, tag_fields,
    unread_note,
};
use crate::output::{Field, Text, Value};

impl GameRecord {
    /// Returns the fields of the rows. `columns` are the names of the input columns that are
    /// copied.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{GameRecord, read_text};
    /// use morello::output::{Output, OutputFormat};
    ///
    /// let othello = games::get("othello")?;
    /// let game = read_text(othello, "[Black \"Anna\"]\n\n1. f5 d6 2. c3 *")?.game;
    /// let record = GameRecord { file: "memory".into(), line: 1, number: 1, game, extra: [].into() };
    /// let mut rows = Vec::new();
    /// let mut output = Output::new(OutputFormat::Jsonl, GameRecord::fields(othello, &[]), &mut rows)?;
    /// output.write(&record)?;
    /// output.finish()?;
    /// assert!(String::from_utf8(rows)?.contains("\"transcript\":\"f5d6c3\",\"black\":\"Anna\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fields(game: &'static dyn AnyGame, columns: &[Column]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()).about("The input"),
            Field::<Self>::integer("game", |row| row.number.into())
                .about("The number of the game in its input, from 1"),
        ];
        let of_margin = game.info().scoring == Scoring::Margin;
        let is_first = |name: &str| name != "theoretical_empties" && !(of_margin && name == "result");
        let (results, rest): (Vec<_>, Vec<_>) =
            result_fields(game).into_iter().partition(|field| is_first(field.name()));
        let moves = if of_margin { "transcript" } else { "moves" };
        fields.extend(results.into_iter().map(|field| field.of(|row: &Self| &row.game)));
        fields.extend([
            Field::<Self>::boolean("complete", |row| row.game.game.end().is_some().into())
                .about("Whether the game is over"),
            Field::<Self>::text(moves, |row| row.game.game.start().game().write_moves(&row.game.game).into())
                .about("The moves, preceded by the starting position if it is not the usual one"),
        ]);
        fields.extend(tag_fields().into_iter().map(|field| field.of(|row: &Self| &row.game.tags)));
        fields.extend(rest.into_iter().map(|field| field.of(|row: &Self| &row.game)));
        fields.extend([
            Field::<Self>::float("black_points", |row| row.game.black_score().into()).about(
                "The points by which Black won, according to the file or else on the board. Null if only the winner is \
                 known",
            ),
            Field::<Self>::integer("plies", |row| row.game.game.moves().len().into())
                .about("The plies played, forced passes included"),
            Field::<Self>::integer("line", |row| row.line.into()).about("The number of the line or record, from 1"),
        ]);
        fields.push(
            Field::<Self>::text("note", |row| unread_note(row.line, row.game.unread.iter()).into())
                .about("The parts of the text of the game that were left out"),
        );
        if let Some(names) = game.opening_names() {
            let name = move |row: &Self| names.at_ply(&row.game.game, usize::MAX).map(|opening| opening.name);
            fields.push(
                Field::<Self>::capturing("opening", move |row| Text::from(name(row)))
                    .about("The last named opening of the game"),
            );
        }
        fields.extend(note_fields().into_iter().map(|field| field.of(|row: &Self| &row.game)));
        // These columns are already among the fields.
        add_extra(&mut fields, columns, |name| !is_game_column(game, name) && !is_note_column(name), |row| &row.extra);
        fields
    }
}

/// Adds the input columns for which the filter returns true.
fn add_extra<R: 'static>(
    fields: &mut Vec<Field<R>>,
    columns: &[Column],
    is_wanted: impl Fn(&str) -> bool,
    of: fn(&R) -> &Arc<[Value]>,
) {
    let names = columns.iter().map(|column| &*column.name).enumerate();
    let names: Vec<_> = names.filter(|(_, name)| is_wanted(name)).collect();
    let extra_field = |name: String, place: usize| {
        let value = move |row: &R| of(row).get(place).cloned().unwrap_or_default();
        let column = &columns[place];
        Field::of_type(name, column.kind, value).only_if(!column.holds_other_keys).about("A column of the input")
    };
    Field::add_passthrough(fields, fields.len(), &names, extra_field);
}

/// A position as a row.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionRow {
    /// The name of the input.
    pub file: Arc<str>,
    /// The line number, counted from 1.
    pub line: u64,
    /// The position.
    pub entry: AnnotatedPosition,
    /// The copied input columns of the position.
    pub extra: Arc<[Value]>,
}

impl PositionRow {
    /// Returns the fields of the rows. `columns` are the names of the input columns that are
    /// copied.
    ///
    /// ```
    /// use morello::conversion::PositionRow;
    /// use morello::games;
    /// use morello::output::{Output, OutputFormat};
    ///
    /// let row = PositionRow {
    ///     file: "memory".into(),
    ///     line: 1,
    ///     entry: games::get("othello-4x4")?.start().into(),
    ///     extra: [].into(),
    /// };
    /// let mut csv = Vec::new();
    /// let mut output = Output::new(OutputFormat::Csv, PositionRow::fields(&[]), &mut csv)?;
    /// output.write(&row)?;
    /// output.finish()?;
    /// assert_eq!(String::from_utf8(csv)?, "file,line,position,empties,scores,note\nmemory,1,-----OX--XO----- X,12,,\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fields(columns: &[Column]) -> Vec<Field<Self>> {
        let mut fields = vec![
            Field::<Self>::text("file", |row| (&*row.file).into()).about("The input"),
            Field::<Self>::integer("line", |row| row.line.into()).about("The number of the line or record, from 1"),
            Field::<Self>::text("position", |row| row.entry.position.to_string().into())
                .about("The position in the game's own notation"),
            Field::<Self>::integer("empties", |row| row.entry.position.empty_count().into())
                .about("The number of empty squares, in games that fill the board"),
            Field::<Self>::text("scores", |row| row.scores().into())
                .about("The scores of moves given by the input, as in OBF: `d2:-14; b8:-16;`"),
            Field::<Self>::text("note", |row| unread_note(row.line, row.entry.unread.iter()).into())
                .about("The parts of the text of the position that were left out"),
        ];
        // This column is already among the fields.
        add_extra(&mut fields, columns, |name| !is_score_column(name), |row| &row.extra);
        fields
    }

    /// Returns the move scores in OBF style; `None` if there are none.
    fn scores(&self) -> Option<String> {
        let scores = &self.entry.expected;
        (!scores.is_empty()).then(|| write_scores(scores.iter().map(|&(m, points)| (m, Score::exact(points)))))
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::any_game;
    use morello_core::morris::{self, NineMensMorris};
    use morello_core::othello;

    use super::*;

    #[test]
    fn every_field_is_described() {
        for game in [any_game::<othello::Position>(), any_game::<morris::Position<NineMensMorris>>()] {
            assert!(GameRecord::fields(game, &[]).iter().all(|field| !field.description().is_empty()));
        }
        assert!(PositionRow::fields(&[]).iter().all(|field| !field.description().is_empty()));
    }
}
