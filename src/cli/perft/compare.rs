//! Compares the counts below each move with those of another program.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::count::{self, Counting};
use super::{Arguments, CANNOT_WRITE, SHORT_WIDTH, check_size};
use crate::cli::{FAILED, INTERRUPTED, eprint_line, files, signals};
use crate::game::{AnyGame, AnyMove, AnyPosition, Cancel, Game, Position as _};
use crate::input::{ComparedMove, PrintedDivision, compare_divisions, read_divisions};
use crate::output::{Field, Output};
use crate::perft::Convention;
use crate::players::{Program, run_program};

/// The longest text of another program, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// What is wrong with a longer text, and the remedy.
const TOO_LONG: &str = "more than 64 MiB; print only the moves and their counts";

const GETTING: &str = "reading the counts of the other program";

/// A move with both counts, or the totals.
struct ComparisonRow {
    position: String,
    depth: u32,
    m: Option<String>,
    nodes: Option<u64>,
    other: Option<u64>,
}

impl ComparisonRow {
    fn verdict(&self) -> &'static str {
        match (self.nodes, self.other) {
            // The other program printed no total.
            (_, None) if self.m.is_none() => "-",
            (Some(nodes), Some(other)) if nodes == other => "ok",
            (Some(_), Some(_)) => "DIFFERENT",
            (_, None) => "MISSING",
            (None, _) => "ILLEGAL",
        }
    }

    fn fields(position: &AnyPosition) -> Vec<Field<Self>> {
        type Named = Field<ComparisonRow>;
        vec![
            Named::text("position", |row| row.position.as_str().into())
                .width(position.to_string().chars().count())
                .shortens_to(SHORT_WIDTH)
                .rank(1),
            Named::integer("depth", |row| row.depth.into()),
            Named::text("move", |row| row.m.clone().into()).width("a7-a4xa1".len()),
            Named::integer("nodes", |row| row.nodes.into()).width(15),
            Named::integer("other", |row| row.other.into()).width(15),
            Named::text("verdict", |row| row.verdict().into()),
        ]
    }
}

/// Where the counts of the other program come from.
enum Source {
    /// The lists of a text, in the order of the positions.
    Lists(std::vec::IntoIter<PrintedDivision>),
    /// A command line, run for each position.
    Command(Vec<String>),
}

impl Source {
    /// Returns the counts for a position; `None` if there are no more, or if cancelled.
    fn next(&mut self, game: &Game, depth: u32, counting: &Counting<'_>) -> anyhow::Result<Option<PrintedDivision>> {
        let is_of_depth = |list: &PrintedDivision| list.depth.is_none_or(|of| of == depth);
        match self {
            Self::Lists(lists) => Ok(lists.find(is_of_depth)),
            Self::Command(words) => {
                let position = *game.position();
                let rules = position.game();
                let moves = rules.write_moves(game);
                let replaced = |word: &String| {
                    let word = word.replace("{position}", &position.to_string());
                    word.replace("{moves}", &moves).replace("{depth}", &depth.to_string())
                };
                let words: Vec<_> = words.iter().map(replaced).collect();
                let Some(text) = output_of(&words, counting)? else { return Ok(None) };
                match read_divisions(rules, &text).into_iter().find(is_of_depth) {
                    None if !position.is_over() => bail!(
                        "--compare-command: `{}` printed no move with a count, such as `{}: 12`:\n{}",
                        words.join(" "),
                        example(&position),
                        text.lines().take(5).collect::<Vec<_>>().join("\n")
                    ),
                    list => Ok(list),
                }
            }
        }
    }
}

/// Runs a command and returns its output; `None` if cancelled.
fn output_of(words: &[String], counting: &Counting<'_>) -> anyhow::Result<Option<String>> {
    let line = words.join(" ");
    if words.is_empty() {
        bail!("--compare-command is empty");
    }
    counting.progress.set_message(|| format!("running `{line}`"));
    let program = Program { command: words.to_vec(), folder: None };
    let output = run_program(&program, MAX_BYTES, counting.cancel)
        .with_context(|| format!("--compare-command: cannot run `{line}`"))?;
    match output {
        Some(output) if output.is_too_long => {
            bail!("--compare-command: `{line}` printed {TOO_LONG}")
        }
        Some(output) if !output.status.success() => bail!("--compare-command: `{line}` failed: {}", output.status),
        output => Ok(output.map(|output| String::from_utf8_lossy(&output.bytes).into_owned())),
    }
}

