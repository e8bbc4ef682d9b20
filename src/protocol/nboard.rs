//! NBoard 2: the other side keeps the game and tells it as GGF.
//!
//! | to the engine | answer |
//! | --- | --- |
//! | `nboard 2` | `set myname morello` |
//! | `set depth N` | none; N is the [level of play](Playable::level) from now on |
//! | `set game GGF`, `move F5/eval/secs` | none; the board is changed |
//! | `set contempt N` | none, and without effect |
//! | `hint N` | `search PV eval 0 depth` for each of the N best moves, iteration by iteration |
//! | `go` | `search ...`, then `=== MOVE/eval/secs`; the board stays as it is |
//! | `analyze` | `analysis MOVES eval` for each position of the game, from the last to the first |
//! | `ping N` | `pong N`, once the thinking has ended |
//! | `learn` | `learned`; there is no book to learn into |
//! | `quit` | ends the session |
//!
//! Estimates are in discs for the side to move. The depth is `100%` where the score is exact and `100%W` where only the winner is proved. A forced
//! pass, and the lack of any move in a finished game, is answered `=== PA`. A `go` that another line ends is answered with the best move so far:
//! who pings does not look at what comes before the pong. What cannot be heeded is told in `status`, and other lines are ignored.
//! Source: the description of the protocol that comes with NBoard.

use super::inbox::Haste;
use super::session::{NAME, Output, Session, Thought, split_word};
use crate::game::{Game, LEVELS, Limits, Line, Playable, Report};

/// The lines that end thinking.
const COMMANDS: [&str; 9] = ["nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "quit"];

fn haste(line: &str) -> Haste {
    if COMMANDS.contains(&split_word(line).0) { Haste::NOW } else { Haste::None }
}

/// Runs a session to its end.
pub(super) fn run<P: Playable>(mut session: Session<'_, '_, P>) {
    while let Some(line) = session.next() {
        let (command, rest) = split_word(&line);
        match command {
            "nboard" => session.say(format_args!("set myname {NAME}")),
            "set" => set(&mut session, rest),
            "move" => play(&mut session, rest),
            "hint" => hint(&mut session, rest),
            "go" => go(&mut session),
            "ping" => session.say(format_args!("pong {rest}")),
            "learn" => session.say("learned"),
            "analyze" => analyze(&mut session),
            "quit" => return,
            _ => {}
        }
    }
}

fn set<P: Playable>(session: &mut Session<'_, '_, P>, rest: &str) {
    let (name, value) = split_word(rest);
    match name {
        "depth" => match value.parse::<u32>() {
            // The highest level searches to the end of any game.
            Ok(depth @ 1..) => {
                session.strength.level = Some(depth.min(LEVELS));
                session.strength.depth = None;
            }
            _ => session.say(format_args!("status error: `{value}` is no depth")),
        },
        "game" => match (session.dialect.read_game)(value) {
            Ok(game) => session.set_game(game),
            Err(error) => session.say(format_args!("status error: column {}: {error}", error.column())),
        },
        _ => {}
    }
}

fn play<P: Playable>(session: &mut Session<'_, '_, P>, rest: &str) {
    let text = rest.split(['/', ' ', '\t']).next().unwrap_or_default();
    let mut game = session.game.clone();
    let mut m = (session.dialect.read_move)(game.position(), text);
    if m.is_none()
        && let Some(pass) = session.forced_pass()
        && game.play(pass).is_ok()
    {
        // The other side may leave forced passes out.
        m = (session.dialect.read_move)(game.position(), text);
    }
    match m.map(|m| game.play(m)) {
        Some(Ok(())) => session.game = game,
        _ => session.say(format_args!("status error: `{text}` is no legal move")),
    }
}

fn hint<P: Playable>(session: &mut Session<'_, '_, P>, rest: &str) {
    let lines = rest.parse().unwrap_or(1).max(1);
    session.say("status Analyzing");
    if session.game.end().is_none() {
        let limits = Limits { lines, ..session.strength.limits::<P>() };
        let game = session.game.clone();
        let write_move = session.dialect.write_move;
        let thought = session.think(&game, &limits, &haste, &move |output, report| tell(output, report, write_move));
        statistics(session, &thought);
    }
    session.say("status");
}

fn go<P: Playable>(session: &mut Session<'_, '_, P>) {
    if session.game.end().is_some() || session.forced_pass().is_some() {
        session.say("=== PA");
        return;
    }
    session.say("status Thinking");
    let limits = session.strength.limits::<P>();
    let game = session.game.clone();
    let write_move = session.dialect.write_move;
    let thought = session.think(&game, &limits, &haste, &move |output, report| tell(output, report, write_move));
    statistics(session, &thought);
    let report = thought.report;
    if let Some(m) = report.best_move() {
        let (eval, seconds) = (report.best().score.points(), report.time.as_secs_f64());
        session.say(format_args!("=== {}/{eval:.2}/{seconds:.2}", write_move(m)));
    }
    session.say("status");
}

fn analyze<P: Playable>(session: &mut Session<'_, '_, P>) {
    session.say("status Analyzing");
    let limits = session.strength.limits::<P>();
    let mut game: Game<P> = session.game.clone();
    loop {
        let thought = session.think(&game, &limits, &haste, &|_, _| ());
        if thought.interrupted {
            break;
        }
        session.say(format_args!("analysis {} {:.2}", game.moves().len(), thought.report.best().score.points()));
        if game.undo().is_none() || session.output.error.is_some() {
            break;
        }
    }
    session.say("status");
}

/// Writes the lines of a report.
fn tell<P: Playable>(output: &mut Output<'_>, report: &Report<P>, write_move: fn(P::Move) -> String) {
    for (rank, line) in report.lines.iter().enumerate().filter(|(_, line)| !line.pv.is_empty()) {
        let pv: String = line.pv.iter().map(|&m| write_move(m)).collect();
        let (eval, depth) = (line.score.points(), depth(report, line, rank == 0));
        output.line(format_args!("search {pv} {eval:.2} 0 {depth}"));
    }
}

/// Writes how deep a line was searched, or what of it is proved.
fn depth<P: Playable>(report: &Report<P>, line: &Line<P>, best: bool) -> String {
    if line.score.is_exact() {
        "100%".to_owned()
    } else if best && report.bounds.sign().is_some() {
        "100%W".to_owned()
    } else {
        report.depth.to_string()
    }
}

fn statistics<P: Playable>(session: &mut Session<'_, '_, P>, thought: &Thought<P>) {
    let (nodes, seconds) = (thought.report.nodes, thought.report.time.as_secs_f64());
    session.say(format_args!("nodestats {nodes} {seconds:.2}"));
}
