//! [`Card`]: how well a position was learned, and when it is asked again.

use std::collections::HashMap;

use morello_core::game::AnyPosition;
use serde::{Deserialize, Serialize};

/// The highest box of a [`Card`].
pub const LAST_BOX: u32 = 8;

const DAY: u64 = 86_400;
/// Cards are due this many seconds before a whole number of days has passed, for users who practice
/// at about the same time each day.
const EARLY: u64 = 4 * 3600;
/// The pause after a wrong answer, in seconds.
const PAUSE: u64 = 60;

/// How well a position was learned, and when it is asked again.
///
/// Cards move through boxes as in the system of Sebastian Leitner (*So lernt man lernen*, 1972): a
/// right answer moves a card up by one box, and a wrong answer moves it back to box 0. A card in
/// box 0 is due after one minute. A card in box 1 is due four hours before a day has passed. Each
/// further box doubles the number of days, up to 128 in box [`LAST_BOX`].
///
/// ```
/// use morello::analysis::trainer::Card;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let (new, now, hour) = (Card::new(&start), 1_800_000_000, 3600);
/// let learnt = new.answered(Some("d3"), now);
/// assert_eq!((learnt.number, learnt.due), (1, now + 20 * hour));
/// let kept = learnt.answered(Some("d3"), now + 24 * hour);
/// assert_eq!((kept.number, kept.due), (2, now + (24 + 44) * hour));
/// let forgotten = kept.answered(None, kept.due);
/// assert_eq!((forgotten.number, forgotten.due), (0, kept.due + 60));
/// assert_eq!((forgotten.right, forgotten.wrong), (2, 1));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Card {
    /// The name of the game.
    pub game: String,
    /// The position, represented by its smallest symmetric image.
    pub position: String,
    /// The number of the box, from 0 to [`LAST_BOX`].
    #[serde(rename = "box")]
    pub number: u32,
    /// When the position is asked again, as Unix time in seconds.
    pub due: u64,
    /// The last right answer, a move of [`position`](Self::position).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The number of right answers.
    #[serde(default)]
    pub right: u32,
    /// The number of wrong answers.
    #[serde(default)]
    pub wrong: u32,
}

impl Card {
    /// Returns the card of a position that was never asked. It is due.
    #[must_use]
    pub fn new(position: &AnyPosition) -> Self {
        Self {
            game: position.game().name().to_owned(),
            position: position.canonical().to_string(),
            number: 0,
            due: 0,
            answer: None,
            right: 0,
            wrong: 0,
        }
    }

    /// Returns the card after an answer at the time `now`. `right` is the answer, a move in
    /// [`position`](Self::position), if it was right, and `None` if it was wrong. A right answer to
    /// a card that is not yet due is counted, but the card stays in its box, unless that is box 0.
    #[must_use]
    pub fn answered(&self, right: Option<&str>, now: u64) -> Self {
        let card = self.clone();
        let Some(answer) = right else {
            return Self { number: 0, due: now.saturating_add(PAUSE), wrong: self.wrong.saturating_add(1), ..card };
        };
        let card = Self { answer: Some(answer.to_owned()), right: self.right.saturating_add(1), ..card };
        if self.number > 0 && now < self.due {
            return card;
        }
        let number = self.number.saturating_add(1).min(LAST_BOX);
        let wait = (DAY << (number - 1)) - EARLY;
        Self { number, due: now.saturating_add(wait), ..card }
    }

    /// Returns whether the position was ever asked.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.right == 0 && self.wrong == 0
    }
}

/// The maximum number of cards of a position. No repertoires have as many right moves.
const MAX_ANSWERS: usize = 16;

/// The cards of the positions of a game. A position has a card for each right answer that was
/// given, since repertoires may have different right moves.
///
/// ```
/// use morello::analysis::trainer::{Card, Cards};
/// use morello::game::Position as _;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let [one, image] = ["d3", "f5"].map(|m| start.after(start.parse_move(m).expect("it is legal")));
/// let mut cards = Cards::default();
/// cards.set(Card::new(&one).answered(None, 0));
/// assert_eq!(cards.get(&image).map(|card| card.wrong), Some(1));
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cards(HashMap<String, Vec<Card>>);

impl Cards {
    /// Returns the last card that was set for a position or a symmetric one; `None` if it was never
    /// asked.
    #[must_use]
    pub fn get(&self, position: &AnyPosition) -> Option<&Card> {
        self.all(position).last()
    }

    /// Returns the cards of a position or of a symmetric one, the last one that was set last.
    #[must_use]
    pub fn all(&self, position: &AnyPosition) -> &[Card] {
        self.0.get(&position.canonical().to_string()).map_or(&[], Vec::as_slice)
    }

    /// Adds a card. It replaces the card of the same position that has the same answer, or none.
    pub fn set(&mut self, card: Card) {
        let cards = self.0.entry(card.position.clone()).or_default();
        cards.retain(|known| known.answer.is_some() && known.answer != card.answer);
        if cards.len() == MAX_ANSWERS {
            cards.remove(0);
        }
        cards.push(card);
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
