//! Shared code of the commands that measure errors by searching positions from games.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::{eprint_line, help, numbers, signals};
use morello_core::game::Cancel;
use morello_core::othello::Board;

use super::weight_files;
use crate::training::DataSplit;
use crate::training::probcut::draw_positions;

/// The positions to search.
#[derive(Debug, Args)]
pub(super) struct MeasurementArguments {
    /// Game files from `morello-train generate`
    #[arg(long, value_name = "FILE", required = true, num_args = 1.., help_heading = help::INPUT)]
    data: Vec<PathBuf>,

    /// Use all games, for data that was not used to fit the weights
    #[arg(long, help_heading = help::INPUT)]
    all_games: bool,

    /// Maximum number of positions for each number of empty squares
    #[arg(long, value_name = "N", default_value = "50", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=u32::MAX))]
    max_positions: u32,
}

impl MeasurementArguments {
    /// Draws positions with these numbers of empty squares.
    pub fn draw(&self, empties: RangeInclusive<u32>) -> anyhow::Result<Vec<Board>> {
        let corpus = weight_files::read_corpus(&self.data)?;
        let part = if self.all_games { DataSplit::All } else { DataSplit::HeldOut };
        Ok(draw_positions(&corpus, part, empties, self.max_positions as usize))
    }
}

/// Runs a measurement until it ends or a signal arrives, and shows its progress under a name.
/// Returns the result, or prints a message and returns `None` if it was interrupted.
pub(super) fn measure<T>(
    arguments: ProgressArguments,
    name: &'static str,
    positions: usize,
    measure: impl FnOnce(&Cancel, &(dyn Fn(usize) + Sync)) -> Option<T>,
) -> anyhow::Result<Option<T>> {
    let cancel = signals::cancel_on_signal()?;
    let progress = Progress::new(arguments, name, false);
    let on_position = |done: usize| {
        progress.set(done as u64, Some(positions as u64), &|| format!("{done} of {positions} positions"));
    };
    let measured = measure(&cancel, &on_position);
    progress.finish();
    if measured.is_none() {
        eprint_line(format_args!("interrupted"));
    }
    Ok(measured)
}
