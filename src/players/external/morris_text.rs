//! morris-text. The conversation, `>` to the program and `<` from it:
//!
//! ```text
//! > morris
//! < id name Somebody
//! < ok                                    once, within the time to start
//! > newgame nine-mens-morris              each game
//! > position start moves d2 f4
//! > ping 1
//! < pong 1                                each move, within the time of a ping
//! > go depth 6
//! < info depth 6 score cp 12 nodes 4321 time 3 pv d6 f2
//! < bestmove d6                           within the time of a move, or at once after `> stop`
//! ```
//!
//! A line `error ...` before the pong is as bad as a crash: the program is not where the game is. `morello::protocol` describes the protocol.

use super::{ConversationSettings, ExternalLimits, PingCounter, ProtocolClient};
use crate::game::{Cancel, Certainty, Choice, Game, IllegalMove, PlayerError, Score};
use crate::players::process::{Deadline, PendingSearch, Process};

/// The state of a conversation.
#[derive(Debug, Default)]
pub(super) struct MorrisTextClient {
    pings: PingCounter,
    /// Whether the program knows which game is played.
    in_game: bool,
}

impl ProtocolClient for MorrisTextClient {
    fn start(
        &mut self,
        terms: &ConversationSettings,
        process: &mut Process,
        cancel: &Cancel,
    ) -> Result<(), PlayerError> {
        let patience = Deadline::new(terms.timeouts.start, cancel);
        process.write("morris", "morris", &patience)?;
        while process.read("morris", &patience)? != "ok" {}
        Ok(())
    }

    fn new_game(&mut self) {
        self.in_game = false;
    }

    fn request_move(
        &mut self,
        terms: &ConversationSettings,
        process: &mut Process,
        game: &Game,
        cancel: &Cancel,
    ) -> Result<Choice, PlayerError> {
        let patience = Deadline::new(terms.timeouts.ping, cancel);
        if !self.in_game {
            process.write("newgame", &format!("newgame {}", terms.dialect.game), &patience)?;
            self.in_game = true;
        }
        let position = format!("position {}", (terms.dialect.write_game)(game));
        process.write("position", &position, &patience)?;
        self.pings.ping(process, &patience, |process, line| {
            if is_error(line) { Err(process.protocol_error(&position, line)) } else { Ok(()) }
        })?;
        let mut thinking = PendingSearch::new(terms.timeouts.choice, cancel, "stop");
        thinking.begin(process, &go(&terms.limits))?;
        let (mut depth, mut nodes, mut score) = (None, None, None);
        loop {
            let line = thinking.read(process)?;
            if let Some(info) = line.strip_prefix("info ") {
                depth = number_after(info, "depth").and_then(|depth| depth.try_into().ok()).or(depth);
                nodes = number_after(info, "nodes").or(nodes);
                score = read_score(info).or(score);
            } else if let Some(answer) = line.strip_prefix("bestmove ") {
                let text = answer.split_whitespace().next().unwrap_or_default();
                return Ok(Choice { m: terms.read(game, text)?, depth, nodes, score });
            } else if is_error(&line) {
                return Err(IllegalMove { text: line, position: game.position().to_string() }.into());
            }
        }
    }
}

fn is_error(line: &str) -> bool {
    line == "error" || line.starts_with("error ")
}

/// Writes what is asked of a search.
fn go(orders: &ExternalLimits) -> String {
    let mut line = "go".to_owned();
    let parts = [
        orders.depth.map(|depth| format!(" depth {depth}")),
        orders.nodes.map(|nodes| format!(" nodes {nodes}")),
        orders.time.map(|time| format!(" movetime {}", time.as_millis().max(1))),
    ];
    line.extend(parts.into_iter().flatten());
    line
}

/// Returns the score that a line tells: `score win`, `score draw`, `score loss`, or `score cp` and thousandths of a win.
fn read_score(info: &str) -> Option<Score> {
    let mut words = info.split_whitespace().skip_while(|&word| word != "score").skip(1);
    let plies = number_after(info, "plies").and_then(|plies| plies.try_into().ok());
    let exact = |points: i32| Score { plies, ..Score::exact(points) };
    match words.next()? {
        "win" => Some(exact(1)),
        "draw" => Some(Score::exact(0)),
        "loss" => Some(exact(-1)),
        "cp" => {
            let thousandths = words.next()?.parse().ok()?;
            Some(Score { thousandths, certainty: Certainty::Heuristic, plies: None })
        }
        _ => None,
    }
}

/// Returns the number that follows a word, before the variation.
fn number_after(info: &str, word: &str) -> Option<u64> {
    let mut words = info.split_whitespace().take_while(|&word| word != "pv");
    words.find(|&found| found == word)?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn go_contains_the_limits() {
        assert_eq!(go(&ExternalLimits::default()), "go");
        let orders = ExternalLimits { depth: Some(6), nodes: Some(900), time: Some(Duration::from_millis(1500)) };
        assert_eq!(go(&orders), "go depth 6 nodes 900 movetime 1500");
    }

    #[test]
    fn reads_numbers_of_info_lines() {
        let info = "depth 6 score cp -12 nodes 4321 time 3 pv d6 depth 7";
        assert_eq!((number_after(info, "depth"), number_after(info, "nodes")), (Some(6), Some(4321)));
        assert_eq!((number_after("pv nodes 7", "nodes"), number_after("nodes x", "nodes")), (None, None));
    }
}
