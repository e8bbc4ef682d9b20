//! `morello book build`, `deviate` and `enhance`: searches that extend and improve a book.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::{Progress, ProgressArguments, counted};
use morello_command::{INTERRUPTED, eprint_line, help, numbers, signals, values};
use morello_core::game::{AnnotatedGame, AnyPosition, Cancel, EngineOptions, Game, Searcher};
use morello_files::book::{BookProgress, Breadth, BuildOptions, Builder, PlayedReplies};

use super::book_arguments::{WriteArguments, root};
use super::game_files::read_games;
use crate::cli::endgame_arguments::EndgameArguments;
use crate::cli::position_argument::PositionArgument;
use crate::cli::search_arguments::parse_level;

const BUILD_EXAMPLES: &str = "\
Examples:
  morello book build othello mine.book
  morello book build othello mine.book --level 24 --max-plies 12 --time-limit 2h
  morello book build othello small.book --level 8 --max-plies 6 --no-openings";

const DEVIATE_EXAMPLES: &str = "\
Examples:
  morello book deviate othello mine.book Tiger --max-loss 2 --max-plies 16
  morello book deviate othello mine.book f5d6c3 --max-loss 1 --budget 3 --level 20";

const ENHANCE_EXAMPLES: &str = "\
Examples:
  morello book enhance othello mine.book --level 26
  morello book enhance othello mine.book --level 30 --max-plies 8 --time-limit 1h";

/// The searches of a book.
#[derive(Debug, Args)]
struct SearchBuild {
    /// Playing level of the searches, 1 to 60
    ///
    /// The level is the depth in plies, as in `morello analyze`. Book positions with shallower
    /// searches are searched again.
    #[arg(long, value_name = "LEVEL", default_value = "18", help_heading = help::SEARCH,
        value_parser = parse_level)]
    level: u32,

    /// Time limit of the whole run, such as 2h
    #[arg(long, value_name = "TIME", help_heading = help::SEARCH, value_parser = values::parse_time)]
    time_limit: Option<Duration>,

    #[command(flatten)]
    endgames: EndgameArguments,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads and simultaneous searches [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,

    /// Size in MiB of the transposition tables
    #[arg(long, value_name = "MIB", default_value = "64", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=u32::MAX))]
    hash: u32,
}

/// The losses of the moves to follow.
#[derive(Debug, Args)]
struct AllowedLosses {
    /// Follow moves within this many points of the best move
    #[arg(long, value_name = "POINTS", default_value = "1",
        value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    max_loss: f64,

    /// Maximum total loss along a line, in points [default: no limit]
    #[arg(long, value_name = "POINTS", value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    budget: Option<f64>,
}

/// Build a book, or continue an interrupted build
///
/// The build begins at the start of the game and follows every move within --max-loss points of the
/// best move, up to --max-plies; moves with smaller losses come first. It also follows the lines of
/// all named openings and, along them, every move within --max-loss. Lines of best moves continue
/// up to --best-plies. Scores are propagated back to the start as the book grows.
///
/// To continue a build, run the same command again. With a higher --level, all positions are
/// searched again, beginning with the best lines.
#[derive(Debug, Args)]
#[command(before_long_help = BUILD_EXAMPLES)]
pub(super) struct BuildArguments {
    #[command(flatten)]
    book: WriteArguments,

    #[command(flatten)]
    search: SearchBuild,

    /// Follow moves up to this ply
    #[arg(long, value_name = "PLIES", default_value = "12", help_heading = help::INPUT,
        value_parser = numbers::whole(0..=u32::MAX))]
    max_plies: u32,

    #[command(flatten)]
    losses: AllowedLosses,

    /// Follow lines of best moves up to this ply
    #[arg(long, value_name = "PLIES", default_value = "20", help_heading = help::BOOK,
        value_parser = numbers::whole(0..=u32::MAX))]
    best_plies: u32,

    /// Do not include the named openings
    #[arg(long, help_heading = help::BOOK)]
    no_openings: bool,

    #[command(flatten)]
    played: PlayedArguments,

    /// Maximum number of positions [default: no limit]
    #[arg(long, value_name = "N", help_heading = help::BOOK, value_parser = numbers::whole(0..=u64::MAX))]
    max_positions: Option<u64>,
}

/// Extend a book with near-best moves below a position
///
/// This works like `morello book build`, but begins at one position of the book and does not follow
/// the named openings.
#[derive(Debug, Args)]
#[command(before_long_help = DEVIATE_EXAMPLES)]
pub(super) struct DeviateArguments {
    #[command(flatten)]
    book: WriteArguments,

    #[command(flatten)]
    position: PositionArgument,

    #[command(flatten)]
    search: SearchBuild,

    /// Follow moves up to this ply, counted from the start of the game
    #[arg(long, value_name = "PLIES", default_value = "12", help_heading = help::INPUT,
        value_parser = numbers::whole(0..=u32::MAX))]
    max_plies: u32,

    #[command(flatten)]
    losses: AllowedLosses,
}

/// Search the positions of a book deeper
///
/// Searches all positions that have no score or a score from a shallower search, beginning with the
/// positions that the best lines reach. No positions are added.
#[derive(Debug, Args)]
#[command(before_long_help = ENHANCE_EXAMPLES)]
pub(super) struct EnhanceArguments {
    #[command(flatten)]
    book: WriteArguments,

    #[command(flatten)]
    position: PositionArgument,

    #[command(flatten)]
    search: SearchBuild,

    /// Search positions up to this ply [default: all]
    ///
    /// Plies are counted from the start of the game.
    #[arg(long, value_name = "PLIES", help_heading = help::INPUT, value_parser = numbers::whole(0..=u32::MAX))]
    max_plies: Option<u32>,

