//! Matches of engines, external programs and Python functions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use morello::game::{AnyGame, Cancel, GameData, OpeningPolicy, Player};
use morello::players::Spec;
use morello::tournament::openings::{Opening, OpeningSet, OpeningSource};
use morello::tournament::{
    self, FinishedGame, Match, MatchProgress, MatchRules, MatchSummary, Players, RunError, Schedule, Sprt,
    TournamentFormat, log_line, plot,
};
use pyo3::prelude::*;

use crate::engine::Root;
use crate::errors::{failed, invalid};
use crate::player::{Failure, FunctionPlayer};
use crate::position::game_named;
use crate::record::Game;
use crate::work;

/// Who plays: the settings of an engine as on the command line, or the name of a function and the function.
#[derive(FromPyObject)]
enum Participant {
    Spec(String),
    Function(String, Py<PyAny>),
}

/// A participant that is known to be valid.
enum Entrant {
    Engine(Spec),
    Function(String, Arc<Py<PyAny>>),
}

impl Entrant {
    fn new(participant: Participant) -> PyResult<Self> {
        Ok(match participant {
            Participant::Spec(text) => {
                Self::Engine(text.parse().map_err(|error| invalid(format!("engine `{text}`: {error}")))?)
            }
            Participant::Function(name, function) => Self::Function(name, Arc::new(function)),
        })
    }

    fn name(&self) -> &str {
        match self {
            Self::Engine(spec) => spec.name(),
            Self::Function(name, _) => name,
        }
    }

    /// Returns the name, the text and the settings in words.
    fn describe(&self, has_database: bool) -> (String, String, String) {
        match self {
            Self::Engine(spec) => {
                let looks = if spec.wants_database() && has_database { ", endgame database" } else { "" };
                (spec.name().to_owned(), spec.text().to_owned(), format!("{spec}{looks}"))
            }
            Self::Function(name, _) => (name.clone(), name.clone(), "a Python function".to_owned()),
        }
    }

    fn player(
        &self,
        game: &'static dyn AnyGame,
        database: Option<&GameData>,
        failure: &Failure,
    ) -> Result<Box<dyn Player>, String> {
        match self {
            Self::Engine(spec) => spec.player(game, database).map_err(|error| error.to_string()),
            Self::Function(name, function) => {
                Ok(Box::new(FunctionPlayer::new(Arc::clone(function), name.clone(), failure.clone())))
            }
        }
    }
}

/// Where openings come from: a file, or a list of positions and games.
#[derive(FromPyObject)]
enum OpeningArgument {
    List(Vec<Root>),
    File(PathBuf),
}

/// A number of plies, or the least and the greatest.
#[derive(FromPyObject)]
enum Plies {
    Exactly(u32),
    Between(u32, u32),
}

/// The games that were played, and the error that ended the match early.
struct Played {
    summary: MatchSummary,
    plot: Option<String>,
    games: Vec<FinishedGame>,
    error: Option<String>,
}

/// The result of `play_match` for Python: the summary as JSON and as text, a plot as SVG, the games as lines of JSON and as games, and the
/// exception that ended the match early.
type Returned = (String, String, Option<String>, Vec<String>, Vec<Game>, Option<Py<PyAny>>);

/// Plays a match; `morello.play_match` describes the arguments.
#[pyfunction]
#[pyo3(signature = (players, game="othello", *, games=100, seed=1, threads=None, sprt=None, tournament="round-robin", openings=None,
    opening_plies=None, opening_score=None, opening_depth=None, database=None, move_limit=600.0, progress=None))]
