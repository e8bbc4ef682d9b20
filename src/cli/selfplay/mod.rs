//! `morello selfplay`: plays engines against each other and reports the result.

mod log_file;
mod opening_arguments;
mod rule_arguments;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::builder::PossibleValue;
use clap::{Arg, Args, ValueEnum};

use super::endgame_arguments::EndgameArguments;
use super::progress::{Progress, ProgressArguments};
use super::{INTERRUPTED, eprint_line, files, help, signals, values};
use crate::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use crate::cli::variety_arguments::VarietyArguments;
use crate::fnv::Fnv1a;
use crate::game::{AnyGame, Cancel, Game, GameData, LineFormat, PlayerError};
use crate::games;
use crate::input::Input;
use crate::players::Spec;
use crate::printable::printable_lines;
use crate::tournament::openings::OpeningSource;
use crate::tournament::plot::{self, History};
use crate::tournament::{
    self, FinishedGame, Match, MatchProgress, MatchRules, MatchSummary, Players, ReadLogError, RunError, Schedule,
    Sprt, TournamentFormat, log_line,
};
use opening_arguments::OpeningArguments;
use rule_arguments::RuleArguments;

/// Play engines against each other and report Elo with a 95 % confidence interval
///
/// Every opening is played twice, with colors swapped. The games are independent: engines limited by depth or nodes give the same result for
/// the same seed, with any number of threads. An external engine that crashes, times out or plays an illegal move forfeits the game and is
/// restarted for the next. Two engines play a match, reported from the first engine's point of view; more engines play a tournament, reported
/// with ratings. Ctrl-C finishes the running games; a second Ctrl-C aborts them. In both cases the result so far is reported.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES, after_long_help = engine_help(), mut_args(hide_in_summary))]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Engine, such as name=a,depth=6; give two or more
    ///
    /// An engine is a list of settings separated by commas, such as cmd="./engine -x",protocol=nboard,depth=6. All settings are listed below.
    #[arg(long = "engine", value_name = "SPEC", required = true, help_heading = help::PLAYERS)]
    engines: Vec<Spec>,

    /// Number of games in total
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = help::GAMES, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Pairing of three or more engines
    #[arg(long, value_enum, default_value_t = TournamentFormat::RoundRobin, value_name = "FORMAT", help_heading = help::GAMES)]
    tournament: TournamentFormat,

    /// Stop a match when this SPRT is decided, such as elo0=0,elo1=5
    ///
    /// A sequential probability ratio test (SPRT) also accepts alpha=0.05, beta=0.05 and model=logistic or normalized.
    #[arg(long, value_name = "SETTINGS", help_heading = help::GAMES)]
    sprt: Option<Sprt>,

    #[command(flatten)]
    openings: OpeningArguments,

    #[command(flatten)]
    varieties: VarietyArguments,

    #[command(flatten)]
    rules: RuleArguments,

    #[command(flatten)]
    endgames: EndgameArguments,

    /// Result format
    #[arg(long, value_enum, default_value_t = ResultFormat::Table, help_heading = help::OUTPUT)]
    format: ResultFormat,

    /// Write each finished game to this new file, as JSON lines
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    log: Option<PathBuf>,

    /// Resume the match in the --log file
    ///
    /// Its games are counted, and the missing ones are played. A larger --games adds games.
    #[arg(long, requires = "log", help_heading = help::OUTPUT)]
    resume: bool,

    /// Play only the I-th of N equal parts of the match, 1/4 to 4/4
    ///
    /// Pairs of games are assigned to the parts in turn. Together, the --log files of all parts are the log of the whole match: write them into one
    /// file, and run the command again with --resume and without --shard for its result.
    #[arg(long, value_name = "I/N", requires = "log", conflicts_with_all = ["sprt", "plot"], help_heading = help::PERFORMANCE,
        hide_short_help = true, value_parser = values::parse_shard)]
    shard: Option<(u64, u64)>,

    /// Write the games to this file, in order
    ///
    /// In the format of games with the name of the extension, such as .ggf or .pgn; .txt and none mean move lists, a line each.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    save_games: Option<PathBuf>,

    /// Write an SVG plot of the result to this file
    ///
    /// The plot shows the Elo difference by games, with --sprt the log-likelihood ratio, or the ratings of a tournament.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    plot: Option<PathBuf>,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads, and of simultaneous games [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Seed of the openings and of random players
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::REPRODUCIBILITY)]
    seed: u64,

    /// Produce the same output on every run, byte for byte
    ///
    /// Engines with a time limit are refused, as are external engines without a limit of depth or nodes, and no times are reported. --threads 1
    /// also keeps the order of the games in --log.
    #[arg(long, help_heading = help::REPRODUCIBILITY, hide_short_help = true)]
    deterministic: bool,
}

