//! [`FinishedGame`]: the record of one finished game.

use std::fmt;
use std::iter::repeat;
use std::time::Duration;

use morello_core::game::{
    AnnotatedGame, AnyMove, AnyPosition, Color, Game, GameEndReason, GameResult, Note, Position as _, Scoring,
    Termination,
};
use serde::{Deserialize, Serialize};

/// Why a game of a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndReason {
    /// The position ended it.
    Rules,
    /// Drawn: a position was repeated.
    Repetition,
    /// Drawn: too many plies without progress.
    NoProgress,
    /// Drawn: the game reached the maximum number of plies.
    PlyCap,
    /// Adjudicated: the endgame database has the result.
    Database,
    /// Adjudicated: both players' scores agreed on the result for long enough.
    Score,
    /// A player resigned.
    Resignation,
    /// Forfeited: a player's program exited, failed to start or violated the protocol.
    Crash,
    /// Forfeited: a player's program wrote too much output without a response.
    Flood,
    /// Forfeited: a player did not answer in time.
    Timeout,
    /// Forfeited: a player used more time than its clock had.
    OutOfTime,
    /// Forfeited: a player chose an illegal move.
    IllegalMove,
    /// Forfeited: a player refused the opponent's legal move, or a request for a move.
    Refusal,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [Self; 13] = [
        Self::Rules,
        Self::Repetition,
        Self::NoProgress,
        Self::PlyCap,
        Self::Database,
        Self::Score,
        Self::Resignation,
        Self::Crash,
        Self::Flood,
        Self::Timeout,
        Self::OutOfTime,
        Self::IllegalMove,
        Self::Refusal,
    ];

    /// Returns whether a player failed and therefore lost.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Self::Crash | Self::Flood | Self::Timeout | Self::OutOfTime | Self::IllegalMove | Self::Refusal)
    }

    /// Returns the early end as game files record it; `None` if the position or the draw rules of
    /// the game ended it.
    #[must_use]
    pub const fn termination(self) -> Option<Termination> {
        match self {
            Self::Rules | Self::Repetition | Self::NoProgress => None,
            Self::PlyCap | Self::Database | Self::Score => Some(Termination::Adjudication),
            Self::Resignation => Some(Termination::Resignation),
            Self::Crash | Self::Flood => Some(Termination::Crash),
            Self::Timeout | Self::OutOfTime => Some(Termination::Timeout),
            Self::IllegalMove | Self::Refusal => Some(Termination::IllegalMove),
        }
    }
}

impl From<GameEndReason> for EndReason {
    fn from(reason: GameEndReason) -> Self {
        match reason {
            GameEndReason::Rules => Self::Rules,
            GameEndReason::Repetition => Self::Repetition,
            GameEndReason::NoProgress => Self::NoProgress,
            GameEndReason::PlyCap => Self::PlyCap,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rules => "by the rules",
            Self::Repetition => "repetition",
            Self::NoProgress => "no progress",
            Self::PlyCap => "ply cap",
            Self::Database => "by the database",
            Self::Score => "by the scores",
            Self::Resignation => "resignation",
            Self::Crash => "crash",
            Self::Flood => "flood",
            Self::Timeout => "timeout",
            Self::OutOfTime => "out of time",
            Self::IllegalMove => "illegal move",
            Self::Refusal => "refusal",
        })
    }
}

/// How much work a player's moves took. Forced passes, which are played automatically, are not
/// included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Effort {
    /// The number of moves chosen.
    pub moves: u64,
    /// The number of nodes visited, in moves with a reported node count.
    pub nodes: u64,
    /// The number of moves with a reported node count.
    pub moves_with_nodes: u64,
    /// The sum of the reported search depths, in plies.
    pub depths: u64,
    /// The number of moves with a reported depth.
    pub moves_with_depth: u64,
    /// The total wall-clock time.
    pub time: Duration,
    /// The longest time of one move.
    pub longest: Duration,
}

impl Effort {
    /// Adds the effort of another game. Sums saturate.
    pub fn add(&mut self, other: &Self) {
        let add = |sum: &mut u64, number: u64| *sum = sum.saturating_add(number);
        add(&mut self.moves, other.moves);
        add(&mut self.nodes, other.nodes);
        add(&mut self.moves_with_nodes, other.moves_with_nodes);
        add(&mut self.depths, other.depths);
        add(&mut self.moves_with_depth, other.moves_with_depth);
        self.time = self.time.saturating_add(other.time);
        self.longest = self.longest.max(other.longest);
    }
}

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedGame {
    /// Its number in the schedule, from 0. Games `2 k` and `2 k + 1` are a pair.
    pub game: u64,
    /// The number of its opening, from 0.
    pub opening: usize,
    /// The players, by their [color](Color::index).
    pub players: [usize; 2],
    /// The position that the opening starts from.
    pub start: AnyPosition,
    /// All moves, including the opening.
    pub moves: Vec<AnyMove>,
    /// The number of moves of the opening.
    pub opening_plies: usize,
    /// The reported scores of the moves, in points for the side that made them, and their times.
    /// Trailing empty notes may be omitted.
    pub notes: Vec<Note>,
    /// When the game began, in UTC: `2026-11-26 12:33:18`.
    pub date: Option<String>,
    /// The side that won; `None` for a draw.
    pub winner: Option<Color>,
    /// The final score in points (discs) for Black; `None` if the position did not end the game, or
    /// if the game has [no final score](morello_core::game::Scoring::Distance).
    pub black_points: Option<i32>,
    /// Why the game ended.
    pub end_reason: EndReason,
    /// The error of the player who forfeited or resigned.
    pub problem: Option<String>,
    /// The last lines of the conversation with the forfeiting player's program, the oldest first.
    /// `>` marks lines to the program, `<` lines from it, and `!` lines from its standard error.
    /// Empty if nobody forfeited.
    pub conversation: Vec<String>,
    /// The effort of each side, by color.
    pub efforts: [Effort; 2],
}

