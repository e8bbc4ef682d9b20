//! The request for an exercise: an endgame of a game with a margin, or a puzzle from the
//! endgame tables of a mill game.
//!
//! ```json
//! {"game": "othello", "start": "..", "side": "black", "best": ["b1"], "values": {"b1": 6.0}, "outcome": null}
//! {"game": "nine-mens-morris", "start": "..", "side": "white", "best": ["a7-d7"], "values": {}, "outcome": "win"}
//! ```

use morello_analysis::{Exercise, review_limits, second_look};
use morello_core::game::{
    AnyGame, AnyPosition, Cancel, Game, Level, Limits, NAMED_LEVELS, Position as _, RandomNumbers, Scoring,
};
use morello_core::games;
use morello_play::session::SearcherPool;
use serde::Deserialize;

use super::error::{ErrorKind, ServiceError};
use super::explain::explain;
use super::message::Message;
use super::request::find_game;
use super::{Answer, Settings, to_json};

/// The games played for an endgame, and the positions tried for a puzzle.
const GAMES: usize = 12;
const POSITIONS: usize = 3000;
/// The numbers of empty squares of an endgame: at least, and above that.
const EMPTIES: (u32, usize) = (8, 5);
/// The least number of discs by which the best move of an endgame is better than the others.
const LEAD: f64 = 2.0;

#[derive(Debug, Deserialize)]
pub struct ExerciseRequest {
    game: String,
    /// The position of the exercise; without it, one is found.
    start: Option<String>,
}

pub fn exercise(ExerciseRequest { game, start }: ExerciseRequest, settings: Settings) -> Result<Answer, ServiceError> {
    let game = find_game(&game)?;
    let start = start.map(|text| game.parse_position(&text)).transpose();
    let start = start
        .map_err(|error| explain(error.without_place()))
        .map_err(|explanation| ServiceError { kind: ErrorKind::Malformed, explanation })?;
    let mut random = RandomNumbers::new(settings.seed);
    Ok(Answer::Later(Box::new(move |service, cancel| {
        let searchers = service.searchers(game);
        let found = match (start, game.info().scoring) {
            (Some(position), _) => of_position(position, searchers, cancel),
            (None, Scoring::Margin) => endgame(game, searchers, &mut random, cancel),
            (None, Scoring::Distance) => puzzle(game, searchers, &mut random),
        };
        let none = || {
            let (game, title) = (game.name(), game.info().title);
            let text = format!("no exercise was found for {game}");
            ServiceError::new(ErrorKind::Unfulfillable, &text, Message::NoExercise { game, title })
        };
        Ok(to_json(&found?.ok_or_else(none)?))
    })))
}

/// Searches a position as a review does.
fn of_position(
    position: AnyPosition,
    searchers: &SearcherPool,
    cancel: &Cancel,
) -> Result<Option<Exercise>, ServiceError> {
    let limits = second_look(&review_limits(position.game(), None, None));
    let report = searchers.search_separately(&Game::new(position), &limits, cancel)?;
    Ok(Exercise::new(&position, &report.lines))
}

/// Plays games of weak players until a few squares are empty and one move is clearly the best.
fn endgame(
    game: &dyn AnyGame,
    searchers: &SearcherPool,
    random: &mut RandomNumbers,
    cancel: &Cancel,
) -> Result<Option<Exercise>, ServiceError> {
    let level = Level::Named(&NAMED_LEVELS[NAMED_LEVELS.len() / 2]);
    let search = |record: &Game, limits: &Limits| searchers.search_separately(record, limits, cancel);
    for _ in 0..GAMES {
        let empties = EMPTIES.0 + random.below(EMPTIES.1) as u32;
        let mut record = Game::new(game.start());
        while record.end().is_none() && record.position().empty_count() > Some(empties) {
            let report = search(&record, &level.limits(game))?;
            let line = level.choose_line(&record, &report, random);
            let Some(&m) = report.lines[line].pv.first() else { break };
            record.play(m).expect("a search returns legal moves, and the game is not over");
        }
        let position = record.position();
        if record.end().is_some() || position.forced_pass().is_some() {
            continue;
        }
        let report = search(&Game::new(*position), &Limits::exact().with_lines(usize::MAX))?;
        let [best, second, ..] = &report.lines[..] else { continue };
        if best.score.points() - second.score.points() < LEAD || !best.score.is_exact() {
            continue;
        }
        let mut exercise = Exercise::new(position, &report.lines);
        // Every disc counts, also where the winner is certain.
        exercise.iter_mut().for_each(|exercise| exercise.best.truncate(1));
        return Ok(exercise);
    }
    Ok(None)
}

/// Tries random positions of the tables until one move keeps the result.
fn puzzle(
    game: &dyn AnyGame,
    searchers: &SearcherPool,
    random: &mut RandomNumbers,
) -> Result<Option<Exercise>, ServiceError> {
    let database = searchers.database()?;
    let (Ok(game), Some(database)) = (games::mill(game.name()), database) else { return Ok(None) };
    let puzzle = game.puzzle(&database, POSITIONS, random)?;
    Ok(puzzle.map(|puzzle| {
        let outcome = if puzzle.solution.probe.outcome().is_gt() { "win" } else { "draw" };
        Exercise::of_result(&puzzle.position, &[puzzle.solution.m], outcome)
    }))
}
