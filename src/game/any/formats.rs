//! Formats and dialects of any game: [`LineFormat`], [`RecordFormat`] and [`Dialect`] without the type of the game.

use std::error::Error;
use std::io;
use std::path::Path;

use super::convert::{any_annotated, any_held, any_record, typed_annotated, typed_entry, typed_record};
use super::{AnyMove, AnyPosition};
use crate::game::{
    Annotated, Dialect, Entry, Extent, Game, Held, LineFormat, Placed, Playable, RecordFormat, Records, Told,
    WriteRecords,
};

/// A [text format](LineFormat) of any game.
pub trait TextFormat: Sync {
    /// Returns the name by which a user asks for the format.
    fn name(&self) -> &'static str;

    /// Returns other names for it, or for files that it reads too.
    fn aliases(&self) -> &'static [&'static str];

    /// Returns one line of help.
    fn about(&self) -> &'static str;

    /// Returns whether it is a format of games.
    fn of_games(&self) -> bool;

    /// Returns whether a line looks like this format.
    fn detect(&self, line: &str) -> bool;

    /// Reads a line, or the lines of a record.
    ///
    /// # Errors
    /// What is wrong with it; the column counts from the start of what is given.
    fn parse(&self, text: &str) -> Result<Held, Box<dyn Placed>>;

    /// Begins to see which lines belong to a record. `None` where one line is all.
    fn extent(&self) -> Option<Box<dyn Extent>>;

    /// Returns where in a text that cannot be read as a whole its games begin, in bytes; nothing where a record is one.
    fn split(&self, text: &str) -> Vec<usize>;

    /// Returns whether it writes games.
    fn writes_games(&self) -> bool;

    /// Returns whether it writes positions.
    fn writes_positions(&self) -> bool;

    /// Returns what it keeps of what is [`Told`].
    fn keeps(&self) -> &'static [Told];

    /// Writes a game, without a line break at the end; `None` if it is a format of positions.
    ///
    /// # Errors
    /// Why the format cannot hold the game.
    fn write_game(&self, game: &Annotated) -> Option<Result<String, Box<dyn Error + Send + Sync>>>;

    /// Writes a position, without a line break at the end; `None` if it is a format of games.
    ///
    /// # Errors
    /// Why the format cannot hold the position.
    fn write_position(&self, entry: &Entry) -> Option<Result<String, Box<dyn Error + Send + Sync>>>;
}

impl dyn TextFormat {
    /// Returns whether a user means this format by a name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name() == name || self.aliases().contains(&name)
    }
}

impl<P: Playable> TextFormat for LineFormat<P> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn of_games(&self) -> bool {
        self.of_games
    }

    fn detect(&self, line: &str) -> bool {
        (self.detect)(line)
    }

    fn parse(&self, text: &str) -> Result<Held, Box<dyn Placed>> {
        (self.parse)(text).map(any_held)
    }

    fn extent(&self) -> Option<Box<dyn Extent>> {
        self.extent.map(|begin| begin())
    }

    fn split(&self, text: &str) -> Vec<usize> {
        self.split.map_or(Vec::new(), |split| split(text))
    }

    fn writes_games(&self) -> bool {
        self.writing.game.is_some()
    }

    fn writes_positions(&self) -> bool {
        self.writing.position.is_some()
    }

    fn keeps(&self) -> &'static [Told] {
        self.writing.keeps
    }

    fn write_game(&self, game: &Annotated) -> Option<Result<String, Box<dyn Error + Send + Sync>>> {
        self.writing.game.map(|write| write(&typed_annotated(game)))
    }

    fn write_position(&self, entry: &Entry) -> Option<Result<String, Box<dyn Error + Send + Sync>>> {
        self.writing.position.map(|write| write(&typed_entry(entry)))
    }
}

/// A [binary format](RecordFormat) of games of any game.
pub trait BinaryFormat: Sync {
    /// Returns the name by which a user asks for the format.
    fn name(&self) -> &'static str;

    /// Returns one line of help.
    fn about(&self) -> &'static str;

    /// Returns whether a file that begins with these bytes is in the format; they are its first 256, or all.
    fn detect(&self, head: &[u8]) -> bool;

    /// Returns the bytes of the head.
    fn head_bytes(&self) -> usize;

    /// Returns the bytes of a record.
    fn record_bytes(&self) -> usize;

    /// Reads the head of a file that has this path, if it has one.
    ///
    /// # Errors
    /// What is wrong with the head, or with the files beside it.
    fn open(&self, head: &[u8], path: Option<&Path>) -> Result<Records, Box<dyn Error + Send + Sync>>;

    /// Creates a file.
    ///
    /// # Errors
    /// If it cannot be created.
    fn create(&self, path: &Path) -> io::Result<Box<dyn WriteRecords>>;
}

impl<P: Playable> BinaryFormat for RecordFormat<P> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn detect(&self, head: &[u8]) -> bool {
        (self.detect)(head)
    }

    fn head_bytes(&self) -> usize {
        self.head_bytes
    }

    fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    fn open(&self, head: &[u8], path: Option<&Path>) -> Result<Records, Box<dyn Error + Send + Sync>> {
        let Records { count, mut read } = (self.open)(head, path)?;
        Ok(Records { count, read: Box::new(move |bytes| read(bytes).map(any_annotated)) })
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn WriteRecords>> {
        Ok(Box::new(Writer((self.create)(path)?)))
    }
}

struct Writer<P: Playable>(Box<dyn WriteRecords<P>>);

impl<P: Playable> WriteRecords for Writer<P> {
    fn write(&mut self, game: &Annotated) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.0.write(&typed_annotated(game))
    }

    fn finish(self: Box<Self>) -> io::Result<String> {
        self.0.finish()
    }
}

/// A [dialect](Dialect) of any game.
pub trait AnyDialect: Send + Sync {
    /// Returns what the protocol calls the game.
    fn game(&self) -> &str;

    /// Writes a game, from its start to the position on the board, without a line break.
    fn write_game(&self, game: &Game) -> String;

    /// Reads such a game, and what else programs write of one.
    ///
    /// # Errors
    /// What is wrong with the text; the column counts from its start.
    fn read_game(&self, text: &str) -> Result<Game, Box<dyn Placed>>;

    /// Writes a move.
    fn write_move(&self, m: AnyMove) -> String;

    /// Reads a move as programs write it; `None` if it is not a move, or not legal in the position.
    fn read_move(&self, position: &AnyPosition, text: &str) -> Option<AnyMove>;

    /// Draws the position for people, on one line or several, none of them empty.
    fn draw(&self, position: &AnyPosition) -> String;

    /// Returns about how many plies are left, for sharing out time.
    fn plies_left(&self, position: &AnyPosition) -> u32;
}

impl<P: Playable> AnyDialect for Dialect<P> {
    fn game(&self) -> &str {
        &self.game
    }

    fn write_game(&self, game: &Game) -> String {
        (self.write_game)(&typed_record(game))
    }

    fn read_game(&self, text: &str) -> Result<Game, Box<dyn Placed>> {
        (self.read_game)(text).map(|game| any_record(&game))
    }

    fn write_move(&self, m: AnyMove) -> String {
        (self.write_move)(m.unpack::<P>())
    }

    fn read_move(&self, position: &AnyPosition, text: &str) -> Option<AnyMove> {
        (self.read_move)(&position.unpack(), text).map(AnyMove::new::<P>)
    }

    fn draw(&self, position: &AnyPosition) -> String {
        (self.draw)(&position.unpack())
    }

    fn plies_left(&self, position: &AnyPosition) -> u32 {
        (self.plies_left)(&position.unpack())
    }
}
