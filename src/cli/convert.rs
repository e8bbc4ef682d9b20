//! `morello convert`: positions and games from one format into another.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::progress::{Mode, Progress};
use super::reading::Reading;
use super::{FAILED, INTERRUPTED, eprint_line, files, interrupt};
use crate::analysis::Selection;
use crate::conversion::{self, GameRow, Lost, PositionRow};
use crate::game::{Annotated, Cancel, Command, Entry, Game, Held, LineFormat, Playable, WriteRecords, any_game};
use crate::games;
use crate::input::{Form, Reader, Record, tells_of_games, tells_scores};
use crate::output::{Format, Output, Value};

/// Convert positions and games from one format into another
///
/// Bad lines are told on the standard error and left out. So is what a format has no place for, such as the names of players in a
/// transcript, with the number of games. A game becomes its positions in a format of positions.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// Files of positions or games, plain or compressed by gzip or zstd; `-`, or none, is the standard input
    files: Vec<PathBuf>,

    /// The format to write: one of the game's, csv, jsonl or parquet; an unknown name lists them
    #[arg(long, value_name = "NAME")]
    to: String,

    #[command(flatten)]
    reading: Reading,

    /// Write to this file; `-` is the standard output. Of wthor the names go to files beside it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Tell how many games there are, how many are unfinished, and of how many the result that is told is not that of the board
    #[arg(long)]
    statistics: bool,

    /// Stop at the first bad line
    #[arg(long)]
    strict: bool,

    /// Show progress on the standard error
    #[arg(long, value_enum, default_value_t = Mode::Auto, value_name = "WHEN")]
    progress: Mode,
}

const EXAMPLES: &str = "\
Examples:
  morello convert othello WTH_2001.wtb --to csv -o 2001.csv
  morello convert othello games.ggf.gz --to transcript
  morello convert othello games.ggf --empties 20..20 --to obf
  morello convert nine-mens-morris games.playok --to moves";

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.clone();
    games::run(&game, arguments)?
}

impl Command for Arguments {
    type Output = anyhow::Result<ExitCode>;

    fn run<P: Playable>(mut self) -> anyhow::Result<ExitCode> {
        self.output = self.output.filter(|file| file.as_os_str() != "-");
        let (form, selection) = (self.reading.form(any_game::<P>())?, self.reading.selection::<P>()?);
        let inputs = files::inputs(&self.files)?;
        files::check_distinct(&inputs, &self.output.as_deref().into_iter().collect::<Vec<_>>())?;
        let total_bytes = files::total_bytes(&inputs);
        let reader = Reader::open(any_game::<P>(), inputs, &form)?;
        let target = self.target::<P>(&reader)?;
        let cancel = interrupt::cancel_on_signal()?;
        let progress = Progress::new(self.progress, "convert", self.output.is_none() && io::stdout().is_terminal());
        let mut conversion = Conversion {
            target,
            selection,
            strict: self.strict,
            file: None,
            games: 0,
            records: 0,
            all_games: 0,
            unfinished: 0,
            contradictions: 0,
            bad: 0,
            lost: Lost::new(),
        };
        let end = conversion.run(reader, &progress, total_bytes, &cancel);
        progress.finish();
        let failed = || files::cannot_write(self.output.as_deref());
        let read_on = end.with_context(failed)?;
        let told = conversion.target.finish().with_context(failed)?;
        let Conversion { all_games, unfinished, contradictions, .. } = conversion;
        if all_games > 0 && self.statistics {
            eprint_line(format_args!(
                "{all_games} games, {unfinished} of them not played to their ends, {contradictions} told to have ended otherwise than on \
                 the board"
            ));
        }
        if !conversion.lost.is_empty() {
            let lost = conversion.lost.iter().map(|(told, count)| format!("{told} of {count}"));
            eprint_line(format_args!("not kept: {}", lost.collect::<Vec<_>>().join(", ")));
        }
        if !told.is_empty() {
            eprint_line(format_args!("not kept: {told}"));
        }
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        read_on.map_or(Ok(()), Err)?;
        Ok(if conversion.bad > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }
}

impl Arguments {
    /// Refuses to choose positions of games for a format of whole games.
    fn check_whole_games<P: Playable>(&self, reader: &Reader, format: &str) -> anyhow::Result<()> {
        if self.reading.selects() && reader.is_of_games() {
            let of_positions =
                |format: &&LineFormat<P>| format.writing.game.is_none() && format.writing.position.is_some();
            let names: Vec<_> = P::formats().iter().filter(of_positions).map(|format| format.name).collect();
            bail!(
                "--plies and --empties choose positions, and {format} holds whole games: leave them out, or write to one of {}, csv, jsonl, parquet",
                names.join(", ")
            );
        }
        Ok(())
    }