impl ValueEnum for TournamentFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::RoundRobin, Self::Gauntlet]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::RoundRobin => PossibleValue::new("round-robin").help("Every engine meets every other"),
            Self::Gauntlet => PossibleValue::new("gauntlet").help("The first engine meets each of the others"),
        })
    }
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
    /// Readable text
    Table,
    /// One JSON object
    Json,
    /// Comma-separated values with a header line and a line per pairing
    Csv,
}

const EXAMPLES: &str = "\
Examples:
  morello selfplay othello --engine depth=6,exact=14 --engine depth=4,exact=10 --games 200
  morello selfplay nine-mens-morris-flying --engine depth=6 --engine depth=5 --sprt elo0=0,elo1=40
  morello selfplay othello --engine level=8 --engine 'cmd=\"./other\",protocol=nboard' --log a.jsonl";

/// Hides the option that `-h` omits because it must fit a screen: engines have a setting of the same name.
fn hide_in_summary(argument: Arg) -> Arg {
    if argument.get_id() == "variety" { argument.hide_short_help(true) } else { argument }
}

fn engine_help() -> String {
    format!(
        "Settings of an engine (one of level, depth, nodes, time, database, random and cmd is required):\n{}",
        Spec::help()
    )
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.run()
}

impl Arguments {
    fn run(mut self) -> anyhow::Result<ExitCode> {
        let game = games::get(&self.game)?;
        if !self.openings.are_of_book() {
            self.varieties.check()?;
        }
        let settings = self.varieties.settings();
        self.engines.iter_mut().for_each(|spec| *spec = spec.with_settings(&settings));
        self.check_engines()?;
        let names: Vec<_> = self.engines.iter().map(Spec::name).collect();
        let threads = values::thread_count(self.threads);
        let threads = threads.min(usize::try_from(self.games).unwrap_or(usize::MAX));
        for spec in &self.engines {
            values::hash_bytes(spec.hash(), self.engines.len() * threads)?;
        }
        self.check_files()?;
        let games_format = self.save_games.as_deref().map(|path| format_of_games(game, path)).transpose()?;
        let source = self.openings.source(game, self.varieties.book())?;
        opening_arguments::check_starts(&source, game, &self.engines)?;
        let identity = self.identity(game, &source)?;
        let (mut log, played) = self.log.as_deref().map_or_else(
            || Ok((None, BTreeMap::new())),
            |path| log_file::open(game, path, self.resume, &names, &identity).map(|(log, played)| (Some(log), played)),
        )?;
        let database = self.endgames.open(game)?;
        if self.rules.adjudication().database && database.is_none() {
            bail!("--adjudicate-database: {} has no endgame database: remove the option", game.name());
        }

        let [stop, give_up] =
            signals::raise_on_signals("finishing the running games; press Ctrl-C again to abort them")?;
        let output_on_terminal = self.format == ResultFormat::Table && io::stdout().is_terminal();
        let start = Instant::now();
        let encounters = self.tournament.encounters(self.engines.len());
        let settings = self.rules.draws.settings(game.standard_draw_rules());
        let players = (0..threads).map(|_| self.players(game, database.as_ref(), &stop));
        let players = players.collect::<anyhow::Result<Option<Vec<_>>>>()?;
        let schedule = Schedule { games: self.games, seed: self.seed, encounters, shard: self.shard.unwrap_or((0, 1)) };
        let played_before = || played.values().filter(|record| schedule.contains(record.game));
        let progress = Progress::new(self.progress, "openings", output_on_terminal);
        let found = match &players {
            Some(_) => opening_arguments::find(&source, game, settings, (self.seed, threads), &stop, &progress)?,
            None => None,
        };
        let rounds = played_before().next_back().map_or(0, |last| schedule.pairing(last.game).round + 1);
        let found = found.and_then(|found| opening_arguments::redraw(found, rounds, threads, &stop, &progress));
        progress.finish();
        if found.is_none() && played_before().next().is_none() {
            eprint_line(format_args!("interrupted before the first game"));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let progress = Progress::new(self.progress, "selfplay", output_on_terminal);

        // Only after all inputs are read.
        if let Some(path) = self.save_games.as_deref().filter(|_| !self.resume) {
            files::check_is_new(path, "--save-games")?;
        }
        let games_file = self.save_games.as_deref().map(|path| files::output(Some(path))).transpose()?;
        let mut games_file = games_file.zip(games_format);
        let mut save = |record: &FinishedGame| match &mut games_file {
            Some((file, format)) => writeln!(file, "{}", record.write(&names, *format)),
            None => Ok(()),
        };
        let plot_file = self.plot.as_deref().map(|path| files::output(Some(path))).transpose()?;
        let mut course = MatchProgress::new(names.len(), self.sprt).of_shard(schedule.shard);
        for record in played_before() {
            let pairing = schedule.pairing(record.game);
            // The openings are unknown if this run was interrupted before they were found.
            let opening = found.as_ref().and_then(|found| found.opening(pairing.round, &stop));
            if pairing.players != record.players || opening.is_some_and(|(number, _)| number != record.opening) {
                return Err(ReadLogError::Game { game: record.game }.into());
            }
            course.add(record.clone(), &mut save)?;
        }
        if course.is_decided() {
            give_up.cancel();
        }
        let mut reported = HashSet::new();
        let mut keep = |mut record: FinishedGame| {
            if self.deterministic {
                record.clear_times();
            }
            if let Some(problem) = &record.problem
                && let Some(name) = record.loser().map(|player| names[player])
                && reported.insert((name, record.end_reason))
            {
                let (game, reason) = (record.game + 1, record.end_reason);
                progress.suspend(|| {
                    eprint_line(format_args!(
                        "game {game}: `{name}` forfeits ({reason}): {problem} (later ones are only counted)"
                    ));
                });
            }
            if let Some(log) = &mut log {
                // A single write, so that a killed process leaves whole lines.
                log(&(log_line(&record, &names, &identity) + "\n"))?;
            }
            course.add(record, &mut save)?;
            if course.is_decided() {
                give_up.cancel();
            }
            let games = course.tally().games();
            progress.set(games, Some(schedule.planned()), || course.tally().one_line(self.sprt.as_ref()));
            Ok(())
        };
        let look_up =
            |played: &Game| database.as_ref().and_then(|database| game.look_up(database, played).ok().flatten());
        let adjudication = self.rules.adjudication();
        let rules =
            MatchRules { settings, adjudication, look_up: if adjudication.database { Some(&look_up) } else { None } };
        let result = match (&found, players) {
            (Some(openings), Some(players)) => {
                let move_limit = self.rules.move_limit;
                let of = Match { schedule: &schedule, openings, rules, move_limit, played: &played };
                tournament::run(&of, players, &stop, &give_up, &mut keep)
            }
            _ => Ok(()),
        };
        progress.finish();
        let saved = course.end(&mut save).and_then(|()| games_file.map_or(Ok(()), |(mut file, _)| file.flush()));
        let saved = saved.context("cannot write the games");
        let tally = course.tally();
        let engines: Vec<_> = self.engines.iter().map(|spec| self.describe(spec, database.is_some())).collect();
        let elapsed = (!self.deterministic).then(|| start.elapsed());
        // The games of an earlier run are reported even if this one was interrupted before it found its openings.
        let openings = match &found {
            Some(found) => {
                let last = if self.shard.is_some() { schedule.games } else { tally.games() };
                opening_arguments::summary(found, &source, schedule.rounds_of(last), self.shard.is_some())
            }
            None => source.interrupted(played_before()),
        };
        let summary = MatchSummary::new(game.name(), &schedule, openings, &engines, tally, self.sprt, elapsed);
        let drawn = plot_file.map_or(Ok(()), |file| self.draw(&summary, course.history(), file));
        // The result comes first: it must not be lost if another output fails.
        self.write(&summary).context("cannot write to standard output")?;
        saved.and(drawn)?;
        result.map_err(|error| self.run_error(error))?;
        Ok(if tally.games() < schedule.planned() && !course.is_decided() {
            ExitCode::from(INTERRUPTED)
        } else {
            ExitCode::SUCCESS
        })
    }
}

impl Arguments {
    fn check_engines(&self) -> anyhow::Result<()> {
        if self.engines.len() < 2 {
            bail!("one engine is given, but at least two are required: add another --engine");
        }
        for (number, spec) in self.engines.iter().enumerate() {
            if self.engines[..number].iter().any(|other| other.name() == spec.name()) {
                bail!("two engines have the name `{}`: give them different names with name=", spec.name());
            }
        }
        if let Some(spec) = self.engines.iter().find(|spec| self.deterministic && spec.uses_clock()) {
            bail!(
                "--deterministic: the moves of the engine `{}` depend on a clock: limit it by depth, nodes or level",
                spec.name()
            );
        }
        if self.sprt.is_some() && self.engines.len() > 2 {
            bail!("--sprt requires exactly two engines, but {} are given: remove the others", self.engines.len());
        }
        Ok(())
    }

