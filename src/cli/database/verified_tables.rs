//! [`VerifiedTables`]: the file that lists verified tables, from which verification resumes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use morello_command::{eprint_line, files};
use morello_core::journal::{Journal, OpenJournalError};
use morello_core::morris::engine::database::SectorTable;

use super::{counted_to, hex, rounded};

const HEADER: &str = "game,sector,counted_to,positions,result,time_s,sha256\n";

/// A row of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerifiedTable {
    sector: String,
    counted_to: String,
    positions: u64,
    sha256: String,
}

impl VerifiedTable {
    pub fn new(table: &SectorTable, sha256: String) -> Self {
        let (sector, counted_to) = (table.sector().to_string(), counted_to(table.metric()).to_owned());
        Self { sector, counted_to, positions: table.slots(), sha256 }
    }

    /// Parses a row; `None` if it is not one of this game.
    fn parse(row: &str, game: &str) -> Option<Self> {
        let [of, sector, counted_to, positions, "ok", _, sha256] = row.split(',').collect::<Vec<_>>()[..] else {
            return None;
        };
        let row = Self {
            sector: sector.to_owned(),
            counted_to: counted_to.to_owned(),
            positions: positions.parse().ok()?,
            sha256: sha256.to_owned(),
        };
        (of == game).then_some(row)
    }
}

/// A CSV file with the tables of a game that were verified. It is locked against other processes.
pub(super) struct VerifiedTables {
    path: PathBuf,
    game: &'static str,
    journal: Journal,
    rows: Vec<VerifiedTable>,
}

impl VerifiedTables {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// Fails if it cannot be written, if another process uses it, or if it is another file.
    pub fn open(path: &Path, game: &'static str) -> anyhow::Result<Self> {
        let mut rows = Vec::new();
        let journal = Journal::open(path, HEADER.as_bytes(), |bytes| {
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let text = String::from_utf8_lossy(&bytes[..whole]);
            let Some(text) = text.strip_prefix(HEADER) else {
                bail!("it is not a list of verified tables; choose another file");
            };
            for (number, row) in (2..).zip(text.lines()) {
                let row = VerifiedTable::parse(row, game);
                rows.push(row.ok_or_else(|| {
                    anyhow!("line {number} is not a verified table of {game}; choose another file, or delete the line")
                })?);
            }
            Ok(whole)
        });
        let journal = journal.map_err(|error| match error.downcast::<OpenJournalError>() {
            Ok(error) => anyhow::Error::new(error).context(files::cannot_write(path)),
            Err(error) => error.context(format!("cannot resume from `{}`", path.display())),
        })?;
        Ok(Self { path: path.to_owned(), game, journal, rows })
    }

    /// Returns the tables that are not listed.
    ///
    /// # Errors
    /// Fails if a listed table was changed, or cannot be read.
    pub fn remaining<'a>(&self, tables: Vec<&'a SectorTable>) -> anyhow::Result<Vec<&'a SectorTable>> {
        let listed: HashMap<_, _> = self.rows.iter().map(|row| ((&*row.sector, &*row.counted_to), row)).collect();
        let (mut remaining, all) = (Vec::new(), tables.len());
        for table in tables {
            let name = table.sector().to_string();
            match listed.get(&(&*name, counted_to(table.metric()))) {
                None => remaining.push(table),
                Some(&row) if *row == VerifiedTable::new(table, hex(table.sha256()?)) => {}
                Some(_) => bail!(
                    "the table of sector {name} was changed after it was verified; delete `{}` to verify all tables \
                        again",
                    self.path.display()
                ),
            }
        }
        if remaining.len() < all {
            let (verified, path) = (all - remaining.len(), self.path.display());
            eprint_line(format_args!("{verified} of {all} tables were verified before, according to `{path}`"));
        }
        Ok(remaining)
    }

    /// Adds a table that was verified.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add(&mut self, table: &VerifiedTable, time: Duration) -> anyhow::Result<()> {
        let VerifiedTable { sector, counted_to, positions, sha256 } = table;
        let (game, seconds) = (self.game, rounded(time.as_secs_f64(), 3));
        let row = format!("{game},{sector},{counted_to},{positions},ok,{seconds},{sha256}\n");
        self.journal.add(row.as_bytes(), Duration::ZERO).with_context(|| files::cannot_write(&self.path))
    }
}
