//! The arguments that name a game and a book.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use clap::builder::TypedValueParser;
use morello_command::{eprint_line, help};
use morello_core::game::{AnyGame, AnyPosition, Game};
use morello_core::games;
use morello_files::book::{Book, BookWriter};

/// Returns a parser of the name of a game.
pub(in crate::cli) fn game_parser() -> impl TypedValueParser<Value = &'static dyn AnyGame> {
    help::game_parser().map(|name| games::get(&name).expect("the parser accepts only names of games"))
}

/// The game and the book to read.
#[derive(Debug, Args)]
pub(super) struct ReadArguments {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn AnyGame,

    /// Book file [default: the built-in book]
    #[arg(long, value_name = "FILE", help_heading = help::BOOK)]
    pub book: Option<PathBuf>,
}

impl ReadArguments {
    /// Opens the book.
    pub fn open(&self) -> anyhow::Result<Book> {
        open(self.game, self.book.as_deref())
    }
}

/// Opens a book file, or the book of a game that is part of the program.
pub(in crate::cli) fn open(game: &'static dyn AnyGame, path: Option<&Path>) -> anyhow::Result<Book> {
    match path {
        Some(path) => {
            let book = Book::open(path, game)?;
            let file = book.file();
            if file.most_positions() == 0 && file.unfinished_bytes() > 0 {
                let (path, bytes) = (path.display(), file.unfinished_bytes());
                eprint_line(format_args!(
                    "warning: `{path}` has no positions; its {bytes} bytes are an unfinished write, or the file was \
                        truncated"
                ));
            }
            Ok(book)
        }
        None => match Book::built_in(game) {
            Some(book) => Ok(book?),
            None => bail!(
                "{} has no built-in book; build one with `morello book build` and name it with --book",
                game.name()
            ),
        },
    }
}

/// The game and the book to change.
#[derive(Debug, Args)]
pub(super) struct WriteArguments {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn AnyGame,

    /// Book file
    pub file: PathBuf,
}

impl WriteArguments {
    /// Opens the book, which must exist unless it may be created.
    pub fn open(&self, may_create: bool) -> anyhow::Result<BookWriter> {
        if !may_create && !self.file.exists() {
            bail!("`{}` does not exist; `morello book build` creates a book", self.file.display());
        }
        Ok(BookWriter::open(&self.file, self.game)?)
    }
}

/// Returns the canonical position of a game with the number of plies before it, without passes, as
/// a root of a visit. In games that fill the board it follows from the position.
pub(super) fn root(game: &Game) -> (AnyPosition, u32) {
    let (position, start) = (game.position(), game.position().game().start());
    let filled = start.empty_count().zip(position.empty_count()).map(|(before, now)| before.saturating_sub(now));
    (position.canonical(), filled.unwrap_or(game.moves().len() as u32))
}
