//! The positions of one game in memory, for reviews during play.

use std::sync::Arc;

use super::{Analysis, AnalysisRow, Task, TaskPosition, Tasks};
use crate::game::{AnnotatedGame, DrawRules, Game, Report};
use crate::input::{GameRecord, Selection};

/// Returns the tasks of a game: all positions that the analysis of a file with it would have.
#[must_use]
pub fn game_tasks(mut game: Game) -> Vec<Task> {
    // Games in files have no draw rules beside those of the game itself.
    game.set_draw_rules(DrawRules::default());
    let rules = game.start().game();
    let game = AnnotatedGame::from(game);
    let record = GameRecord { file: "game".into(), line: 1, number: 1, game, extra: Arc::new([]) };
    // Errors only come from reading inputs, and nothing is read here.
    Tasks::of_games(rules, std::iter::once((record, [true; 2])), Selection::default()).filter_map(Result::ok).collect()
}

impl Task {
    /// Returns the position to search; `None` for a bad record.
    #[must_use]
    pub fn position(&self) -> Option<&TaskPosition> {
        self.position.as_ref().ok()
    }

    /// Returns the row of a report on the position, without times. The loss of the move is not known yet.
    #[must_use]
    pub fn into_row(self, report: Report) -> AnalysisRow {
        let Self { file, line, record, bytes_read, extra, game_context, position } = self;
        let result = position.map(|position| Analysis::new(report, &position.entry, false));
        AnalysisRow { file, line, record, bytes_read, extra, game_context, loss: None, plies_lost: None, result }
    }
}
