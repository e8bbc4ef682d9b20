//! [`EndgameArguments`]: the options of commands that use endgame databases.

use std::ffi::OsString;
use std::fs::DirEntry;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use morello_command::{eprint_line, files, help, with_remedy};
use morello_core::game::{AnyGame, GameData};
use morello_core::morris::engine::database::Database;
use morello_core::sorting;
use twox_hash::XxHash3_128;

use super::database::folder_arguments::folder;

/// The databases that the command uses: a table is found to be damaged only when a block of it is
/// read.
static OPENED: Mutex<Vec<Arc<Database>>> = Mutex::new(Vec::new());

/// Warns of the damaged tables of databases that searches used without them. Called at the end of a
/// command.
pub(super) fn warn_of_damaged_tables() {
    let opened = std::mem::take(&mut *OPENED.lock().unwrap_or_else(PoisonError::into_inner));
    for database in opened {
        let game = database.rules().name;
        for table in database.tables().into_iter().filter(|table| table.is_damaged()) {
            let file = table.file().display();
            eprint_line(format_args!(
                "warning: `{file}` is damaged and was not used; delete it and run `morello database build {game}`"
            ));
        }
    }
}

/// The endgame database that a search uses.
#[derive(Debug, Args)]
pub(super) struct EndgameArguments {
    /// Directory of the endgame databases
    ///
    /// The default is where `morello database build` writes them.
    #[arg(long, value_name = "DIR", help_heading = help::DATABASE, hide_short_help = true)]
    database: Option<PathBuf>,

    /// Do not use an endgame database
    ///
    /// This also disables the small databases that morello computes when needed.
    #[arg(long, conflicts_with = "database", help_heading = help::DATABASE, hide_short_help = true)]
    no_database: bool,
}

impl EndgameArguments {
    /// Returns an identification of the database: its files with their sizes.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
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
        sorting::sort_by(&mut tables, &Ord::cmp);
        Ok(tables)
    }

    /// Describes the files of the database, for the provenance of outputs.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
    pub fn describe(&self, game: &dyn AnyGame) -> anyhow::Result<String> {
        let tables = self.identity(game)?;
        let sum = XxHash3_128::oneshot(format!("{tables:?}").as_bytes());
        Ok(match tables.len() {
            _ if self.no_database => "none".to_owned(),
            0 => "none in files".to_owned(),
            files => format!("{files} files, xxh3 of names and sizes {sum:032x}"),
        })
    }

    /// Checks that the directory given by `--database` exists.
    ///
    /// # Errors
    /// Fails if it does not exist.
    pub fn check(&self) -> anyhow::Result<()> {
        match &self.database {
            Some(dir) if !dir.is_dir() => bail!("--database `{}`: the directory does not exist", dir.display()),
            _ => Ok(()),
        }
    }

    /// Opens the database of one of several games, not all of which need tables in the directory
    /// given.
    pub fn open_any(&self, game: &dyn AnyGame) -> anyhow::Result<Option<GameData>> {
        let has_tables = |dir| folder(Some(dir), game.name()).is_ok_and(|folder| folder.is_dir());
        match self.database.as_deref() {
            Some(dir) if !has_tables(dir) => Ok(game.open_database(None).map_err(|error| anyhow!(error))?),
            _ => self.open(game),
        }
    }

    /// Opens the database of a game; `None` if it has none, or with `--no-database`. Warns about
    /// unusable files.
    pub fn open(&self, game: &dyn AnyGame) -> anyhow::Result<Option<GameData>> {
        if self.no_database {
            return Ok(None);
        }
        self.check()?;
        let folder = match &self.database {
            Some(dir) => Some(folder(Some(dir), game.name())?),
            // The default directory is in the home directory, which may not exist.
            None => folder(None, game.name()).ok(),
        };
        let database = game
            .open_database(folder.as_deref())
            .map_err(|error| with_remedy("cannot use the endgame database", anyhow!(error), "try --no-database"))?;
        let refused = database.as_ref().and_then(|data| data.get::<Database>().ok());
        OPENED.lock().unwrap_or_else(PoisonError::into_inner).extend(refused.clone());
        for refused in refused.iter().flat_map(|database| database.unusable_tables()) {
            // A directory given by the user must be intact; the default one is only an addition.
            if self.database.is_some() {
                bail!("--database: {}", refused.error);
            }
            eprint_line(format_args!("ignored: {}", refused.error));
        }
        if let Some(dir) = &self.database {
            if database.is_none() {
                bail!("{} has no endgame database; remove --database", game.name());
            }
            files::tables_folder(dir, game.name())?;
        }
        Ok(database)
    }
}
