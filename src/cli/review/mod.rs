//! `morello review`: how well games were played, and the worst moves.

pub(super) mod text;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Arg, Args};
use morello_analysis::pipeline::Sink;
use morello_analysis::{
    self as analysis, AnalysisOptions, AnalysisRow, BadMove, Exercise, GameReview, PlayStatistics, Reviews, TaskError,
    Tasks, review_limits, second_look,
};
use morello_command::files::{ReservedOutput, Target};
use morello_command::progress::{Progress, counted};
use morello_command::{INTERRUPTED, eprint_line, files, help, numbers, values};
use morello_core::game::{AnyGame, AnyPosition, Cancel, EngineOptions, Game, Report};
use morello_core::provenance;
use morello_files::input::{GameRecord, Selection};
use morello_play::session::SEPARATE_TABLES;

use super::endgame_arguments::EndgameArguments;
use super::games::query::QueryArguments;

const EXAMPLES: &str = "\
Examples:
  morello review othello mygames.txt --player anna
  morello review othello games.pgn -o report.html --exercises mistakes.jsonl
  morello review nine-mens-morris-flying games.txt --thorough";

/// Review games: accuracy, mistakes and the worst moves
///
/// morello searches every position of the games, in about one second per game on one core. In
/// Othello, it solves positions with up to 22 empty squares. Scores are converted to the result
/// that people reach on average; a move is an inaccuracy, a mistake or a blunder if it lowers this
/// expected result by 5, 10 or 20 % of a win. The accuracy is 100 % without losses, and decreases
/// with the results lost. The numbers do not depend on the number of threads, and the page of
/// `morello serve` shows the same numbers.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES, mut_args(hide_in_summary))]
pub(super) struct Arguments {
    #[command(flatten)]
    query: QueryArguments,

    /// Search longer: 20 seconds to two minutes per game on one core
    #[arg(long, help_heading = help::SEARCH)]
    thorough: bool,

    /// Show at most N moves: the worst
    #[arg(long, value_name = "N", default_value = "5", help_heading = help::OUTPUT,
        value_parser = numbers::whole(0..=usize::MAX))]
    limit: usize,

    /// Write a report with diagrams to this .html file [default: print text]
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,

    #[command(flatten)]
    endgames: EndgameArguments,

    /// Write the mistakes to this .jsonl file, as exercises for `morello practice`
    ///
    /// The file has one line for each of the worst moves, at most --limit, with the position and
    /// the value of every move. The page of `morello serve` opens the file under Practice.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    exercises: Option<PathBuf>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,
}

/// The options that `-h` omits because it must fit a screen: the rarer filters.
const OMITTED: [&str; 8] = ["input_format", "black", "white", "event", "result", "rating", "length", "opening"];

