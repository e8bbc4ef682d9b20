//! The options of commands that search: which endgame database to look into.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::database::folder::folder;
use super::eprint_line;
use crate::game::{GameData, Playable};
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
    /// Opens the database of a game; `None` if it has none, or none is wanted. Tells of files that cannot be used.
    pub fn open<P: Playable>(&self) -> anyhow::Result<Option<GameData>> {
        if self.no_database {
            return Ok(None);
        }
        let folder = match &self.database {
            Some(dir) if !dir.is_dir() => bail!("--database `{}`: there is no such folder", dir.display()),
            Some(dir) => Some(folder(Some(dir), P::NAME)?),
            // Without a home there is no default, and nothing in it.
            None => folder(None, P::NAME).ok(),
        };
        let database = P::open_database(folder.as_deref()).map_err(|error| {
            anyhow!(error).context("cannot use the endgame database; --no-database does without it")
        })?;
        let refused = database.as_ref().and_then(GameData::get::<Database>);
        for refused in refused.iter().flat_map(|database| database.refused()) {
            // A folder that is named is to be as it was made; the others come on top of all else.
            if self.database.is_some() {
                bail!("--database: {}", refused.error);
            }
            eprint_line(format_args!("left aside: {}", refused.error));
        }
        if let Some(dir) = &self.database {
            if database.is_none() {
                bail!("{} has no endgame database: leave --database out", P::NAME);
            }
            if !folder.is_some_and(|folder| folder.is_dir()) {
                bail!("--database `{}`: it has no folder `{}` with tables of the game", dir.display(), P::NAME);
            }
        }
        Ok(database)
    }
}
