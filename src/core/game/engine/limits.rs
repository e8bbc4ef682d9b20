//! [`Limits`], set before a search, and [`Cancel`], which stops a running one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::mpsc::{RecvError, RecvTimeoutError};
use std::time::Duration;

use crate::game::{Confidence, Engine};

/// How often [`Cancel::receive`] checks the flag.
const POLL: Duration = Duration::from_millis(50);

/// The node limit of an exact search without another limit, in games without an exact solver: about
/// ten seconds.
pub const EXACT_NODES: u64 = 20_000_000;

/// The goal and the limits of a search. The search stops at the first limit reached, or when all
/// requested scores are proved.
///
/// ```
/// use std::time::Duration;
///
/// use morello::game::Limits;
///
/// // The best three moves, at depth 20 or after half a second.
/// let limits = Limits::depth(20).with_time(Duration::from_millis(500)).with_lines(3);
/// assert_eq!((limits.depth, limits.nodes, limits.lines), (Some(20), None, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Limits {
    /// The maximum depth, in plies, from 1 to [`MAX_DEPTH`](Self::MAX_DEPTH). A depth that reaches
    /// the end of a game of Othello solves the position, unless [`confidence`](Self::confidence)
    /// allows pruning.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum time.
    pub time: Option<Duration>,
    /// Search until the score is proved or another limit is reached. A searcher with an exact
    /// solver starts it at once.
    pub exact: bool,
    /// The confidence level of a selective search; `None` for the searcher's default.
    pub confidence: Option<Confidence>,
    /// Solve positions with at most this many moves left, not counting passes, regardless of the
    /// depth.
    pub exact_from: Option<u32>,
    /// A window (alpha, beta), alpha < beta, in points for the side to move. A score outside it is
    /// only reported as [at most](crate::game::Certainty::AtMost) alpha or
    /// [at least](crate::game::Certainty::AtLeast) beta, which is often much faster. The window
    /// (-1, 1) decides only who wins.
    ///
    /// Only searchers with an exact solver support windows; for them a window implies
    /// [`exact`](Self::exact). Other searchers ignore it.
    pub window: Option<(i32, i32)>,
    /// Only the best move is wanted, for play. A search with a time limit then ends early if one
    /// move is clearly the best; its score may be less accurate.
    pub move_only: bool,
    /// The number of best moves to report, each with its score and principal variation. 0 means 1;
    /// `usize::MAX` means all.
    pub lines: usize,
    /// The moves that are not searched, as a bit set of their numbers (`u16::from` of each move).
    /// Moves with numbers of 64 and above cannot be skipped. Only Othello's search by evaluation
    /// supports this; it searches all moves if all are skipped. Other searchers ignore it.
    pub skipped: u64,
}

impl Limits {
    /// The maximum depth of a search, in plies. A larger depth searches as deep.
    pub const MAX_DEPTH: u32 = 240;
}

impl Default for Limits {
    /// No limit, no window, and one line.
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            time: None,
            exact: false,
            confidence: None,
            exact_from: None,
            window: None,
            move_only: false,
            lines: 1,
            skipped: 0,
        }
    }
}

impl Limits {
    /// Limits only the depth, in plies.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Game, Limits};
    /// use morello::othello::Position;
    ///
    /// let mut searcher = Position::searcher(&EngineOptions::new(1 << 20))?;
    /// assert_eq!(searcher.best(&Game::default(), &Limits::depth(5)).depth, 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Limits only the number of nodes.
    ///
    /// ```
    /// use morello::game::Limits;
    ///
    /// assert_eq!(Limits::nodes(100_000).nodes, Some(100_000));
    /// ```
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Limits only the time. The search then depends on the speed of the machine.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use morello::game::Limits;
    ///
    /// assert_eq!(Limits::time(Duration::from_secs(1)).depth, None);
    /// ```
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Returns the limits of a [level of play](crate::game::Engine::level) of a game, from 1 to
    /// [`LEVELS`](crate::game::LEVELS). [`AnyGame::level`](crate::game::AnyGame::level) returns the
    /// limits for a type-erased game.
    ///
    /// ```
    /// use morello::game::Limits;
    /// use morello::othello;
    ///
    /// assert!(Limits::level::<othello::Position>(10).depth.is_some());
    /// ```
    #[must_use]
    pub fn level<P: Engine>(level: u32) -> Self {
        P::level(level)
    }

    /// Searches until the score is proved, without a limit.
    ///
    /// Games without an [exact solver](crate::game::GameInfo::exact_solver) may never prove it: add
    /// a limit there.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Game, Limits};
    /// use morello::othello::SizedPosition;
    ///
    /// let mut searcher = SizedPosition::<4>::searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&Game::default(), &Limits::exact());
    /// assert_eq!(report.best().score.to_string(), "-10"); // Black, who moves first, loses
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exact() -> Self {
        Self { exact: true, ..Self::default() }
    }

