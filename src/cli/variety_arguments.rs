//! [`VarietyArguments`]: the options of commands whose engine plays from an opening book.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::Args;
use morello_command::{help, numbers};
use morello_core::game::{AnyGame, SearcherWrapper};
use morello_core::games;
use morello_files::book::{BookAnswers, BookFile, BookUse, with_book};

use super::book::open_book;

/// The values of `--variety`, in points.
pub(super) const VARIETIES: RangeInclusive<f64> = 0.0..=64.0;

/// How the engine plays from an opening book.
#[derive(Debug, Clone, Args)]
pub(super) struct VarietyArguments {
    /// Play book moves within this many points of the best book move
    ///
    /// One of these moves is chosen at random; better moves are more likely. With 0, only the best
    /// book moves are played. Positions outside the book are searched.
    #[arg(long, value_name = "POINTS", help_heading = help::BOOK, value_parser = numbers::real(VARIETIES))]
    variety: Option<f64>,

    /// Opening book [default: the built-in book]
    #[arg(long, value_name = "FILE", help_heading = help::BOOK, hide_short_help = true)]
    book: Option<PathBuf>,
}

impl VarietyArguments {
    /// Returns the wrapper of searchers of a game; `None` without the option, and for games without
    /// a book if one of several games may have none.
    pub fn wrapper(
        &self,
        game: &'static dyn AnyGame,
        is_optional: bool,
    ) -> anyhow::Result<Option<Arc<dyn SearcherWrapper>>> {
        self.check()?;
        let Some(variety) = self.variety else { return Ok(None) };
        let book = match open_book(game, self.book.as_deref()) {
            Ok(book) => Arc::new(book),
            // A named book is of one game, which `check_file` has found.
            Err(_) if is_optional => return Ok(None),
            Err(error) => bail!("--variety: {error:#}"),
        };
        // Another game each time; matches and `play` set their own seed.
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        Ok(Some(with_book(book, BookUse { variety: Some(variety), answers: BookAnswers::Never, seed })))
    }

    /// Rejects a named book that is not the book of any game, for commands that play all games.
    pub fn check_file(&self) -> anyhow::Result<()> {
        self.check()?;
        let Some(path) = &self.book else { return Ok(()) };
        let game = games::get(&BookFile::game_name(path).context("--book")?).context("--book")?;
        self.wrapper(game, false).map(|_| ())
    }

    /// Returns the path of the book.
    pub fn book(&self) -> Option<&Path> {
        self.book.as_deref()
    }

    /// Rejects a book from which nothing is played.
    pub fn check(&self) -> anyhow::Result<()> {
        if self.book.is_some() && self.variety.is_none() {
            bail!("--book requires --variety; add --variety 0 to play the best moves of the book");
        }
        Ok(())
    }

    /// Returns the settings of a player that plays so: `,variety=1`; empty without the option.
    pub fn settings(&self) -> String {
        let Some(variety) = self.variety else { return String::new() };
        let book = self.book.as_ref().map_or_else(String::new, |book| format!(",book=\"{}\"", book.display()));
        format!(",variety={variety}{book}")
    }
}
