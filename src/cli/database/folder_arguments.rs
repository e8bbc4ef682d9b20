//! The directories of the tables.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use morello_command::{eprint_line, help};
use morello_core::morris::engine::database::{Database, Metric, Ruleset, Sector, SectorTable};

use crate::cli::data_folder::data_folder;

/// The option that names the directory of all databases.
#[derive(Debug, Args)]
pub(super) struct FolderArguments {
    /// Directory of the endgame databases
    ///
    /// It has a subdirectory for each game. The default is ~/.local/share/morello/database on
    /// Linux, ~/Library/Application Support/morello/database on macOS and
    /// %LOCALAPPDATA%\morello\data\database on Windows.
    #[arg(long = "database", value_name = "DIR", help_heading = help::DATABASE)]
    dir: Option<PathBuf>,
}

impl FolderArguments {
    /// Returns the directory of all databases.
    pub fn path(&self) -> anyhow::Result<PathBuf> {
        root(self.dir.as_deref())
    }

    /// Returns the directory of a game's tables.
    pub fn folder(&self, game: &str) -> anyhow::Result<PathBuf> {
        folder(self.dir.as_deref(), game)
    }

    /// Opens the tables of a game.
    pub fn open(&self, rules: Ruleset) -> anyhow::Result<Database> {
        self.check()?;
        Ok(Database::open(&self.folder(rules.name)?, rules)?)
    }

    /// Checks that the directory given by the user exists: a misspelled one must not look empty.
    pub fn check(&self) -> anyhow::Result<()> {
        match &self.dir {
            Some(dir) if !dir.is_dir() => bail!("--database `{}`: the directory does not exist", dir.display()),
            _ => Ok(()),
        }
    }

    /// Returns the error that a game has no tables, with the command that builds some.
    pub fn no_tables(&self, game: &str) -> anyhow::Error {
        match self.folder(game) {
            Ok(folder) => {
                anyhow!("no tables in `{}`; run {}", folder.display(), self.build_command(game, "--max-men 6"))
            }
            Err(error) => error,
        }
    }

    /// Returns the table of a sector with the plies to the end of the game.
    pub fn table<'a>(&self, database: &'a Database, sector: Sector) -> anyhow::Result<&'a SectorTable> {
        check_sector(database, sector)?;
        database.table(sector, Metric::End).ok_or_else(|| self.no_table(database, sector))
    }

    /// Returns the error that a sector has no table, with the command that builds it, or the reason
    /// why it cannot have one.
    pub fn no_table(&self, database: &Database, sector: Sector) -> anyhow::Error {
        if let Err(error) = check_sector(database, sector) {
            return error;
        }
        let rules = database.rules();
        let build = self.build_command(rules.name, &format!("--sectors {sector}"));
        let checked = sector.check(rules).with_context(|| format!("--sectors, in {}", rules.name));
        match checked.and_then(|()| self.folder(rules.name)) {
            Ok(folder) => anyhow!("no table of sector {sector} in `{}`; run {build}", folder.display()),
            Err(error) => error,
        }
    }

    /// Warns about unusable table files; returns whether there are none.
    pub fn report_unusable_files(database: &Database) -> bool {
        for refused in database.unusable_tables() {
            eprint_line(format_args!("ignored: {}", refused.error));
        }
        database.unusable_tables().is_empty()
    }

    /// Returns the command that builds something into the same directory.
    pub fn build_command(&self, game: &str, what: &str) -> String {
        let dir = self.dir.as_ref().map_or_else(String::new, |dir| format!(" --database {}", dir.display()));
        format!("`morello database build {game} {what}{dir}`")
    }
}

/// Rejects a sector whose table on disk is unusable, even if the sector could be computed in
/// memory.
pub(super) fn check_sector(database: &Database, sector: Sector) -> anyhow::Result<()> {
    match database.unusable_tables().iter().find(|refused| refused.sector == sector) {
        Some(refused) => bail!("{}", refused.error),
        None => Ok(()),
    }
}

/// Returns the directory of all databases: `dir`, or the default.
fn root(dir: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(dir) = dir {
        return Ok(dir.to_owned());
    }
    let folder = data_folder()
        .context("no home directory, which holds the databases by default; choose a directory with --database")?;
    Ok(folder.join("database"))
}

/// Returns the directory of a game's tables, in `dir` or in the default directory.
pub(in crate::cli) fn folder(dir: Option<&Path>, game: &str) -> anyhow::Result<PathBuf> {
    Ok(root(dir)?.join(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_directory() {
        assert_eq!(folder(Some(Path::new("a/b")), "morabaraba").unwrap(), Path::new("a/b/morabaraba"));
        let root = FolderArguments { dir: Some("x".into()) };
        assert_eq!(
            root.build_command("morabaraba", "--max-men 7"),
            "`morello database build morabaraba --max-men 7 --database x`"
        );
    }
}