    /// Opens what is written to.
    fn target<P: Playable>(&self, reader: &Reader) -> anyhow::Result<Target<P>> {
        let output = self.output.as_deref();
        let beside = reader.columns().names();
        if let Some(format) = P::formats().iter().find(|format| format.is_named(&self.to)) {
            let lost = |name: &&String| !tells_of_games(any_game::<P>(), name) && !tells_scores(name);
            let lost: Vec<_> = beside.iter().filter(lost).map(String::as_str).collect();
            if !lost.is_empty() {
                eprint_line(format_args!("not kept: the columns {}", lost.join(", ")));
            }
            if format.writing.game.is_some() {
                self.check_whole_games::<P>(reader, format.name)?;
            }
            return Ok(Target::Lines(format, files::output(output)?));
        }
        if let Some(format) = P::record_formats().iter().find(|format| format.name == self.to) {
            self.check_whole_games::<P>(reader, format.name)?;
            let path = output.with_context(|| format!("--to {} needs --output: it is no text", self.to))?;
            let writer = (format.create)(path).with_context(|| files::cannot_write(output))?;
            return Ok(Target::Records(writer));
        }
        let format = match self.to.as_str() {
            "csv" => Format::Csv,
            "jsonl" => Format::Jsonl,
            "parquet" => Format::Parquet,
            name => bail!(
                "--to: {}; and parquet",
                Form::default().named(any_game::<P>(), name).err().map_or_else(String::new, |e| e.to_string())
            ),
        };
        Ok(if reader.is_of_games() && !self.reading.selects() {
            Target::Games(files::records(format, GameRow::fields(beside), output)?)
        } else {
            Target::Positions(files::records(format, PositionRow::fields(beside), output)?)
        })
    }
}

/// Returns whether an error is of the output as a whole, and not of what was to be written.
fn is_of_output(error: &anyhow::Error) -> bool {
    let mut errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    errors.any(|error| error.kind() != io::ErrorKind::InvalidData)
}

/// What is written to.
enum Target<P: Playable> {
    Lines(&'static LineFormat<P>, Box<dyn Write + Send>),
    Records(Box<dyn WriteRecords<P>>),
    Games(Output<'static, GameRow<P>>),
    Positions(Output<'static, PositionRow<P>>),
}

impl<P: Playable> Target<P> {
    /// Writes the end, and returns what else was lost.
    fn finish(self) -> io::Result<String> {
        match self {
            Self::Lines(_, mut sink) => sink.flush().map(|()| String::new()),
            Self::Records(writer) => writer.finish(),
            Self::Games(output) => output.finish().map(|()| String::new()),
            Self::Positions(output) => output.finish().map(|()| String::new()),
        }
    }
}

/// A conversion under way.
struct Conversion<P: Playable> {
    target: Target<P>,
    selection: Selection,
    strict: bool,
    file: Option<Arc<str>>,
    /// The games of the present input.
    games: u64,
    records: u64,
    /// The games of all inputs.
    all_games: u64,
    /// Those that were not played to their ends.
    unfinished: u64,
    /// Those that are told to have ended otherwise than on the board.
    contradictions: u64,
    bad: u64,
    lost: Lost,
}

impl<P: Playable> Conversion<P> {
    /// Converts what is read; returns why reading ended before its time, if it did.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn run(
        &mut self,
        reader: Reader,
        progress: &Progress,
        total_bytes: Option<u64>,
        cancel: &Cancel,
    ) -> anyhow::Result<Option<anyhow::Error>> {
        for record in reader {
            let record = match record {
                Ok(record) => record,
                Err(error) => return Ok(Some(error.into())),
            };
            if cancel.is_cancelled() {
                break;
            }
            self.records += 1;
            progress.set(record.bytes_read, total_bytes, || format!("{} records", self.records));
            let (file, line) = (Arc::clone(&record.file), record.line);
            let place = |line: u64, column: usize| format!("{file}, line {line}, column {column}");
            let result = match record.held {
                Err(error) => Err((place(error.line, error.column), error.problem.to_string())),
                Ok(_) => match self.write(record) {
                    Err(error) if is_of_output(&error) => return Err(error),
                    result => result.map_err(|error| (place(line, 1), format!("{error:#}"))),
                },
            };
            if let Err((place, problem)) = result {
                self.bad += 1;
                progress.aside(|| eprint_line(format_args!("{place}: {problem}")));
                if self.strict {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// Writes a record that could be read.
    fn write(&mut self, record: Record) -> anyhow::Result<()> {
        let Record { file, line, beside, held, .. } = record;
        if self.file.as_ref().is_none_or(|present| !Arc::ptr_eq(present, &file)) {
            (self.file, self.games) = (Some(Arc::clone(&file)), 0);
        }
        let row = |entry| PositionRow { file: Arc::clone(&file), line, entry, beside: Arc::clone(&beside) };
        match held {
            Err(_) => Ok(()),
            Ok(Held::Position(entry)) => {
                let entry = entry.typed::<P>().expect("the reader reads this game");
                if !self.selection.has_empties(&entry.position) {
                    return Ok(());
                }
                self.write_position(entry, row)
            }
            Ok(Held::Games(games)) => {
                for game in games.iter().filter_map(Annotated::typed::<P>) {
                    self.games += 1;
                    self.write_game(game, row, &beside)?;
                }
                Ok(())
            }
        }
    }

    fn write_position(&mut self, entry: Entry<P>, row: impl Fn(Entry<P>) -> PositionRow<P>) -> anyhow::Result<()> {
        match &mut self.target {
            Target::Lines(format, sink) => {
                let text =
                    conversion::write_position(format, &entry, &mut self.lost).map_err(anyhow::Error::from_boxed)?;
                writeln!(sink, "{text}")?;
            }
            Target::Records(writer) => {
                writer.write(&Game::new(entry.position).into()).map_err(anyhow::Error::from_boxed)?;
            }
            Target::Positions(output) => output.write(&row(entry))?,
            Target::Games(output) => {
                let PositionRow { file, entry, beside, .. } = row(entry);
                self.games += 1;
                output.write(&GameRow { file, number: self.games, game: Game::new(entry.position).into(), beside })?;
            }
        }
        Ok(())
    }

    fn write_game(
        &mut self,
        game: Annotated<P>,
        row: impl Fn(Entry<P>) -> PositionRow<P>,
        beside: &Arc<[Value]>,
    ) -> anyhow::Result<()> {
        self.all_games += 1;
        self.unfinished += u64::from(game.game.end().is_none());
        self.contradictions += u64::from(conversion::contradicts_board(&game));
        let selection = &self.selection;
        let is_selected = |position: &P, ply: usize| !position.is_over() && selection.has(position, ply as u32);
        match &mut self.target {
            Target::Lines(format, sink) => {
                let texts = conversion::write_game(format, &game, is_selected, &mut self.lost);
                for text in texts.map_err(anyhow::Error::from_boxed)? {
                    writeln!(sink, "{text}")?;
                }
            }
            Target::Records(writer) => writer.write(&game).map_err(anyhow::Error::from_boxed)?,
            Target::Games(output) => {
                conversion::count_lost_by_rows(&game, &mut self.lost);
                let file = row(P::default().into()).file;
                output.write(&GameRow { file, number: self.games, game, beside: Arc::clone(beside) })?;
            }
            Target::Positions(output) => {
                for (ply, &position) in game.game.positions().iter().enumerate() {
                    if is_selected(&position, ply) {
                        output.write(&row(position.into()))?;
                    }
                }
            }
        }
        Ok(())
    }
}
