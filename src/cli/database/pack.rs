//! `morello database pack`: writes the tables that are part of the program.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use morello_command::thread_arguments::ThreadArguments;
use morello_command::{INTERRUPTED, eprint_line, files, signals};
use morello_core::journal;
use morello_core::morris::engine::database::{
    Build, BuildError, BuildProgress, Database, PackWriter, StoredValues, packed_sectors,
};
use morello_core::threads;

use super::build::build_error;
use super::folder_arguments::FolderArguments;
use super::{all_rules, format_bytes};

const EXAMPLES: &str = "\
Examples:
  morello database pack src/core/data/databases/small.pack --force
  morello database pack small.pack --database db";

/// Write the built-in pack of small tables
///
/// This command is for developers of morello. Missing tables are built first. A morello that was
/// compiled with the new file uses its tables if the database directory does not contain them.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Pack to write
    file: PathBuf,

    #[command(flatten)]
    root: FolderArguments,

    #[command(flatten)]
    threads: ThreadArguments,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        files::check_new(&self.file)?;
        let (pool, cancel) = (self.threads.pool()?, signals::cancel_on_signal()?);
        let mut pack = PackWriter::default();
        for rules in all_rules() {
            let name = rules.name;
            let (folder, sectors) = (self.root.folder(name)?, packed_sectors(&rules));
            let build = Build::open(&folder, rules, &sectors, StoredValues::Distances).map_err(build_error)?;
            match threads::run_on(&pool, || build.run(&BuildProgress::default(), &cancel, |_| ())) {
                Err(BuildError::Cancelled) => {
                    eprint_line(format_args!("interrupted; finished tables are kept"));
                    return Ok(ExitCode::from(INTERRUPTED));
                }
                built => built.map_err(build_error)?,
            }
            let before = pack.size();
            threads::run_on(&pool, || pack.add(&Database::open(&folder, rules)?).map_err(anyhow::Error::new))?;
            eprint_line(format_args!("{name}: {}", format_bytes(pack.size() - before)));
        }
        let bytes = pack.finish();
        let size = format_bytes(bytes.len() as u64);
        let write = |file: &mut std::fs::File| std::io::Write::write_all(file, &bytes);
        journal::replace(&self.file, write)
            .map_err(|error| anyhow::Error::new(error).context(files::cannot_write(&self.file)))?;
        eprint_line(format_args!("`{}`: {size}", self.file.display()));
        Ok(ExitCode::SUCCESS)
    }
}