    /// Searches for a proved score within a [window](Self::window), in points for the side to move.
    ///
    /// ```
    /// use morello::game::{Certainty, Engine, EngineOptions, Game, Limits};
    /// use morello::othello::SizedPosition;
    ///
    /// // Who wins? The score, -10, is only proved to be at most -1.
    /// let mut searcher = SizedPosition::<4>::searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&Game::default(), &Limits::window(-1, 1));
    /// assert_eq!(report.best().score.certainty, Certainty::AtMost);
    /// assert!(report.best().score.points() <= -1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn window(alpha: i32, beta: i32) -> Self {
        Self { exact: true, window: Some((alpha, beta)), ..Self::default() }
    }

    /// Limits the depth, in plies.
    #[must_use]
    pub fn with_depth(self, plies: u32) -> Self {
        Self { depth: Some(plies), ..self }
    }

    /// Limits the number of nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Limits the time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Sets the number of best moves to report; `usize::MAX` for all.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Game, Limits};
    /// use morello::othello::SizedPosition;
    ///
    /// let mut searcher = SizedPosition::<4>::searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&Game::default(), &Limits::exact().with_lines(usize::MAX));
    /// let scores: Vec<_> = report.scores().map(|(_, score)| score.to_string()).collect();
    /// assert_eq!(scores, ["-10"; 4]); // the four moves are symmetric
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// Sets the moves that are [not searched](Self::skipped), by number.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Limits, random_game};
    /// use morello::othello;
    ///
    /// let game = random_game(1, 20);
    /// let mut searcher = othello::Position::searcher(&EngineOptions::new(1 << 20))?;
    /// let limits = Limits::depth(4);
    /// let best = searcher.best(&game, &limits).best_move().expect("the game is not over");
    /// let second = searcher.best(&game, &limits.with_skipped([best.into()])).best_move();
    /// assert_ne!(second, Some(best));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_skipped(self, numbers: impl IntoIterator<Item = u16>) -> Self {
        let bit = |number: u16| 1_u64.checked_shl(number.into()).unwrap_or(0);
        Self { skipped: numbers.into_iter().fold(0, |set, number| set | bit(number)), ..self }
    }

    /// Requests only the best move, for play.
    #[must_use]
    pub fn for_move(self) -> Self {
        Self { move_only: true, ..self }
    }

    /// Sets the confidence level of a selective search.
    ///
    /// ```
    /// use morello::game::{Confidence, Engine, EngineOptions, Game, Limits};
    /// use morello::othello::Position;
    ///
    /// let mut searcher = Position::searcher(&EngineOptions::new(1 << 20))?;
    /// let limits = Limits::depth(6).with_confidence(Confidence::LOWEST);
    /// assert_eq!(searcher.best(&Game::default(), &limits).confidence.percent(), 73);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> Self {
        Self { confidence: Some(confidence), ..self }
    }

    /// Solves positions with at most this many moves left, not counting passes.
    ///
    /// ```
    /// use morello::game::{Engine, EngineOptions, Game, Limits, random_game};
    /// use morello::othello::Position;
    ///
    /// let game = random_game::<Position>(1, 52); // 8 empty squares or a few more, after passes
    /// let mut searcher = Position::searcher(&EngineOptions::new(1 << 20))?;
    /// let report = searcher.best(&game, &Limits::depth(1).with_exact_from(12));
    /// assert!(report.best().score.is_exact());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_exact_from(self, moves: u32) -> Self {
        Self { exact_from: Some(moves), ..self }
    }
}

/// A flag that any thread can raise to stop searches. Clones share the flag.
///
/// ```
/// use std::thread;
/// use std::time::Duration;
///
/// use morello::game::{Cancel, Engine, EngineOptions, Game, Limits};
/// use morello::othello::Position;
///
/// let cancel = Cancel::new();
/// let flag = cancel.clone();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     flag.cancel();
/// });
/// // Without a limit, only the flag stops this search.
/// let (game, limits) = (Game::default(), Limits::default());
/// let mut searcher = Position::searcher(&EngineOptions::new(1 << 20))?;
/// let report = searcher.search(&game, &limits, &cancel, &mut |_| ());
/// assert!(report.best_move().is_some() && cancel.is_cancelled());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    parents: [Option<Cancel>; 2],
}

impl Cancel {
    /// Creates a flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag; it stays raised.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Waits for the next value from a thread. Returns an error if the thread has ended, and `None`
    /// if the flag is raised.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use morello::game::Cancel;
    ///
    /// let (to, from) = mpsc::channel();
    /// to.send(5)?;
    /// let cancel = Cancel::new();
    /// assert_eq!(cancel.receive(&from), Some(Ok(5)));
    /// cancel.cancel();
    /// assert_eq!(cancel.receive(&from), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn receive<T>(&self, from: &Receiver<T>) -> Option<Result<T, RecvError>> {
        loop {
            match from.recv_timeout(POLL) {
                _ if self.is_cancelled() => return None,
                Ok(value) => return Some(Ok(value)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(Err(RecvError)),
            }
        }
    }

    /// Creates a flag that is also raised when this one is.
    ///
    /// ```
    /// use morello::game::Cancel;
    ///
    /// let all = Cancel::new();
    /// let (one, other) = (all.child(), all.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !other.is_cancelled() && !all.is_cancelled());
    /// all.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Flag { parents: [Some(self.clone()), None], ..Flag::default() }))
    }

    /// Creates a flag that is also raised when this one or `other` is.
    ///
    /// ```
    /// use morello::game::Cancel;
    ///
    /// let (ctrl_c, timeout) = (Cancel::new(), Cancel::new());
    /// let either = ctrl_c.or(&timeout);
    /// timeout.cancel();
    /// assert!(either.is_cancelled() && !ctrl_c.is_cancelled());
    /// ```
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(Arc::new(Flag { parents: [Some(self.clone()), Some(other.clone())], ..Flag::default() }))
    }

    /// Returns whether the flag or one of its parents ([`child`](Self::child), [`or`](Self::or)) is
    /// raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed) || self.0.parents.iter().flatten().any(Self::is_cancelled)
    }
}
