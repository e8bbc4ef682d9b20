//! `morello selfplay`: plays engines against each other and reports the result.

mod engine_file;
pub(super) mod log_file;
pub(super) mod opening_arguments;
mod outputs;
pub(super) mod rule_arguments;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Arg, Args, ValueEnum};

use super::endgame_arguments::EndgameArguments;
use super::search_arguments::describe_weights;
use crate::cli::variety_arguments::VarietyArguments;
use morello_command::files::Target;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::{INTERRUPTED, eprint_line, files, help, numbers, signals, values};
use morello_core::bounded_file::{MAX_WEIGHTS_BYTES, read_file};
use morello_core::fnv::Fnv1a;
use morello_core::game::{AnyGame, GameData};
use morello_core::games;
use morello_core::printable::printable_lines;
use morello_core::provenance::{self, Provenance};
use morello_files::input::Input;
use morello_play::players::Spec;
use morello_play::tournament::{
    MatchPlan, MatchResult, MatchRules, MatchRunner, MatchSummary, RunError, Schedule, Sprt, TournamentFormat,
};
use opening_arguments::OpeningArguments;
use outputs::Outputs;
use rule_arguments::RuleArguments;

/// Play engines against each other and report Elo with a 95 % confidence interval
///
/// Every opening is played twice, with colors swapped. The games are independent: engines limited
/// by depth or nodes give the same result for the same seed, with any number of threads. An
/// external engine that crashes, times out or plays an illegal move forfeits the game and is
/// restarted for the next. Two engines play a match, reported from the first engine's point of
/// view; more engines play a tournament, reported with ratings. Ctrl-C aborts the running games and
/// reports the result so far; with --log, --resume then continues the match.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES, after_long_help = engine_help(), mut_args(hide_in_summary))]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Engine, such as name=a,depth=6; give two or more
    ///
    /// An engine is a list of settings separated by commas, such as cmd="./engine
    /// -x",protocol=nboard,depth=6. All settings are listed below.
    #[arg(long = "engine", value_name = "SPEC", required_unless_present = "engine_file",
        help_heading = help::PLAYERS)]
    engines: Vec<Spec>,

    /// Add the engines in this TOML file
    ///
    /// A table [[engine]] contains the settings of an engine, such as depth = 6 or cmd = "./engine
    /// -x". The table [each] contains default settings for all engines.
    #[arg(long = "engines", value_name = "FILE", help_heading = help::PLAYERS, hide_short_help = true)]
    engine_file: Option<PathBuf>,

    /// Number of games in total
    #[arg(long, value_name = "N", default_value = "100", help_heading = help::GAMES,
        value_parser = numbers::whole(1..=u64::MAX))]
    games: u64,

    /// Pairing of three or more engines
    #[arg(long, value_enum, default_value = "round-robin", value_name = "FORMAT",
        help_heading = help::GAMES)]
    tournament: TournamentFormat,

    /// Stop a match when this SPRT is decided, such as elo0=0,elo1=5
    ///
    /// A sequential probability ratio test (SPRT) also accepts alpha=0.05, beta=0.05 and
    /// model=logistic or normalized.
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

    /// Write the result to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    output: Target,

    /// Result format
    #[arg(long, value_enum, default_value = "table", help_heading = help::OUTPUT)]
    format: ResultFormat,

    /// Write each finished game to this new file, as JSON lines
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    log: Option<PathBuf>,

    /// Resume the match in the --log file
    ///
    /// The games in the file count, and the missing games are played. A larger --games adds games.
    #[arg(long, requires = "log", help_heading = help::OUTPUT)]
    resume: bool,

    /// Play only the I-th of N equal parts of the match, 1/4 to 4/4
    ///
    /// Game pairs are assigned to the parts in turn. For the result of the whole match, join the
    /// --log files of all parts into one file, and run the command again with --resume and without
    /// --shard.
    #[arg(long, value_name = "I/N", requires = "log", conflicts_with_all = ["sprt", "plot"],
        help_heading = help::PERFORMANCE, hide_short_help = true, value_parser = values::parse_shard)]
    shard: Option<(u64, u64)>,

    /// Write the games to this file, in order
    ///
    /// The extension names the game format, such as .ggf or .pgn. With .txt or no extension, each
    /// line is a move list.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    save_games: Option<PathBuf>,

    /// Write an SVG plot of the result to this file
    ///
    /// The plot shows the Elo difference over the games, the log-likelihood ratio with --sprt, or
    /// the ratings of a tournament.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    plot: Option<PathBuf>,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads and simultaneous games [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,

    /// Seed of the openings and of random players
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::REPRODUCIBILITY,
        value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,

    /// Produce the same output on every run, byte for byte
    ///
    /// Engines with a time limit are rejected, as are external engines without a depth or node
    /// limit. No times are reported. With --threads 1, the games in --log are also in the same
    /// order.
    #[arg(long, help_heading = help::REPRODUCIBILITY, hide_short_help = true)]
    deterministic: bool,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
    /// Readable text
    Table,
    /// One JSON object
    Jsonl,
    /// Comma-separated values with a header line and a line per pairing
    Csv,
}

