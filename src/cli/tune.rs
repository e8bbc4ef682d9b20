//! `morello tune`: finds values for the parameters of an engine by matches.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use morello_command::files::Target;
use morello_command::progress::{Progress, ProgressArguments};
use morello_command::{INTERRUPTED, eprint_line, files, help, numbers, signals, values};
use morello_core::fnv::Fnv1a;
use morello_core::game::AnyGame;
use morello_core::games;
use morello_core::journal::Journal;
use morello_play::tournament::{
    MatchError, MatchPlan, MatchRules, Parameter, Schedule, Tuning, TuningError, TuningStep,
};
use serde_json::{Value, json};

use super::endgame_arguments::EndgameArguments;
use super::object_output::ObjectOutput;
use super::selfplay::log_file;
use super::selfplay::opening_arguments::OpeningArguments;
use super::selfplay::rule_arguments::RuleArguments;

const EXAMPLES: &str = "\
Examples:
  morello tune othello --engine 'depth=2,exact={e}' --parameter e=4,2,14,2 --games 2000
  morello tune othello --engine 'cmd=\"./x {m}\",protocol=gtp,time=50ms' --parameter m=40,0,200
  morello tune othello --engine 'cmd=./x,protocol=gtp,init=\"set m {m}\"' --parameter m=0.4,0,2";

/// Tune parameters of an engine by matches against itself (SPSA)
///
/// Each step shifts all parameters at random, plays the engine with these values against the engine
/// with the opposite shifts, and moves the parameters towards the winner. Write {NAME} for a
/// parameter in the engine settings: in any setting of the built-in engine, or in cmd= and init= of
/// an external engine. With depth or node limits, the same seed gives the same values for any
/// number of threads. Ctrl-C stops tuning and prints the values so far.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = help::game_parser())]
    game: String,

    /// Engine with {NAME} for each parameter; settings as in selfplay
    #[arg(long, value_name = "SPEC", help_heading = help::PLAYERS)]
    engine: String,

    /// Parameter, such as margin=40,0,200,10: start, minimum, maximum, step
    ///
    /// The step is the shift of the value in the last matches; by default, it is a twentieth of the
    /// range. A step should change the strength by a few Elo. If the start has no decimals, the
    /// engine receives whole numbers.
    #[arg(long = "parameter", value_name = "NAME=NUMBERS", required = true, help_heading = help::PLAYERS)]
    parameters: Vec<Parameter>,

    /// Number of games in total
    #[arg(long, value_name = "N", default_value = "10000", help_heading = help::GAMES, value_parser = parse_games)]
    games: u64,

    /// Games per step, an even number
    ///
    /// At most this many games are played at the same time.
    #[arg(long, value_name = "N", default_value = "8", help_heading = help::GAMES, hide_short_help = true,
        value_parser = parse_games)]
    batch: u64,

    /// Learning rate: how fast the values move
    #[arg(long, value_name = "NUMBER", default_value = "0.002", help_heading = help::GAMES, hide_short_help = true,
        value_parser = parse_rate)]
    rate: f64,

    #[command(flatten)]
    openings: OpeningArguments,

    #[command(flatten)]
    rules: RuleArguments,

    #[command(flatten)]
    endgames: EndgameArguments,

    #[command(flatten)]
    output: ObjectOutput,

    /// Write each step to this new file, as JSON lines
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    log: Option<PathBuf>,

    /// Resume the tuning in the --log file
    #[arg(long, requires = "log", help_heading = help::OUTPUT)]
    resume: bool,

    /// Write an SVG plot of the result to this file
    ///
    /// The plot shows the values over the games.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    plot: Option<PathBuf>,

    #[command(flatten)]
    progress: ProgressArguments,

    /// Number of threads and simultaneous games [default: all cores]
    #[arg(long, value_name = "N", help_heading = help::PERFORMANCE,
        value_parser = numbers::whole(1..=1024_u32))]
    threads: Option<u32>,

    /// Seed of the openings and of the parameter shifts
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::REPRODUCIBILITY,
        value_parser = numbers::whole(0..=u64::MAX))]
    seed: u64,
}

fn parse_games(text: &str) -> Result<u64, String> {
    let even = u64::from_str(text).ok().filter(|games| (2..=MAX_GAMES).contains(games) && games % 2 == 0);
    even.ok_or_else(|| format!("expected an even number from 2 to {MAX_GAMES}"))
}