#[expect(clippy::too_many_arguments)] // keyword arguments
fn run_match(
    py: Python<'_>,
    players: Vec<Participant>,
    game: &str,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    sprt: Option<&str>,
    tournament: &str,
    openings: Option<OpeningArgument>,
    opening_plies: Option<Plies>,
    opening_score: Option<f64>,
    opening_depth: Option<u32>,
    database: Option<PathBuf>,
    move_limit: f64,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Returned> {
    let game = game_named(game)?;
    let entrants = players.into_iter().map(Entrant::new).collect::<PyResult<Vec<_>>>()?;
    if entrants.len() < 2 {
        return Err(invalid("a match requires at least two players"));
    }
    for (number, entrant) in entrants.iter().enumerate() {
        if entrants[..number].iter().any(|other| other.name() == entrant.name()) {
            return Err(invalid(format!("two players have the name `{}`: give them different names", entrant.name())));
        }
    }
    let sprt: Option<Sprt> = sprt.map(str::parse).transpose().map_err(invalid)?;
    if sprt.is_some() && entrants.len() > 2 {
        return Err(invalid("sprt requires exactly two players"));
    }
    let format = match tournament {
        "round-robin" => TournamentFormat::RoundRobin,
        "gauntlet" => TournamentFormat::Gauntlet,
        _ => return Err(invalid(format!("tournament must be \"round-robin\" or \"gauntlet\", not `{tournament}`"))),
    };
    if games == 0 {
        return Err(invalid("games must be 1 or more"));
    }
    let rules = game.standard_draw_rules();
    let openings = openings_of(py, game, openings, opening_plies, opening_score, opening_depth)?;
    let openings = match openings {
        Ok(openings) => openings,
        Err(source) => py
            .detach(|| source.find(game, rules, seed, work::thread_count(threads), &Cancel::new(), &mut |_, _| ()))
            .map_err(|error| failed(&error))?
            .ok_or_else(|| invalid("no openings"))?,
    };
    if let Some((number, opening)) = openings.first_ending(rules) {
        let plies = opening.moves.len();
        return Err(invalid(format!("opening {} ends the game after {plies} plies: use shorter ones", number + 1)));
    }
    let database = game.open_database(database.as_deref()).map_err(|error| failed(&*error))?;
    let move_limit =
        Duration::try_from_secs_f64(move_limit).map_err(|_| invalid(format!("not a time in seconds: {move_limit}")))?;
    let threads = work::thread_count(threads).min(usize::try_from(games).unwrap_or(usize::MAX));
    let schedule = Schedule { games, seed, encounters: format.encounters(entrants.len()), shard: (0, 1) };
    let plan = Match {
        schedule: &schedule,
        openings: &openings,
        rules: MatchRules::new(rules),
        move_limit,
        played: &BTreeMap::new(),
    };
    let (stop, done, line) = (Cancel::new(), AtomicUsize::new(0), Mutex::new(String::new()));
    let mut poll = work::on_change(&done, |done| {
        let Some(progress) = progress else { return Ok(()) };
        let text = line.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if progress.call1((done, games, text))?.is(&*pyo3::types::PyBool::new(py, false)) {
            stop.cancel();
        }
        Ok(())
    });
    let names: Vec<_> = entrants.iter().map(Entrant::name).collect();
    let (played, exception) = (Mutex::new(None), Mutex::new(None));
    let interrupted = work::run(py, &mut poll, |cancel| {
        let start = Instant::now();
        let abort = cancel.child();
        let failure = Failure::new(abort.clone());
        let mut course = MatchProgress::new(entrants.len(), sprt);
        let mut counted = Vec::new();
        let mut count = |record: &FinishedGame| {
            counted.push(record.clone());
            Ok(())
        };
        let error = match players_of_threads(&entrants, game, database.as_ref(), threads, &failure, &abort) {
            Ok(players) => {
                let mut keep = |record: FinishedGame| {
                    course.add(record, &mut count)?;
                    if course.is_decided() {
                        abort.cancel();
                    }
                    *line.lock().unwrap_or_else(PoisonError::into_inner) = course.tally().one_line(sprt.as_ref());
                    done.store(course.tally().games() as usize, Ordering::Relaxed);
                    Ok(())
                };
                match tournament::run(&plan, players, &stop, &abort, &mut keep) {
                    Ok(()) => None,
                    Err(RunError::Game(unplayable)) => {
                        Some(format!("the player `{}` cannot play: {unplayable}", names[unplayable.player]))
                    }
                    Err(error) => Some(error.to_string()),
                }
            }
            Err(error) => Some(error),
        };
        course.end(&mut count).expect("counting never fails");
        let tally = course.tally();
        let engines: Vec<_> = entrants.iter().map(|entrant| entrant.describe(database.is_some())).collect();
        let summary = openings.summary(schedule.rounds_of(tally.games()));
        let summary = MatchSummary::new(game.name(), &schedule, summary, &engines, tally, sprt, Some(start.elapsed()));
        let plot = match summary.standing {
            Some(_) => course.history().svg(&summary, sprt.as_ref()),
            None => plot::ratings_svg(&summary),
        };
        *exception.lock().unwrap_or_else(PoisonError::into_inner) = failure.take();
        *played.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Played { summary, plot: plot.ok(), games: counted, error });
    });
    let played = played.into_inner().unwrap_or_else(PoisonError::into_inner).expect("the work has ended");
    let exception = exception.into_inner().unwrap_or_else(PoisonError::into_inner);
    // An exception of a player comes first: it is the cause.
    let exception = exception.or(interrupted.err()).or_else(|| played.error.map(invalid));
    let rows = played.games.iter().map(|record| log_line(record, &names, "")).collect();
    let games = played.games.iter().map(|record| Game { inner: record.annotated(&names) }).collect();
    let summary = serde_json::to_string(&played.summary).map_err(invalid)?;
    let exception = exception.map(|error| error.into_value(py).into_any());
    Ok((summary, played.summary.to_string(), played.plot, rows, games, exception))
}

