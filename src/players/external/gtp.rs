//! GTP, the Go Text Protocol, as Othello programs speak it. The conversation, `>` to the program and `<` from it, without the empty line
//! that ends each answer:
//!
//! ```text
//! > name
//! < = Somebody                            once, within the time to start
//! > boardsize 8
//! < =
//! > clear_board
//! < =
//! > time_settings 0 2 1                   where a time is told: two seconds for each move
//! < =                                     each game, within the time of a ping
//! > play black f5
//! < =                                     each new move, likewise
//! > genmove white
//! < = d6                                  within the time of a move
//! ```
//!
//! The program keeps the board: it is told only the moves that are new, and the whole game where that is another. A pass is `pass`, or `pa`
//! if the program does not know that. A refusal, `? illegal move`, ends the game for it as a crash does, since its board is not the game's any
//! more; if it is `genmove` that is refused, or answered with `resign`, the program forfeits as by an illegal move: it would not choose one.
//!
//! The protocol has no way to set up a position, so games that start elsewhere cannot be played; the program is not to blame.
//! Source: the specification of GTP 2 by Gunnar Farnebäck.

use super::{ConversationSettings, ProtocolClient};
use crate::game::{AnyMove, Cancel, Choice, Color, Game, PlayerError, Position as _, Protocol};
use crate::players::process::{Deadline, Process};

/// The state of a conversation.
#[derive(Debug, Default)]
pub(super) struct GtpClient {
    /// The moves from the start to the board of the program; `None` if it is not known to be at this game.
    synced_moves: Option<Vec<AnyMove>>,
}

impl ProtocolClient for GtpClient {
    fn start(
        &mut self,
        terms: &ConversationSettings,
        process: &mut Process,
        cancel: &Cancel,
    ) -> Result<(), PlayerError> {
        let patience = Deadline::new(terms.timeouts.start, cancel);
        // Whatever the answer is.
        send(process, "name", "name", &patience).map(drop)
    }

    fn new_game(&mut self) {
        self.synced_moves = None;
    }

    fn request_move(
        &mut self,
        terms: &ConversationSettings,
        process: &mut Process,
        game: &Game,
        cancel: &Cancel,
    ) -> Result<Choice, PlayerError> {
        if !game.start().is_start() {
            return Err(PlayerError::UnsupportedStart { protocol: Protocol::Gtp, start: game.start().to_string() });
        }
        let patience = Deadline::new(terms.timeouts.ping, cancel);
        let known = self.synced_moves.take().filter(|told| game.moves().starts_with(told)).map(|told| told.len());
        if known.is_none() {
            set_up(terms, process, &patience)?;
        }
        let mut side = game.start().side_to_move();
        for (ply, &m) in game.moves().iter().enumerate() {
            if ply >= known.unwrap_or(0) {
                play(terms, process, side, m, &patience)?;
            }
            side = !side;
        }
        let patience = Deadline::new(terms.timeouts.choice, cancel);
        let text = match send(process, "genmove", &format!("genmove {}", name(side)), &patience)? {
            Ok(text) if text.eq_ignore_ascii_case("resign") => return Err(PlayerError::Resigned),
            Ok(text) => text,
            Err(refusal) => return Err(process.protocol_error("genmove", &refusal)),
        };
        let m = terms.read(game, &text)?;
        // The program has played it.
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
fn set_up(terms: &ConversationSettings, process: &mut Process, patience: &Deadline<'_>) -> Result<(), PlayerError> {
    send_expecting_success(process, "boardsize", &format!("boardsize {}", terms.dialect.game), patience)?;
    send_expecting_success(process, "clear_board", "clear_board", patience)?;
    if let Some(time) = terms.limits.time {
        let line = format!("time_settings 0 {} 1", time.as_secs().max(1));
        send_expecting_success(process, "time_settings", &line, patience)?;
    }
    Ok(())
}

fn play(
    terms: &ConversationSettings,
    process: &mut Process,
    side: Color,
    m: AnyMove,
    patience: &Deadline<'_>,
) -> Result<(), PlayerError> {
    let line = format!("play {} {}", name(side), (terms.dialect.write_move)(m));
    match send(process, "play", &line, patience)? {
        Ok(_) => Ok(()),
        Err(_) if m.is_pass() => send_expecting_success(process, "play", &format!("play {} pa", name(side)), patience),
        Err(refusal) => Err(process.protocol_error(&line, &refusal)),
    }
}

/// Says a line that must not be refused.
fn send_expecting_success(
    process: &mut Process,
    request: &'static str,
    line: &str,
    patience: &Deadline<'_>,
) -> Result<(), PlayerError> {
    match send(process, request, line, patience)? {
        Ok(_) => Ok(()),
        Err(refusal) => Err(process.protocol_error(line, &refusal)),
    }
}

/// Says a line and returns the first line of the answer, that of a refusal with its `?`.
fn send(
    process: &mut Process,
    request: &'static str,
    line: &str,
    patience: &Deadline<'_>,
) -> Result<Result<String, String>, PlayerError> {
    process.write(request, line, patience)?;
    loop {
        // Further lines of earlier answers are read here, too.
        let answer = process.read(request, patience)?;
        if let Some(text) = answer.strip_prefix('=') {
            return Ok(Ok(text.trim().to_owned()));
        }
        if answer.starts_with('?') {
            return Ok(Err(answer));
        }
    }
}
