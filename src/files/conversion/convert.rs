//! [`Conversion`]: converts the records of a reader to a [`ConversionTarget`].

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use morello_core::game::{
    AnnotatedGame, AnnotatedPosition, AnyPosition, Cancel, Game, GameError, LineFormat, ParsedRecord, Position as _,
    WriteRecords,
};
use thiserror::Error;

use super::{LostDetails, PositionRow, contradicts_board, count_lost_by_rows, write_game, write_position};
use crate::input::{GameRecord, ReadError, Reader, Record, Selection};
use crate::output::{Output, Value};

/// The output of a conversion.
#[non_exhaustive]
pub enum ConversionTarget {
    /// Lines in a text format.
    Lines(&'static LineFormat, Box<dyn Write + Send>),
    /// Records in a binary format.
    Records(Box<dyn WriteRecords>),
    /// Rows of games.
    Games(Output<'static, GameRecord>),
    /// Rows of positions.
    Positions(Output<'static, PositionRow>),
}

impl fmt::Debug for ConversionTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines(format, _) => f.debug_tuple("Lines").field(format).finish_non_exhaustive(),
            Self::Records(_) => f.write_str("Records(..)"),
            Self::Games(output) => f.debug_tuple("Games").field(output).finish(),
            Self::Positions(output) => f.debug_tuple("Positions").field(output).finish(),
        }
    }
}

/// A record that was not converted.
#[derive(Debug)]
#[non_exhaustive]
pub struct SkippedRecord {
    /// The name of the input.
    pub file: Arc<str>,
    /// The line of the error, counted from 1.
    pub line: u64,
    /// The column of the error, counted from 1.
    pub column: usize,
    /// The error: the record is invalid, or the target cannot represent it.
    pub problem: Box<dyn Error + Send + Sync>,
}

/// An error that ends a conversion.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// An input cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The target cannot be written.
    #[error(transparent)]
    Write(io::Error),
}

/// The counts of a conversion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversionCounts {
    /// The number of records read.
    pub records: u64,
    /// The number of records skipped.
    pub skipped: u64,
    /// The number of games.
    pub games: u64,
    /// The number of games that are not over.
    pub unfinished: u64,
    /// The number of games whose recorded result contradicts the board.
    pub contradictions: u64,
    /// The number of records with keys that are missing in the first JSON objects of their file, if
    /// the target cannot represent the keys.
    pub other_keys: u64,
    /// The metadata that the target cannot represent.
    pub lost: LostDetails,
}

/// A running conversion.
///
/// [`run`](Self::run) may be called with several readers, and then [`finish`](Self::finish).
#[derive(Debug)]
pub struct Conversion {
    target: ConversionTarget,
    selection: Selection,
    counts: ConversionCounts,
    file: Option<Arc<str>>,
    /// The number of games in the current input.
    number: u64,
}

/// The place of a record, and its columns that are copied to the output.
struct RecordOrigin {
    file: Arc<str>,
    line: u64,
    extra: Arc<[Value]>,
}

impl RecordOrigin {
    fn row(&self, entry: AnnotatedPosition) -> PositionRow {
        PositionRow { file: Arc::clone(&self.file), line: self.line, entry, extra: Arc::clone(&self.extra) }
    }

    fn game_record(&self, number: u64, game: AnnotatedGame) -> GameRecord {
        GameRecord { file: Arc::clone(&self.file), line: self.line, number, game, extra: Arc::clone(&self.extra) }
    }
}

/// An error in writing a record.
enum WriteError {
    /// The target cannot be written.
    Target(io::Error),
    /// The target cannot represent the record.
    Unrepresentable(Box<dyn Error + Send + Sync>),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidData {
            Self::Unrepresentable(error.into())
        } else {
            Self::Target(error)
        }
    }
}

impl From<GameError> for WriteError {
    fn from(error: GameError) -> Self {
        match error.inner().downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(kind) => io::Error::new(kind, error).into(),
            None => Self::Unrepresentable(error.into()),
        }
    }
}

impl Conversion {
    /// Creates a conversion. If the target has a position format, a game is converted to its
    /// selected positions.
    #[must_use]
    pub fn new(target: ConversionTarget, selection: Selection) -> Self {
        Self { target, selection, counts: ConversionCounts::default(), file: None, number: 0 }
    }

