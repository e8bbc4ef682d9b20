//! [`GameReviewer`]: the review of one game in memory, with the numbers of the analysis of a file.

use std::collections::VecDeque;
use std::sync::Arc;

use morello_core::game::{AnnotatedGame, AnyGame, DrawRules, Game, Limits, Report};
use morello_files::input::{GameRecord, Selection};

use super::{Analysis, AnalysisRow, GameReview, LossAnnotator, LossMeasure, Task, Tasks};

/// The level of the searches of a review: a game takes about a second of one core. In Othello, the
/// last 22 squares are solved.
pub const REVIEW_LEVEL: u32 = 14;

/// The most nodes of a search in a review: what a hard endgame of so many squares needs.
pub const REVIEW_NODES: u64 = 20_000_000;

/// The level of the searches of a thorough review: some twenty seconds a game of Othello, and up to
/// two minutes a game of the mills. In Othello, the last 26 squares are solved.
pub const THOROUGH_LEVEL: u32 = 24;

/// The most nodes of a search in a thorough review.
pub const THOROUGH_NODES: u64 = 1_000_000_000;

/// Returns the limits of a review at a level, with at most `nodes` nodes a position; by default
/// those of a review.
#[must_use]
pub fn review_limits(game: &dyn AnyGame, level: Option<u32>, nodes: Option<u64>) -> Limits {
    Limits { nodes: Some(nodes.unwrap_or(REVIEW_NODES)), ..game.level(level.unwrap_or(REVIEW_LEVEL)) }
}

/// Reviews a game: the caller searches one position after the other, with empty tables.
///
/// ```
/// use morello::analysis::{GameReviewer, review_limits};
/// use morello::game::{Color, EngineOptions, any_game};
/// use morello::othello;
///
/// let othello = any_game::<othello::SizedPosition<4>>();
/// let limits = review_limits(othello, None, None);
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let mut reviewer = GameReviewer::new(othello.random_game(1, 12), &limits);
/// while let Some(game) = reviewer.next_game() {
///     searcher.clear();
///     let report = searcher.best(&game, &limits);
///     for row in reviewer.add(report) {
///         println!("{:?}", row.loss);
///     }
/// }
/// let (_last, review) = reviewer.finish();
/// assert!(review.expect("the game has moves").statistics(Color::White).moves() > 0);
/// # Ok::<(), morello::game::WrongGameData>(())
/// ```
#[derive(Debug)]
pub struct GameReviewer {
    /// The positions that are not searched yet.
    tasks: VecDeque<Task>,
    losses: LossAnnotator,
    review: Option<GameReview>,
}

impl GameReviewer {
    /// Begins the review of a game by searches within `limits`: all positions that the analysis of
    /// a file with this game would have.
    #[must_use]
    pub fn new(mut game: Game, limits: &Limits) -> Self {
        // Games in files have no draw rules beside those of the game itself.
        game.set_draw_rules(DrawRules::default());
        let rules = game.start().game();
        let game = AnnotatedGame::from(game);
        let record = GameRecord { file: "game".into(), line: 1, number: 1, game, extra: Arc::new([]) };
        let tasks = Tasks::of_games(rules, std::iter::once((record, [true; 2])), Selection::default());
        // Errors only come from reading inputs, and nothing is read here.
        let tasks = tasks.filter_map(Result::ok).collect();
        Self { tasks, losses: LossAnnotator::new(LossMeasure::of(limits, false)), review: None }
    }

    /// Returns the game up to the next position to search; `None` if all are searched.
    #[must_use]
    pub fn next_game(&self) -> Option<Game> {
        Some(self.tasks.front()?.position.as_ref().ok()?.game())
    }

    /// Adds the report on the [next](Self::next_game) position. Returns the rows whose losses are
    /// now known, in order.
    pub fn add(&mut self, report: Report) -> Vec<AnalysisRow> {
        let row = self.tasks.pop_front().and_then(|task| task.into_row(false, |_| Some(report)));
        let rows: Vec<_> = row.into_iter().flat_map(|row| self.losses.add(row)).collect();
        rows.iter().for_each(|row| self.keep(row));
        rows
    }

    /// Ends the review, even before the end of the game. Returns the row whose loss would need
    /// another report, and the review of all rows; `None` without rows.
    #[must_use]
    pub fn finish(mut self) -> (Option<AnalysisRow>, Option<GameReview>) {
        let last = self.losses.finish();
        last.iter().for_each(|row| self.keep(row));
        (last, self.review)
    }

    fn keep(&mut self, row: &AnalysisRow) {
        if self.review.is_none() {
            self.review = GameReview::begin(row);
        }
        self.review.iter_mut().for_each(|review| review.add(row));
    }
}

impl Task {
    /// Returns the row of the position, which `search` searches; `None` if the search was
    /// cancelled. The row includes the time if `timed`. The loss of the move is not known yet.
    pub(super) fn into_row(self, timed: bool, search: impl FnOnce(&Game) -> Option<Report>) -> Option<AnalysisRow> {
        let Self { origin, game_context, position } = self;
        let result = match position {
            Ok(position) => Ok(Analysis::new(search(&position.game())?, &position.entry, timed)),
            Err(error) => Err(error),
        };
        Some(AnalysisRow { origin, game_context, loss: None, plies_lost: None, result })
    }
}
