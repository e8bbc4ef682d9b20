//! [`ConversionFormat`]: the formats that `convert` and `games list` write.

use std::path::Path;

use anyhow::{Context, bail};
use clap::ValueEnum;
use morello_command::csv_arguments::CsvArguments;
use morello_command::files::Target;
use morello_command::{eprint_line, files};
use morello_core::game::{AnyGame, LineFormat, RecordFormat};
use morello_files::conversion::{ConversionTarget, PositionRow};
use morello_files::input::{GameRecord, InputFormat, Reader, is_game_column, is_note_column};
use morello_files::output::OutputFormat;

/// The text formats of move lists, which the extension `.txt` selects.
const MOVE_LISTS: [&str; 2] = ["transcript", "moves"];

/// A format of positions and games.
#[derive(Clone, Copy)]
pub(super) enum ConversionFormat {
    /// A text format of the game.
    Text(&'static LineFormat),
    /// A binary format of the game.
    Binary(&'static RecordFormat),
    /// Rows.
    Rows(OutputFormat),
}

impl ConversionFormat {
    /// Returns the format with this name, which `option` gives.
    pub fn named(game: &'static dyn AnyGame, name: &str, option: &str) -> anyhow::Result<Self> {
        let text = game.format_named(name).map(Self::Text);
        let binary = || game.record_formats().iter().find(|format| format.name == name).map(Self::Binary);
        let rows =
            || <OutputFormat as ValueEnum>::from_str(name, false).ok().filter(|&rows| rows != OutputFormat::Table);
        match text.or_else(binary).or_else(|| rows().map(Self::Rows)) {
            Some(format) => Ok(format),
            None => bail!(
                "{option}: {}\n  parquet: typed columns",
                InputFormat::default().named(game, name).err().map_or_else(String::new, |e| e.to_string())
            ),
        }
    }

    /// Returns the format that the extension of a file names: the name of a format, `.wtb` or
    /// `.txt`.
    ///
    /// # Errors
    /// No format has this extension; `option` gives the format otherwise.
    pub fn of_file(game: &'static dyn AnyGame, file: Option<&Path>, option: &str) -> anyhow::Result<Self> {
        let extension = file.and_then(Path::extension).map(|extension| extension.to_string_lossy().to_lowercase());
        let mut binary = game.record_formats().iter();
        if let Some(format) = binary.find(|format| file.is_some_and(|file| format.has_extension(file))) {
            return Ok(Self::Binary(format));
        }
        let names = match extension.as_deref() {
            Some("txt") => MOVE_LISTS.as_slice(),
            Some(name) => &[name],
            None => &[],
        };
        names.iter().find_map(|name| Self::named(game, name, option).ok()).with_context(|| {
            let names = game.formats().iter().flat_map(|format| [&[format.name], format.aliases].concat());
            let binary = game.record_formats().iter().map(|format| format.extension);
            let extensions: Vec<_> = names.chain(binary).chain(["csv", "jsonl", "parquet", "txt"]).collect();
            format!(
                "{option} is required unless the extension of --output names a format of {}: .{}{}",
                game.name(),
                extensions.join(", ."),
                if extension.as_deref() == Some("json") { "; JSON is written as lines: use .jsonl" } else { "" }
            )
        })
    }

    /// Returns the format for CSV with these options.
    pub fn with_csv(self, csv: CsvArguments) -> Self {
        match self {
            Self::Rows(format) => Self::Rows(csv.format(format)),
            other => other,
        }
    }

    /// Returns the name.
    pub fn name(self) -> String {
        match self {
            Self::Text(format) => format.name.to_owned(),
            Self::Binary(format) => format.name.to_owned(),
            Self::Rows(format) => {
                format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
            }
        }
    }

    /// Returns whether the format holds games only, not positions.
    pub fn is_of_whole_games(self) -> bool {
        match self {
            Self::Text(format) => format.writer.game.is_some(),
            Self::Binary(_) => true,
            Self::Rows(_) => false,
        }
    }

    /// Opens a target. Rows are of games if `of_games`.
    pub fn open(self, reader: &Reader, output: &Target, of_games: bool) -> anyhow::Result<ConversionTarget> {
        let (game, other_columns) = (reader.game(), reader.columns().as_slice());
        Ok(match self {
            Self::Text(format) => {
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
            Self::Binary(format) => {
                let path = output
                    .path()
                    .with_context(|| format!("{} requires --output: it is a binary format", format.name))?;
                files::check_new(path)?;
                ConversionTarget::Records((format.create)(path).with_context(|| files::cannot_write(output))?)
            }
            Self::Rows(format) if of_games => {
                ConversionTarget::Games(files::records(format, GameRecord::fields(game, other_columns), output)?)
            }
            Self::Rows(format) => {
                ConversionTarget::Positions(files::records(format, PositionRow::fields(other_columns), output)?)
            }
        })
    }
}