const EXAMPLES: &str = "\
Examples:
  morello selfplay othello --engine depth=6,exact=14 --engine depth=4,exact=10 --games 200
  morello selfplay nine-mens-morris-flying --engine depth=6 --engine depth=5 --sprt elo0=0,elo1=40
  morello selfplay othello --engine level=8 --engine 'cmd=\"./other\",protocol=nboard' --log a.jsonl";

/// Hides the option that `-h` omits because it must fit a screen: engines have a setting of the
/// same name.
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
        if let Some(file) = &self.engine_file {
            self.engines.extend(engine_file::read(file).context("--engines")?);
        }
        let settings = self.varieties.settings();
        self.engines.iter_mut().for_each(|spec| *spec = spec.with_settings(&settings));
        let mut plan = self.plan(game)?;
        self.check(&plan)?;
        let games_format = self.save_games.as_deref().map(|path| outputs::format_of_games(game, path)).transpose()?;
        let identity = self.identity(&plan)?;
        let mut log = None;
        if let Some(path) = &self.log {
            let (opened, played) = log_file::open(game, path, self.resume, &plan.names(), &identity)?;
            (log, plan.played) = (Some(opened), played);
        }
        plan.database = self.open_database(game)?;

        let cancel = signals::cancel_on_signal()?;
        let output_on_terminal = self.format == ResultFormat::Table && self.output.is_terminal();
        let progress = Progress::new(self.progress, "openings", output_on_terminal);
        let runner = MatchRunner::new(&plan, &cancel, &mut |what, done, all| {
            progress.set(done as u64, Some(all as u64), &|| format!("{done} of {all} {what}"));
        });
        progress.finish();
        let Some(runner) = runner.map_err(|error| opening_arguments::with_advice(error, &plan.openings))? else {
            eprint_line(format_args!("interrupted before the first game"));
            return Ok(ExitCode::from(INTERRUPTED));
        };
        // Only after all inputs are read.
        let [games, plot] = self.create_outputs()?;
        let progress = Progress::new(self.progress, "selfplay", output_on_terminal);
        let games = games.zip(games_format);
        let mut outputs = Outputs { plan: &plan, progress: &progress, identity, log, games, reported: HashSet::new() };
        let result = runner.run(&cancel, &mut |event| outputs.receive(event));
        progress.finish();
        let saved = outputs.finish().context("cannot write the games");
        let drawn = plot.map_or(Ok(()), |file| draw(&result, file));
        self.report(&plan, result, saved.and(drawn))
    }

    /// Returns the match, without the games of an earlier run and without an endgame database.
    fn plan(&self, game: &'static dyn AnyGame) -> anyhow::Result<MatchPlan> {
        let entrants: Vec<_> = self.engines.iter().map(|spec| spec.clone().into()).collect();
        let encounters = self.tournament.encounters(entrants.len());
        let rules = MatchRules {
            settings: self.rules.draws.settings(game.standard_draw_rules()),
            adjudication: self.rules.adjudication(),
        };
        Ok(MatchPlan {
            schedule: Schedule { games: self.games, seed: self.seed, encounters, shard: self.shard.unwrap_or((0, 1)) },
            openings: self.openings.source(game, self.varieties.book())?,
            rules,
            sprt: self.sprt,
            move_limit: self.rules.move_limit,
            time_margin: self.rules.time_margin,
            threads: values::thread_count(self.threads),
            has_times: !self.deterministic,
            provenance: self.provenance(game)?,
            ..MatchPlan::new(game, entrants, self.games)
        })
    }

    /// Returns what plays the match, with its settings and the fingerprints of weights and database.
    fn provenance(&self, game: &dyn AnyGame) -> anyhow::Result<Provenance> {
        let draws = self.rules.draws.settings(game.standard_draw_rules());
        let mut provenance = provenance::of_process().with("game", game.name()).with("seed", self.seed);
        provenance = provenance.with("rules", self.rules.describe(draws));
        for spec in &self.engines {
            let name = spec.name();
            provenance = provenance.with(&format!("engine {name}"), spec.text());
            if let Some(weights) = &spec.config.weights {
                provenance = provenance.with(&format!("weights {name}"), describe_weights(Some(weights))?);
            }
        }
        Ok(provenance.with("database", self.endgames.describe(game)?))
    }

    /// Checks the arguments that depend on each other, before anything is written.
    fn check(&self, plan: &MatchPlan) -> anyhow::Result<()> {
        plan.check()?;
        if let Some(spec) = self.engines.iter().find(|spec| self.deterministic && spec.config.uses_clock) {
            bail!(
                "--deterministic: the moves of the engine `{}` depend on a clock; limit it by depth, nodes or level",
                spec.name()
            );
        }
        for spec in &self.engines {
            values::hash_bytes(spec.config.hash, self.engines.len() * plan.thread_count())?;
        }
        self.check_files()?;
        opening_arguments::check_starts(&plan.openings, plan.game, &self.engines)
    }

    /// Checks that no output is an input or another output.
    fn check_files(&self) -> anyhow::Result<()> {
        let named = [&self.log, &self.save_games, &self.plot].into_iter().flatten().map(PathBuf::as_path);
        let outputs: Vec<_> = named.chain(self.output.path()).collect();
        if !self.resume {
            self.output.path().map_or(Ok(()), files::check_new)?;
        }
        if let Some(plot) = &self.plot {
            files::check_extension(plot, &["svg"]).context("--plot")?;
        }
        let weights = self.engines.iter().filter_map(|spec| spec.config.weights.as_deref());
        let files = [self.openings.file(), self.engine_file.as_deref()].into_iter().flatten();
        let inputs: Vec<_> = weights.chain(files).map(|path| Input::File(path.to_owned())).collect();
        files::check_distinct(&inputs, &outputs)
    }

    /// Opens the endgame database, if there is one.
    fn open_database(&self, game: &dyn AnyGame) -> anyhow::Result<Option<GameData>> {
        let database = self.endgames.open(game)?;
        if self.rules.adjudication().database && database.is_none() {
            bail!("--adjudicate-database: {} has no endgame database; remove the option", game.name());
        }
        Ok(database)
    }

    /// Returns a digest of everything that determines the games; a log with another digest belongs
    /// to another match.
    fn identity(&self, plan: &MatchPlan) -> anyhow::Result<String> {
        let engines: Vec<_> = self.engines.iter().map(|spec| (spec.name(), spec.text())).collect();
        let rules = (plan.rules.settings, plan.rules.adjudication);
        let openings = plan.openings.identity()?;
        let databases = format!("{:?} {:?} {:?}", self.endgames, plan.move_limit, plan.time_margin);
        let of = format!("{} {} {:?} {}", env!("CARGO_PKG_VERSION"), plan.game.name(), self.tournament, self.seed);
        let mut digest =
            Fnv1a::new().add_bytes(format!("{of} {engines:?} {rules:?} {openings} {databases}").as_bytes());
        for file in self.engines.iter().filter_map(|spec| spec.config.weights.as_deref()) {
            let content =
                read_file(file, MAX_WEIGHTS_BYTES).with_context(|| format!("cannot read `{}`", file.display()))?;
            digest = digest.add_bytes(&content);
        }
        Ok(format!("{:016x}", digest.finish()))
    }

    /// Creates the files of the games and of the plot.
    fn create_outputs(&self) -> anyhow::Result<[Option<Box<dyn Write + Send>>; 2]> {
        let create = |path: &Option<PathBuf>| {
            // A resumed match writes all its games and its whole plot again.
            let open = |path: &Path| if self.resume { Target::from(path).replace() } else { files::output(Some(path)) };
            path.as_deref().map(open).transpose()
        };
        Ok([create(&self.save_games)?, create(&self.plot)?])
    }

    /// Writes the result, and then returns the errors of the other outputs and of the match.
    fn report(&self, plan: &MatchPlan, result: MatchResult, outputs: anyhow::Result<()>) -> anyhow::Result<ExitCode> {
        if let Some(rounds) = result.rounds_of_reused_openings {
            opening_arguments::note_reuse(&plan.openings, result.summary.openings.count, rounds);
        }
        // The result comes first: it must not be lost if another output fails.
        self.write(&result.summary).with_context(|| files::cannot_write(&self.output))?;
        self.note_slow_engines(&result.summary);
        outputs?;
        if let Err(error) = result.outcome {
            let log = self.log.as_deref().map_or_else(String::new, |path| format!("`{}`, or ", path.display()));
            let is_output = matches!(error, RunError::Event(_));
            let error = anyhow::Error::new(error);
            let cannot_write = format!("cannot write {log}the games: the match was aborted");
            return Err(if is_output { error.context(cannot_write) } else { error });
        }
        Ok(if result.is_complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
    }

    /// Reports the external engines that do not keep the time that they were told.
    fn note_slow_engines(&self, summary: &MatchSummary) {
        for (spec, engine) in self.engines.iter().zip(&summary.engines) {
            let told = spec.config.time.filter(|_| spec.config.protocol.is_some());
            let Some((limit, mean)) = told.zip(engine.time_per_move_ms) else { continue };
            if mean > SLOW * 1000.0 * limit.as_secs_f64() {
                let (name, most) = (&engine.name, engine.max_time_ms.unwrap_or(mean));
                eprint_line(format_args!(
                    "`{name}` used {mean:.0} ms per move, at most {most:.0} ms, but its limit is {limit:?}; \
                        --time-margin makes a slow engine forfeit"
                ));
            }
        }
    }

    fn write(&self, summary: &MatchSummary) -> anyhow::Result<()> {
        let mut sink = self.output.replace()?;
        match self.format {
            ResultFormat::Table => write!(sink, "{}", printable_lines(&summary.to_string()))?,
            ResultFormat::Jsonl => writeln!(sink, "{}", serde_json::to_string(summary)?)?,
            ResultFormat::Csv => summary.write_csv(&mut sink)?,
        }
        Ok(sink.flush()?)
    }
}

/// An external engine is slow if it uses more than this multiple of its time.
const SLOW: f64 = 1.1;

fn draw(result: &MatchResult, mut file: impl Write) -> anyhow::Result<()> {
    let svg = result.plot()?;
    file.write_all(svg.as_bytes()).and_then(|()| file.flush()).context("cannot write the plot")
}
