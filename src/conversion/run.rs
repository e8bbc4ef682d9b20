//! [`Conversion`]: from the records of a reader to a [`Target`].

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use thiserror::Error;

use super::{GameRow, Lost, PositionRow, contradicts_board, count_lost_by_rows, write_game, write_position};
use crate::game::{Annotated, AnyPosition, Entry, Game, Held, LineFormat, Position as _, WriteRecords};
use crate::input::{ReadError, Reader, Record, Selection};
use crate::output::{Output, Value};

/// What is written to.
#[non_exhaustive]
pub enum Target {
    /// Lines of a text format.
    Lines(&'static LineFormat, Box<dyn Write + Send>),
    /// Records of a binary format.
    Records(Box<dyn WriteRecords>),
    /// Rows of games.
    Games(Output<'static, GameRow>),
    /// Rows of positions.
    Positions(Output<'static, PositionRow>),
}

/// A record that is not converted.
#[derive(Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// The name of its input.
    pub file: Arc<str>,
    /// The line of what is wrong, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong: the record is bad, or the target cannot hold it.
    pub problem: Box<dyn Error + Send + Sync>,
}

/// Why a conversion did not come to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// An input cannot be read on.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The target cannot be written.
    #[error(transparent)]
    Write(io::Error),
}

/// What was converted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The records read.
    pub records: u64,
    /// Those that were skipped.
    pub skipped: u64,
    /// The games.
    pub games: u64,
    /// The games that were not played to their ends.
    pub unfinished: u64,
    /// The games whose recorded result contradicts the board.
    pub contradictions: u64,
    /// What the target has no place for.
    pub lost: Lost,
}

/// A conversion under way.
pub struct Conversion {
    target: Target,
    selection: Selection,
    counts: Counts,
    file: Option<Arc<str>>,
    /// The games of the present input.
    number: u64,
}

/// Where a record stands, and what stands beside it.
struct Place {
    file: Arc<str>,
    line: u64,
    beside: Arc<[Value]>,
}

impl Place {
    fn row(&self, entry: Entry) -> PositionRow {
        PositionRow { file: Arc::clone(&self.file), line: self.line, entry, beside: Arc::clone(&self.beside) }
    }

    fn game_row(&self, number: u64, game: Annotated) -> GameRow {
        GameRow { file: Arc::clone(&self.file), number, game, beside: Arc::clone(&self.beside) }
    }
}

/// Why something is not written.
enum WriteError {
    /// The target is broken.
    Target(io::Error),
    /// The target cannot hold this.
    Unfit(Box<dyn Error + Send + Sync>),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidData { Self::Unfit(error.into()) } else { Self::Target(error) }
    }
}

impl From<Box<dyn Error + Send + Sync>> for WriteError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        error.downcast::<io::Error>().map_or_else(Self::Unfit, |error| (*error).into())
    }
}

impl Conversion {
    /// Begins a conversion. A game becomes the positions of it that are selected where the target holds positions.
    #[must_use]
    pub fn new(target: Target, selection: Selection) -> Self {
        Self { target, selection, counts: Counts::default(), file: None, number: 0 }
    }

    /// Converts what a reader reads. After each record `on_record` gets the counts up to there, the bytes of the inputs that were read, and
    /// what is wrong with the record; it says whether to go on.
    ///
    /// # Errors
    /// [`ConversionError`] if an input cannot be read or the target not be written. After the former, it can be [finished](Self::finish).
    pub fn run(
        &mut self,
        reader: Reader,
        on_record: &mut dyn FnMut(&Counts, u64, Option<Skipped>) -> bool,
    ) -> Result<(), ConversionError> {
        for record in reader {
            let Record { file, line, bytes_read, beside, held, .. } = record?;
            let skipped = |line, column, problem| Skipped { file: Arc::clone(&file), line, column, problem };
            self.counts.records += 1;
            let skipped = match held {
                Err(error) => Some(skipped(error.line, error.column, error.problem.into())),
                Ok(held) => match self.write(Place { file: Arc::clone(&file), line, beside }, held) {
                    Ok(()) => None,
                    Err(WriteError::Target(error)) => return Err(ConversionError::Write(error)),
                    Err(WriteError::Unfit(error)) => Some(skipped(line, 1, error)),
                },
            };
            self.counts.skipped += u64::from(skipped.is_some());
            if !on_record(&self.counts, bytes_read, skipped) {
                break;
            }
        }
        Ok(())
    }

    /// Writes the end; returns what was converted, and in words what else was lost.
    ///
    /// # Errors
    /// If the target cannot be written.
    pub fn finish(self) -> io::Result<(Counts, String)> {
        let lost = match self.target {
            Target::Lines(_, mut sink) => sink.flush().map(|()| String::new()),
            Target::Records(writer) => writer.finish(),
            Target::Games(output) => output.finish().map(|()| String::new()),
            Target::Positions(output) => output.finish().map(|()| String::new()),
        };
        Ok((self.counts, lost?))
    }

    fn write(&mut self, place: Place, held: Held) -> Result<(), WriteError> {
        if self.file.as_ref().is_none_or(|present| !Arc::ptr_eq(present, &place.file)) {
            (self.file, self.number) = (Some(Arc::clone(&place.file)), 0);
        }
        match held {
            Held::Position(entry) if !self.selection.has_empties(&entry.position) => Ok(()),
            Held::Position(entry) => self.write_position(&place, entry),
            Held::Games(games) => games.into_iter().try_for_each(|game| {
                self.number += 1;
                self.write_game(&place, game)
            }),
        }
    }

    fn write_position(&mut self, place: &Place, entry: Entry) -> Result<(), WriteError> {
        match &mut self.target {
            Target::Lines(format, sink) => {
                writeln!(sink, "{}", write_position(format, &entry, &mut self.counts.lost)?)?
            }
            Target::Records(writer) => writer.write(&Game::new(entry.position).into())?,
            Target::Positions(output) => output.write(&place.row(entry))?,
            Target::Games(output) => {
                self.number += 1;
                output.write(&place.game_row(self.number, Game::new(entry.position).into()))?;
            }
        }
        Ok(())
    }

    fn write_game(&mut self, place: &Place, game: Annotated) -> Result<(), WriteError> {
        let counts = &mut self.counts;
        counts.games += 1;
        counts.unfinished += u64::from(game.game.end().is_none());
        counts.contradictions += u64::from(contradicts_board(&game));
        let selection = &self.selection;
        let select = |position: &AnyPosition, ply: usize| !position.is_over() && selection.has(position, ply as u32);
        match &mut self.target {
            Target::Lines(format, sink) => {
                for text in write_game(format, &game, select, &mut counts.lost)? {
                    writeln!(sink, "{text}")?;
                }
            }
            Target::Records(writer) => writer.write(&game)?,
            Target::Games(output) => {
                count_lost_by_rows(&game, &mut counts.lost);
                output.write(&place.game_row(self.number, game))?;
            }
            Target::Positions(output) => {
                for (ply, position) in game.game.positions().iter().enumerate() {
                    if select(position, ply) {
                        output.write(&place.row((*position).into()))?;
                    }
                }
            }
        }
        Ok(())
    }
}
