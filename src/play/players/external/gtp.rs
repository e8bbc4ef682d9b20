//! GTP, the Go Text Protocol, as Othello engines use it. An example session, where `>` marks lines
//! to the engine and `<` lines from it; the empty line after each response is omitted:
//!
//! ```text
//! > name
//! < = Somebody                            once, within the start timeout
//! > boardsize 8
//! < =
//! > clear_board
//! < =
//! > time_settings 0 2 1                   only with a time limit: two seconds for each move; may be refused
//! < =                                     each game, within the ping timeout
//! > play black f5
//! < =                                     each new move, within the ping timeout
//! > time_left white 57.25 0               only with a clock; the engine may refuse it
//! < =                                     each move, within the ping timeout
//! > genmove white
//! < = d6                                  within the move timeout
//! ```
//!
//! The engine keeps the board: a request sends only the new moves, or all moves if the game
//! differs. A pass is sent as `pass`, and as `pa` if the engine refuses that. An engine that
//! refuses a move (as with `? illegal move`) or refuses to choose one forfeits the game. Any other
//! refusal counts as a crash, because the engine's board may then differ from ours. An engine that
//! responds to `genmove` with `resign` resigns.
//!
//! GTP supports only whole seconds. Other times per move are sent as a period of several moves: 100
//! ms as `time_settings 0 1 10`, one second for every ten moves. The engine keeps its own clock,
//! and may take more time for one move and less for another.
//!
//! A game clock is sent as `time_settings 60 0 0`, or as `time_settings 0 60 40` for one minute for
//! every 40 moves. GTP does not support increments; `time_left` reports the time with the
//! increments added. Times have decimals only if they are not whole seconds.
//!
//! The protocol cannot set up a position, so a game from another start position fails, and the
//! engine is not blamed. Source: the specification of GTP 2 by Gunnar Farnebäck.

use std::time::Duration;

use morello_core::game::{AnyMove, Choice, Color, Game, PlayerError, Position as _, Protocol, TimeControl};

use super::{EngineLink, ProtocolClient};
use crate::players::process::Deadline;

/// The client's state in a session.
#[derive(Debug, Default)]
pub(super) struct GtpClient {
    /// The moves on the engine's board; `None` if its board is unknown.
    synced_moves: Option<Vec<AnyMove>>,
}

impl ProtocolClient for GtpClient {
    fn start(&mut self, link: &mut EngineLink<'_>) -> Result<(), PlayerError> {
        // Any response is accepted, even a refusal.
        send(link, "name", "name").map(drop)
    }

    fn command(&mut self, link: &mut EngineLink<'_>, line: &str) -> Result<(), PlayerError> {
        send_expecting_success(link, "init", line)
    }

    fn new_game(&mut self) {
        self.synced_moves = None;
    }

    fn request_move(&mut self, link: &mut EngineLink<'_>, game: &Game) -> Result<Choice, PlayerError> {
        if !game.start().is_start() {
            return Err(PlayerError::UnsupportedStart { protocol: Protocol::Gtp, start: game.start().to_string() });
        }
        let synced = self.synced_moves.take().filter(|moves| game.moves().starts_with(moves)).map(|moves| moves.len());
        if synced.is_none() {
            set_up(link, game.position().side_to_move())?;
        }
        let mut side = game.start().side_to_move();
        for (ply, &m) in game.moves().iter().enumerate() {
            if ply >= synced.unwrap_or(0) {
                play(link, side, m)?;
            }
            side = !side;
        }
        let clock = link.settings.clock;
        if let Some(left) = clock.left(side) {
            let line = format!("time_left {} {} {}", name(side), seconds(left), clock.moves_left(side));
            let _ = send(link, "time_left", &line)?;
        }
        link.deadline = Deadline::new(link.settings.timeouts.choice, link.cancel);
        let text = match send(link, "genmove", &format!("genmove {}", name(side)))? {
            Ok(text) if text.eq_ignore_ascii_case("resign") => return Err(PlayerError::Resigned),
            Ok(text) => text,
            Err(response) => return Err(PlayerError::Refused { request: format!("genmove {}", name(side)), response }),
        };
        let m = link.settings.read(game, &text)?;
        // `genmove` also plays the move on the engine's board.
        self.synced_moves = Some(game.moves().iter().copied().chain([m]).collect());
        Ok(Choice::new(m))
    }
}

