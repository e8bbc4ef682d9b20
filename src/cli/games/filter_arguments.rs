//! [`FilterArguments`]: the options that select games.

use std::ops::RangeInclusive;

use anyhow::bail;
use clap::Args;
use morello_analysis::collection::{GameFilter, NamePattern, OpeningPattern, PositionPattern, ResultFilter};
use morello_command::usage::PositionParser;
use morello_command::{help, numbers, values};
use morello_core::game::{AnyGame, AnyPosition};

/// The games to select.
#[derive(Debug, Args)]
pub(super) struct FilterArguments {
    /// Games of this player, by any part of the name or by =NAME
    ///
    /// Give a part of the name, some of its words, or `=` and the whole name. Case, accents and
    /// word order are ignored. Repeat the option for several players.
    #[arg(long, value_name = "NAME", help_heading = help::FILTERS)]
    player: Vec<NamePattern>,

    /// Games against this player; requires --player
    #[arg(long, value_name = "NAME", requires = "player", help_heading = help::FILTERS)]
    opponent: Vec<NamePattern>,

    /// Games in which this player is Black
    #[arg(long, value_name = "PLAYER", help_heading = help::FILTERS)]
    black: Vec<NamePattern>,

    /// Games in which this player is White
    #[arg(long, value_name = "PLAYER", help_heading = help::FILTERS)]
    white: Vec<NamePattern>,

    /// Games of this tournament, match or place, by any part of its name
    #[arg(long, value_name = "NAME", help_heading = help::FILTERS)]
    event: Vec<NamePattern>,

    /// Games of this year (2010) or of a range (2010..2015, 2010..)
    #[arg(long, value_name = "RANGE", help_heading = help::FILTERS, value_parser = values::parse_within)]
    year: Vec<RangeInclusive<u32>>,

    /// Result: black, white, draw, win or loss (of --player), or points (2..10)
    ///
    /// Points are for Black: they are negative if White won, such as -64..-20. In Othello they are
    /// discs; in the mill games a win is 1 point. If a game has no recorded result, the final board
    /// decides; unfinished games have no result.
    #[arg(long, value_name = "RESULT", allow_hyphen_values = true, help_heading = help::FILTERS)]
    result: Vec<ResultFilter>,

    /// Games in which both players have a rating in this range (1800..)
    #[arg(long, value_name = "RANGE", help_heading = help::FILTERS, value_parser = values::parse_within)]
    rating: Vec<RangeInclusive<u32>>,

    /// Games of this many plies (60) or of a range (10..60); passes count
    #[arg(long, value_name = "RANGE", help_heading = help::FILTERS, value_parser = values::parse_within)]
    length: Vec<RangeInclusive<u32>>,

    /// Games that begin with these moves or this opening, up to symmetry
    ///
    /// Repeat the option for several openings. Games that reach the same position by other moves do
    /// not match; to find them, use --position.
    #[arg(long, value_name = "MOVES", help_heading = help::FILTERS)]
    opening: Vec<String>,

    /// Games that reach this position, up to symmetry
    ///
    /// Give a position in any format of the game, the moves that lead to it, or the name of an
    /// opening. Repeat the option for several positions.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true,
        value_parser = PositionParser, help_heading = help::FILTERS)]
    position: Vec<String>,

    /// Select N of the matching games at random, in input order
    ///
    /// All samples are equally likely.
    #[arg(long, value_name = "N", help_heading = help::FILTERS, value_parser = numbers::whole(0..=usize::MAX))]
    sample: Option<usize>,

    /// Seed of --sample
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::REPRODUCIBILITY, hide_short_help = true,
        value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,
}

impl FilterArguments {
    /// Returns the filter.
    pub fn filter(&self, game: &'static dyn AnyGame) -> anyhow::Result<GameFilter> {
        let is_of_player = |result: &ResultFilter| matches!(result, ResultFilter::Win | ResultFilter::Loss);
        if self.result.iter().any(is_of_player) && self.player.is_empty() {
            bail!("--result: win and loss are results of --player; add it, or use black or white");
        }
        let mut filter = GameFilter::default();
        filter.players.clone_from(&self.player);
        filter.opponents.clone_from(&self.opponent);
        filter.black.clone_from(&self.black);
        filter.white.clone_from(&self.white);
        filter.events.clone_from(&self.event);
        filter.years.clone_from(&self.year);
        filter.results.clone_from(&self.result);
        filter.ratings.clone_from(&self.rating);
        filter.plies.clone_from(&self.length);
        for text in &self.opening {
            filter.openings.push(OpeningPattern::new(&values::game(game, "--opening", text)?));
        }
        for text in &self.position {
            filter.positions.push(PositionPattern::new(values::game(game, "--position", text)?.position()));
        }
        Ok(filter)
    }

    /// Returns whether there is a player.
    pub fn has_player(&self) -> bool {
        !self.player.is_empty()
    }

    /// Returns the position, if there is one.
    pub fn position(&self, game: &'static dyn AnyGame) -> anyhow::Result<Option<AnyPosition>> {
        match self.position.as_slice() {
            [] => Ok(None),
            [text] => Ok(Some(*values::game(game, "--position", text)?.position())),
            _ => bail!("--position: give one position, the root of the tree"),
        }
    }

    /// Returns the size and seed of the sample.
    pub fn sample(&self) -> Option<(usize, u64)> {
        self.sample.map(|size| (size, self.seed))
    }
}