    /// Checks that no output is an input or another output.
    fn check_files(&self) -> anyhow::Result<()> {
        let outputs: Vec<_> =
            [&self.log, &self.save_games, &self.plot].into_iter().flatten().map(PathBuf::as_path).collect();
        if let Some(plot) = &self.plot {
            files::check_extension(plot, &["svg"]).context("--plot")?;
        }
        let weights = self.engines.iter().filter_map(Spec::weights);
        let inputs: Vec<_> = weights.chain(self.openings.file()).map(|path| Input::File(path.to_owned())).collect();
        files::check_distinct(&inputs, &outputs)
    }

    /// Returns a digest of everything that determines the games; a log with another digest belongs to another match.
    fn identity(&self, game: &dyn AnyGame, source: &OpeningSource) -> anyhow::Result<String> {
        let engines: Vec<_> = self.engines.iter().map(|spec| (spec.name(), spec.text())).collect();
        let rules = (self.rules.draws.settings(game.standard_draw_rules()), self.rules.adjudication());
        let openings = source.identity()?;
        let databases = format!("{:?} {:?}", self.endgames, self.rules.move_limit);
        let of = format!("{} {} {:?} {}", env!("CARGO_PKG_VERSION"), game.name(), self.tournament, self.seed);
        let mut digest =
            Fnv1a::new().add_bytes(format!("{of} {engines:?} {rules:?} {openings} {databases}").as_bytes());
        for file in self.engines.iter().filter_map(Spec::weights) {
            let content =
                read_file(file, MAX_WEIGHTS_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
            digest = digest.add_bytes(&content);
        }
        Ok(format!("{:016x}", digest.finish()))
    }

    /// Creates the players of a thread and checks that each can play; `None` if cancelled.
    fn players(
        &self,
        game: &'static dyn AnyGame,
        database: Option<&GameData>,
        cancel: &Cancel,
    ) -> anyhow::Result<Option<Players>> {
        let mut players = Players::new();
        for spec in &self.engines {
            let failed = || format!("the engine `{}` cannot play", spec.name());
            let mut player = spec.player(game, database).with_context(failed)?;
            match player.prepare(0, cancel) {
                Err(PlayerError::Cancelled) => return Ok(None),
                ready => ready.with_context(failed)?,
            }
            players.push(player);
        }
        Ok(Some(players).filter(|_| !cancel.is_cancelled()))
    }

    /// Describes why the match was aborted.
    fn run_error(&self, error: RunError) -> anyhow::Error {
        let why = match (&error, &self.log) {
            (RunError::Game(unplayable), _) => {
                format!("the engine `{}` cannot play", self.engines[unplayable.player].name())
            }
            (RunError::Sink(_), Some(path)) => format!("cannot write `{}`, or the games", path.display()),
            (RunError::Sink(_), None) => "cannot write the games".to_owned(),
        };
        anyhow::Error::new(error).context(format!("{why}: the match was aborted"))
    }

    /// Returns the name, the spec and the description of an engine.
    fn describe(&self, spec: &Spec, has_database: bool) -> (String, String, String) {
        let looks = if spec.wants_database() && has_database { ", endgame database" } else { "" };
        (spec.name().to_owned(), spec.text().to_owned(), format!("{spec}{looks}"))
    }

    fn draw(&self, summary: &MatchSummary, history: &History, mut file: impl Write) -> anyhow::Result<()> {
        let svg = match summary.standing {
            Some(_) => history.svg(summary, self.sprt.as_ref())?,
            None => plot::ratings_svg(summary)?,
        };
        let written = file.write_all(svg.as_bytes()).and_then(|()| file.flush());
        written.context("cannot write the plot")
    }

    fn write(&self, summary: &MatchSummary) -> anyhow::Result<()> {
        match self.format {
            ResultFormat::Table => write!(io::stdout(), "{}", printable_lines(&summary.to_string()))?,
            ResultFormat::Json => writeln!(io::stdout(), "{}", serde_json::to_string_pretty(summary)?)?,
            ResultFormat::Csv => summary.write_csv(io::stdout())?,
        }
        Ok(())
    }
}

/// The extensions of files of move lists.
const MOVE_LISTS: [&str; 3] = ["txt", "moves", "transcript"];

/// Returns the format of games whose name is the extension of a file; `None` for move lists.
fn format_of_games(game: &dyn AnyGame, path: &Path) -> anyhow::Result<Option<&'static LineFormat>> {
    let Some(extension) = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()) else {
        return Ok(None);
    };
    let formats = || game.formats().iter().filter(|format| format.of_games && format.writer.game.is_some());
    match formats().find(|format| format.is_named(&extension)) {
        _ if MOVE_LISTS.contains(&&*extension) => Ok(None),
        None => {
            let known = formats().filter(|format| !MOVE_LISTS.contains(&format.name));
            let mut known: Vec<_> = known.map(|format| format!(".{}", format.name)).collect();
            let or = if known.is_empty() { "" } else { "or " };
            known.push(format!("{or}.txt for move lists"));
            bail!("--save-games `{}`: no format of games has this extension: use {}", path.display(), known.join(", "));
        }
        format => Ok(format),
    }
}