    /// Score moves within this many points of the best move
    #[arg(long, value_name = "POINTS", default_value = "1",
        value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    max_loss: f64,
}

/// The moves that were played in games.
#[derive(Debug, Args)]
struct PlayedArguments {
    /// Also score the frequent moves of the games in this file or directory
    ///
    /// The book then contains the positions that many games reached and the positions after their
    /// frequent moves, even after bad moves. Repeat the option for several files.
    #[arg(long, value_name = "FILE", help_heading = help::INPUT)]
    played_in: Vec<PathBuf>,

    /// Add positions reached by at least this many games
    #[arg(long, value_name = "N", default_value = "100", help_heading = help::OUTPUT, requires = "played_in",
        value_parser = numbers::whole(1..=u64::MAX))]
    min_games: u64,

    /// Add moves with at least this share of the position's games, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.01", help_heading = help::BOOK, requires = "played_in",
        value_parser = numbers::real(0.0..=1.0_f64))]
    min_share: f64,

    #[command(flatten)]
    format: FormatArguments,
}

impl PlayedArguments {
    /// Returns the frequent positions of the games.
    fn positions(&self, build: &BuildArguments) -> anyhow::Result<Vec<(AnyPosition, u32)>> {
        if self.played_in.is_empty() {
            return Ok(Vec::new());
        }
        // Nothing is done yet, so a signal may end the process.
        let (mut replies, cancel) = (PlayedReplies::default(), Cancel::new());
        let plies = build.max_plies.max(build.best_plies) as usize;
        let (book, progress) = (&build.book, build.search.progress);
        let mut add = |annotated: &AnnotatedGame| replies.add(&annotated.game, plies);
        let read = read_games(&self.played_in, &self.format, book.game, &[&book.file], progress, &cancel, &mut add)?;
        let frequent = replies.frequent(self.min_games, self.min_share);
        let (games, positions) = (counted(read.games, "game"), counted(frequent.len() as u64, "frequent position"));
        eprint_line(format_args!("{games} read: {positions}"));
        Ok(frequent)
    }
}

impl BuildArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.book.game;
        let named = game.opening_names().filter(|_| !self.no_openings);
        let named = named.into_iter().flat_map(|names| names.all()).map(|opening| opening.game(game));
        let options = BuildOptions {
            named: named.collect(),
            leaves: self.played.positions(self)?,
            max_positions: self.max_positions.unwrap_or(u64::MAX),
            ..self.search.options(self.losses.breadth(self.max_plies, self.best_plies), &Game::new(game.start()))
        };
        self.search.run(&self.book, options, true, "build")
    }
}

impl DeviateArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let line = self.position.read(self.book.game)?;
        let options = self.search.options(self.losses.breadth(self.max_plies, 0), &line);
        self.search.run(&self.book, options, false, "deviate")
    }
}

impl EnhanceArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let line = self.position.read(self.book.game)?;
        let breadth = Breadth { plies: self.max_plies.unwrap_or(u32::MAX), error: self.max_loss, ..Breadth::ALL };
        let options = BuildOptions { adds_positions: false, ..self.search.options(breadth, &line) };
        self.search.run(&self.book, options, false, "enhance")
    }
}

impl AllowedLosses {
    fn breadth(&self, plies: u32, best_plies: u32) -> Breadth {
        Breadth { plies, error: self.max_loss, budget: self.budget.unwrap_or(f64::INFINITY), best_plies }
    }
}

impl SearchBuild {
    /// Returns the options of a build from the end of a line on.
    fn options(&self, breadth: Breadth, line: &Game) -> BuildOptions {
        let game = line.position().game();
        BuildOptions { roots: vec![root(line)], ..BuildOptions::new(game, game.level(self.level), breadth) }
    }

    fn run(
        &self,
        book: &WriteArguments,
        options: BuildOptions,
        may_create: bool,
        what: &'static str,
    ) -> anyhow::Result<ExitCode> {
        let mut engine = EngineOptions::new(values::hash_bytes(self.hash, 1)?);
        engine.database = self.endgames.open(book.game)?;
        let mut writer = book.open(may_create)?;
        let first: Box<dyn Searcher> = book.game.searcher(&engine)?;
        let mut searchers: Vec<_> = (1..values::thread_count(self.threads)).map(|_| first.fork()).collect();
        searchers.push(first);
        let interrupted = signals::cancel_on_signal()?;
        let cancel = interrupted.child();
        if let Some(time) = self.time_limit {
            signals::cancel_after(time, &cancel);
        }
        let progress = Progress::new(self.progress, what, false);
        let start = Instant::now();
        let mut builder = Builder::new(&mut writer, options)?;
        let known = builder.positions();
        if known > 0 {
            eprint_line(format_args!("continuing: {} in `{}`", counted(known, "position"), book.file.display()));
        }
        let mut on_progress = |done: &BookProgress| {
            progress.set(done.searches, Some(done.searches + done.waiting), &|| {
                let rate = done.searches as f64 / start.elapsed().as_secs_f64();
                format!("{}, ply {}, {rate:.1} searches/s", counted(done.positions, "position"), done.ply)
            });
        };
        let built = builder.run(&mut searchers, &cancel, &mut on_progress);
        progress.finish();
        let built = built?;
        eprint_line(format_args!(
            "{} in {:.1} s: {} in the book{}",
            if built.searches == 1 { "1 search".to_owned() } else { format!("{} searches", built.searches) },
            start.elapsed().as_secs_f64(),
            counted(built.positions, "position"),
            if built.is_complete { "" } else { "; run the command again to continue" }
        ));
        Ok(if interrupted.is_cancelled() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
    }
}
