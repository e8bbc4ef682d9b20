//! NBoard 2. An example session, where `>` marks lines to the engine and `<` lines from it:
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
//! < === F5/1.20/0.25                      within the move timeout, or at once after `> ping 3`;
//!                                         also `=== f5 1.20 0.25`
//! ```
//!
//! Source: the protocol description in the NBoard distribution.

use morello_core::game::{Certainty, Choice, Game, PlayerError, Score};

use super::{EngineLink, PingCounter, ProtocolClient};

/// The client's state in a session.
#[derive(Debug, Default)]
pub(super) struct NBoardClient {
    pings: PingCounter,
}

impl ProtocolClient for NBoardClient {
    fn start(&mut self, link: &mut EngineLink<'_>) -> Result<(), PlayerError> {
        link.write("nboard", "nboard 2")?;
        if let Some(depth) = link.settings.limits.depth {
            link.write("set depth", &format!("set depth {depth}"))?;
        }
        self.pings.ping(link, "nboard 2", |_| false)
    }

    fn command(&mut self, link: &mut EngineLink<'_>, line: &str) -> Result<(), PlayerError> {
        link.write("init", line)?;
        self.pings.ping(link, line, |_| false)
    }

    fn request_move(&mut self, link: &mut EngineLink<'_>, game: &Game) -> Result<Choice, PlayerError> {
        let settings = link.settings;
        let position = format!("set game {}", (settings.dialect.write_game)(game));
        link.write("set game", &position)?;
        self.pings.ping(link, &position, |_| false)?;
        let mut search = link.search("go", self.pings.next())?;
        let mut nodes = None;
        loop {
            let line = search.read()?;
            if search.is_stopped && line.starts_with("pong") {
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
