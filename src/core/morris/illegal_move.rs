//! [`IllegalReason`]: explains to users why a move is illegal, and how a game ended.

use thiserror::Error;

use super::position::Arrangement;
use super::rules::VariantConstants;
use super::{Move, ParseMoveError, Point, Position, UnknownPoint, Variant};
use crate::game::{Color, Element as _, EndDescription, Position as _, Terminology};

/// Why a move is illegal. Points are given by name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The board lacks a point named in the move. This can happen only for a move given as text.
    #[error(transparent)]
    UnknownPoint(UnknownPoint),
    /// The destination is occupied.
    #[error("a man stands on {0}")]
    Occupied(String),
    /// The side has no man in hand to place.
    #[error("no man is in hand")]
    HandEmpty,
    /// Men in hand must be placed first.
    #[error("a man is in hand and must be placed")]
    MustPlace,
    /// The side to move has no man on the first point.
    #[error("the side to move has no man on {0}")]
    NoMan(String),
    /// The destination is not adjacent, and the side may not fly.
    #[error("{to} is not adjacent to {from}")]
    TooFar {
        /// The point of the man.
        from: String,
        /// The destination.
        to: String,
    },
    /// The no-return rule bans the step.
    #[error("the man may not move straight back")]
    Banned,
    /// The move closes a mill but does not name a man to capture.
    #[error("the move closes a mill; name the man to remove, as in `{0}`")]
    MustCapture(String),
    /// The move captures nothing, but names a man to capture.
    #[error("the move captures nothing")]
    CapturesNothing,
    /// The opponent has no man on the point of the capture.
    #[error("the opponent has no man on {0}")]
    NoVictim(String),
    /// The man to capture is in a mill, and other men are not.
    #[error("the man on {0} is protected by a mill")]
    InMill(String),
}

impl IllegalReason {
    /// Returns the text in the game's terms, such as "cow" for "man".
    #[must_use]
    pub fn with_terminology(&self, words: Terminology) -> String {
        // Names of points never contain either word.
        self.to_string().replace("man", words.piece).replace("captures", words.captures)
    }
}

/// A reason in the terms of a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", reason.with_terminology(*words))]
pub struct WordedReason {
    /// The reason.
    pub reason: IllegalReason,
    /// The terms.
    pub words: Terminology,
}

impl<V: Variant> Position<V> {
    /// Returns why a move is illegal; `None` if it is legal.
    ///
    /// ```
    /// use morello::morris::{IllegalReason, NineMensMorris, Position};
    ///
    /// let position: Position<NineMensMorris> = "7,7 a1,d1 a7,d7 W".parse()?;
    /// assert_eq!(position.why_illegal("g1".parse()?), Some(IllegalReason::MustCapture("g1xa7".to_owned())));
    /// assert_eq!(position.why_illegal("g1xa7".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn why_illegal(&self, m: Move<V>) -> Option<IllegalReason> {
        if self.is_legal(m) {
            return None;
        }
        if self.is_over() {
            return Some(IllegalReason::Over);
        }
        let ends = |m: Move<V>| (m.from(), m.to());
        let legal = self.legal_moves().find(|&legal| ends(legal) == ends(m));
        let with_step = legal.map(|legal| (legal.to_string(), legal.captured().is_some()));
        let [from, captured] = [m.from(), m.captured()].map(|point| point.map(Point::bit));
        Some(explain(VariantConstants::of::<V>(), &self.arrangement(), from, m.to().bit(), captured, with_step))
    }

    /// Returns why the move in the text is illegal; `None` if it is legal or not a move.
    pub(super) fn why_text_illegal(&self, text: &str) -> Option<IllegalReason> {
        match text.parse() {
            Ok(m) => self.why_illegal(m),
            Err(ParseMoveError::UnknownPoint(unknown)) => Some(IllegalReason::UnknownPoint(unknown)),
            Err(ParseMoveError::NotAMove(_)) => None,
        }
    }

    /// Returns the reason like [`why_text_illegal`](Self::why_text_illegal), in the terms of the
    /// game.
    pub(super) fn explain_text(&self, text: &str) -> Option<WordedReason> {
        self.why_text_illegal(text).map(|reason| WordedReason { reason, words: V::WORDS })
    }

    /// Returns why the game is over; `None` if it is not over.
    #[must_use]
    pub fn why_over(&self) -> Option<EndDescription> {
        self.is_over().then(|| describe_end(VariantConstants::of::<V>(), &self.arrangement()))
    }
}

