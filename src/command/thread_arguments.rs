//! [`ThreadArguments`]: the number of threads.

use clap::Args;

use super::{help, numbers, values, with_remedy};

/// The number of threads.
#[derive(Debug, Args)]
pub struct ThreadArguments {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,
}

impl ThreadArguments {
    /// Returns the number.
    pub fn count(&self) -> usize {
        values::thread_count(self.threads)
    }

    /// Starts the threads.
    pub fn pool(&self) -> anyhow::Result<rayon_core::ThreadPool> {
        self.builder().build().map_err(cannot_start)
    }

    /// Starts the threads for all parallel work of the program.
    pub fn start_global(&self) -> anyhow::Result<()> {
        self.builder().build_global().map_err(cannot_start)
    }

    fn builder(&self) -> rayon_core::ThreadPoolBuilder {
        rayon_core::ThreadPoolBuilder::new().num_threads(self.count())
    }
}

fn cannot_start(error: rayon_core::ThreadPoolBuildError) -> anyhow::Error {
    with_remedy("cannot start the threads", error, "try a smaller --threads")
}
