//! The options that end a game in addition to its own rules.

use std::time::Duration;

use clap::Args;
use morello_command::{help, values};
use morello_core::game::DrawRules;
use morello_play::tournament::{Adjudication, ScoreRule};

use crate::cli::draw_arguments::DrawArguments;

/// The draws, the adjudication and the time limit of games.
#[derive(Debug, Args)]
pub(in crate::cli) struct RuleArguments {
    #[command(flatten)]
    pub draws: DrawArguments,

    /// End a game when the endgame database contains its result
    #[arg(long, help_heading = help::END_OF_GAME, hide_short_help = true, conflicts_with = "no_database")]
    adjudicate_database: bool,

    /// End a game as a win by the scores of both engines, such as 40:3
    ///
    /// With 40:3, a game is won once both engines have scored the same side ahead by at least 40
    /// points for 3 moves each.
    #[arg(long, value_name = "POINTS:MOVES", help_heading = help::END_OF_GAME, hide_short_help = true)]
    adjudicate_win: Option<ScoreRule>,

    /// End a game as a draw by the scores of both engines, such as 0:10
    ///
    /// With 0:10, a game is drawn once both engines have scored neither side ahead by more than 0
    /// points for 10 moves each.
    #[arg(long, value_name = "POINTS:MOVES", help_heading = help::END_OF_GAME, hide_short_help = true)]
    adjudicate_draw: Option<ScoreRule>,

    /// Time per move after which any player forfeits the game
    #[arg(long, value_name = "TIME", default_value = "10m", help_heading = help::END_OF_GAME,
        hide_short_help = true, value_parser = values::parse_time)]
    pub move_limit: Duration,

    /// Time by which an engine may exceed its own time [default: 50ms for tc=]
    ///
    /// An engine that exceeds its time by more forfeits the game. Without this option, only the
    /// clocks of tc= are enforced; a slow engine with time= is reported at the end.
    #[arg(long, value_name = "TIME", help_heading = help::END_OF_GAME, hide_short_help = true,
        value_parser = values::parse_time)]
    pub time_margin: Option<Duration>,
}

impl RuleArguments {
    /// Describes the rules in a line, for the provenance of a match.
    pub fn describe(&self, draws: DrawRules) -> String {
        let count = |name: &str, count: Option<u32>| count.map(|count| format!("{name} {count}"));
        let score = |name: &str, rule: Option<ScoreRule>| rule.map(|rule| format!("{name} {rule}"));
        let parts = [
            count("repetition", draws.repetition),
            count("no progress", draws.no_progress),
            count("ply cap", draws.ply_cap),
            score("adjudicate win", self.adjudicate_win),
            score("adjudicate draw", self.adjudicate_draw),
            self.adjudicate_database.then(|| "adjudicate database".to_owned()),
            Some(format!("move limit {:?}", self.move_limit)),
            self.time_margin.map(|margin| format!("time margin {margin:?}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Returns the adjudication of games.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { database: self.adjudicate_database, win: self.adjudicate_win, draw: self.adjudicate_draw }
    }
}
