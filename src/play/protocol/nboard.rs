//! NBoard 2: the other program keeps the game and sends it as GGF.
//!
//! | to the engine | response |
//! | --- | --- |
//! | `nboard 2` | `set myname morello` |
//! | `set depth N` | none; N becomes the [level of play](morello_core::game::AnyGame::level) |
//! | `set game GGF`, `move F5/eval/secs` | none; the board is changed |
//! | `set contempt N` | none; ignored |
//! | `hint N` | `search PV eval 0 depth` for each of the N best moves, in each iteration |
//! | `go` | `search ...`, then `=== MOVE/eval/secs`; the board does not change |
//! | `analyze` | `analysis MOVES eval` for each position of the game, from the last to the first |
//! | `ping N` | `pong N`, after stopping a search |
//! | `learn` | `learned`; ignored, because there is no opening book |
//! | `quit` | ends the session |
//!
//! Scores are in discs for the side to move. The depth is `100%` if the score is exact and `100%W`
//! if only the winner is proved. The response to `go` is `=== PA` for a forced pass and in a
//! finished game. If another line stops `go`, the response is the best move so far; a program that
//! has sent a ping ignores it. Errors are reported with `status`, and unknown lines are ignored.
//! Source: the protocol description in the NBoard distribution.

use std::time::Duration;

use morello_core::game::{Dialect, LEVELS, Level, Limits, Line, Report};

use super::connection::{Connection, NAME, ResponseWriter, split_word};
use super::inbox::StopRequest;

/// The commands, all of which stop a search.
const COMMANDS: [&str; 9] = ["nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "quit"];

/// Returns whether a line stops a search.
pub(super) fn stop_request(line: &str) -> StopRequest {
    COMMANDS.contains(&split_word(line).0).then_some(Duration::ZERO)
}

/// Runs until the end of the session.
pub(super) fn run(mut connection: Connection<'_, '_>) {
    while let Some(line) = connection.next() {
        let (command, rest) = split_word(&line);
        match command {
            "nboard" => connection.send(format_args!("set myname {NAME}")),
            "set" => set(&mut connection, rest),
            "move" => play(&mut connection, rest),
            "hint" => hint(&mut connection, rest),
            "go" => go(&mut connection),
            "ping" => connection.send(format_args!("pong {rest}")),
            "learn" => connection.send("learned"),
            "analyze" => analyze(&mut connection),
            "quit" => return,
            _ => {}
        }
    }
}

fn set(connection: &mut Connection<'_, '_>, rest: &str) {
    let (name, value) = split_word(rest);
    match name {
        "depth" => match value.parse::<u32>() {
            // Higher depths select the highest level, which searches to the end of any game.
            Ok(depth @ 1..) => connection.set_level(Level::Number(depth.min(LEVELS))),
            _ => connection.send(format_args!("status error: not a depth: `{value}`")),
        },
        "game" => match (connection.dialect.read_game)(value) {
            Ok(game) => connection.set_game(game),
            Err(error) => connection.send(format_args!("status error: column {}: {error}", error.column())),
        },
        _ => {}
    }
}

fn play(connection: &mut Connection<'_, '_>, rest: &str) {
    let text = rest.split(['/', ' ', '\t']).next().unwrap_or_default();
    let Connection { session, dialect, .. } = connection;
    // The other program may omit forced passes.
    session.play_omitted_pass(|after| (dialect.read_move)(after, text).is_some());
    let m = (dialect.read_move)(session.position(), text);
    if m.is_none_or(|m| session.play(m).is_err()) {
        connection.send(format_args!("status error: illegal move: `{text}`"));
    }
}

fn hint(connection: &mut Connection<'_, '_>, rest: &str) {
    let lines = rest.parse().unwrap_or(1).max(1);
    connection.send("status Analyzing");
    if !connection.session.is_over() {
        let limits = Limits { lines, ..connection.limits() };
        search(connection, &limits);
    }
    connection.send("status");
}

fn go(connection: &mut Connection<'_, '_>) {
    if connection.session.is_over() || connection.session.forced_pass().is_some() {
        connection.send("=== PA");
        return;
    }
    connection.send("status Thinking");
    let report = search(connection, &connection.limits().for_move());
    if let Some(m) = connection.choose(connection.session.game(), &report) {
        let (eval, seconds) = (report.best().score.points(), report.time.as_secs_f64());
        let text = (connection.dialect.write_move)(m);
        connection.send(format_args!("=== {text}/{eval:.2}/{seconds:.2}"));
    }
    connection.send("status");
}

/// Searches the position on the board and reports each iteration.
fn search(connection: &mut Connection<'_, '_>, limits: &Limits) -> Report {
    let game = connection.session.game().clone();
    let (report, _) = connection.search(&game, limits, &write_report);
    connection.send(format_args!("nodestats {} {:.2}", report.nodes, report.time.as_secs_f64()));
    report
}

fn analyze(connection: &mut Connection<'_, '_>) {
    connection.send("status Analyzing");
    let limits = connection.limits();
    let mut game = connection.session.game().clone();
    loop {
        let (report, interrupted) = connection.search(&game, &limits, &|_, _, _| ());
        if interrupted {
            break;
        }
        connection.send(format_args!("analysis {} {:.2}", game.moves().len(), report.best().score.points()));
        if game.undo().is_none() || connection.output.error.is_some() {
            break;
        }
    }
    connection.send("status");
}

/// Writes the lines of a report.
fn write_report(output: &mut ResponseWriter<'_>, dialect: &Dialect, report: &Report) {
    for (rank, line) in report.lines.iter().enumerate().filter(|(_, line)| !line.pv.is_empty()) {
        let pv: String = line.pv.iter().map(|&m| (dialect.write_move)(m)).collect();
        let (eval, depth) = (line.score.points(), depth(report, line, rank == 0));
        output.line(format_args!("search {pv} {eval:.2} 0 {depth}"));
    }
}

/// Returns the depth of a line, or `100%` or `100%W` if it is proved.
fn depth(report: &Report, line: &Line, best: bool) -> String {
    if line.score.is_exact() {
        "100%".to_owned()
    } else if best && report.bounds.sign().is_some() {
        "100%W".to_owned()
    } else {
        report.depth.to_string()
    }
}
