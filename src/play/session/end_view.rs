//! [`EndView`]: how a game ended, in words.

use morello_core::game::{Color, EndDescription, Game, GameEnd, GameEndReason, Outcome, Scoring};
use serde::Serialize;

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EndView {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Black's margin in points; negative if White won.
    pub points: i32,
    /// A fixed identifier for the reason, such as `blocked` or `repetition`: see
    /// [`EndDescription`].
    pub reason: &'static str,
    /// The result with its reason, in words.
    pub text: String,
}

impl EndView {
    /// Describes the end of a game.
    pub(super) fn new(game: &Game, end: GameEnd) -> Self {
        let rules = game.position().game();
        let points = match end.outcome {
            Outcome::Draw => 0,
            Outcome::Win(_) => game.points(Color::Black).unwrap_or_default(),
        };
        let description = EndDescription::of(game);
        let reason = description.as_ref().map_or("rules", |description| description.name);
        let cause = || description.map_or_else(String::new, |description| format!(": {}", description.text));
        let text = match (end.outcome, end.reason) {
            (Outcome::Win(winner), _) if rules.info().scoring == Scoring::Margin => {
                let words = rules.info().terminology;
                let pieces = if points.abs() == 1 { words.piece } else { words.pieces };
                format!("{winner} wins by {} {pieces}", points.abs())
            }
            (Outcome::Win(winner), _) => format!("{winner} wins{}", cause()),
            (Outcome::Draw, GameEndReason::Rules) => "a draw".to_owned(),
            (Outcome::Draw, _) => format!("a draw{}", cause()),
        };
        Self { winner: end.outcome.winner(), points, reason, text }
    }
}