fn parse_rate(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|rate| *rate > 0.0 && *rate <= 1.0)
        .ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

/// The most games.
const MAX_GAMES: u64 = 1_000_000_000;

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let game = games::get(&arguments.game)?;
    let mut tuning = arguments.tuning(game)?;
    tuning.check()?;
    arguments.check_files()?;
    arguments.check_memory(&tuning)?;
    let plot = arguments.plot.as_deref().map(|path| match arguments.resume {
        true => Target::from(path).replace(),
        false => files::output(Some(path)),
    });
    let plot = plot.transpose()?;
    let output = arguments.output.reserve()?;
    let identity = arguments.identity(&tuning)?;
    let (mut log, played) = match &arguments.log {
        Some(path) => {
            let (log, played) = arguments.open_log(path, &identity)?;
            (Some(log), played)
        }
        None => (None, Vec::new()),
    };
    tuning.plan.database = arguments.endgames.open(game)?;

    let cancel = signals::cancel_on_signal()?;
    let on_terminal = arguments.output.is_on_terminal();
    let progress = Progress::new(arguments.progress, "tune", on_terminal);
    let names: Vec<_> =
        tuning.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.decimals())).collect();
    let (shown, planned) = (RefCell::new(String::new()), arguments.games);
    let mut steps = played.clone();
    let mut keep = |step: &TuningStep| {
        let values =
            names.iter().zip(&step.values).map(|((name, decimals), value)| format!("{name} {value:.decimals$}"));
        *shown.borrow_mut() = values.collect::<Vec<_>>().join(", ");
        steps.push(step.clone());
        log.as_mut().map_or(Ok(()), |log| log.add(line(&identity, step).as_bytes(), log_file::SYNC_INTERVAL))
    };
    let mut on_game = |games| progress.set(games, Some(planned), &|| shown.borrow().clone());
    let outcome = tuning.run(played, &cancel, &mut keep, &mut on_game);
    progress.finish();
    // What was found is not lost if a later match cannot be played.
    if steps.is_empty() && outcome.is_err() {
        return Err(outcome.err().map_or_else(|| anyhow!("no step was played"), with_advice));
    }
    let summary = tuning.summary(&steps);
    output.write(&arguments.output.render(&summary.to_string(), || serde_json::to_value(&summary))?)?;
    if let Some(mut plot) = plot {
        let svg = tuning.plot(&steps)?;
        plot.write_all(svg.as_bytes()).and_then(|()| plot.flush()).context("cannot write the plot")?;
    }
    if summary.forfeits > 0 {
        eprint_line(format_args!(
            "{} of {} games were forfeited; a match with `morello selfplay` shows the reasons",
            summary.forfeits, summary.games
        ));
    }
    outcome.map_err(with_advice)?;
    Ok(if cancel.is_cancelled() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Adds the options that help to an error.
fn with_advice(error: TuningError) -> anyhow::Error {
    match error {
        TuningError::Match(MatchError::OpeningEnds { .. }) => {
            anyhow!(
                "{error} because of --ply-cap, --no-progress or --repetition; use shorter openings with --opening-plies"
            )
        }
        error => error.into(),
    }
}

/// Writes a step as a line of the log.
fn line(identity: &str, step: &TuningStep) -> String {
    json!({ "tuning": identity, "step": step }).to_string() + "\n"
}

/// Reads the steps of a log, and the length of its complete lines.
fn read_log(bytes: &[u8], identity: &str) -> anyhow::Result<(Vec<TuningStep>, usize)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let mut steps: Vec<TuningStep> = Vec::new();
    for (number, text) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let mut line: Value = serde_json::from_slice(text).with_context(|| format!("line {number}: not a tune log"))?;
        if line["tuning"] != identity {
            bail!(
                "line {number}: the step belongs to another run; use the same options except --threads, or another log"
            );
        }
        let step = serde_json::from_value(line["step"].take());
        steps.push(step.with_context(|| format!("line {number}: not a tune log"))?);
    }
    Ok((steps, whole))
}