/// Describes the end of a game in this position.
fn describe_end(variant: &VariantConstants, position: &Arrangement) -> EndDescription {
    let Arrangement { men, hands, side, .. } = *position;
    let has_few = |&color: &Color| men[color.index()].count_ones() + u32::from(hands[color.index()]) < 3;
    let has_mill = |&color: &Color| variant.board.in_mills(men[color.index()]) != 0;
    // Checks the side to move first: during play, only that side can have lost.
    if variant.rules.captures() {
        if let Some(color) = [side, !side].into_iter().find(has_few) {
            let text = format!("{color} has fewer than three {}", variant.words.pieces);
            return EndDescription::new("too_few", text);
        }
    } else if let Some(color) = [!side, side].into_iter().find(has_mill) {
        return EndDescription::new("mill", format!("{color} has a mill"));
    }
    if position.empty(variant.board) == 0 {
        EndDescription::new("full_board", format!("the board is full, and {side} cannot move"))
    } else {
        EndDescription::new("blocked", format!("{side} cannot move"))
    }
}

/// Explains an illegal move in a game that is not over. `with_step` is a legal move between the
/// same points, given as its text and whether it captures.
fn explain(
    VariantConstants { board, rules, .. }: &VariantConstants,
    position: &Arrangement,
    from: Option<u32>,
    to: u32,
    captured: Option<u32>,
    with_step: Option<(String, bool)>,
) -> IllegalReason {
    let name = |point| board.name(point).to_owned();
    let hand = position.hands[position.side.index()];
    let [own, other] = [position.side, !position.side].map(|color| position.men[color.index()]);
    match from {
        None if hand == 0 => return IllegalReason::HandEmpty,
        Some(_) if !rules.moves(hand) => return IllegalReason::MustPlace,
        Some(from) if own & 1 << from == 0 => return IllegalReason::NoMan(name(from)),
        _ => {}
    }
    if (own | other) & 1 << to != 0 {
        return IllegalReason::Occupied(name(to));
    }
    match (with_step, captured, from) {
        (Some((legal, _)), None, _) => IllegalReason::MustCapture(legal),
        (Some((_, false)), Some(_), _) => IllegalReason::CapturesNothing,
        (Some(_), Some(captured), _) if other & 1 << captured == 0 => IllegalReason::NoVictim(name(captured)),
        (Some(_), Some(captured), _) => IllegalReason::InMill(name(captured)),
        (None, _, Some(from)) if !rules.flies(own, hand) && board.neighbors(from) & 1 << to == 0 => {
            IllegalReason::TooFar { from: name(from), to: name(to) }
        }
        // All other reasons were ruled out above.
        (None, _, _) => IllegalReason::Banned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardDisplay as _;
    use crate::game::{RandomNumbers, random_game};
    use crate::morris::{LaskerMorris, Morabaraba, MorabarabaNoReturn, NineMensMorris, ThreeMensMorris};

    fn why<V: Variant>(position: &str, text: &str) -> String {
        let position: Position<V> = position.parse().unwrap();
        position.explain_illegal(text).map_or_else(|| "-".to_owned(), |why| why.to_string())
    }

    #[test]
    fn reports_each_reason() {
        let nine = why::<NineMensMorris>;
        assert_eq!(nine("9,9 - - W", "d2"), "-");
        assert_eq!(nine("9,9 - - W", "hello"), "-");
        assert_eq!(nine("9,9 - - W", "d4"), "the board has no point d4");
        assert_eq!(nine("9,8 - d2 W", "D2"), "a man stands on d2");
        assert_eq!(nine("9,8 - d2 W", "d2-d3"), "a man is in hand and must be placed");
        assert_eq!(nine("0,0 a1,d1,d2,f2 a7,d7,b6,f4 W", "g1"), "no man is in hand");
        assert_eq!(nine("0,0 a1,d1,d2,f2 a7,d7,b6,f4 W", "a7-a4"), "the side to move has no man on a7");
        assert_eq!(nine("0,0 a1,d1,d2,f2 a7,d7,b6,f4 W", "a1-g1"), "g1 is not adjacent to a1");
        assert_eq!(nine("0,0 a1,d1,d2,f2 a7,d7,b6,f4 W", "d1-g1xa7"), "the move captures nothing");
        assert_eq!(nine("7,7 a1,d1 a7,d7 W", "g1"), "the move closes a mill; name the man to remove, as in `g1xa7`");
        assert_eq!(nine("7,7 a1,d1 a7,d7 W", "g1xg7"), "the opponent has no man on g7");
        assert_eq!(nine("7,5 a1,d1 a7,d7,g7,b4 W", "g1xg7"), "the man on g7 is protected by a mill");
        assert_eq!(nine("0,0 a1,d1 a7,d7,g7,b4 W", "a1-a4"), "the game is over");
        assert_eq!(why::<LaskerMorris>("9,9 a1 - W", "a1-d1"), "-");
    }

    #[test]
    fn reports_a_banned_step() {
        // A white cow moved from a1-a4-a7 to b2-b4-b6 and may not go back.
        let position = "0,0 a1,a7,b2,b4,b6 d1,d2,g1,g4,f4 W ban=b4-a4,-";
        assert_eq!(why::<MorabarabaNoReturn>(position, "b4-a4xd1"), "the cow may not move straight back");
    }

    #[test]
    fn reports_each_end_of_the_game() {
        fn over<V: Variant>(position: &str) -> Option<(&'static str, String)> {
            let cause = position.parse::<Position<V>>().unwrap().describe_end();
            cause.map(|cause| (cause.name, cause.text))
        }
        assert_eq!(over::<NineMensMorris>("9,9 - - W"), None);
        let (few, text) = over::<NineMensMorris>("0,0 a7,d7,g7 a1,b2 B").unwrap();
        assert_eq!((few, text.as_str()), ("too_few", "Black has fewer than three men"));
        // The opponent of the side to move can have lost only in a position that was set up.
        assert_eq!(over::<Morabaraba>("0,0 a7,d7,g7 a1,b2 W").unwrap().1, "Black has fewer than three cows");
        let blocked = over::<NineMensMorris>("0,0 a7,d7,g7 a4,d6,g4 W").unwrap();
        assert_eq!((blocked.0, blocked.1.as_str()), ("blocked", "White cannot move"));
        let mill = over::<ThreeMensMorris>("0,0 a1,b1,c1 a2,b3,c3 B").unwrap();
        assert_eq!((mill.0, mill.1.as_str()), ("mill", "White has a mill"));
    }

    #[test]
    fn exactly_the_illegal_moves_have_a_reason() {
        let mut numbers = RandomNumbers::new(5);
        let points: Vec<_> =
            super::super::NINE.points_by_name().map(|point| super::super::NINE.name(point).to_owned()).collect();
        for seed in 0..40 {
            let position = *random_game::<Position<NineMensMorris>>(seed, numbers.below(60)).position();
            assert!(position.legal_moves().all(|m| position.explain_illegal(&m.to_string()).is_none()));
            for _ in 0..50 {
                let mut point = || points[numbers.below(points.len())].clone();
                let texts = [point(), format!("{}-{}", point(), point()), format!("{}x{}", point(), point())];
                for text in texts.into_iter().chain([format!("{}-{}x{}", point(), point(), point())]) {
                    assert_eq!(
                        position.parse_move(&text).is_err(),
                        position.explain_illegal(&text).is_some(),
                        "{position} {text}"
                    );
                }
            }
        }
    }
}
