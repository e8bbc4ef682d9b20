//! [`ThreadArguments`]: the number of threads.

use anyhow::Context;
use clap::Args;

use super::{help, values};

/// The number of threads.
#[derive(Debug, Args)]
pub struct ThreadArguments {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl ThreadArguments {
    /// Returns the number.
    pub fn count(&self) -> usize {
        values::thread_count(self.threads)
    }

    /// Starts the threads.
    pub fn pool(&self) -> anyhow::Result<rayon_core::ThreadPool> {
        self.builder().build().context(CANNOT_START)
    }

    /// Starts the threads for all parallel work of the program.
    pub fn start_global(&self) -> anyhow::Result<()> {
        self.builder().build_global().context(CANNOT_START)
    }

    fn builder(&self) -> rayon_core::ThreadPoolBuilder {
        rayon_core::ThreadPoolBuilder::new().num_threads(self.count())
    }
}

const CANNOT_START: &str = "cannot start the threads: try a smaller --threads";