fn name(side: Color) -> String {
    side.to_string().to_lowercase()
}

/// Begins a game in which the engine has this color.
fn set_up(link: &mut EngineLink<'_>, side: Color) -> Result<(), PlayerError> {
    send_expecting_success(link, "boardsize", &format!("boardsize {}", link.settings.dialect.game))?;
    send_expecting_success(link, "clear_board", "clear_board")?;
    let times = match (link.settings.clock.control(side), link.settings.limits.time) {
        (Some(TimeControl { main, period, moves, .. }), _) => {
            format!("{} {} {moves}", seconds(main), seconds(period))
        }
        (None, Some(time)) => {
            let (seconds, moves) = period(time);
            format!("0 {seconds} {moves}")
        }
        (None, None) => return Ok(()),
    };
    // If the engine refuses, its time is enforced all the same.
    send(link, "time_settings", &format!("time_settings {times}")).map(drop)
}

/// Writes a time in seconds, rounded down to milliseconds.
fn seconds(time: Duration) -> String {
    (time.as_millis() as f64 / 1000.0).to_string()
}

/// Returns the shortest period (whole seconds, moves) that allows this time per move, rounded to
/// microseconds.
fn period(time: Duration) -> (u64, u64) {
    const SECOND: u64 = 1_000_000;
    let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1);
    let (mut divisor, mut rest) = (SECOND, time);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (time / divisor, SECOND / divisor)
}

fn play(link: &mut EngineLink<'_>, side: Color, m: AnyMove) -> Result<(), PlayerError> {
    let line = format!("play {} {}", name(side), (link.settings.dialect.write_move)(m));
    match send(link, "play", &line)? {
        Ok(_) => Ok(()),
        Err(_) if m.is_pass() => send(link, "play", &format!("play {} pa", name(side)))?
            .map(drop)
            .map_err(|response| PlayerError::Refused { request: line, response }),
        Err(response) => Err(PlayerError::Refused { request: line, response }),
    }
}

/// Sends a line; fails if the engine refuses it.
fn send_expecting_success(link: &mut EngineLink<'_>, request: &'static str, line: &str) -> Result<(), PlayerError> {
    send(link, request, line)?.map(drop).map_err(|refusal| link.process.protocol_error(line, &refusal))
}

/// Sends a line and returns the first line of the response: `Ok` without the `=`, or `Err` with the
/// `?` for a refusal.
fn send(link: &mut EngineLink<'_>, request: &'static str, line: &str) -> Result<Result<String, String>, PlayerError> {
    link.write(request, line)?;
    loop {
        // This also skips the rest of earlier responses.
        let response = link.read(request)?;
        if let Some(text) = response.strip_prefix('=') {
            return Ok(Ok(text.trim().to_owned()));
        }
        if response.starts_with('?') {
            return Ok(Err(response));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_have_whole_seconds() {
        let milliseconds = |time| period(Duration::from_millis(time));
        assert_eq!([milliseconds(1000), milliseconds(2000), milliseconds(60_000)], [(1, 1), (2, 1), (60, 1)]);
        assert_eq!([milliseconds(1), milliseconds(10), milliseconds(100)], [(1, 1000), (1, 100), (1, 10)]);
        assert_eq!([milliseconds(1500), milliseconds(333)], [(3, 2), (333, 1000)]);
        assert_eq!(period(Duration::from_micros(2500)), (1, 400));
        assert_eq!(period(Duration::from_nanos(1)), (1, 1_000_000));
        for time in [1, 7, 40, 999, 1001, 86_399_999] {
            let (seconds, moves) = milliseconds(time);
            assert_eq!(Duration::from_millis(time * moves), Duration::from_secs(seconds), "{time} ms");
        }
    }
}
