//! Compares the counts below each move with those of another program.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use morello_command::{FAILED, INTERRUPTED, eprint_line, files, signals};
use morello_core::game::{AnyGame, AnyPosition, Cancel, Game, Position as _};
use morello_core::perft::{ComparedMove, Convention, PrintedDivision, compare_divisions, read_divisions};
use morello_files::output::{Field, Output};
use morello_play::players::{Program, run_program};

use super::count::{self, Counting};
use super::{Arguments, SHORT_WIDTH, check_size};

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
            Named::text("verdict", |row| row.verdict().into()).width("DIFFERENT".len()),
        ]
    }
}

/// Where the counts of the other program come from.
enum CountSource {
    /// The lists of a text, in the order of the positions.
    Lists(std::vec::IntoIter<PrintedDivision>),
    /// A command line, run for each position.
    Command(Vec<String>),
}

impl CountSource {
    /// Returns the counts for a position; `None` if there are no more, or if cancelled.
    fn next(&mut self, game: &Game, depth: u32, counting: &Counting<'_>) -> anyhow::Result<Option<PrintedDivision>> {
        let words = match self {
            Self::Lists(lists) => return Ok(lists.next()),
            Self::Command(words) => words,
        };
        let position = *game.position();
        let moves = position.game().write_moves(game);
        let replaced = |word: &String| {
            let word = word.replace("{position}", &position.to_string());
            word.replace("{moves}", &moves).replace("{depth}", &depth.to_string())
        };
        let words: Vec<_> = words.iter().map(replaced).collect();
        let Some(text) = output_of(&words, counting)? else { return Ok(None) };
        let list = read_divisions(position.game(), &text).into_iter().next();
        list.map(Some).with_context(|| {
            format!(
                "--compare-command: `{}` printed no move with a count, such as `{}: 12`:\n{}",
                words.join(" "),
                example(&position),
                text.lines().take(5).collect::<Vec<_>>().join("\n")
            )
        })
    }
}

/// Runs a command and returns its output; `None` if cancelled.
fn output_of(words: &[String], counting: &Counting<'_>) -> anyhow::Result<Option<String>> {
    let line = words.join(" ");
    if words.is_empty() {
        bail!("--compare-command is empty");
    }
    counting.progress.set_message(&|| format!("running `{line}`"));
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

/// A comparison, from the first position down to the one in which the moves differ.
struct Comparison<'a> {
    arguments: &'a Arguments,
    counting: &'a Counting<'a>,
    path: Game,
    depth: u32,
    /// Created with the first row, so that an error comes alone.
    output: Option<Output<'static, ComparisonRow>>,
    /// The current work, for the message of an interruption.
    doing: String,
    findings: Vec<String>,
}

