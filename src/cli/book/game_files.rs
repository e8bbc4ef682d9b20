//! The games of files.

use std::path::{Path, PathBuf};

use morello_command::files;
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_core::game::{AnnotatedGame, AnyGame, Cancel, ParsedRecord};

/// What was read.
#[derive(Debug, Default)]
pub(super) struct ReadGames {
    pub games: u64,
    /// The records that are no games.
    pub invalid: u64,
}

/// Calls `on_game` with each game of files, none of which is an output, until `cancel` is raised.
/// Reports invalid records.
pub(super) fn read_games(
    paths: &[PathBuf],
    format: &FormatArguments,
    game: &'static dyn AnyGame,
    outputs: &[&Path],
    progress: ProgressArguments,
    cancel: &Cancel,
    on_game: &mut dyn FnMut(&AnnotatedGame),
) -> anyhow::Result<ReadGames> {
    let format = format.input_format(game)?;
    let inputs = files::inputs(paths)?;
    files::check_distinct(&inputs, outputs)?;
    let total_bytes = files::total_bytes(&inputs);
    let reader = files::reader(game, inputs, &format)?;
    let progress = Progress::new(progress, "read", false);
    let mut read = ReadGames::default();
    for record in reader.read_ahead(cancel) {
        let record = record?;
        match record.content {
            Ok(ParsedRecord::Games(found)) => {
                read.games += found.len() as u64;
                found.iter().for_each(&mut *on_game);
            }
            Ok(ParsedRecord::Position(_)) => {}
            Err(error) => {
                read.invalid += 1;
                progress.suspend(|| files::report_invalid(&record.file, &error));
            }
        }
        progress.set(record.bytes_read, total_bytes, &|| counted(read.games, "game"));
    }
    progress.finish();
    Ok(read)
}