fn hide_in_summary(argument: Arg) -> Arg {
    let is_omitted = OMITTED.contains(&argument.get_id().as_str());
    if is_omitted { argument.hide_short_help(true) } else { argument }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.query.game()?;
    let level = arguments.thorough.then_some(analysis::THOROUGH_LEVEL);
    let limits = review_limits(game, level, arguments.thorough.then_some(analysis::THOROUGH_NODES));
    let report = reserve(arguments.output.as_deref(), "--output", &["html", "htm"])?;
    let exercises = reserve(arguments.exercises.as_deref(), "--exercises", &["jsonl"])?;
    let outputs = [&arguments.output, &arguments.exercises].into_iter().flatten();
    let query = arguments.query.open(&outputs.map(PathBuf::as_path).collect::<Vec<_>>())?;
    provenance::add_settings([
        ("game".to_owned(), game.name().to_owned()),
        ("review".to_owned(), if arguments.thorough { "thorough" } else { "standard" }.to_owned()),
        ("database".to_owned(), arguments.endgames.describe(game)?),
    ]);
    let (filter, cancel) = (query.filter.clone(), query.cancel.clone());
    let threads = values::thread_count(arguments.threads);
    let mut games = Vec::new();
    let counts = query.run(threads, false, |record| record, &mut |game| {
        games.push(game);
        Ok(())
    })?;
    if games.is_empty() {
        counts.print();
        return counts.exit_code(0);
    }
    let positions = games.iter().map(|record| record.game.game.moves().len() as u64 + 1).sum();
    let progress = arguments.query.progress("review", arguments.output.is_none());
    let sides = games.iter().map(|record| filter.sides(&record.game.tags)).collect();
    let (play, reviews) = (PlayStatistics::default(), Reviews::default());
    let mut sink = ReviewSink { play, reviews, sides, progress, done: 0, positions };
    let tasks = Tasks::of_games(game, games.into_iter().map(|record| (record, [true; 2])), Selection::default());
    // As on the page and in a game at the terminal.
    let tables = values::hash_bytes((SEPARATE_TABLES >> 20) as u32, threads)?;
    let engine = EngineOptions { database: arguments.endgames.open(game)?, ..EngineOptions::new(tables) };
    let options = AnalysisOptions { threads, deterministic: true, engine, ..AnalysisOptions::new(limits) };
    let ended = analysis::run(tasks, &options, &|_| (), &cancel, &mut sink);
    sink.progress.finish();
    ended.context("the review failed")?;
    let done = sink.done;
    let mut reviews = sink.finish();
    let options = AnalysisOptions { limits: second_look(&options.limits), ..options };
    let second = SecondLook { game, options, cancel: &cancel };
    if !cancel.is_cancelled() {
        second.settle(&mut reviews, arguments.query.progress("disputed moves", false))?;
    }
    if cancel.is_cancelled() {
        let note = format!("interrupted; the numbers cover {done} of {positions} positions");
        if report.is_none() {
            files::write(Target::Stdout, &format!("{note}\n\n{}", text::review(&reviews, arguments.limit)))?;
        }
        eprint_line(format_args!("{note}; no file was written"));
    } else {
        match report {
            None => files::write(Target::Stdout, &text::review(&reviews, arguments.limit))?,
            Some(file) => file.write(&analysis::review_report(&reviews, &arguments.title(&reviews))?)?,
        }
        if let Some(output) = arguments.exercises.as_deref().zip(exercises) {
            arguments.write_exercises(&reviews, output, &second)?;
        }
    }
    counts.print();
    if cancel.is_cancelled() { Ok(ExitCode::from(INTERRUPTED)) } else { counts.exit_code(0) }
}

/// Opens an output of this option before the work.
pub(super) fn reserve(
    file: Option<&Path>,
    option: &'static str,
    known: &[&str],
) -> anyhow::Result<Option<ReservedOutput>> {
    let Some(file) = file else { return Ok(None) };
    files::check_extension(file, known).and_then(|()| ReservedOutput::open(&file.into())).context(option).map(Some)
}

impl Arguments {
    /// Returns the title of the report: the player, or the files.
    fn title(&self, reviews: &Reviews) -> String {
        let player = reviews.by_player().into_iter().next().filter(|_| self.query.has_player());
        player.map_or_else(|| self.query.file_names(), |player| player.name)
    }

    /// Writes the worst moves as exercises; their positions are searched once more, for the value of
    /// every move.
    fn write_exercises(
        &self,
        reviews: &Reviews,
        (path, file): (&Path, ReservedOutput),
        second: &SecondLook<'_>,
    ) -> anyhow::Result<()> {
        // More than are asked for, because a second look may find that a move was good enough.
        let worst = reviews.worst(self.limit.saturating_mul(2));
        let positions: Vec<_> = worst.iter().map(|bad| bad.reviewed.position).collect();
        let reports = second.reports(&positions, self.query.progress("exercises", false))?;
        if second.cancel.is_cancelled() {
            eprint_line(format_args!("interrupted: no exercise was written"));
            return Ok(());
        }
        let (mut text, mut written, mut good_enough) = (String::new(), 0, 0u64);
        for (BadMove { game, reviewed: m, .. }, report) in worst.into_iter().zip(reports) {
            if written == self.limit as u64 {
                break;
            }
            let played = m.played.map(|m| m.to_string());
            let found = report.and_then(|report| Exercise::new(&m.position, &report.lines));
            let Some(mut exercise) = found.filter(|found| !played.as_ref().is_some_and(|m| found.is_right(m))) else {
                good_enough += 1;
                continue;
            };
            exercise.played = played;
            exercise.source = Some(format!("{}, {}", text::details(game), text::move_text(game, m)));
            text += &(serde_json::to_string(&exercise)? + "\n");
            written += 1;
        }
        file.write(&text)?;
        let without = match good_enough {
            0 => String::new(),
            count => format!("; skipped {} that a search of all moves finds good enough", counted(count, "move")),
        };
        eprint_line(format_args!("{} in `{}`{without}", counted(written, "exercise"), path.display()));
        Ok(())
    }
}

