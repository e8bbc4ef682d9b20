//! NBoard 2. The conversation, `>` to the program and `<` from it:
//!
//! ```text
//! > nboard 2
//! > set depth 6
//! > ping 1
//! < set myname Somebody
//! < pong 1                                once, within the time to start
//! > set game (;GM[Othello]...;)
//! > ping 2
//! < pong 2                                each move, within the time of a ping
//! > go
//! < nodestats 12345 0.25
//! < === F5/1.20/0.25                      within the time of a move; also `=== f5 1.20 0.25`
//! ```
//!
//! Source: the description of the protocol that comes with NBoard.

use std::time::Instant;

use super::{Conversation, Pings, Terms};
use crate::game::{Cancel, Certainty, Choice, Game, PlayerError, Position, Score};
use crate::players::process::Process;

/// The state of a conversation.
#[derive(Debug, Default)]
pub(super) struct NBoard {
    pings: Pings,
}

impl<P: Position> Conversation<P> for NBoard {
    fn start(&mut self, terms: &Terms<P>, process: &mut Process) -> Result<(), PlayerError> {
        process.write("nboard 2")?;
        if let Some(depth) = terms.orders.depth {
            process.write(&format!("set depth {depth}"))?;
        }
        self.pings.ping(process, terms.timeouts.start, &Cancel::new(), |_, _| Ok(()))
    }

    fn ask(
        &mut self,
        terms: &Terms<P>,
        process: &mut Process,
        game: &Game<P>,
        cancel: &Cancel,
    ) -> Result<Choice<P>, PlayerError> {
        process.write(&format!("set game {}", (terms.dialect.write_game)(game)))?;
        self.pings.ping(process, terms.timeouts.ping, cancel, |_, _| Ok(()))?;
        let start = Instant::now();
        process.write("go")?;
        let mut nodes = None;
        loop {
            let line = process.read("go", start, terms.timeouts.choice, cancel)?;
            if let Some(statistics) = line.strip_prefix("nodestats ") {
                nodes = statistics.split_whitespace().next().and_then(|nodes| nodes.parse().ok());
            } else if let Some(answer) = line.strip_prefix("===") {
                let mut parts = answer.trim_start().split(['/', ' ', '\t']);
                let m = terms.read(game, parts.next().unwrap_or_default())?;
                // In discs, for the side that moves.
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
