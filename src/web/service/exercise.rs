//! The request for an exercise: an endgame of a game with a margin, or a puzzle from the
//! endgame tables of a mill game.
//!
//! ```json
//! {"game": "othello", "start": "..", "side": "black", "best": ["b1"], "values": {"b1": 6.0}, "outcome": null}
//! {"game": "nine-mens-morris", "start": "..", "side": "white", "best": ["a7-d7"], "values": {}, "outcome": "win"}
//! ```

use std::ops::RangeInclusive;

use morello_analysis::{Exercise, review_limits, second_look};
use morello_core::game::{
    AnyGame, AnyPosition, Cancel, Game, Level, Limits, NAMED_LEVELS, Position as _, RandomNumbers, Scoring,
};
use morello_core::games;
use morello_play::session::SearcherPool;
use serde::Deserialize;

use super::error::{ErrorKind, ServiceError};
use super::message::Message;
use super::request::{find_game, parse_position};
use super::{Answer, Settings, to_json};

/// The games played for an endgame, and the positions tried for a puzzle.
const GAMES: usize = 40;
const POSITIONS: usize = 3000;
/// The numbers of empty squares of an endgame: those that are allowed, and those of which one is
/// drawn.
const EMPTIES: RangeInclusive<u32> = 4..=14;
const DRAWN_EMPTIES: RangeInclusive<u32> = 8..=12;
/// The least number of discs by which the best move of an endgame is better than the others, and
/// that of an easy one.
const LEAD: f64 = 2.0;
const EASY_LEAD: f64 = 8.0;

#[derive(Debug, Deserialize)]
pub struct ExerciseRequest {
    game: String,
    /// The position of the exercise; without it, one is found.
    start: Option<String>,
    /// The number of empty squares of an endgame.
    empties: Option<u32>,
    difficulty: Option<Difficulty>,
}

/// How hard it is to find the best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Difficulty {
    Easy,
    Medium,
    Hard,
}

impl Difficulty {
    /// Returns that of an endgame, by the lead of its best move and whether a search of one ply
    /// finds it.
    fn of_endgame(lead: f64, is_found: bool) -> Self {
        match is_found {
            true if lead >= EASY_LEAD => Self::Easy,
            true => Self::Medium,
            false => Self::Hard,
        }
    }

    /// Returns that of a puzzle, by the chance to miss its solution, as `database puzzles` does.
    fn of_puzzle(chance: f32) -> Self {
        match chance {
            ..0.5 => Self::Easy,
            ..0.9 => Self::Medium,
            _ => Self::Hard,
        }
    }
}

pub fn exercise(request: ExerciseRequest, settings: Settings) -> Result<Answer, ServiceError> {
    let ExerciseRequest { game, start, empties, difficulty } = request;
    let game = find_game(&game)?;
    if empties.is_some_and(|empties| !EMPTIES.contains(&empties)) {
        let text = format!("endgames have from {} to {} empty squares", EMPTIES.start(), EMPTIES.end());
        return Err(ServiceError::malformed(text));
    }
    let start = start.map(|text| parse_position(game, &text)).transpose()?;
    let mut random = RandomNumbers::new(settings.seed);
    Ok(Answer::Later(Box::new(move |service, cancel| {
        let searchers = service.searchers(game);
        let found = match (start, game.info().scoring) {
            (Some(position), _) => of_position(position, searchers, cancel),
            (None, Scoring::Margin) => endgame(game, searchers, empties, difficulty, &mut random, cancel),
            (None, Scoring::Distance) => puzzle(game, searchers, difficulty, &mut random),
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

/// Plays games of weak players until a few squares are empty and one move is clearly the best. If
/// no endgame is of the difficulty, returns one of another.
fn endgame(
    game: &dyn AnyGame,
    searchers: &SearcherPool,
    empties: Option<u32>,
    difficulty: Option<Difficulty>,
    random: &mut RandomNumbers,
    cancel: &Cancel,
) -> Result<Option<Exercise>, ServiceError> {
    let level = Level::Named(&NAMED_LEVELS[NAMED_LEVELS.len() / 2]);
    let search = |record: &Game, limits: &Limits| searchers.search_separately(record, limits, cancel);
    let mut found = None;
    for _ in 0..GAMES {
        let drawn = || DRAWN_EMPTIES.start() + random.below(DRAWN_EMPTIES.count()) as u32;
        let empties = empties.unwrap_or_else(drawn);
        let mut record = Game::new(game.start());
        while record.end().is_none() && record.position().empty_count() > Some(empties) {
            let report = search(&record, &level.limits(game))?;
            let line = level.choose_line(&record, &report, random);
            let Some(&m) = report.lines[line].pv.first() else { break };
            record.play(m).expect("a search returns legal moves, and the game is not over");
        }
        if record.end().is_some() || record.position().forced_pass().is_some() {
            continue;
        }
        let record = Game::new(*record.position());
        let report = search(&record, &Limits::exact().with_lines(usize::MAX))?;
        let [best, second, ..] = &report.lines[..] else { continue };
        let lead = best.score.points() - second.score.points();
        if lead < LEAD || !best.score.is_exact() {
            continue;
        }
        let quick = search(&record, &Limits::depth(1))?;
        let is_found = quick.lines[0].pv.first() == best.pv.first();
        let mut exercise = Exercise::new(record.position(), &report.lines);
        // Every disc counts, also where the winner is certain.
        exercise.iter_mut().for_each(|exercise| exercise.best.truncate(1));
        if difficulty.is_none_or(|wanted| wanted == Difficulty::of_endgame(lead, is_found)) {
            return Ok(exercise);
        }
        found = exercise;
    }
    Ok(found)
}

/// Tries random positions of the tables until one move keeps the result. If no puzzle is of the
/// difficulty, returns one of another.
fn puzzle(
    game: &dyn AnyGame,
    searchers: &SearcherPool,
    difficulty: Option<Difficulty>,
    random: &mut RandomNumbers,
) -> Result<Option<Exercise>, ServiceError> {
    let database = searchers.database()?;
    let (Ok(game), Some(database)) = (games::mill(game.name()), database) else { return Ok(None) };
    let mut found = None;
    for _ in 0..POSITIONS {
        let Some(puzzle) = game.puzzle(&database, 1, random)? else { continue };
        found = Some(puzzle);
        if difficulty.is_none_or(|wanted| wanted == Difficulty::of_puzzle(puzzle.difficulty)) {
            break;
        }
    }
    Ok(found.map(|puzzle| {
        let outcome = if puzzle.solution.probe.outcome().is_gt() { "win" } else { "draw" };
        Exercise::of_result(&puzzle.position, &[puzzle.solution.m], outcome)
    }))
}