    /// Converts all records of a reader, or those before `cancel` is raised. After each record,
    /// `on_record` gets the counts so far, the number of bytes read from the inputs, and the record if
    /// it was skipped. `on_record` returns whether to continue.
    ///
    /// ```
    /// use morello::conversion::{Conversion, ConversionTarget};
    /// use morello::game::Cancel;
    /// use morello::games;
    /// use morello::input::{Input, Reader, Selection};
    ///
    /// let othello = games::get("othello")?;
    /// let board = othello.formats().iter().find(|format| format.is_named("board")).expect("a format of Othello");
    /// let target = ConversionTarget::Lines(board, Box::new(std::io::sink()));
    /// // The positions after the first two plies.
    /// let mut conversion = Conversion::new(target, Selection { plies: 0..=2, ..Selection::default() });
    /// let reader = Reader::of(othello, Input::Text("f5d6c3d3".to_owned()))?;
    /// conversion.run(reader, &Cancel::new(), &mut |counts, _bytes, _skipped| counts.records < 1000)?;
    /// assert_eq!(conversion.finish()?.0.games, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ConversionError`] if an input cannot be read or the target cannot be written. After a read
    /// error, the conversion can still be [finished](Self::finish).
    pub fn run(
        &mut self,
        reader: Reader,
        cancel: &Cancel,
        on_record: &mut dyn FnMut(&ConversionCounts, u64, Option<SkippedRecord>) -> bool,
    ) -> Result<(), ConversionError> {
        let holds_columns = matches!(self.target, ConversionTarget::Games(_) | ConversionTarget::Positions(_));
        let remainder = reader.remainder_column().filter(|_| !holds_columns);
        for record in reader.read_ahead(cancel) {
            let Record { file, line, bytes_read, extra, content, is_selected, .. } = record?;
            if !is_selected {
                self.count_other(&file, content.as_ref().ok());
                continue;
            }
            let skipped = |line, column, problem| SkippedRecord { file: Arc::clone(&file), line, column, problem };
            self.counts.records += 1;
            let has_other_keys = remainder.is_some_and(|at| extra.get(at).is_some_and(|value| *value != Value::Null));
            self.counts.other_keys += u64::from(has_other_keys);
            let skipped = match content {
                Err(error) => Some(skipped(error.line, error.column, error.problem.into())),
                Ok(content) => match self.write(RecordOrigin { file: Arc::clone(&file), line, extra }, content) {
                    Ok(()) => None,
                    Err(WriteError::Target(error)) => return Err(ConversionError::Write(error)),
                    Err(WriteError::Unrepresentable(error)) => Some(skipped(line, 1, error)),
                },
            };
            self.counts.skipped += u64::from(skipped.is_some());
            if !on_record(&self.counts, bytes_read, skipped) {
                break;
            }
        }
        Ok(())
    }

    /// Converts one game. Returns it as skipped if the target cannot represent it.
    ///
    /// ```
    /// use morello::conversion::{Conversion, ConversionTarget};
    /// use morello::games;
    /// use morello::input::{GameRecord, Selection, read_text};
    ///
    /// let othello = games::get("othello")?;
    /// let pgn = othello.formats().iter().find(|format| format.is_named("pgn")).expect("a format of Othello");
    /// let target = ConversionTarget::Lines(pgn, Box::new(std::io::sink()));
    /// let mut conversion = Conversion::new(target, Selection::default());
    /// let game = read_text(othello, "f5d6c3")?.game;
    /// let record = GameRecord { file: "memory".into(), line: 1, number: 1, game, extra: [].into() };
    /// assert!(conversion.write_record(record)?.is_none(), "it is not skipped");
    /// let (counts, _) = conversion.finish()?;
    /// assert_eq!((counts.games, counts.unfinished), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the target cannot be written.
    pub fn write_record(&mut self, record: GameRecord) -> io::Result<Option<SkippedRecord>> {
        let (file, line) = (Arc::clone(&record.file), record.line);
        let written = self.write_game(record);
        self.skipped(file, line, written)
    }

    /// Converts one position. Returns it as skipped if the target cannot represent it.
    ///
    /// ```
    /// use morello::conversion::{Conversion, ConversionTarget, PositionRow};
    /// use morello::games;
    /// use morello::input::Selection;
    ///
    /// let othello = games::get("othello")?;
    /// let obf = othello.formats().iter().find(|format| format.is_named("obf")).expect("a format of Othello");
    /// let target = ConversionTarget::Lines(obf, Box::new(std::io::sink()));
    /// let mut conversion = Conversion::new(target, Selection::default());
    /// let row = PositionRow { file: "memory".into(), line: 1, entry: othello.start().into(), extra: [].into() };
    /// assert!(conversion.write_position_row(row)?.is_none(), "it is not skipped");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the target cannot be written.
    pub fn write_position_row(&mut self, row: PositionRow) -> io::Result<Option<SkippedRecord>> {
        let PositionRow { file, line, entry, extra } = row;
        let written = self.write_position(&RecordOrigin { file: Arc::clone(&file), line, extra }, entry);
        self.skipped(file, line, written)
    }

