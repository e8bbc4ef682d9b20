//! The options of commands that search: which endgame database to look into.

use std::ffi::OsString;
use std::fs::DirEntry;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::database::folder::folder;
use super::eprint_line;
use crate::game::{AnyGame, GameData};
use crate::morris::engine::database::Database;

/// Which endgame database a search looks into, in games that have one.
#[derive(Debug, Args)]
pub(super) struct Endgames {
    /// Look into the endgame databases in this folder, as `morello database build --dir` makes them [default: where that puts them]
    #[arg(long, value_name = "DIR")]
    database: Option<PathBuf>,

    /// Do without any endgame database, those that are small enough to be made when they are needed included
    #[arg(long, conflicts_with = "database")]
    no_database: bool,
}

impl Endgames {
    /// Returns what tells the database that is looked into from others: its tables with their sizes.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn identity(&self, game: &dyn AnyGame) -> anyhow::Result<Vec<(OsString, u64)>> {
        let folder = if self.no_database { None } else { folder(self.database.as_deref(), game.name()).ok() };
        let Some(folder) = folder.filter(|folder| folder.is_dir()) else { return Ok(Vec::new()) };
        let failed = || format!("cannot read `{}`", folder.display());
        let table = |entry: io::Result<DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name(), entry.metadata()?.len()))
        };
        let tables = folder.read_dir().and_then(|entries| entries.map(table).collect::<io::Result<Vec<_>>>());
        let mut tables = tables.with_context(failed)?;
        tables.sort();
        Ok(tables)
    }

    /// Sees that the folder that is named is one.
    ///
    /// # Errors
    /// If it is none.
    pub fn check(&self) -> anyhow::Result<()> {
        match &self.database {
            Some(dir) if !dir.is_dir() => bail!("--database `{}`: there is no such folder", dir.display()),
            _ => Ok(()),
        }
    }

    /// Opens the database of one of several games, of which not all need have tables in the folder that is named.
    pub fn open_any(&self, game: &dyn AnyGame) -> anyhow::Result<Option<GameData>> {
        let has_tables = |dir| folder(Some(dir), game.name()).is_ok_and(|folder| folder.is_dir());
        match self.database.as_deref() {
            Some(dir) if !has_tables(dir) => Ok(game.open_database(None).map_err(|error| anyhow!(error))?),
            _ => self.open(game),
        }
    }

    /// Opens the database of a game; `None` if it has none, or none is wanted. Tells of files that cannot be used.
    pub fn open(&self, game: &dyn AnyGame) -> anyhow::Result<Option<GameData>> {
        if self.no_database {
            return Ok(None);
        }
        self.check()?;
        let folder = match &self.database {
            Some(dir) => Some(folder(Some(dir), game.name())?),
            // Without a home there is no default, and nothing in it.
            None => folder(None, game.name()).ok(),
        };
        let database = game.open_database(folder.as_deref()).map_err(|error| {
            anyhow!(error).context("cannot use the endgame database; --no-database does without it")
        })?;
        let refused = database.as_ref().and_then(|data| data.get::<Database>().ok());
        for refused in refused.iter().flat_map(|database| database.refused()) {
            // A folder that is named is to be as it was made; the others come on top of all else.
            if self.database.is_some() {
                bail!("--database: {}", refused.error);
            }
            eprint_line(format_args!("left aside: {}", refused.error));
        }
        if let Some(dir) = &self.database {
            if database.is_none() {
                bail!("{} has no endgame database: leave --database out", game.name());
            }
            if !folder.is_some_and(|folder| folder.is_dir()) {
                bail!("--database `{}`: it has no folder `{}` with tables of the game", dir.display(), game.name());
            }
        }
        Ok(database)
    }
}