impl Arguments {
    fn tuning(&self, game: &'static dyn AnyGame) -> anyhow::Result<Tuning> {
        let draws = self.rules.draws.settings(game.standard_draw_rules());
        let plan = MatchPlan::new(game, Vec::new(), self.games);
        let schedule = Schedule { seed: self.seed, ..plan.schedule.clone() };
        let plan = MatchPlan {
            schedule,
            openings: self.openings.source(game, None)?,
            rules: MatchRules { settings: draws, adjudication: self.rules.adjudication() },
            move_limit: self.rules.move_limit,
            time_margin: self.rules.time_margin,
            threads: values::thread_count(self.threads),
            ..plan
        };
        let parameters = self.parameters.clone();
        Ok(Tuning { plan, engine: self.engine.clone(), parameters, batch: self.batch, rate: self.rate })
    }

    /// Checks that the tables of all engines fit, with any values of the parameters.
    fn check_memory(&self, tuning: &Tuning) -> anyhow::Result<()> {
        let ends: [fn(&Parameter) -> f64; 2] = [|parameter| parameter.min, |parameter| parameter.max];
        for end in ends {
            let spec = tuning.spec(&tuning.parameters.iter().map(end).collect::<Vec<_>>())?;
            let tables = 2 * tuning.plan.threads.min(usize::try_from(self.batch)?);
            values::hash_bytes(spec.config.hash, tables).with_context(|| format!("`{}`", spec.text()))?;
        }
        Ok(())
    }

    fn check_files(&self) -> anyhow::Result<()> {
        if let Some(plot) = &self.plot {
            files::check_extension(plot, &["svg"]).context("--plot")?;
        }
        let outputs = [self.log.as_deref(), self.plot.as_deref(), self.output.path()];
        files::check_distinct(&[], &outputs.into_iter().flatten().collect::<Vec<_>>())
    }

    /// Returns a digest of what determines the steps.
    fn identity(&self, tuning: &Tuning) -> anyhow::Result<String> {
        let openings = tuning.plan.openings.identity()?;
        let rules = (tuning.plan.rules.settings, tuning.plan.rules.adjudication);
        let of = (tuning.plan.game.name(), &self.engine, &self.parameters, self.seed, self.games, self.batch);
        let limits = (self.rules.move_limit, self.rules.time_margin, &self.endgames);
        let text = format!("{} {of:?} {} {openings} {rules:?} {limits:?}", env!("CARGO_PKG_VERSION"), self.rate);
        Ok(format!("{:016x}", Fnv1a::new().add_bytes(text.as_bytes()).finish()))
    }

    fn open_log(&self, path: &Path, identity: &str) -> anyhow::Result<(Journal, Vec<TuningStep>)> {
        let mut played = Vec::new();
        let journal = log_file::open_journal(path, self.resume, "tuning", &mut |bytes| {
            let (steps, whole) = read_log(bytes, identity)?;
            played = steps;
            Ok(whole)
        })?;
        Ok((journal, played))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_the_steps_of_one_tuning_in_order() {
        let step = |pairs| TuningStep {
            pairs,
            plus: vec![1.0],
            minus: vec![2.5],
            results: morello_core::game::Wdl { wins: 3, draws: 1, losses: 4 },
            forfeits: 0,
            values: vec![0.1],
        };
        let log = [4, 8].map(|pairs| line("id", &step(pairs))).concat();
        let whole = log.len();
        let read = |text: &str| read_log(text.as_bytes(), "id");
        assert_eq!(read(&(log.clone() + "{\"tun")).unwrap(), (vec![step(4), step(8)], whole));
        assert_eq!(read("").unwrap(), (vec![], 0));
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error(&(log.clone() + &line("other", &step(12)))).starts_with("line 3: the step belongs to another"));
        assert!(error(&(log + "{}x\n")).starts_with("line 3: not a tune log"));
    }

    #[test]
    fn games_are_even_and_rates_are_small() {
        assert_eq!((parse_games("2"), parse_games("1000000000")), (Ok(2), Ok(1_000_000_000)));
        assert!(["0", "3", "-2", "x", "1000000002"].iter().all(|text| parse_games(text).is_err()));
        assert_eq!((parse_rate("0.002"), parse_rate("1")), (Ok(0.002), Ok(1.0)));
        assert!(["0", "-1", "1.1", "NaN", "inf", ""].iter().all(|text| parse_rate(text).is_err()));
    }
}
