//! Where the tables of a game lie.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use directories::ProjectDirs;

use crate::cli::eprint_line;
use crate::morris::engine::database::{Database, Ruleset, Sector};

/// The folder of all databases, as the commands are told it.
#[derive(Debug, Args)]
pub(super) struct Root {
    /// The folder of the databases; in it is one of each game [default: `database` in the user's data of morello]
    ///
    /// The default is ~/.local/share/morello/database on Linux, ~/Library/Application Support/morello/database on macOS and
    /// %LOCALAPPDATA%\morello\data\database on Windows.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Root {
    /// Returns the folder of all databases.
    pub fn path(&self) -> anyhow::Result<PathBuf> {
        root(self.dir.as_deref())
    }

    /// Returns the folder of a game's tables.
    pub fn folder(&self, game: &str) -> anyhow::Result<PathBuf> {
        folder(self.dir.as_deref(), game)
    }

    /// Opens the tables of a game.
    pub fn open(&self, rules: Ruleset) -> anyhow::Result<Database> {
        self.check()?;
        Ok(Database::open(&self.folder(rules.name)?, rules)?)
    }

    /// Sees that a folder that is named is one: who misspells it is not to read that it is empty.
    pub fn check(&self) -> anyhow::Result<()> {
        match &self.dir {
            Some(dir) if !dir.is_dir() => bail!("--dir `{}`: there is no such folder", dir.display()),
            _ => Ok(()),
        }
    }

    /// Says that a game has no table, and how to come by the first.
    pub fn no_tables(&self, game: &str) -> anyhow::Error {
        match self.folder(game) {
            Ok(folder) => {
                anyhow!(
                    "no table in `{}`: {} makes the first",
                    folder.display(),
                    self.build_command(game, "--max-men 6")
                )
            }
            Err(error) => error,
        }
    }

    /// Says that a sector has no table, and how to come by it; or why there can be none.
    pub fn no_table(&self, database: &Database, sector: Sector) -> anyhow::Error {
        if let Err(error) = check_sector(database, sector) {
            return error;
        }
        let rules = database.rules();
        let build = self.build_command(rules.name, &format!("--sectors {sector}"));
        let checked = sector.check(rules).with_context(|| format!("--sectors, in {}", rules.name));
        match checked.and_then(|()| self.folder(rules.name)) {
            Ok(folder) => anyhow!("sector {sector} has no table in `{}`: {build} makes it", folder.display()),
            Err(error) => error,
        }
    }

    /// Tells of what has the name of a table and cannot be used; returns whether there is none of it.
    pub fn tell_refused(database: &Database) -> bool {
        for refused in database.refused() {
            eprint_line(format_args!("left aside: {}", refused.error));
        }
        database.refused().is_empty()
    }

    /// Returns the command that builds something into the same folder.
    pub fn build_command(&self, game: &str, what: &str) -> String {
        let dir = self.dir.as_ref().map_or_else(String::new, |dir| format!(" --dir {}", dir.display()));
        format!("`morello database build {game} {what}{dir}`")
    }
}

/// Refuses a sector whose table on disk cannot be used, even if the sector could be made in memory: who asks for it wants to know.
pub(super) fn check_sector(database: &Database, sector: Sector) -> anyhow::Result<()> {
    match database.refused().iter().find(|refused| refused.sector == sector) {
        Some(refused) => bail!("{}", refused.error),
        None => Ok(()),
    }
}

/// Returns the folder of all databases: the one that is named, or where the system keeps the user's data.
fn root(dir: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(dir) = dir {
        return Ok(dir.to_owned());
    }
    let folders = ProjectDirs::from("", "", env!("CARGO_PKG_NAME"));
    let folders =
        folders.context("the folder of the databases is not known, as there is no home directory: name one")?;
    Ok(folders.data_local_dir().join("database"))
}

/// Returns the folder with the tables of a game, in `dir` or in the folder of all databases.
pub(in crate::cli) fn folder(dir: Option<&Path>, game: &str) -> anyhow::Result<PathBuf> {
    Ok(root(dir)?.join(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_a_folder_of_its_own() {
        assert_eq!(folder(Some(Path::new("a/b")), "morabaraba").unwrap(), Path::new("a/b/morabaraba"));
        let root = Root { dir: Some("x".into()) };
        assert_eq!(
            root.build_command("morabaraba", "--max-men 7"),
            "`morello database build morabaraba --max-men 7 --dir x`"
        );
    }
}
