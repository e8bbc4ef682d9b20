//! `morello selfplay`: two engines play each other, and the result comes with its error.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use thiserror::Error;

use super::endgames::Endgames;
use super::progress::{Mode, Progress};
use super::{INTERRUPTED, eprint_line, interrupt, values};
use crate::game::{Command, GameData, OpeningPolicy, Playable, Player, Settings};
use crate::games;
use crate::output::{Field, Format, Output};
use crate::players::Spec;
use crate::tournament::{self, EndReason, Players, Record, Schedule, Summary, Tally, openings};

/// What ends games in which positions recur and nobody makes progress: threefold repetition, and a number of plies.
const CYCLIC: Settings = Settings { repetition: Some(3), no_progress: None, ply_cap: Some(400) };

/// The most plies of an opening.
const MOST_OPENING_PLIES: u32 = 100;

/// Let two engines play each other: the result, with its error, of games from paired balanced openings
///
/// Each opening is played twice, with the colours swapped. Every game is as if it were the only one: with engines bounded by depth or nodes
/// the result follows from the seed, for any number of threads. An external program that crashes, does not answer in time or plays an
/// illegal move forfeits the game, and is started anew for the next.
#[derive(Debug, Args)]
#[command(after_long_help = engine_help())]
pub(super) struct Arguments {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(games::NAMES))]
    game: String,

    /// An engine, by settings separated by commas, such as name=a,depth=6 or cmd="./engine -x",protocol=nboard,depth=6; give two
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<Spec>,

    /// The number of games
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Threads: each plays a game of its own, with engines of its own that think on it [default: all cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The seed of the openings and of random players
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// The plies of random play that an opening is made of, as 8 or 8..12; 0 is the start of the game [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = parse_plies)]
    opening_plies: Option<RangeInclusive<u32>>,

    /// The highest score of an opening for either side, in points [default: the game's own]
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    opening_score: Option<f64>,

    /// The depth to which openings are searched for their score; 0 takes them as they come [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    opening_depth: Option<u32>,

    #[command(flatten)]
    endgames: Endgames,

    /// The format of the result
    #[arg(long, value_enum, default_value_t = ResultFormat::Table)]
    format: ResultFormat,

    /// Write each finished game to this new file, a JSON object a line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Show progress on the standard error
    #[arg(long, value_enum, default_value_t = Mode::Auto, value_name = "WHEN")]
    progress: Mode,
}

/// A format of one result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
    /// A text for people
    Table,
    /// A JSON object
    Json,
    /// Comma-separated values: a line of names, a line of values
    Csv,
}

fn engine_help() -> String {
    format!(
        "Settings of an engine; it needs depth, nodes or time, or is random, or an external program:\n{}",
        Spec::help()
    )
}

/// A text that is no number of plies of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a number of plies or a range, as 8 or 8..12, up to {MOST_OPENING_PLIES}")]
struct ParsePliesError;

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, ParsePliesError> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse().map_err(|_| ParsePliesError);
    let plies = number(least)?..=number(most.trim_start_matches('='))?;
    if plies.is_empty() || *plies.end() > MOST_OPENING_PLIES { Err(ParsePliesError) } else { Ok(plies) }
}

/// A text that is no score of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a number of points, 0 or more")]
struct ParsePointsError;

fn parse_points(text: &str) -> Result<f64, ParsePointsError> {
    text.parse().ok().filter(|points| (0.0..f64::INFINITY).contains(points)).ok_or(ParsePointsError)
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.clone();
    games::run(&game, arguments)?
}

impl Command for Arguments {
    type Output = anyhow::Result<ExitCode>;

