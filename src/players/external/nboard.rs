//! NBoard 2. An example session, `>` to the engine and `<` from it:
//!
//! ```text
//! > nboard 2
//! > set depth 6
//! > ping 1
//! < set myname Somebody
//! < pong 1                                once, within the start timeout
//! > set game (;GM[Othello]...;)
//! > ping 2
//! < pong 2                                each move, within the ping timeout
//! > go
//! < nodestats 12345 0.25
//! < === F5/1.20/0.25                      within the move timeout, or at once after `> ping 3`; also `=== f5 1.20 0.25`
//! ```
//!
//! Source: the description of the protocol that comes with NBoard.

use super::{ConnectionSettings, PingCounter, ProtocolClient};
use crate::game::{Cancel, Certainty, Choice, Game, PlayerError, Score};
use crate::players::process::{Deadline, PendingSearch, Process};

/// The state of a session.
#[derive(Debug, Default)]
pub(super) struct NBoardClient {
    pings: PingCounter,
}

impl ProtocolClient for NBoardClient {
    fn start(
        &mut self,
        settings: &ConnectionSettings,
        process: &mut Process,
        cancel: &Cancel,
    ) -> Result<(), PlayerError> {
        let deadline = Deadline::new(settings.timeouts.start, cancel);
        process.write("nboard", "nboard 2", &deadline)?;
        if let Some(depth) = settings.limits.depth {
            process.write("set depth", &format!("set depth {depth}"), &deadline)?;
        }
        self.pings.ping(process, &deadline, |_, _| Ok(()))
    }

    fn request_move(
        &mut self,
        settings: &ConnectionSettings,
        process: &mut Process,
        game: &Game,
        cancel: &Cancel,
    ) -> Result<Choice, PlayerError> {
        let deadline = Deadline::new(settings.timeouts.ping, cancel);
        process.write("set game", &format!("set game {}", (settings.dialect.write_game)(game)), &deadline)?;
        self.pings.ping(process, &deadline, |_, _| Ok(()))?;
        let mut search = PendingSearch::new(settings.timeouts.choice, cancel, self.pings.next());
        search.begin(process, "go")?;
        let mut nodes = None;
        loop {
            let line = search.read(process)?;
            if search.is_stopped() && line.starts_with("pong") {
                return Err(PlayerError::Cancelled);
            }
            if let Some(statistics) = line.strip_prefix("nodestats ") {
                nodes = statistics.split_whitespace().next().and_then(|nodes| nodes.parse().ok());
            } else if let Some(answer) = line.strip_prefix("===") {
                let mut parts = answer.trim_start().split(['/', ' ', '\t']);
                let m = settings.read(game, parts.next().unwrap_or_default())?;
                // The score is in discs, for the side to move.
                let discs = parts.next().and_then(|eval| eval.parse().ok()).filter(|discs: &f64| discs.abs() <= 64.0);
                let score = discs.map(|discs| Score {
                    thousandths: (discs * 1000.0).round() as i32,
                    certainty: Certainty::Heuristic,
                    plies: None,
                });
                return Ok(Choice { m, depth: None, nodes, score });
            }
        }
    }
}