fn example(position: &AnyPosition) -> String {
    position.legal_moves().next().map_or_else(|| "f5".to_owned(), |m| m.to_string())
}

impl Arguments {
    /// Compares the counts below each move, and walks down to the first position whose moves differ, as far as the other program's counts go.
    pub(super) fn compare(
        &self,
        game: &'static dyn AnyGame,
        depth: u32,
        counting: &Counting<'_>,
    ) -> anyhow::Result<ExitCode> {
        let start = self.position(game)?;
        if depth == 0 || start.is_over() {
            let why = if depth == 0 { "depth 0 has no moves" } else { "the game is over in this position" };
            bail!("nothing to compare: {why}");
        }
        // Created with the first row, so that an error comes alone.
        let mut output: Option<Output<'static, ComparisonRow>> = None;
        let finish = |output: Option<Output<'static, ComparisonRow>>| {
            counting.progress.finish();
            output.map_or(Ok(()), Output::finish).context(CANNOT_WRITE)
        };
        let interrupted = |doing: &str| {
            eprint_line(format_args!("interrupted while {doing}"));
            Ok(ExitCode::from(INTERRUPTED))
        };
        let Some(mut source) = self.source(game, counting.cancel)? else {
            finish(output)?;
            return interrupted(GETTING);
        };
        let mut path = Game::new(start);
        let mut depth = depth;
        let mut findings = Vec::new();
        let mut other = source.next(&path, depth, counting)?;
        if other.is_none() && !counting.cancel.is_cancelled() {
            bail!("--compare: no list of moves for depth {depth}: the depths in the file differ");
        }
        while let Some(list) = other.take() {
            let position = *path.position();
            let Some(divisions) = counting.divide(&position, depth, self.convention)? else {
                finish(output)?;
                return interrupted(&format!("counting depth {depth}"));
            };
            let total = count::total(&divisions, depth, self.convention);
            check_size(depth, total)?;
            let moves = compare_divisions(&position, &divisions, &list);
            if moves.iter().all(|m| m.ours.is_none() || m.theirs.is_none()) {
                let line = list.moves.first().map_or(0, |m| m.line);
                let problem = format!("line {line}: none of the moves is legal in `{position}`");
                if path.moves().is_empty() {
                    bail!("--compare: {problem}: are the counts those of this position?");
                }
                findings.push(format!("the next list is not that of the position after the move: {problem}"));
                break;
            }
            let row = |m: Option<String>, nodes, other| ComparisonRow {
                position: position.to_string(),
                depth,
                m,
                nodes,
                other,
            };
            let rows = moves.iter().map(|m| row(Some(m.text.clone()), m.ours, m.theirs));
            let rows: Vec<_> = rows.chain([row(None, Some(total), list.total)]).collect();
            let output = match &mut output {
                Some(output) => output,
                None => output.insert(files::fitted_records(self.format, ComparisonRow::fields(&start), None)?),
            };
            let write = || rows.iter().try_for_each(|row| output.write(row)).and_then(|()| output.flush());
            counting.progress.suspend(write).context(CANNOT_WRITE)?;
            let sum = list.moves.iter().fold(0, |sum: u64, m| sum.saturating_add(m.nodes));
            if let Some(printed) = list.total.filter(|&printed| printed != sum) {
                findings.push(format!("the other program printed the total {printed}, but its moves add up to {sum}"));
            }
            if moves.iter().all(ComparedMove::agrees) {
                break;
            }
            findings.extend(differing_moves(&path, &moves));
            let Some(m) = first_different_count(&moves) else { break };
            if moves.iter().any(|m| m.ours.is_none() || m.theirs.is_none()) {
                break;
            }
            let is_free = self.convention == Convention::FreePass && m.is_pass();
            let (ours, theirs) =
                moves.iter().find(|other| other.m == Some(m)).map_or((None, None), |m| (m.ours, m.theirs));
            path.play(m).context("a legal move can be played")?;
            depth -= u32::from(!is_free);
            findings.push(format!(
                "the first move that differs is {m}: {} instead of {}; the position after {}: {}",
                theirs.unwrap_or_default(),
                ours.unwrap_or_default(),
                moves_text(&path),
                path.position()
            ));
            if depth == 0 || path.position().is_over() {
                findings.push("the game ends there: compare the --convention of both programs".to_owned());
                break;
            }
            other = source.next(&path, depth, counting)?;
            if other.is_none() && !counting.cancel.is_cancelled() {
                findings.push(format!(
                    "next, print the moves of the other program at depth {depth} in this position, and run: {} --compare FILE",
                    self.command(path.position(), depth, self.convention)
                ));
            }
        }
        finish(output)?;
        if counting.cancel.is_cancelled() {
            findings.iter().for_each(|finding| eprint_line(format_args!("{finding}")));
            return interrupted(GETTING);
        }
        if findings.is_empty() {
            eprint_line(format_args!("all moves and counts agree"));
            return Ok(ExitCode::SUCCESS);
        }
        findings.iter().for_each(|finding| eprint_line(format_args!("{finding}")));
        Ok(ExitCode::from(FAILED))
    }

    /// Opens the counts of the other program; `None` if cancelled.
    fn source(&self, game: &'static dyn AnyGame, cancel: &Cancel) -> anyhow::Result<Option<Source>> {
        if let Some(command) = &self.compare_command {
            let words = shell_words::split(command).context("--compare-command")?;
            return Ok(Some(Source::Command(words)));
        }
        let path = self.compare.as_deref().context("--compare names a file")?;
        let Some(text) = read(path, cancel)? else { return Ok(None) };
        let lists = read_divisions(game, &text);
        if lists.is_empty() {
            let first = text.lines().enumerate().find(|(_, line)| !line.trim().is_empty());
            let first = first.map_or_else(
                || "the file is empty".to_owned(),
                |(at, line)| format!("line {} is `{}`", at + 1, line.trim().chars().take(60).collect::<String>()),
            );
            bail!(
                "--compare `{}`: no line has a move and a count, such as `{}: 12`; {first}",
                path.display(),
                example(&game.start())
            );
        }
        Ok(Some(Source::Lists(lists.into_iter())))
    }
}