    fn run<P: Playable>(self) -> anyhow::Result<ExitCode> {
        let specs = self.two_engines()?;
        let threads = self.threads.map_or_else(values::default_threads, |threads| threads as usize);
        let threads = threads.min(usize::try_from(self.games).unwrap_or(usize::MAX));
        for spec in specs {
            values::hash_bytes(spec.hash(), 2 * threads)?;
        }
        let mut log = self.log.as_deref().map(new_log).transpose()?;
        let database = self.endgames.open::<P>()?;
        let players =
            (0..threads).map(|_| players::<P>(specs, database.as_ref())).collect::<anyhow::Result<Vec<_>>>()?;

        let stop = interrupt::cancel_on_signal()?;
        let output_on_terminal = self.format == ResultFormat::Table && io::stdout().is_terminal();
        let progress = Progress::new(self.progress, "selfplay", output_on_terminal);
        let policy = self.opening_policy::<P>();
        let pairs = self.games.div_ceil(2) as usize;
        let Some(openings) = openings::generate::<P>(&policy, pairs, self.seed, threads, &stop, &mut |found| {
            progress.set(0, None, || format!("{found} of {pairs} openings"));
        }) else {
            progress.finish();
            eprint_line(format_args!("interrupted before the first game"));
            return Ok(ExitCode::from(INTERRUPTED));
        };
        if openings.is_empty() {
            progress.finish();
            bail!("no opening was found: allow more with --opening-plies, --opening-score or --opening-depth 0");
        }
        if openings.len() < pairs {
            let found = openings.len();
            let noun = if found == 1 { "opening was" } else { "openings were" };
            let note = "they are played again; more --opening-plies have more of them";
            progress
                .aside(|| eprint_line(format_args!("only {found} {noun} found for {pairs} pairs of games: {note}")));
        }

        let schedule = Schedule { games: self.games, openings: openings.len(), seed: self.seed };
        let settings = if P::CYCLIC { CYCLIC } else { Settings::default() };
        let start = Instant::now();
        let mut tally = Tally::default();
        let names = specs.map(Spec::name);
        let mut keep = |record: Record| {
            tally.add(&record);
            if let Some(log) = &mut log {
                // In one piece, so that a process that is killed leaves whole lines.
                log.write_all((tournament::log_line(&record, names) + "\n").as_bytes())?;
            }
            progress.set(tally.games(), Some(schedule.games), || tally.in_short());
            Ok(())
        };
        let played = tournament::run(&schedule, &openings, settings, players, &stop, &mut keep);
        progress.finish();
        let engines = specs.map(|spec| {
            let looks = if spec.wants_database() && database.is_some() { ", endgame database" } else { "" };
            (spec.name(), spec.text(), format!("{spec}{looks}"))
        });
        let summary = Summary::new::<P>(&schedule, &policy, engines, &tally, start.elapsed());
        self.write(&summary).context("cannot write to the standard output")?;
        played.with_context(|| match &self.log {
            Some(path) => format!("cannot write `{}`: the match was broken off", path.display()),
            None => "the match was broken off".to_owned(),
        })?;
        Ok(if tally.games() < self.games { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
    }
}

impl Arguments {
    fn two_engines(&self) -> anyhow::Result<[&Spec; 2]> {
        let [first, second] = self.engines.as_slice() else {
            let given = self.engines.len();
            let are = if given == 1 { "is" } else { "are" };
            bail!("two engines play a match, and {given} {are} given: give --engine twice");
        };
        if first.name() == second.name() {
            bail!("both engines are called `{}`: tell them apart with name=", first.name());
        }
        Ok([first, second])
    }

    fn opening_policy<P: Playable>(&self) -> OpeningPolicy {
        let default = P::opening_policy();
        OpeningPolicy {
            plies: self.opening_plies.clone().unwrap_or(default.plies),
            depth: self.opening_depth.unwrap_or(default.depth),
            most_points: self.opening_score.unwrap_or(default.most_points),
        }
    }

    fn write(&self, summary: &Summary) -> anyhow::Result<()> {
        match self.format {
            ResultFormat::Table => write!(io::stdout(), "{summary}")?,
            ResultFormat::Json => writeln!(io::stdout(), "{}", serde_json::to_string_pretty(summary)?)?,
            ResultFormat::Csv => {
                let mut output = Output::new(Format::Csv, fields(), io::stdout())?;
                output.write(summary)?;
                output.flush()?;
            }
        }
        Ok(())
    }
}

/// Makes the players of a thread, and sees that each can play.
fn players<P: Playable>(specs: [&Spec; 2], database: Option<&GameData>) -> anyhow::Result<Players<P>> {
    let player = |spec: &Spec| -> anyhow::Result<Box<dyn Player<P>>> {
        let failed = || format!("the engine `{}` cannot play", spec.name());
        let mut player = spec.player::<P>(database).with_context(failed)?;
        player.prepare(0).with_context(failed)?;
        Ok(player)
    };
    Ok([player(specs[0])?, player(specs[1])?])
}

/// Begins a log; the games of an earlier run are not to be lost.
fn new_log(path: &Path) -> anyhow::Result<File> {
    let failed = || format!("cannot write `{}`", path.display());
    let log = File::options().append(true).create(true).open(path).with_context(failed)?;
    if log.metadata().with_context(failed)?.len() > 0 {
        bail!("`{}` already holds something: name another file for --log, or delete it", path.display());
    }
    Ok(log)
}

/// Returns the fields of a result as comma-separated values: those of the JSON object, with the engines numbered.
fn fields() -> Vec<Field<Summary>> {
    type One = Field<Summary>;
    vec![
        One::text("game", |s| s.game.into()),
        One::number("seed", |s| s.seed.into()),
        One::number("openings", |s| (s.openings.count as u64).into()),
        One::text("engine_1", |s| s.engines[0].name.clone().into()),
        One::text("engine_1_spec", |s| s.engines[0].spec.clone().into()),
        One::number("engine_1_nodes_per_move", |s| s.engines[0].nodes_per_move.into()),
        One::number("engine_1_mean_depth", |s| s.engines[0].mean_depth.into()),
        One::number("engine_1_time_per_move_ms", |s| s.engines[0].time_per_move_ms.into()),
        One::number("engine_1_max_time_ms", |s| s.engines[0].max_time_ms.into()),
        One::number("engine_1_forfeits", |s| s.engines[0].forfeits.into()),
        One::text("engine_2", |s| s.engines[1].name.clone().into()),
        One::text("engine_2_spec", |s| s.engines[1].spec.clone().into()),
        One::number("engine_2_nodes_per_move", |s| s.engines[1].nodes_per_move.into()),
        One::number("engine_2_mean_depth", |s| s.engines[1].mean_depth.into()),
        One::number("engine_2_time_per_move_ms", |s| s.engines[1].time_per_move_ms.into()),
        One::number("engine_2_max_time_ms", |s| s.engines[1].max_time_ms.into()),
        One::number("engine_2_forfeits", |s| s.engines[1].forfeits.into()),
        One::number("games", |s| s.games.into()),
        One::number("wins", |s| s.wins.into()),
        One::number("draws", |s| s.draws.into()),
        One::number("losses", |s| s.losses.into()),
        One::number("score", |s| s.score.into()),
        One::number("pairs_ll", |s| s.pentanomial.ll.into()),
        One::number("pairs_ld", |s| s.pentanomial.ld.into()),
        One::number("pairs_wl", |s| s.pentanomial.wl.into()),
        One::number("pairs_dd", |s| s.pentanomial.dd.into()),
        One::number("pairs_wd", |s| s.pentanomial.wd.into()),
        One::number("pairs_ww", |s| s.pentanomial.ww.into()),
        One::number("elo", |s| s.elo.into()),
        One::number("elo_error", |s| s.elo_error.into()),
        One::number("nelo", |s| s.nelo.into()),
        One::number("nelo_error", |s| s.nelo_error.into()),
        One::number("los", |s| s.los.into()),
        One::number("mean_discs", |s| s.mean_discs.into()),
        One::number("mean_discs_error", |s| s.mean_discs_error.into()),
        One::number("mean_discs_standard_error", |s| s.mean_discs_standard_error.into()),
        One::number("distinct_games", |s| s.distinct_games.into()),
        One::number("ended_rules", |s| s.ended(EndReason::Rules).into()),
        One::number("ended_repetition", |s| s.ended(EndReason::Repetition).into()),
        One::number("ended_no_progress", |s| s.ended(EndReason::NoProgress).into()),
        One::number("ended_ply_cap", |s| s.ended(EndReason::PlyCap).into()),
        One::number("ended_crash", |s| s.ended(EndReason::Crash).into()),
        One::number("ended_timeout", |s| s.ended(EndReason::Timeout).into()),
        One::number("ended_illegal_move", |s| s.ended(EndReason::IllegalMove).into()),
        One::number("elapsed_s", |s| s.elapsed_s.into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_a_number_or_a_range() {
        assert_eq!(parse_plies("8"), Ok(8..=8));
        assert_eq!((parse_plies("8..12"), parse_plies("0..=3")), (Ok(8..=12), Ok(0..=3)));
        for text in ["", "..", "8..", "9..8", "-1", "101"] {
            assert_eq!(parse_plies(text), Err(ParsePliesError), "{text}");
        }
        assert_eq!(
            (parse_points("2.5"), parse_points("-1"), parse_points("inf")),
            (Ok(2.5), Err(ParsePointsError), Err(ParsePointsError))
        );
    }
}
