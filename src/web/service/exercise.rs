//! The request for an exercise: an endgame of a game with a margin, or a puzzle of a mill game.
//!
//! ```json
//! {"game": "othello", "start": "..", "side": "black", "best": ["b1"], "values": {"b1": 6.0}, "outcome": null,
//!     "difficulty": "hard", "themes": ["parity"]}
//! {"game": "nine-mens-morris", "start": "..", "side": "white", "best": ["a7-d7"], "values": {}, "outcome": "win",
//!     "difficulty": "easy"}
//! ```

use morello_analysis::{Difficulty, Exercise, ExerciseOptions, Theme, review_limits, second_look};
use morello_core::game::{AnyPosition, Cancel, Game, RandomNumbers, Scoring};
use serde::Deserialize;

use super::error::{ErrorKind, ServiceError};
use super::message::Message;
use super::request::{find_game, parse_position};
use super::{Answer, Service, Settings, to_json};

#[derive(Debug, Deserialize)]
pub struct ExerciseRequest {
    game: String,
    /// The position of the exercise. Without it, the service finds one.
    start: Option<String>,
    /// The number of empty squares of the endgame.
    empties: Option<u32>,
    difficulty: Option<Difficulty>,
    theme: Option<Theme>,
}

pub fn exercise(request: ExerciseRequest, settings: Settings) -> Result<Answer, ServiceError> {
    let ExerciseRequest { game, start, empties, difficulty, theme } = request;
    let game = find_game(&game)?;
    let allowed = ExerciseOptions::EMPTIES;
    if empties.is_some_and(|empties| !allowed.contains(&empties)) {
        let text = format!("endgames have from {} to {} empty squares", allowed.start(), allowed.end());
        return Err(ServiceError::malformed(text));
    }
    if let Some(theme) = theme.filter(|theme| !theme.is_of(game)) {
        return Err(ServiceError::malformed(format!("{} has no exercises of the theme {}", game.name(), theme.name())));
    }
    let empties = empties.map_or(ExerciseOptions::default().empties, |empties| empties..=empties);
    let options = ExerciseOptions { empties, difficulty, theme };
    let start = start.map(|text| parse_position(game, &text)).transpose()?;
    let mut random = RandomNumbers::new(settings.seed);
    Ok(Answer::Later(Box::new(move |service, cancel| {
        let found = match (start, game.info().scoring) {
            (Some(position), _) => of_position(position, service, cancel),
            (None, Scoring::Margin) => options
                .endgame(game, &mut random, &mut |record, limits| service.search_separately(record, limits, cancel)),
            (None, Scoring::Distance) => {
                Ok(options.puzzle(game, service.searchers(game).database()?.as_ref(), &mut random)?)
            }
        };
        let none = || {
            let (game, title) = (game.name(), game.info().title);
            let text = format!("no exercise was found for {game}");
            ServiceError::new(ErrorKind::Unfulfillable, &text, Message::NoExercise { game, title })
        };
        Ok(to_json(&found?.ok_or_else(none)?))
    })))
}

/// Makes the exercise for a position with a search, as a review does.
fn of_position(position: AnyPosition, service: &Service, cancel: &Cancel) -> Result<Option<Exercise>, ServiceError> {
    let limits = second_look(&review_limits(position.game(), None, None));
    let report = service.search_separately(&Game::new(position), &limits, cancel)?;
    Ok(Exercise::new(&position, &report.lines))
}
