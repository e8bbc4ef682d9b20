//! GTP, the Go Text Protocol, as Othello engines use it. An example session, `>` to the engine and `<` from it, without the empty line
//! that ends each response:
//!
//! ```text
//! > name
//! < = Somebody                            once, within the start timeout
//! > boardsize 8
//! < =
//! > clear_board
//! < =
//! > time_settings 0 2 1                   only with a time limit: two seconds for each move
//! < =                                     each game, within the ping timeout
//! > play black f5
//! < =                                     each new move, within the ping timeout
//! > genmove white
//! < = d6                                  within the move timeout
//! ```
//!
//! The engine keeps the board: a request sends only the new moves, or all moves if the game differs. A pass is sent as `pass`, and as `pa` if
//! the engine refuses that. Any other refusal, such as `? illegal move`, counts as a crash, because the engine's board may then differ from
//! ours. An engine that responds to `genmove` with `resign` resigns.
//!
//! GTP has whole seconds only. Another time is sent as the seconds of a period of several moves: 100 ms as `time_settings 0 1 10`, a second
//! for each ten moves. The engine keeps its own clock, and may take more time for one move and less for another.
//!
//! The protocol cannot set up a position, so a game that begins from another position fails without blame on the engine.
//! Source: the specification of GTP 2 by Gunnar Farnebäck.

use std::time::Duration;

use super::{ConnectionSettings, ProtocolClient};
use crate::game::{AnyMove, Cancel, Choice, Color, Game, PlayerError, Position as _, Protocol};
use crate::players::process::{Deadline, Process};

/// The state of a session.
#[derive(Debug, Default)]
pub(super) struct GtpClient {
    /// The moves on the engine's board; `None` if its board is unknown.
    synced_moves: Option<Vec<AnyMove>>,
}

impl ProtocolClient for GtpClient {
    fn start(
        &mut self,
        settings: &ConnectionSettings,
        process: &mut Process,
        cancel: &Cancel,
    ) -> Result<(), PlayerError> {
        let deadline = Deadline::new(settings.timeouts.start, cancel);
        // Any response will do, even a refusal.
        send(process, "name", "name", &deadline).map(drop)
    }

    fn new_game(&mut self) {
        self.synced_moves = None;
    }

    fn request_move(
        &mut self,
        settings: &ConnectionSettings,
        process: &mut Process,
        game: &Game,
        cancel: &Cancel,
    ) -> Result<Choice, PlayerError> {
        if !game.start().is_start() {
            return Err(PlayerError::UnsupportedStart { protocol: Protocol::Gtp, start: game.start().to_string() });
        }
        let deadline = Deadline::new(settings.timeouts.ping, cancel);
        let synced = self.synced_moves.take().filter(|moves| game.moves().starts_with(moves)).map(|moves| moves.len());
        if synced.is_none() {
            set_up(settings, process, &deadline)?;
        }
        let mut side = game.start().side_to_move();
        for (ply, &m) in game.moves().iter().enumerate() {
            if ply >= synced.unwrap_or(0) {
                play(settings, process, side, m, &deadline)?;
            }
            side = !side;
        }
        let deadline = Deadline::new(settings.timeouts.choice, cancel);
        let text = match send(process, "genmove", &format!("genmove {}", name(side)), &deadline)? {
            Ok(text) if text.eq_ignore_ascii_case("resign") => return Err(PlayerError::Resigned),
            Ok(text) => text,
            Err(refusal) => return Err(process.protocol_error("genmove", &refusal)),
        };
        let m = settings.read(game, &text)?;
        // `genmove` also plays the move on the engine's board.
        self.synced_moves = Some(game.moves().iter().copied().chain([m]).collect());
        Ok(Choice::new(m))
    }
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Begins a game.
fn set_up(settings: &ConnectionSettings, process: &mut Process, deadline: &Deadline<'_>) -> Result<(), PlayerError> {
    send_expecting_success(process, "boardsize", &format!("boardsize {}", settings.dialect.game), deadline)?;
    send_expecting_success(process, "clear_board", "clear_board", deadline)?;
    if let Some(time) = settings.limits.time {
        let (seconds, moves) = period(time);
        let line = format!("time_settings 0 {seconds} {moves}");
        send_expecting_success(process, "time_settings", &line, deadline)?;
    }
    Ok(())
}

/// Returns the whole seconds and the moves of the shortest period whose moves have this time each, rounded to microseconds.
fn period(time: Duration) -> (u64, u64) {
    const SECOND: u64 = 1_000_000;
    let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1);
    let (mut divisor, mut rest) = (SECOND, time);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (time / divisor, SECOND / divisor)
}

fn play(
    settings: &ConnectionSettings,
    process: &mut Process,
    side: Color,
    m: AnyMove,
    deadline: &Deadline<'_>,
) -> Result<(), PlayerError> {
    let line = format!("play {} {}", name(side), (settings.dialect.write_move)(m));
    match send(process, "play", &line, deadline)? {
        Ok(_) => Ok(()),
        Err(_) if m.is_pass() => send_expecting_success(process, "play", &format!("play {} pa", name(side)), deadline),
        Err(refusal) => Err(process.protocol_error(&line, &refusal)),
    }
}

/// Sends a line and fails if it is refused.
fn send_expecting_success(
    process: &mut Process,
    request: &'static str,
    line: &str,
    deadline: &Deadline<'_>,
) -> Result<(), PlayerError> {
    match send(process, request, line, deadline)? {
        Ok(_) => Ok(()),
        Err(refusal) => Err(process.protocol_error(line, &refusal)),
    }
}

/// Sends a line and returns the first line of the response: `Ok` without the `=`, or `Err` with the `?` of a refusal.
fn send(
    process: &mut Process,
    request: &'static str,
    line: &str,
    deadline: &Deadline<'_>,
) -> Result<Result<String, String>, PlayerError> {
    process.write(request, line, deadline)?;
    loop {
        // This also skips the rest of earlier responses.
        let response = process.read(request, deadline)?;
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
