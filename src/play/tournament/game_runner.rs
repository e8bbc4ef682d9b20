//! Plays one game and records why it ended.

use std::time::Duration;

use morello_core::game::{
    Cancel, Clock, Color, DrawRules, Game, GameData, Note, Outcome, PlayError, Player, PlayerError, Position as _,
};
use morello_core::provenance;
use thiserror::Error;

use super::adjudication::ScoreStreaks;
use super::finished_game::black_points;
use super::openings::Opening;
use super::watchdog::{Watchdog, WatchedMove};
use super::{Adjudication, Effort, EndReason, FinishedGame, Pairing};
use crate::session::Session;

/// The conditions that end a game of a match.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MatchRules {
    /// The draw rules.
    pub settings: DrawRules,
    /// The adjudication of clear results.
    pub adjudication: Adjudication,
}

impl MatchRules {
    /// Returns the match rules with these draw rules and without adjudication.
    #[must_use]
    pub fn new(settings: DrawRules) -> Self {
        Self { settings, adjudication: Adjudication::default() }
    }
}

/// Plays games one after another. Each thread has one runner.
pub(super) struct GameRunner<'a> {
    pub rules: MatchRules,
    /// The database for [`Adjudication::database`].
    pub database: Option<&'a GameData>,
    pub watchdog: &'a Watchdog,
    /// The runner's slot in the watchdog.
    pub number: usize,
    /// Aborts the current game.
    pub abort: &'a Cancel,
}

/// The players' time limits in a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameTimes {
    /// The clocks at the start of the game.
    pub clock: Clock,
    /// By how much a clock may be exceeded.
    pub margin: Duration,
    /// The time limits per move, by color.
    pub move_limits: [Duration; 2],
    /// The times after which a move is slow, by color.
    pub slow: [Duration; 2],
}

/// A game that cannot be played, although no player is at fault.
#[derive(Debug, Error)]
#[error("game {game} cannot be played: {problem}")]
#[non_exhaustive]
pub struct Unplayable {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of the player who cannot play the game.
    pub player: usize,
    /// The reason.
    pub problem: PlayerError,
}

/// How a game ended.
struct PlayedResult {
    winner: Option<Color>,
    reason: EndReason,
    problem: Option<String>,
}

impl GameRunner<'_> {
    /// Plays the game with this number from an opening. `players` are in color order. Returns
    /// `None` if cancelled.
    ///
    /// A forced pass is played without asking the player. A player that fails loses, regardless of
    /// the position.
    ///
    /// # Errors
    /// [`Unplayable`] if a player's protocol does not support the start position.
    ///
    /// # Panics
    /// If the opening moves are not legal.
    pub fn play(
        &self,
        pairing: &Pairing,
        (number, opening): (usize, Opening),
        mut players: [&mut Box<dyn Player>; 2],
        times: GameTimes,
    ) -> Result<Option<FinishedGame>, Unplayable> {
        let game = opening.game(self.rules.settings).expect("the moves of an opening are legal");
        let mut session = Session::from(game);
        let mut efforts = [Effort::default(); 2];
        let (date, mut notes) = (provenance::now(), Vec::new());
        let result = match self.play_to_end(&mut session, pairing, &mut players, times, &mut efforts, &mut notes) {
            Ok(result) => result,
            Err((color, error)) => match failure_kind(&error) {
                MoveFailure::Forfeit(reason) => {
                    PlayedResult { winner: Some(!color), reason, problem: Some(error.to_string()) }
                }
                MoveFailure::Unplayable => {
                    let player = pairing.players[color.index()];
                    return Err(Unplayable { game: pairing.game, player, problem: error });
                }
                MoveFailure::Cancelled => return Ok(None),
            },
        };
        let game = session.game();
        let conversation = match result.winner {
            Some(winner) if result.reason.is_forfeit() => players[(!winner).index()].conversation(),
            _ => Vec::new(),
        };
        Ok(Some(FinishedGame {
            game: pairing.game,
            opening: number,
            players: pairing.players,
            start: opening.start,
            moves: game.moves().to_vec(),
            opening_plies: opening.moves.len(),
            notes,
            date: Some(date),
            winner: result.winner,
            black_points: black_points(game.position()).filter(|_| !result.reason.is_forfeit()),
            end_reason: result.reason,
            problem: result.problem,
            conversation,
            efforts,
        }))
    }

    /// Returns the result of an unfinished game if the endgame database has it and is allowed to
    /// end the game.
    fn look_up(&self, game: &Game) -> Option<Outcome> {
        let database = self.database.filter(|_| self.rules.adjudication.database)?;
        game.position().game().look_up(database, game).ok().flatten()
    }

    /// Plays to the end. An error names the side that failed.
    fn play_to_end(
        &self,
        session: &mut Session,
        pairing: &Pairing,
        players: &mut [&mut Box<dyn Player>; 2],
        GameTimes { mut clock, margin, move_limits, slow }: GameTimes,
        efforts: &mut [Effort; 2],
        notes: &mut Vec<Note>,
    ) -> Result<PlayedResult, (Color, PlayerError)> {
        for color in Color::ALL {
            let seed = pairing.seeds[color.index()];
            players[color.index()].prepare(seed, self.abort).map_err(|error| (color, error))?;
        }
        let mut streaks = ScoreStreaks::default();
        loop {
            let game = session.game();
            if let Some(end) = game.end() {
                return Ok(PlayedResult { winner: end.outcome.winner(), reason: end.reason.into(), problem: None });
            }
            if let Some(outcome) = self.look_up(game) {
                return Ok(PlayedResult { winner: outcome.winner(), reason: EndReason::Database, problem: None });
            }
            let color = game.position().side_to_move();
            if let Some(pass) = session.forced_pass() {
                session.play(pass).expect("the only legal move is legal");
                continue;
            }
            let effort = &mut efforts[color.index()];
            let player = &mut players[color.index()];
            player.set_clock(&clock);
            let (own, left) = (move_limits[color.index()], clock.left(color));
            let limit = left.map_or(own, |left| own.min(left.saturating_add(margin)));
            let (player_number, slow) = (pairing.players[color.index()], slow[color.index()]);
            let watched = WatchedMove::new(player_number, pairing.game, limit, slow);
            let (choice, time, is_late) =
                self.watchdog.watch(self.number, watched, self.abort, |cancel| player.choose(game, cancel));
            if self.abort.is_cancelled() {
                return Err((color, PlayerError::Cancelled));
            }
            if is_late && matches!(choice, Ok(_) | Err(PlayerError::Cancelled)) {
                let error = match left.filter(|_| limit < own) {
                    Some(left) => PlayerError::OutOfTime { used: time, left },
                    None => PlayerError::Timeout { request: None, limit },
                };
                return Err((color, error));
            }
            clock.spend(color, time);
            let choice = choice.map_err(|error| (color, error))?;
            match session.play(choice.m) {
                Ok(()) => {}
                Err(PlayError::Illegal(error)) => return Err((color, error.into())),
                Err(PlayError::Over(_)) => unreachable!("the game is not over"),
            }
            notes.resize(session.game().moves().len() - 1, Note::default());
            let eval = choice.score.map(|score| score.points());
            notes.push(Note { eval, depth: choice.depth, seconds: Some(rounded(time)) });
            effort.moves += 1;
            effort.time += time;
            effort.longest = effort.longest.max(time);
            effort.nodes = effort.nodes.saturating_add(choice.nodes.unwrap_or(0));
            effort.moves_with_nodes += u64::from(choice.nodes.is_some());
            effort.depths += u64::from(choice.depth.unwrap_or(0));
            effort.moves_with_depth += u64::from(choice.depth.is_some());
            if !session.is_over()
                && let Some(winner) = streaks.add(&self.rules.adjudication, color, choice.score)
            {
                return Ok(PlayedResult { winner, reason: EndReason::Score, problem: None });
            }
        }
    }
}