/// Returns a record of a position.
fn record(position: AnyPosition, line: u64) -> GameRecord {
    let game = Game::new(position).into();
    GameRecord { file: "review".into(), line, number: line, game, extra: [].into() }
}

/// Searches positions of the games once more, for the value of every move.
struct SecondLook<'a> {
    game: &'static dyn AnyGame,
    /// Those of the review, with the limits of a second look.
    options: AnalysisOptions,
    cancel: &'a Cancel,
}

impl SecondLook<'_> {
    /// Returns the reports on positions; those after an interruption are missing.
    fn reports(&self, positions: &[AnyPosition], progress: Progress) -> anyhow::Result<Vec<Option<Report>>> {
        let records: Vec<_> = positions.iter().zip(1..).map(|(&position, line)| record(position, line)).collect();
        let records = records.into_iter().map(|record| (record, [true; 2]));
        let tasks = Tasks::of_games(self.game, records, Selection::default());
        let (mut reports, all) = (Vec::new(), positions.len() as u64);
        let mut take = |row: Result<AnalysisRow, TaskError>| {
            reports.push(row.map_err(io::Error::other)?.result.ok().map(|analyzed| analyzed.report));
            let done = reports.len() as u64;
            progress.set(done, Some(all), &|| format!("{done} of {}", counted(all, "position")));
            Ok(true)
        };
        let ended = analysis::run(tasks, &self.options, &|_| (), self.cancel, &mut take);
        progress.finish();
        ended.context("the second search of bad moves failed")?;
        reports.resize(positions.len(), None);
        Ok(reports)
    }

    /// Settles the disputed moves of the reviews.
    fn settle(&self, reviews: &mut Reviews, progress: Progress) -> anyhow::Result<()> {
        let disputed = |game: &GameReview| game.disputed().into_iter().map(|at| game.moves[at].position).collect();
        let positions: Vec<_> = reviews.reviews_mut().flat_map(|game| -> Vec<_> { disputed(game) }).collect();
        let mut reports = self.reports(&positions, progress)?.into_iter();
        for game in reviews.reviews_mut() {
            for (at, report) in game.disputed().into_iter().zip(reports.by_ref()) {
                report.iter().for_each(|report| game.settle(at, report));
            }
        }
        Ok(())
    }
}

/// Collects the reviews of the games.
struct ReviewSink {
    play: PlayStatistics,
    reviews: Reviews,
    /// The sides whose moves count, of each game in order.
    sides: Vec<[bool; 2]>,
    progress: Progress,
    /// The positions searched, and all.
    done: u64,
    positions: u64,
}

impl ReviewSink {
    fn push(&mut self, game: Option<GameReview>) {
        let sides = self.sides.get(self.reviews.games().len()).copied().unwrap_or([true; 2]);
        game.into_iter().for_each(|game| self.reviews.push(game, sides));
    }

    fn finish(mut self) -> Reviews {
        let last = self.play.finish();
        self.push(last);
        self.reviews
    }
}

impl Sink<Result<AnalysisRow, TaskError>> for ReviewSink {
    fn accept(&mut self, row: Result<AnalysisRow, TaskError>) -> io::Result<bool> {
        let row = row.map_err(io::Error::other)?;
        let finished = self.play.add(&row);
        self.push(finished);
        self.done += 1;
        self.progress.set(self.done, Some(self.positions), &|| {
            format!("{} of {}", self.done, counted(self.positions, "position"))
        });
        Ok(true)
    }
}