impl Comparison<'_> {
    /// Compares the lists of a source, each below the first move with another count in the list
    /// before.
    fn run(&mut self, mut source: CountSource) -> anyhow::Result<()> {
        while let Some(list) = source.next(&self.path, self.depth, self.counting)? {
            let Some(moves) = self.compare(&list)? else { return Ok(()) };
            self.findings.extend(differing_moves(&self.path, &moves));
            let different = moves.iter().find(|m| !m.agrees());
            // Where the moves differ, the counts below them say nothing.
            let Some(different) = different.filter(|_| moves.iter().all(ComparedMove::is_common)) else {
                return Ok(());
            };
            if !self.play(different)? {
                return Ok(());
            }
            GETTING.clone_into(&mut self.doing);
        }
        if !self.counting.cancel.is_cancelled() {
            self.findings.push(format!(
                "next, print the moves of the other program at depth {} in this position, and run: {} --compare FILE",
                self.depth,
                self.arguments.command(self.path.position(), self.depth, self.arguments.convention)
            ));
        }
        Ok(())
    }

    /// Compares a list with our counts and writes the rows; `None` if cancelled, or if the list is
    /// that of another position.
    fn compare(&mut self, list: &PrintedDivision) -> anyhow::Result<Option<Vec<ComparedMove>>> {
        let (position, depth, convention) = (*self.path.position(), self.depth, self.arguments.convention);
        self.doing = format!("counting depth {depth}");
        let Some(divisions) = self.counting.divide(&position, depth, convention)? else { return Ok(None) };
        let total = count::total(&divisions, depth, convention);
        check_size(depth, total)?;
        let moves = compare_divisions(&position, &divisions, list);
        if !moves.iter().any(ComparedMove::is_common) {
            let problem = format!("line {}: none of the moves is legal in `{position}`", list.line);
            if self.path.moves().is_empty() {
                bail!("--compare: {problem}; are these the counts of this position?");
            }
            self.findings.push(format!("the next list does not belong to the position after the move: {problem}"));
            return Ok(None);
        }
        let row = |m, nodes, other| ComparisonRow { position: position.to_string(), depth, m, nodes, other };
        let rows = moves.iter().map(|m| row(Some(m.text.clone()), m.ours, m.theirs));
        self.write(&rows.chain([row(None, Some(total), list.total)]).collect::<Vec<_>>())?;
        let sum = list.moves.iter().fold(0, |sum: u64, (_, nodes)| sum.saturating_add(*nodes));
        if let Some(printed) = list.total.filter(|&printed| printed != sum) {
            self.findings.push(format!("the other program printed the total {printed}, but its moves add up to {sum}"));
        }
        Ok(Some(moves))
    }

    fn write(&mut self, rows: &[ComparisonRow]) -> anyhow::Result<()> {
        let output = match &mut self.output {
            Some(output) => output,
            None => {
                let fields = ComparisonRow::fields(self.path.start());
                self.output.insert(self.arguments.rows.open(fields)?)
            }
        };
        let write = || rows.iter().try_for_each(|row| output.write(row)).and_then(|()| output.flush());
        self.counting.progress.suspend(write).with_context(|| self.arguments.rows.cannot_write())
    }

    /// Plays a move with different counts; `false` if the game ends there.
    fn play(&mut self, different: &ComparedMove) -> anyhow::Result<bool> {
        let m = different.m.context("both programs have the move")?;
        let is_free = self.arguments.convention == Convention::FreePass && m.is_pass();
        self.path.play(m).context("a legal move can be played")?;
        self.depth -= u32::from(!is_free);
        self.findings.push(format!(
            "the first move that differs is {m}: {} instead of {}; the position after {}: {}",
            different.theirs.unwrap_or_default(),
            different.ours.unwrap_or_default(),
            moves_text(&self.path),
            self.path.position()
        ));
        let has_ended = self.depth == 0 || self.path.position().is_over();
        if has_ended {
            self.findings.push("the game ends there; compare the --convention of both programs".to_owned());
        }
        Ok(!has_ended)
    }

    /// Prints the findings.
    fn finish(self) -> anyhow::Result<ExitCode> {
        self.counting.progress.finish();
        self.output.map_or(Ok(()), Output::finish).with_context(|| self.arguments.rows.cannot_write())?;
        self.findings.iter().for_each(|finding| eprint_line(format_args!("{finding}")));
        if self.counting.cancel.is_cancelled() {
            eprint_line(format_args!("interrupted while {}", self.doing));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if self.findings.is_empty() {
            eprint_line(format_args!("all moves and counts agree"));
            return Ok(ExitCode::SUCCESS);
        }
        Ok(ExitCode::from(FAILED))
    }
}

impl Arguments {
    /// Compares the counts below each move, and walks down to the first position whose moves
    /// differ, as far as the other program's counts go.
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
        let (path, doing) = (Game::new(start), GETTING.to_owned());
        let mut comparison =
            Comparison { arguments: self, counting, path, depth, output: None, doing, findings: Vec::new() };
        if let Some(source) = self.source(game, counting.cancel)? {
            comparison.run(source)?;
        }
        comparison.finish()
    }

    /// Opens the counts of the other program; `None` if cancelled.
    fn source(&self, game: &'static dyn AnyGame, cancel: &Cancel) -> anyhow::Result<Option<CountSource>> {
        if let Some(command) = &self.compare_command {
            let words = shell_words::split(command).context("--compare-command")?;
            return Ok(Some(CountSource::Command(words)));
        }
        let path = self.compare.as_deref().context("--compare names a file")?;
        let Some(text) = read(path, cancel)? else { return Ok(None) };
        let lists = read_divisions(game, &text);
        if lists.is_empty() {
            bail!(
                "--compare `{}`: no line has a move and a count, such as `{}: 12`",
                path.display(),
                example(&game.start())
            );
        }
        Ok(Some(CountSource::Lists(lists.into_iter())))
    }
}

/// Reads a whole file, or standard input; `None` if cancelled.
fn read(path: &Path, cancel: &Cancel) -> anyhow::Result<Option<String>> {
    let input = files::input(path)?;
    let read = signals::wait_for(cancel, move || {
        let mut bytes = Vec::new();
        input.reader()?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        anyhow::Ok(bytes)
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

/// Returns the moves of a game, separated by spaces.
fn moves_text(game: &Game) -> String {
    game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn after(game: &Game) -> String {
    if game.moves().is_empty() { String::new() } else { format!(" after {}", moves_text(game)) }
}
