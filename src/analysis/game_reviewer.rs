//! [`GameReviewer`]: reviews one game in memory, with the same results as the analysis of a file.

use std::collections::VecDeque;
use std::sync::Arc;

use morello_core::game::{AnnotatedGame, AnyGame, DrawRules, Game, Limits, Report};
use morello_files::input::{GameRecord, Selection};

use super::{Analysis, AnalysisRow, GameReview, LossAnnotator, LossMeasure, Task, Tasks, second_look};

/// The search level of a review: a game takes about one second on one core. In Othello, the last 22
/// squares are solved.
pub const REVIEW_LEVEL: u32 = 14;

/// The maximum number of nodes per search in a review: enough for a hard endgame with 22 empty
/// squares.
pub const REVIEW_NODES: u64 = 20_000_000;

/// The search level of a thorough review: about twenty seconds per game of Othello, and up to two
/// minutes per mill game. In Othello, the last 26 squares are solved.
pub const THOROUGH_LEVEL: u32 = 24;

/// The maximum number of nodes per search in a thorough review.
pub const THOROUGH_NODES: u64 = 1_000_000_000;

/// Returns the search limits of a review: a level, by default [`REVIEW_LEVEL`], with at most
/// `nodes` nodes per position, by default [`REVIEW_NODES`].
#[must_use]
pub fn review_limits(game: &dyn AnyGame, level: Option<u32>, nodes: Option<u64>) -> Limits {
    Limits { nodes: Some(nodes.unwrap_or(REVIEW_NODES)), ..game.level(level.unwrap_or(REVIEW_LEVEL)) }
}

/// Reviews a game. The caller searches one position after another, with empty tables.
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
/// while let Some((game, limits)) = reviewer.next_search() {
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
    /// The positions not yet searched.
    tasks: VecDeque<Task>,
    limits: Limits,
    losses: LossAnnotator,
    /// The rows of the positions that were searched.
    rows: Vec<AnalysisRow>,
    /// The indices of the moves of the review that need a second look.
    disputed: VecDeque<usize>,
    review: Option<GameReview>,
}

impl GameReviewer {
    /// Begins the review of a game, with searches within `limits`. It covers the same positions as
    /// the analysis of a file with this game.
    #[must_use]
    pub fn new(mut game: Game, limits: &Limits) -> Self {
        // Games in files have only the draw rules of the game itself.
        game.set_draw_rules(DrawRules::default());
        let rules = game.start().game();
        let game = AnnotatedGame::from(game);
        let record = GameRecord { file: "game".into(), line: 1, number: 1, game, extra: Arc::new([]) };
        let tasks = Tasks::of_games(rules, std::iter::once((record, [true; 2])), Selection::default());
        // Only reading inputs can fail, and nothing is read here.
        let tasks = tasks.filter_map(Result::ok).collect();
        let losses = LossAnnotator::new(LossMeasure::of(limits, false));
        Self { tasks, limits: *limits, losses, rows: Vec::new(), disputed: VecDeque::new(), review: None }
    }

    /// Returns the game up to the next position to search, and the limits of the search; `None` if
    /// the review is complete.
    ///
    /// After all positions have been searched, the positions of [disputed](GameReview::disputed)
    /// moves get a second look.
    #[must_use]
    pub fn next_search(&self) -> Option<(Game, Limits)> {
        if let Some(task) = self.tasks.front() {
            return Some((task.position.as_ref().ok()?.game(), self.limits));
        }
        let disputed = &self.review.as_ref()?.moves[*self.disputed.front()?];
        Some((Game::new(disputed.position), second_look(&self.limits)))
    }

    /// Adds the report of the [next search](Self::next_search). Returns the rows whose losses are
    /// now known, in order; after a second look, the row with its new loss.
    pub fn add(&mut self, report: Report) -> Vec<AnalysisRow> {
        let Some(task) = self.tasks.pop_front() else { return self.settle(&report).into_iter().collect() };
        let row = task.into_row(false, |_| Some(report));
        let rows: Vec<_> = row.into_iter().flat_map(|row| self.losses.add(row)).collect();
        rows.iter().for_each(|row| self.keep(row));
        if self.tasks.is_empty() {
            self.disputed.extend(self.review.iter().flat_map(GameReview::disputed));
        }
        rows
    }

    /// Ends the review, even before the end of the game. Returns the last row if its loss would
    /// need another report, and the review of all rows, which is `None` without rows.
    #[must_use]
    pub fn finish(mut self) -> (Option<AnalysisRow>, Option<GameReview>) {
        let last = self.losses.finish();
        last.iter().for_each(|row| self.keep(row));
        (last, self.review)
    }

    /// Settles the next disputed move and returns its row.
    fn settle(&mut self, report: &Report) -> Option<AnalysisRow> {
        let review = self.review.as_mut()?;
        let index = self.disputed.pop_front()?;
        review.settle(index, report);
        let m = &review.moves[index];
        let is_of_move = |row: &&AnalysisRow| row.game_context.as_ref().is_some_and(|context| context.ply == m.ply);
        self.rows.iter().find(is_of_move).map(|row| AnalysisRow { loss: m.loss, ..row.clone() })
    }

    fn keep(&mut self, row: &AnalysisRow) {
        if self.review.is_none() {
            self.review = GameReview::begin(row);
        }
        self.review.iter_mut().for_each(|review| review.add(row));
        self.rows.push(row.clone());
    }
}

impl Task {
    /// Searches the position with `search` and returns its row; `None` if the search was cancelled.
    /// The row includes the time if `timed`. The loss of the move is not known yet.
    pub(super) fn into_row(self, timed: bool, search: impl FnOnce(&Game) -> Option<Report>) -> Option<AnalysisRow> {
        let Self { origin, game_context, position } = self;
        let result = match position {
            Ok(position) => Ok(Analysis::new(search(&position.game())?, &position.entry, timed)),
            Err(error) => Err(error),
        };
        Some(AnalysisRow { origin, game_context, loss: None, plies_lost: None, result })
    }
}
