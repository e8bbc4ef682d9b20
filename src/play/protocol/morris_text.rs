//! morris-text, which the [parent module](super) describes.

use std::time::Duration;

use morello_core::game::{AnyGame, Dialect, Limits, Protocol, Report, Score, result_name};
use morello_core::games;
use thiserror::Error;

use super::connection::{Connection, NAME, ResponseWriter, VERSION, split_word};
use super::inbox::StopRequest;

/// The commands, all of which stop a search.
const COMMANDS: [&str; 7] = ["morris", "newgame", "position", "go", "stop", "ping", "quit"];

fn stop_request(line: &str) -> StopRequest {
    COMMANDS.contains(&split_word(line).0).then_some(Duration::ZERO)
}

/// Returns the games of the protocol.
fn mills() -> impl Iterator<Item = &'static dyn AnyGame> {
    games::all().iter().copied().filter(|game| game.dialect(Protocol::MorrisText).is_some())
}

/// Runs until the end of the session, or until another game is requested, which is returned.
pub(super) fn run(mut connection: Connection<'_, '_>) -> Option<&'static dyn AnyGame> {
    while let Some(line) = connection.next() {
        let (command, rest) = split_word(&line);
        match command {
            "morris" => {
                connection.send(format_args!("id name {NAME} {VERSION}"));
                connection.send("ok");
            }
            "newgame" if rest == connection.session.rules().name() || rest.is_empty() => connection.restart(),
            "newgame" => match mills().find(|game| game.name() == rest) {
                Some(game) => return Some(game),
                None => {
                    let known = mills().map(|game| game.name()).collect::<Vec<_>>().join(", ");
                    connection.send(format_args!("error unknown mill game `{rest}` (known: {known})"));
                }
            },
            "position" => match (connection.dialect.read_game)(rest) {
                Ok(game) => connection.session.set_game(game),
                Err(error) => connection.send(format_args!("error column {} of the position: {error}", error.column())),
            },
            "go" => match parse_go(rest) {
                Ok(go) => search(&mut connection, &go),
                Err(error) => connection.send(format_args!("error {error}")),
            },
            "ping" => connection.send(format_args!("pong {rest}")),
            "quit" => return None,
            // A search that `stop` was meant for has already ended.
            "stop" | "" => {}
            _ => connection.send(format_args!("error unknown command `{command}` (known: {})", COMMANDS.join(", "))),
        }
    }
    None
}

/// A parsed `go` command.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GoCommand {
    /// The limits that the engine was started with.
    DefaultLimits,
    Within(Limits),
    Infinite,
}

/// An invalid `go` command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum GoError {
    #[error("unknown word `{0}` after `go` (known: depth N, nodes N, movetime MS, infinite)")]
    Unknown(String),
    #[error("expected a number above 0 after `{0}`")]
    Number(String),
    #[error("`go infinite` cannot be combined with limits")]
    Infinite,
}

fn parse_go(text: &str) -> Result<GoCommand, GoError> {
    let mut limits = Limits::default();
    let mut infinite = false;
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if word == "infinite" {
            infinite = true;
            continue;
        }
        let mut number = || {
            let number = words.next().and_then(|number| number.parse::<u64>().ok());
            number.filter(|&number| number > 0).ok_or_else(|| GoError::Number(word.to_owned()))
        };
        match word {
            "depth" => limits.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
            "nodes" => limits.nodes = Some(number()?),
            "movetime" => limits.time = Some(Duration::from_millis(number()?)),
            _ => return Err(GoError::Unknown(word.to_owned())),
        }
    }
    match (infinite, limits == Limits::default()) {
        (true, true) => Ok(GoCommand::Infinite),
        (true, false) => Err(GoError::Infinite),
        (false, true) => Ok(GoCommand::DefaultLimits),
        (false, false) => Ok(GoCommand::Within(limits)),
    }
}

fn search(connection: &mut Connection<'_, '_>, go: &GoCommand) {
    let game = connection.session.game().clone();
    if game.end().is_some() {
        connection.send("bestmove none");
        return;
    }
    let limits = match go {
        GoCommand::DefaultLimits => connection.limits().for_move(),
        GoCommand::Within(limits) => limits.for_move(),
        GoCommand::Infinite => Limits::default(),
    };
    let (report, interrupted) = connection.search(&game, &limits, &stop_request, &write_info);
    if *go == GoCommand::Infinite && !interrupted {
        // `bestmove` must not come before `stop`, even if the search has ended by itself.
        connection.inbox.wait_for_stop(&stop_request);
    }
    let m = match go {
        GoCommand::DefaultLimits => connection.choose(&game, &report),
        GoCommand::Within(_) | GoCommand::Infinite => report.best_move(),
    };
    if let Some(m) = m {
        let text = (connection.dialect.write_move)(m);
        connection.send(format_args!("bestmove {text}"));
    }
}

fn write_info(output: &mut ResponseWriter<'_>, dialect: &Dialect, report: &Report) {
    let best = report.best();
    let pv: String = best.pv.iter().map(|&m| format!(" {}", (dialect.write_move)(m))).collect();
    let (depth, nodes, time) = (report.depth, report.nodes, report.time.as_millis());
    output.line(format_args!("info depth {depth} score {} nodes {nodes} time {time} pv{pv}", score(&best.score)));
}

fn score(score: &Score) -> String {
    if !score.is_exact() {
        return format!("cp {}", score.thousandths);
    }
    let result = result_name(score.thousandths.cmp(&0));
    score.plies.map_or_else(|| result.to_owned(), |plies| format!("{result} plies {plies}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_go() {
        assert_eq!((parse_go(""), parse_go(" infinite ")), (Ok(GoCommand::DefaultLimits), Ok(GoCommand::Infinite)));
        assert_eq!(parse_go("depth 6"), Ok(GoCommand::Within(Limits::depth(6))));
        let limits = Limits { nodes: Some(9), time: Some(Duration::from_millis(20)), ..Limits::depth(u32::MAX) };
        assert_eq!(parse_go("nodes 9 movetime 20 depth 99999999999"), Ok(GoCommand::Within(limits)));
        assert_eq!(parse_go("depth 0"), Err(GoError::Number("depth".into())));
        assert_eq!(parse_go("nodes"), Err(GoError::Number("nodes".into())));
        assert_eq!(parse_go("wtime 5"), Err(GoError::Unknown("wtime".into())));
        assert_eq!(parse_go("infinite depth 5"), Err(GoError::Infinite));
    }

    #[test]
    fn writes_proved_and_estimated_scores() {
        let won = Score { plies: Some(3), ..Score::exact(1) };
        assert_eq!((score(&won).as_str(), score(&Score::exact(0)).as_str()), ("win plies 3", "draw"));
        let estimate = Score { thousandths: -26, certainty: morello_core::game::Certainty::Heuristic, plies: None };
        assert_eq!((score(&estimate).as_str(), score(&Score::exact(-1)).as_str()), ("cp -26", "loss"));
    }
}
