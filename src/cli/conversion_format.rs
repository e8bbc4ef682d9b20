//! The formats that `convert` and `games list` write, by their options.

use std::path::Path;

use anyhow::{Context, anyhow};
use morello_command::csv_arguments::CsvArguments;
use morello_command::files::Target;
use morello_command::{eprint_line, files};
use morello_core::game::AnyGame;
use morello_files::conversion::{ConversionFormat, ConversionTarget, PositionRow};
use morello_files::input::{GameRecord, Reader, is_game_column, is_note_column};

/// Returns the format that an option names, or else the one that fits the extension of the output.
pub(super) fn of(
    game: &'static dyn AnyGame,
    name: Option<&str>,
    output: &Target,
    csv: CsvArguments,
    option: &str,
) -> anyhow::Result<ConversionFormat> {
    let format = match name {
        Some(name) => ConversionFormat::named(game, name).map_err(|error| anyhow!("{option}: {error}"))?,
        None => ConversionFormat::of_file(game, output.path().unwrap_or(Path::new(""))).map_err(|error| {
            let (game, known) = (error.game, error.known);
            anyhow!("{option} is required unless the extension of --output names a format of {game}: {known}")
        })?,
    };
    Ok(match format {
        ConversionFormat::Rows(format) => ConversionFormat::Rows(csv.format(format)),
        other => other,
    })
}

/// Opens a target. Rows are of games if `of_games`.
pub(super) fn open(
    format: ConversionFormat,
    reader: &Reader,
    output: &Target,
    of_games: bool,
) -> anyhow::Result<ConversionTarget> {
    let (game, other_columns) = (reader.game(), reader.columns().as_slice());
    Ok(match format {
        ConversionFormat::Text(format) => {
            // Whether the records have other keys shows only when they are read.
            let remainder = reader.remainder_column();
            let is_lost = |(at, name): &(usize, &str)| {
                Some(*at) != remainder && !is_game_column(game, name) && !is_note_column(name)
            };
            let names = other_columns.iter().map(|column| &*column.name).enumerate();
            let lost: Vec<_> = names.filter(is_lost).map(|(_, name)| name).collect();
            if !lost.is_empty() {
                eprint_line(format_args!("dropped: the columns {}", lost.join(", ")));
            }
            ConversionTarget::Lines(format, files::output(output)?)
        }
        ConversionFormat::Binary(format) => {
            let path =
                output.path().with_context(|| format!("{} requires --output: it is a binary format", format.name))?;
            files::check_new(path)?;
            ConversionTarget::Records((format.create)(path).with_context(|| files::cannot_write(output))?)
        }
        ConversionFormat::Rows(format) if of_games => {
            ConversionTarget::Games(files::records(format, GameRecord::fields(game, other_columns), output)?)
        }
        ConversionFormat::Rows(format) => {
            ConversionTarget::Positions(files::records(format, PositionRow::fields(other_columns), output)?)
        }
    })
}