/// Returns a time in seconds, rounded to milliseconds.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// The consequence of a player's failure.
enum MoveFailure {
    Forfeit(EndReason),
    /// The game cannot be played, and the player is not at fault.
    Unplayable,
    Cancelled,
}

fn failure_kind(error: &PlayerError) -> MoveFailure {
    match error {
        PlayerError::Resigned => MoveFailure::Forfeit(EndReason::Resignation),
        PlayerError::Crash { .. } | PlayerError::OtherProtocol { .. } => MoveFailure::Forfeit(EndReason::Crash),
        PlayerError::Flood { .. } => MoveFailure::Forfeit(EndReason::Flood),
        PlayerError::Timeout { .. } => MoveFailure::Forfeit(EndReason::Timeout),
        PlayerError::OutOfTime { .. } => MoveFailure::Forfeit(EndReason::OutOfTime),
        PlayerError::Illegal(_) => MoveFailure::Forfeit(EndReason::IllegalMove),
        PlayerError::Refused { .. } => MoveFailure::Forfeit(EndReason::Refusal),
        PlayerError::UnsupportedStart { .. } => MoveFailure::Unplayable,
        PlayerError::Cancelled => MoveFailure::Cancelled,
    }
}

/// Plays one game without time limits except the players' own. `players` are in color order.
/// Returns `None` if `abort` was raised.
///
/// ```
/// use morello::game::{Cancel, Player};
/// use morello::games;
/// use morello::input::read_game;
/// use morello::players::{RandomPlayer, Spec};
/// use morello::tournament::openings::Opening;
/// use morello::tournament::{EndReason, MatchRules, Schedule, play};
///
/// let othello = games::get("othello-4x4")?;
/// let mut engine = "depth=4,hash=1".parse::<Spec>()?.player(othello, None)?;
/// let mut random: Box<dyn Player> = Box::new(RandomPlayer::new(1));
/// let opening = Opening::of(&read_game(othello, "b1a1")?);
/// let rules = MatchRules::new(othello.standard_draw_rules());
/// let pairing = Schedule::of_match(2, 1).pairing(0);
/// let game = play(&pairing, opening, rules, [&mut engine, &mut random], &Cancel::new())?.expect("not aborted");
/// assert_eq!((game.opening_plies, game.end_reason), (2, EndReason::Rules));
/// assert!(game.annotated(&["engine", "random"]).game.to_string().starts_with("b1a1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unplayable`] if a player's protocol does not support the start position.
///
/// # Panics
/// If the opening moves are not legal.
pub fn play(
    pairing: &Pairing,
    opening: Opening,
    rules: MatchRules,
    players: [&mut Box<dyn Player>; 2],
    abort: &Cancel,
) -> Result<Option<FinishedGame>, Unplayable> {
    let watchdog = Watchdog::new(1, abort);
    let times = GameTimes {
        clock: Clock::default(),
        margin: Duration::ZERO,
        move_limits: [Duration::MAX; 2],
        slow: [Duration::MAX; 2],
    };
    let runner = GameRunner { rules, database: None, watchdog: &watchdog, number: 0, abort };
    runner.play(pairing, (pairing.round, opening), players, times)
}