impl FinishedGame {
    /// Removes the times and the date, which differ between runs. Also removes times from the
    /// conversation.
    pub fn clear_times(&mut self) {
        self.date = None;
        self.conversation.clear();
        self.notes.iter_mut().for_each(|note| note.seconds = None);
        for effort in &mut self.efforts {
            (effort.time, effort.longest) = (Duration::ZERO, Duration::ZERO);
        }
    }

    /// Returns the game with the names of its players, its result and the reason for its end, and
    /// the scores and times of its moves. `names` are the names of all players, by their number.
    ///
    /// # Panics
    /// If the moves are not legal.
    #[must_use]
    pub fn annotated(&self, names: &[&str]) -> AnnotatedGame {
        let mut game = Game::new(self.start);
        self.moves.iter().try_for_each(|&m| game.play(m)).expect("the moves of a finished game are legal");
        let mut annotated = AnnotatedGame::with_names(game, self.players.map(|player| names[player]));
        if self.notes.iter().any(|note| *note != Note::default()) {
            let notes = self.notes.iter().copied().chain(repeat(Note::default()));
            annotated.notes = notes.take(self.moves.len()).collect();
        }
        let result = match self.black_points {
            Some(points) => GameResult { points: points.into() },
            None => GameResult::of_winner(self.start.game(), self.winner),
        };
        annotated.tags.result = Some(result);
        annotated.tags.termination = self.end_reason.termination();
        annotated.tags.date.clone_from(&self.date);
        annotated
    }

    /// Returns the color of the first player, the one with the lower number.
    #[must_use]
    pub fn first(&self) -> Color {
        if self.players[Color::Black.index()] < self.players[Color::White.index()] {
            Color::Black
        } else {
            Color::White
        }
    }

    /// Returns the half points of the first player: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(&self) -> usize {
        self.winner.map_or(1, |winner| 2 * usize::from(winner == self.first()))
    }

    /// Returns the final score in points for the first player; `None` if `black_points` is `None`.
    #[must_use]
    pub fn points(&self) -> Option<i32> {
        self.black_points.map(|points| if self.first() == Color::Black { points } else { points.saturating_neg() })
    }

    /// Returns the number of the player who lost; `None` for a draw.
    #[must_use]
    pub fn loser(&self) -> Option<usize> {
        self.winner.map(|winner| self.players[(!winner).index()])
    }

    /// Returns whether the recorded result is possible for `game`, which must have the recorded
    /// moves.
    #[must_use]
    pub fn is_result_of(&self, game: &Game) -> bool {
        let is_right_winner = match self.end_reason {
            EndReason::Rules => game.end().is_some_and(|end| end.outcome.winner() == self.winner),
            EndReason::Repetition | EndReason::NoProgress | EndReason::PlyCap => self.winner.is_none(),
            EndReason::Resignation
            | EndReason::Crash
            | EndReason::Flood
            | EndReason::Timeout
            | EndReason::OutOfTime
            | EndReason::IllegalMove
            | EndReason::Refusal => self.winner.is_some(),
            EndReason::Database | EndReason::Score => true,
        };
        is_right_winner && self.black_points == black_points(game.position()).filter(|_| !self.end_reason.is_forfeit())
    }

    /// Returns the effort of a player; `None` if it did not play.
    #[must_use]
    pub fn effort_of(&self, player: usize) -> Option<&Effort> {
        self.players.iter().position(|&other| other == player).map(|color| &self.efforts[color])
    }

    /// Returns the player who forfeited the game, if one did.
    #[must_use]
    pub fn forfeiter(&self) -> Option<usize> {
        self.loser().filter(|_| self.end_reason.is_forfeit())
    }
}

/// Returns the final score in points for Black; `None` if the position does not end the game, or if
/// the game has no final score.
pub(super) fn black_points(position: &AnyPosition) -> Option<i32> {
    let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
    (position.game().info().scoring == Scoring::Margin && position.is_over()).then(|| sign * position.final_score())
}
