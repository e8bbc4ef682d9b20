//! [`Reading`]: the options by which commands say what their inputs are, and which positions of them are meant.

use std::ops::RangeInclusive;

use anyhow::{Context, bail};
use clap::Args;

use super::values;
use crate::game::AnyGame;
use crate::input::{Form, Selection};

/// What the inputs are, and what is taken of them.
#[derive(Debug, Args)]
pub(super) struct Reading {
    /// The format of the files, or of their lines, instead of detecting it; an unknown name lists those of the game
    #[arg(long, value_name = "NAME")]
    from: Option<String>,

    /// The column of CSV or key of JSON lines that holds the positions or games [default: the first named position, transcript, moves, obf,
    /// fen or board]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,

    /// Of games, take the positions from this ply on, or from one ply to another: `20`, `20..40`
    #[arg(long, value_name = "RANGE", value_parser = values::parse_from)]
    plies: Option<RangeInclusive<u32>>,

    /// Take the positions with at most so many empty squares, or from so many to so many: `24`, `20..24`
    #[arg(long, value_name = "RANGE", value_parser = values::parse_up_to)]
    empties: Option<RangeInclusive<u32>>,
}

impl Reading {
    /// Returns what the user says of the inputs.
    pub(super) fn form(&self, game: &dyn AnyGame) -> anyhow::Result<Form> {
        let mut form = Form::default();
        if let Some(name) = &self.from {
            form = form.named(game, name).context("--from")?;
        }
        if let Some(name) = &self.column {
            form = form.column(name.clone());
        }
        Ok(form)
    }

    /// Returns whether some positions of games are asked for, and not the games.
    pub(super) fn selects(&self) -> bool {
        self.plies.is_some() || self.empties.is_some()
    }

    /// Returns which positions are asked for, of all records.
    pub(super) fn selection(&self, game: &dyn AnyGame) -> anyhow::Result<Selection> {
        if self.empties.is_some() && game.start().empties().is_none() {
            bail!("--empties: a game of {} does not fill its board: use --plies", game.name());
        }
        let mut selection = Selection::default();
        selection.plies = self.plies.clone().unwrap_or(selection.plies);
        selection.empties = self.empties.clone().unwrap_or(selection.empties);
        Ok(selection)
    }
}
