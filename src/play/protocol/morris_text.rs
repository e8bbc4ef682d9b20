//! morris-text, which the [parent module](super) describes.

use std::time::Duration;

use morello_core::game::{AnyGame, Clock, Dialect, Game, Limits, Protocol, Report, Score, TimeControl, result_name};
use morello_core::games;
use thiserror::Error;

use super::connection::{Connection, NAME, ResponseWriter, VERSION, split_word};
use super::inbox::StopRequest;

/// The commands, all of which stop a search.
const COMMANDS: [&str; 7] = ["morris", "newgame", "position", "go", "stop", "ping", "quit"];

/// Returns whether a line stops a search.
pub(super) fn stop_request(line: &str) -> StopRequest {
    COMMANDS.contains(&split_word(line).0).then_some(Duration::ZERO)
}

/// Returns the games of the protocol.
fn mills() -> impl Iterator<Item = &'static dyn AnyGame> {
    games::all().iter().copied().filter(|game| game.dialect(Protocol::MorrisText).is_some())
}

/// Runs until the end of the session, or until another game is requested. Returns that game.
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
            "go" => match parse_go(rest, connection.session.game()) {
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
    /// Search with the limits that the engine was started with.
    DefaultLimits,
    Within(Limits),
    Infinite,
}

/// An invalid `go` command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum GoError {
    #[error(
        "unknown word `{0}` after `go` (known: depth N, nodes N, movetime MS, btime MS, wtime MS, binc MS, winc MS, \
         movestogo N, infinite)"
    )]
    Unknown(String),
    #[error("expected a number above 0 after `{0}`")]
    Number(String),
    #[error("`go infinite` cannot be combined with limits")]
    Infinite,
}

/// Parses a `go` command. With a game clock, the search uses a share of the remaining time.
fn parse_go(text: &str, game: &Game) -> Result<GoCommand, GoError> {
    let mut limits = Limits::default();
    let (mut left, mut increments, mut moves) = ([None; 2], [Duration::ZERO; 2], 0);
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
            "btime" => left[0] = Some(Duration::from_millis(number()?)),
            "wtime" => left[1] = Some(Duration::from_millis(number()?)),
            "binc" => increments[0] = Duration::from_millis(number()?),
            "winc" => increments[1] = Duration::from_millis(number()?),
            "movestogo" => moves = u32::try_from(number()?).unwrap_or(u32::MAX),
            _ => return Err(GoError::Unknown(word.to_owned())),
        }
    }
    let control = |time: Duration, increment| match moves {
        0 => TimeControl { main: time, increment, ..TimeControl::default() },
        moves => TimeControl { period: time, moves, increment, ..TimeControl::default() },
    };
    let clock = Clock::of_sides([0, 1].map(|side| Some(control(left[side]?, increments[side]))));
    let limits = clock.limits(game, limits);
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
    let (report, interrupted) = connection.search(&game, &limits, &write_info);
    if *go == GoCommand::Infinite && !interrupted {
        // `bestmove` must not come before `stop`, even if the search has ended by itself.
        connection.inbox.wait_for_stop();
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
        // White is to move.
        let game = Game::new(games::get("nine-mens-morris").unwrap().start());
        let parse = |text| parse_go(text, &game);
        assert_eq!((parse(""), parse(" infinite ")), (Ok(GoCommand::DefaultLimits), Ok(GoCommand::Infinite)));
        assert_eq!(parse("depth 6"), Ok(GoCommand::Within(Limits::depth(6))));
        let limits = Limits { nodes: Some(9), time: Some(Duration::from_millis(20)), ..Limits::depth(u32::MAX) };
        assert_eq!(parse("nodes 9 movetime 20 depth 99999999999"), Ok(GoCommand::Within(limits)));
        assert_eq!(parse("depth 0"), Err(GoError::Number("depth".into())));
        assert_eq!(parse("nodes"), Err(GoError::Number("nodes".into())));
        assert_eq!(parse("winc 0"), Err(GoError::Number("winc".into())));
        assert_eq!(parse("speed 5"), Err(GoError::Unknown("speed".into())));
        assert_eq!(parse("infinite depth 5"), Err(GoError::Infinite));
        let time = |milliseconds| Ok(GoCommand::Within(Limits::time(Duration::from_millis(milliseconds))));
        assert_eq!(parse("wtime 60000 btime 7000"), time(1900));
        assert_eq!(parse("btime 7000 wtime 60000 binc 9000 winc 500"), time(2400));
        assert_eq!(parse("wtime 60000 movestogo 10"), time(5900));
        assert_eq!(parse("wtime 60000 movetime 20"), time(20));
        assert_eq!(parse("btime 7000"), Ok(GoCommand::DefaultLimits));
    }

    #[test]
    fn writes_proved_and_estimated_scores() {
        let won = Score { plies: Some(3), ..Score::exact(1) };
        assert_eq!((score(&won).as_str(), score(&Score::exact(0)).as_str()), ("win plies 3", "draw"));
        let estimate = Score { thousandths: -26, certainty: morello_core::game::Certainty::Heuristic, plies: None };
        assert_eq!((score(&estimate).as_str(), score(&Score::exact(-1)).as_str()), ("cp -26", "loss"));
    }
}
