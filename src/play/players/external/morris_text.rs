//! morris-text. An example session, where `>` marks lines to the engine and `<` lines from it:
//!
//! ```text
//! > morris
//! < id name Somebody
//! < ok                                    once, within the start timeout
//! > newgame nine-mens-morris              each game
//! > position start moves d2 f4
//! > ping 1
//! < pong 1                                each move, within the ping timeout
//! > go depth 6                            with a clock `go btime 60000 wtime 57250 binc 600 winc 600`
//! < info depth 6 score cp 12 nodes 4321 time 3 pv d6 f2
//! < bestmove d6                           within the move timeout, or at once after `> stop`
//! ```
//!
//! A line `error ...` before the pong counts as a crash, because the engine does not have the
//! position. `morello::protocol` describes the protocol.

use std::time::Duration;

use morello_core::game::{
    Certainty, Choice, Clock, Color, Game, Limits, PlayerError, Position as _, Score, result_of_name,
};

use super::{EngineLink, PingCounter, ProtocolClient};

/// The client's state in a session.
#[derive(Debug, Default)]
pub(super) struct MorrisTextClient {
    pings: PingCounter,
    /// Whether `newgame` was sent for this game.
    in_game: bool,
}

impl ProtocolClient for MorrisTextClient {
    fn start(&mut self, link: &mut EngineLink<'_>) -> Result<(), PlayerError> {
        link.write("morris", "morris")?;
        while link.read("morris")? != "ok" {}
        Ok(())
    }

    fn command(&mut self, link: &mut EngineLink<'_>, line: &str) -> Result<(), PlayerError> {
        link.write("init", line)?;
        self.pings.ping(link, line, is_error)
    }

    fn new_game(&mut self) {
        self.in_game = false;
    }

    fn request_move(&mut self, link: &mut EngineLink<'_>, game: &Game) -> Result<Choice, PlayerError> {
        let settings = link.settings;
        if !self.in_game {
            link.write("newgame", &format!("newgame {}", settings.dialect.game))?;
            self.in_game = true;
        }
        let position = format!("position {}", (settings.dialect.write_game)(game));
        link.write("position", &position)?;
        self.pings.ping(link, &position, is_error)?;
        let go = go(&settings.limits, &settings.clock, game.position().side_to_move());
        let mut search = link.search(&go, "stop")?;
        let (mut depth, mut nodes, mut score) = (None, None, None);
        loop {
            let line = search.read()?;
            if let Some(info) = line.strip_prefix("info ") {
                depth = number_after(info, "depth").and_then(|depth| depth.try_into().ok()).or(depth);
                nodes = number_after(info, "nodes").or(nodes);
                score = read_score(info).or(score);
            } else if let Some(answer) = line.strip_prefix("bestmove ") {
                let text = answer.split_whitespace().next().unwrap_or_default();
                return Ok(Choice { m: settings.read(game, text)?, depth, nodes, score });
            } else if is_error(&line) {
                return Err(PlayerError::Refused { request: go, response: line });
            }
        }
    }
}

fn is_error(line: &str) -> bool {
    line == "error" || line.starts_with("error ")
}

/// Writes the `go` command.
fn go(limits: &Limits, clock: &Clock, side: Color) -> String {
    let mut line = "go".to_owned();
    let milliseconds = |name: &str, time: Duration| format!(" {name} {}", time.as_millis().max(1));
    let increment = |color| Some(clock.control(color)?.increment).filter(|increment| !increment.is_zero());
    let parts = [
        limits.depth.map(|depth| format!(" depth {depth}")),
        limits.nodes.map(|nodes| format!(" nodes {nodes}")),
        limits.time.map(|time| milliseconds("movetime", time)),
        clock.left(Color::Black).map(|time| milliseconds("btime", time)),
        clock.left(Color::White).map(|time| milliseconds("wtime", time)),
        increment(Color::Black).map(|time| milliseconds("binc", time)),
        increment(Color::White).map(|time| milliseconds("winc", time)),
        Some(clock.moves_left(side)).filter(|&moves| moves > 0).map(|moves| format!(" movestogo {moves}")),
    ];
    line.extend(parts.into_iter().flatten());
    line
}

/// Parses the score of an info line: `score win`, `score draw`, `score loss`, or `score cp` with
/// thousandths of a win.
fn read_score(info: &str) -> Option<Score> {
    let mut words = info.split_whitespace().skip_while(|&word| word != "score").skip(1);
    let plies = number_after(info, "plies").and_then(|plies| plies.try_into().ok());
    match words.next()? {
        "cp" => {
            let thousandths = words.next()?.parse().ok()?;
            Some(Score { thousandths, certainty: Certainty::Heuristic, plies: None })
        }
        name => result_of_name(name)
            .map(|result| Score { plies: plies.filter(|_| result.is_ne()), ..Score::exact(result as i32) }),
    }
}

/// Returns the number that follows a word. The principal variation is skipped.
fn number_after(info: &str, word: &str) -> Option<u64> {
    let mut words = info.split_whitespace().take_while(|&word| word != "pv");
    words.find(|&found| found == word)?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_contains_the_limits() {
        let line = |limits: &Limits, clock: &Clock| go(limits, clock, Color::White);
        assert_eq!(line(&Limits::default(), &Clock::default()), "go");
        let limits = Limits { nodes: Some(900), time: Some(Duration::from_millis(1500)), ..Limits::depth(6) };
        assert_eq!(line(&limits, &Clock::default()), "go depth 6 nodes 900 movetime 1500");
        let clock = Clock::new("60+0.6".parse().unwrap());
        assert_eq!(line(&Limits::default(), &clock), "go btime 60000 wtime 60000 binc 600 winc 600");
        let clock = Clock::of_sides([None, Some("40/2".parse().unwrap())]);
        assert_eq!(line(&Limits::depth(6), &clock), "go depth 6 wtime 2000 movestogo 40");
    }

    #[test]
    fn reads_numbers_of_info_lines() {
        let info = "depth 6 score cp -12 nodes 4321 time 3 pv d6 depth 7";
        assert_eq!((number_after(info, "depth"), number_after(info, "nodes")), (Some(6), Some(4321)));
        assert_eq!((number_after("pv nodes 7", "nodes"), number_after("nodes x", "nodes")), (None, None));
    }
}
