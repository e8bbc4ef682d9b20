//! Matches of engines, external programs and Python functions.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use morello::game::{AnyGame, Cancel, OpeningPolicy, table_bytes};
use morello::players::Spec;
use morello::tournament::openings::{Balance, Opening, OpeningSource};
use morello::tournament::{
    Entrant, MatchError, MatchEvent, MatchPlan, Schedule, Sprt, TournamentFormat, log_line, read_log,
};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::engine::Root;
use crate::errors::{check_folder, failed, invalid, no_memory, with_causes};
use crate::items::Items;
use crate::limits::{Span, part, seconds};
use crate::player::{self, Failure};
use crate::position::game_named;
use crate::record::Game;
use crate::work;

/// A player: engine settings as on the command line; or a name and a function of a game; or a name
/// and a function of boards.
#[derive(FromPyObject)]
enum PlayerArgument {
    Spec(String),
    Batch(String, BatchFunction),
    Function(String, Py<PyAny>),
}

impl PlayerArgument {
    /// Converts to a match participant. `tables` is the number of players in all simultaneous
    /// games.
    fn entrant(self, failure: &Failure, tables: usize) -> PyResult<Entrant> {
        match self {
            Self::Spec(text) => {
                let spec: Spec = text.parse().map_err(|error| invalid(format!("engine `{text}`: {error}")))?;
                let memory = table_bytes(spec.config.hash as usize, tables);
                memory.map_err(|error| no_memory(format!("engine `{text}`: {error}")))?;
                Ok(spec.into())
            }
            Self::Function(name, function) => Ok(player::entrant(name, function, failure.clone())),
            Self::Batch(name, batch) => Ok(player::batch_entrant(name, batch.boards_function, failure.clone())),
        }
    }
}

/// Returns the number of simultaneous games. By default it is the number that batch players
/// request, unless an engine plays with a clock and would have to share a core.
fn simultaneous_games(players: &[PlayerArgument], threads: Option<usize>) -> PyResult<usize> {
    let of_batches = players.iter().filter_map(|player| match player {
        PlayerArgument::Batch(_, batch) => Some(batch.games),
        _ => None,
    });
    let has_clock = players.iter().any(|player| match player {
        PlayerArgument::Spec(text) => text.parse::<Spec>().is_ok_and(|spec| spec.config.uses_clock),
        _ => false,
    });
    work::thread_count(threads.or_else(|| of_batches.max().filter(|_| !has_clock)))
}

/// A `morello.BatchPlayer`.
#[derive(FromPyObject)]
struct BatchFunction {
    boards_function: Py<PyAny>,
    games: usize,
}

/// The source of openings: a file, or a list of positions and games.
#[derive(FromPyObject)]
enum OpeningArgument {
    List(Items<Root>),
    File(PathBuf),
}

/// The arguments of `morello.play_match`, by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct MatchArguments<'py> {
    players: Items<PlayerArgument>,
    game: String,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    sprt: Option<String>,
    tournament: String,
    openings: Option<OpeningArgument>,
    opening_plies: Option<Span>,
    opening_score: Option<f64>,
    opening_depth: Option<u32>,
    database: Option<PathBuf>,
    move_limit: f64,
    progress: Option<Bound<'py, PyAny>>,
    shard: Option<(i64, i64)>,
    /// The log lines of games that were played before.
    played: Items<String>,
}

impl MatchArguments<'_> {
    /// Returns the plan of a match between these entrants.
    fn plan(mut self, py: Python<'_>, entrants: Vec<Entrant>) -> PyResult<MatchPlan> {
        let game = game_named(&self.game)?;
        let format = match self.tournament.as_str() {
            "round-robin" => TournamentFormat::RoundRobin,
            "gauntlet" => TournamentFormat::Gauntlet,
            other => return Err(invalid(format!("tournament must be \"round-robin\" or \"gauntlet\", not `{other}`"))),
        };
        if self.games == 0 {
            return Err(invalid("games must be 1 or more"));
        }
        let encounters = format.encounters(entrants.len());
        let shard = part(self.shard)?;
        if self.sprt.is_some() && self.shard.is_some() {
            return Err(invalid("sprt needs all games of the match; remove it, or the shards"));
        }
        check_folder(self.database.as_deref())?;
        let database = game.open_database(self.database.as_deref()).map_err(|error| failed(&error))?;
        let mut plan = MatchPlan {
            schedule: Schedule { encounters, shard, ..Schedule::of_match(self.games, self.seed) },
            sprt: self.sprt.as_deref().map(str::parse::<Sprt>).transpose().map_err(invalid)?,
            database,
            move_limit: seconds(self.move_limit)?,
            threads: work::thread_count(self.threads)?,
            openings: self.openings(py, game)?,
            ..MatchPlan::new(game, entrants, self.games)
        };
        let log: String = self.played.iter().flat_map(|line| [line, "\n"]).collect();
        let played = read_log(game, log.as_bytes(), &plan.names(), "");
        plan.played = played.map_err(|error| invalid(format!("played: {}", with_causes(&error))))?.0;
        Ok(plan)
    }

    fn openings(&mut self, py: Python<'_>, game: &'static dyn AnyGame) -> PyResult<OpeningSource> {
        let plies = self.opening_plies.take().map(|plies| plies.range("opening_plies")).transpose()?;
        let selects = self.opening_score.is_some() || self.opening_depth.is_some();
        if selects && matches!(self.openings, Some(OpeningArgument::List(_))) {
            return Err(invalid(
                "opening_score and opening_depth select openings of a file or random ones; remove them",
            ));
        }
        let default = game.opening_policy();
        let balance = Balance {
            depth: self.opening_depth.unwrap_or(default.depth),
            most_points: self.opening_score.unwrap_or(default.most_points),
        };
        Ok(match self.openings.take() {
            Some(OpeningArgument::List(list)) => {
                let read = |root: Root| root.game(py, game).map(|game| Opening::of(&game));
                let mut list = list.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
                if list.is_empty() {
                    return Err(invalid("openings is empty"));
                }
                if let Some(plies) = plies {
                    list.iter_mut().for_each(|opening| opening.moves.truncate(*plies.end() as usize));
                }
                OpeningSource::List(list)
            }
            Some(OpeningArgument::File(file)) => {
                OpeningSource::File { file, plies, balance: Some(balance).filter(|_| selects) }
            }
            None => OpeningSource::Random(OpeningPolicy {
                plies: plies.unwrap_or(default.plies),
                depth: balance.depth,
                most_points: balance.most_points,
            }),
        })
    }
}

