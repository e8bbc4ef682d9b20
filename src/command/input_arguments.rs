//! [`FormatArguments`], [`PositionArguments`] and [`InputArguments`]: the options that describe the
//! input files and select positions.

use std::ops::RangeInclusive;

use anyhow::{Context, bail};
use clap::Args;
use morello_core::game::AnyGame;
use morello_files::input::{InputFormat, Selection};

use super::{help, values};

/// The format of the input.
#[derive(Debug, Args)]
pub struct FormatArguments {
    /// Input format [default: detected]
    ///
    /// An unknown name lists the formats of the game.
    #[arg(long, value_name = "FORMAT", help_heading = help::INPUT)]
    input_format: Option<String>,

    /// CSV column or JSON key of the positions or games
    ///
    /// The default is the first existing one of position, transcript, moves, obf, fen and board.
    /// Rows of `analyze`, `convert` and `games list` also contain the other columns.
    #[arg(long, value_name = "NAME", help_heading = help::INPUT, hide_short_help = true)]
    column: Option<String>,
}

/// The selection of positions.
#[derive(Debug, Args)]
pub struct PositionArguments {
    /// Use game positions starting at this ply (20) or in a range (20..40)
    #[arg(long, value_name = "RANGE", help_heading = help::INPUT, value_parser = values::parse_from)]
    plies: Option<RangeInclusive<u32>>,

    /// Use positions with at most this many empty squares (24) or a range (20..24)
    #[arg(long, value_name = "RANGE", help_heading = help::INPUT, value_parser = values::parse_up_to)]
    empties: Option<RangeInclusive<u32>>,
}

/// The format of the input and the selection of positions.
#[derive(Debug, Args)]
pub struct InputArguments {
    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    positions: PositionArguments,
}

impl FormatArguments {
    /// Returns the format of the inputs.
    pub fn input_format(&self, game: &dyn AnyGame) -> anyhow::Result<InputFormat> {
        let mut form = InputFormat::default();
        if let Some(name) = &self.input_format {
            form = form.named(game, name).context("--input-format")?;
        }
        if let Some(name) = &self.column {
            form = form.column(name.clone());
        }
        Ok(form)
    }
}

impl PositionArguments {
    /// Returns whether the options select positions of games instead of whole games.
    pub fn selects(&self) -> bool {
        self.plies.is_some() || self.empties.is_some()
    }

    /// Returns the selection of positions.
    pub fn selection(&self, game: &dyn AnyGame) -> anyhow::Result<Selection> {
        if self.empties.is_some() && game.start().empty_count().is_none() {
            bail!("--empties: {} has no fixed number of empty squares per ply; use --plies", game.name());
        }
        let mut selection = Selection::default();
        selection.plies = self.plies.clone().unwrap_or(selection.plies);
        selection.empties = self.empties.clone().unwrap_or(selection.empties);
        Ok(selection)
    }
}

impl InputArguments {
    /// Returns whether no option is given.
    pub fn is_default(&self) -> bool {
        self.format.input_format.is_none() && self.format.column.is_none() && !self.selects()
    }

    /// Returns the format of the inputs.
    pub fn input_format(&self, game: &dyn AnyGame) -> anyhow::Result<InputFormat> {
        self.format.input_format(game)
    }

    /// Returns whether the options select positions of games instead of whole games.
    pub fn selects(&self) -> bool {
        self.positions.selects()
    }

    /// Returns the selection of positions.
    pub fn selection(&self, game: &dyn AnyGame) -> anyhow::Result<Selection> {
        self.positions.selection(game)
    }
}