/// Reads a whole file, or standard input; `None` if cancelled.
fn read(path: &Path, cancel: &Cancel) -> anyhow::Result<Option<String>> {
    let file = path.to_owned();
    let read = signals::wait_for(cancel, move || {
        let mut bytes = Vec::new();
        let limit = MAX_BYTES + 1;
        if file.as_os_str() == "-" {
            std::io::stdin().take(limit).read_to_end(&mut bytes)?;
        } else {
            std::fs::File::open(&file)?.take(limit).read_to_end(&mut bytes)?;
        }
        Ok::<_, std::io::Error>(bytes)
    });
    let bytes = read.transpose().with_context(|| format!("cannot read `{}`", path.display()))?;
    if bytes.as_ref().is_some_and(|bytes| bytes.len() as u64 > MAX_BYTES) {
        bail!("--compare `{}`: the file has {TOO_LONG}", path.display());
    }
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Describes the moves that only one of the programs has.
fn differing_moves(path: &Game, moves: &[ComparedMove]) -> Vec<String> {
    let place = format!("in `{}`{}", path.position(), after(path));
    let describe = |only: &str, is_listed: fn(&&ComparedMove) -> bool| {
        let names: Vec<_> = moves.iter().filter(is_listed).map(|m| m.text.as_str()).collect();
        let noun = if names.len() == 1 { "move" } else { "moves" };
        (!names.is_empty()).then(|| format!("{place}, the other program {only} {noun} {}", names.join(", ")))
    };
    let lines =
        [describe("lacks the legal", |m| m.theirs.is_none()), describe("has the illegal", |m| m.ours.is_none())];
    lines.into_iter().flatten().collect()
}

/// Returns the first move that both programs have with different counts.
fn first_different_count(moves: &[ComparedMove]) -> Option<AnyMove> {
    moves.iter().find(|m| m.theirs.is_some() && !m.agrees()).and_then(|m| m.m)
}

/// Returns the moves of a game, separated by spaces.
fn moves_text(game: &Game) -> String {
    game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn after(game: &Game) -> String {
    if game.moves().is_empty() { String::new() } else { format!(" after {}", moves_text(game)) }
}