/// Returns the openings that are known, or where to find them.
fn openings_of(
    py: Python<'_>,
    game: &'static dyn AnyGame,
    openings: Option<OpeningArgument>,
    plies: Option<Plies>,
    score: Option<f64>,
    depth: Option<u32>,
) -> PyResult<Result<OpeningSet, OpeningSource>> {
    let plies = match plies {
        None => None,
        Some(Plies::Exactly(plies)) => Some(plies..=plies),
        Some(Plies::Between(least, most)) if least <= most => Some(least..=most),
        Some(Plies::Between(least, most)) => {
            return Err(invalid(format!("opening_plies must be (least, greatest), not ({least}, {most})")));
        }
    };
    if openings.is_some() && (score.is_some() || depth.is_some()) {
        return Err(invalid("opening_score and opening_depth select random openings: remove them, or openings"));
    }
    Ok(match openings {
        Some(OpeningArgument::List(list)) => {
            let read = |root: Root| root.game(py, game).map(|game| Opening::of(&game));
            let mut list = list.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
            if list.is_empty() {
                return Err(invalid("openings is empty"));
            }
            if let Some(plies) = plies {
                list.iter_mut().for_each(|opening| opening.moves.truncate(*plies.end() as usize));
            }
            Ok(OpeningSet::new(list, "from a list".to_owned(), None))
        }
        Some(OpeningArgument::File(file)) => Err(OpeningSource::File { file, plies }),
        None => {
            let default = game.opening_policy();
            Err(OpeningSource::Random(OpeningPolicy {
                plies: plies.unwrap_or(default.plies),
                depth: depth.unwrap_or(default.depth),
                most_points: score.unwrap_or(default.most_points),
            }))
        }
    })
}

/// Creates the players of every thread and checks that each can play.
fn players_of_threads(
    entrants: &[Entrant],
    game: &'static dyn AnyGame,
    database: Option<&GameData>,
    threads: usize,
    failure: &Failure,
    cancel: &Cancel,
) -> Result<Vec<Players>, String> {
    let player = |entrant: &Entrant| {
        let why = |error: String| format!("the player `{}` cannot play: {error}", entrant.name());
        let mut player = entrant.player(game, database, failure).map_err(why)?;
        player.prepare(0, cancel).map_err(|error| why(error.to_string()))?;
        Ok(player)
    };
    (0..threads).map(|_| entrants.iter().map(player).collect()).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_match, module)?)
}