/// The result of a match: a dict in Python.
#[derive(IntoPyObject)]
struct PlayedMatch {
    /// The summary as JSON.
    summary: String,
    text: String,
    svg: Option<String>,
    /// The games as JSON lines.
    rows: Vec<String>,
    games: Vec<Game>,
    /// The exception that ended the match early.
    error: Option<Py<PyAny>>,
}

/// Plays a match; `morello.play_match` describes the arguments.
#[pyfunction]
fn run_match(py: Python<'_>, mut arguments: MatchArguments<'_>) -> PyResult<PlayedMatch> {
    let failure = Failure::default();
    let players = std::mem::take(&mut arguments.players.0);
    arguments.threads = Some(simultaneous_games(&players, arguments.threads)?);
    let games = usize::try_from(arguments.games).unwrap_or(usize::MAX);
    let tables = players.len() * work::thread_count(arguments.threads)?.min(games);
    let entrants = players.into_iter().map(|player| player.entrant(&failure, tables)).collect::<PyResult<Vec<_>>>()?;
    let progress = arguments.progress.take();
    let plan = arguments.plan(py, entrants)?;
    let (stop, done, line) = (Cancel::new(), AtomicUsize::new(0), Mutex::new(String::new()));
    let lock = || line.lock().unwrap_or_else(PoisonError::into_inner);
    let mut poll = work::on_change(&done, |done| {
        let Some(progress) = &progress else { return Ok(()) };
        let text = lock().clone();
        if progress.call1((done, plan.schedule.games, text))?.is(&*PyBool::new(py, false)) {
            stop.cancel();
        }
        Ok(())
    });
    let mut games = Vec::new();
    let (result, outcome) = work::run_to_end(py, &mut poll, |cancel| {
        plan.play(&stop.or(&failure.abort.or(cancel)), &mut |event| {
            match event {
                MatchEvent::Counted(record) => games.push(record.clone()),
                MatchEvent::Progress(tally) => {
                    *lock() = tally.one_line(plan.sprt.as_ref());
                    done.store(tally.games() as usize, Ordering::Relaxed);
                }
                MatchEvent::Finished(_) | MatchEvent::Slow { .. } => {}
            }
            Ok(())
        })
    });
    let Some(result) = result.map_err(|error| exception(&error))? else {
        return Err(outcome.err().unwrap_or_else(|| invalid("stopped before the first game")));
    };
    // A player's exception takes precedence, because it is the cause.
    let error = failure.take().or(outcome.err());
    let error = error.or_else(|| result.outcome.as_ref().err().map(|error| invalid(with_causes(error))));
    let names = plan.names();
    Ok(PlayedMatch {
        summary: serde_json::to_string(&result.summary).map_err(invalid)?,
        text: result.summary.to_string(),
        svg: result.plot().ok(),
        rows: games.iter().map(|record| log_line(record, &names, "", &plan.provenance)).collect(),
        games: games.iter().map(|record| Game { inner: record.annotated(&names) }).collect(),
        error: error.map(|error| error.into_value(py).into_any()),
    })
}

/// Converts the error for a match that cannot be played.
fn exception(error: &MatchError) -> PyErr {
    match error {
        MatchError::Openings(error) => failed(error),
        MatchError::OpeningEnds { .. } => invalid(format!("{error}; use shorter ones")),
        error => invalid(with_causes(error)),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_match, module)?)
}