    /// Counts a record. Returns it if it was skipped.
    fn skipped(
        &mut self,
        file: Arc<str>,
        line: u64,
        written: Result<(), WriteError>,
    ) -> io::Result<Option<SkippedRecord>> {
        self.counts.records += 1;
        match written {
            Ok(()) => Ok(None),
            Err(WriteError::Target(error)) => Err(error),
            Err(WriteError::Unrepresentable(problem)) => {
                self.counts.skipped += 1;
                Ok(Some(SkippedRecord { file, line, column: 1, problem }))
            }
        }
    }

    /// Finishes the output. Returns the counts, and a description of other losses.
    ///
    /// # Errors
    /// Fails if the target cannot be written.
    pub fn finish(self) -> io::Result<(ConversionCounts, String)> {
        let lost = match self.target {
            ConversionTarget::Lines(_, mut sink) => sink.flush().map(|()| String::new()),
            ConversionTarget::Records(writer) => writer.finish(),
            ConversionTarget::Games(output) => output.finish().map(|()| String::new()),
            ConversionTarget::Positions(output) => output.finish().map(|()| String::new()),
        };
        Ok((self.counts, lost?))
    }

    /// Starts the count of games at 1 for a new input.
    fn enter(&mut self, file: &Arc<str>) {
        if self.file.as_ref().is_none_or(|current| !Arc::ptr_eq(current, file)) {
            (self.file, self.number) = (Some(Arc::clone(file)), 0);
        }
    }

    /// Counts the games in a record that belongs to another part.
    fn count_other(&mut self, file: &Arc<str>, content: Option<&ParsedRecord>) {
        self.enter(file);
        self.number += match content {
            Some(ParsedRecord::Games(games)) => games.len() as u64,
            Some(ParsedRecord::Position(_)) => u64::from(matches!(self.target, ConversionTarget::Games(_))),
            None => 0,
        };
    }

    fn write(&mut self, origin: RecordOrigin, content: ParsedRecord) -> Result<(), WriteError> {
        self.enter(&origin.file);
        match content {
            ParsedRecord::Position(entry) if !self.selection.contains_empties(&entry.position) => Ok(()),
            ParsedRecord::Position(entry) => self.write_position(&origin, entry),
            ParsedRecord::Games(games) => games.into_iter().try_for_each(|game| {
                self.number += 1;
                self.write_game(origin.game_record(self.number, game))
            }),
        }
    }

    fn write_position(&mut self, origin: &RecordOrigin, entry: AnnotatedPosition) -> Result<(), WriteError> {
        match &mut self.target {
            ConversionTarget::Lines(format, sink) => {
                writeln!(sink, "{}", write_position(format, &entry, &mut self.counts.lost)?)?
            }
            ConversionTarget::Records(writer) => writer.write(&Game::new(entry.position).into())?,
            ConversionTarget::Positions(output) => output.write(&origin.row(entry))?,
            ConversionTarget::Games(output) => {
                self.number += 1;
                output.write(&origin.game_record(self.number, Game::new(entry.position).into()))?;
            }
        }
        Ok(())
    }

    fn write_game(&mut self, record: GameRecord) -> Result<(), WriteError> {
        let counts = &mut self.counts;
        let game = &record.game;
        counts.games += 1;
        counts.unfinished += u64::from(game.game.end().is_none());
        counts.contradictions += u64::from(contradicts_board(game));
        let selection = &self.selection;
        let select =
            |position: &AnyPosition, ply: usize| !position.is_over() && selection.contains(position, ply as u32);
        match &mut self.target {
            ConversionTarget::Lines(format, sink) => {
                for text in write_game(format, game, select, &mut counts.lost)? {
                    writeln!(sink, "{text}")?;
                }
            }
            ConversionTarget::Records(writer) => writer.write(game)?,
            ConversionTarget::Games(output) => {
                count_lost_by_rows(game, &mut counts.lost);
                output.write(&record)?;
            }
            ConversionTarget::Positions(output) => {
                for (ply, position) in game.game.positions().iter().enumerate() {
                    if select(position, ply) {
                        let (file, extra) = (Arc::clone(&record.file), Arc::clone(&record.extra));
                        output.write(&PositionRow { file, line: record.line, entry: (*position).into(), extra })?;
                    }
                }
            }
        }
        Ok(())
    }
}
