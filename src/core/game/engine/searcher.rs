//! The interfaces of search and evaluation.

use std::cmp::Ordering;
use std::time::Duration;

use crate::game::{AnyPosition, Cancel, Game, GameRules, Limits, Position, Report};

/// Searches for the best moves of a position.
pub trait Searcher<P: Position = AnyPosition>: Send {
    /// Searches the current position of `game` until a limit is reached, `cancel` is raised or the
    /// score is proved. Calls `on_info` after each completed iteration.
    ///
    /// Takes the game's history into account for draws by repetition and lack of progress. If the
    /// game is over, the report has one empty line with the final score.
    ///
    /// ```
    /// use morello::game::{Cancel, Engine, EngineOptions, Game, Limits, Report, Searcher};
    /// use morello::othello::SizedPosition;
    ///
    /// let mut searcher = SizedPosition::<6>::searcher(&EngineOptions::new(1 << 20))?;
    /// let mut depths = Vec::new();
    /// let mut on_info = |report: &Report<_>| depths.push(report.depth);
    /// let limits = Limits::depth(4);
    /// let report = searcher.search(&Game::default(), &limits, &Cancel::new(), &mut on_info);
    /// assert_eq!(depths, [1, 2, 3, 4]);
    /// assert_eq!(report.depth, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        cancel: &Cancel,
        on_info: &mut dyn FnMut(&Report<P>),
    ) -> Report<P>;

    /// Searches the current position of `game` until a limit is reached or the score is proved,
    /// without a way to stop it earlier.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Game, Limits};
    /// use morello::othello;
    ///
    /// let mut searcher = othello::Position::searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&Game::default(), &Limits::depth(6));
    /// assert!(report.best_move().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn best(&mut self, game: &Game<P>, limits: &Limits) -> Report<P> {
        self.search(game, limits, &Cancel::new(), &mut |_| ())
    }

    /// Creates a searcher for another thread. It shares the tables of this one.
    ///
    /// ```
    /// use std::thread;
    ///
    /// use morello::game::{EngineOptions, Limits};
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// // Each thread searches another game.
    /// let best: Vec<_> = thread::scope(|scope| {
    ///     let threads: Vec<_> = (0..2)
    ///         .map(|seed| {
    ///             let mut fork = searcher.fork();
    ///             let game = othello.random_game(seed, 20);
    ///             scope.spawn(move || fork.best(&game, &Limits::depth(4)).best_move())
    ///         })
    ///         .collect();
    ///     threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    /// });
    /// assert!(best.iter().all(Option::is_some));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn fork(&self) -> Box<dyn Searcher<P>>;

    /// Helps a fork that is searching a position, on the calling thread, until there is nothing
    /// left to do. Returns after `timeout` if no fork needs help. Searchers without parallel search
    /// only sleep.
    fn assist(&mut self, timeout: Duration) {
        crate::threads::sleep(timeout);
    }

    /// Sets the seed of random choices; searchers that make none ignore it.
    fn reseed(&mut self, _seed: u64) {}

    /// Clears all state of earlier searches, including the shared tables. The next search behaves
    /// like that of a new searcher.
    fn clear(&mut self);
}

/// The result of a position, known without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnownResult {
    /// The result for the side to move: `Greater` is a win.
    pub outcome: Ordering,
    /// The plies to the end of the game under best play, if known; `None` for a draw. A result
    /// without plies is used whatever the [`DrawRules`](crate::game::DrawRules) are.
    pub plies: Option<u32>,
}

/// Moves with at least this [ordering score](Evaluator::score_move) are tactical: no search prunes
/// or reduces them. Others are quiet.
pub const TACTICAL_THRESHOLD: i32 = 1 << 20;

/// Moves with at least this [ordering score](Evaluator::score_move) are captures: a selective
/// search also considers them beyond its depth.
pub const CAPTURE_THRESHOLD: i32 = TACTICAL_THRESHOLD + (1 << 13);

/// Evaluates positions and orders moves.
///
/// ```
/// use morello::game::{Evaluator, Game, Limits, Position, Searcher};
/// use morello::othello::{Move, SizedPosition};
/// use morello::search::AlphaBeta;
///
/// type Six = SizedPosition<6>;
///
/// /// Counts moves, a disc for each.
/// #[derive(Clone)]
/// struct Mobility;
///
/// impl Evaluator<Six> for Mobility {
///     fn evaluate(&self, position: &Six) -> i32 {
///         1000 * position.count_moves() as i32
///     }
///
///     fn score_move(&self, _position: &Six, _m: Move, next: &Six) -> i32 {
///         -(next.count_moves() as i32)
///     }
/// }
///
/// let report = AlphaBeta::new(Mobility, 1 << 20).best(&Game::<Six>::default(), &Limits::depth(3));
/// assert_eq!((report.depth, report.best().score.to_string().as_str()), (3, "~-3"));
/// ```
pub trait Evaluator<P: GameRules>: Send + Sync {
    /// Estimates the final score for the side to move, in thousandths of a point.
    ///
    /// The game is not over in the position. In games scored by
    /// [distance](crate::game::Scoring::Distance) the estimate lies strictly between the scores of
    /// a loss and a win, -1000 and 1000.
    fn evaluate(&self, position: &P) -> i32;

    /// Prepares to evaluate the positions of a search that starts at the end of this game.
    fn begin(&mut self, _game: &Game<P>) {}

    /// Returns the result of an unfinished position if a database contains it. `halfmove_clock` is
    /// the number of plies since the last irreversible move. The result ignores repetitions and
    /// [`DrawRules`](crate::game::DrawRules).
    fn known_result(&self, _position: &P, _halfmove_clock: u32) -> Option<KnownResult> {
        None
    }

    /// Returns how a draw by repetition, lack of progress or length counts for the side to move. An
    /// evaluator that can tell which side wins may count it as a loss for that side.
    fn draw_outcome(&self, _position: &P) -> Ordering {
        Ordering::Equal
    }

    /// Returns the ordering score of a move; the search tries higher scores first. `next` is the
    /// position after the move.
    ///
    /// The search adds killer and history scores of up to 2^15; scores of [`TACTICAL_THRESHOLD`]
    /// and more, of either sign, outweigh them.
    fn score_move(&self, position: &P, m: P::Move, next: &P) -> i32;

    /// Adds the [ordering score](Self::score_move) of each move to the number in its pair. Override
    /// it if the scores can be computed without playing each move.
    fn score_moves(&self, position: &P, moves: &mut [(i32, P::Move)]) {
        for (value, m) in moves {
            *value = value.saturating_add(self.score_move(position, *m, &position.after(*m)));
        }
    }

    /// Returns whether no move is [tactical](TACTICAL_THRESHOLD). May return `false` if that is
    /// expensive to decide.
    fn is_quiet(&self, _position: &P) -> bool {
        false
    }

    /// Returns the key of the position in the transposition table, and the symmetry that maps the
    /// position to the representative with that key. The table stores moves of the representative.
    ///
    /// Positions that differ only by a symmetry may share a key if the evaluation is the same for
    /// them. By default each position has its own key.
    fn table_key(&self, position: &P) -> (u64, usize) {
        (position.key(), 0)
    }
}
