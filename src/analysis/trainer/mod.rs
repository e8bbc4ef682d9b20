//! Trains openings: asks for the moves of a repertoire until they are learned.
//!
//! A [`Repertoire`] contains the moves that one side should know, from an opening book or from
//! games, and the opponent's likely replies. A [`Card`] records how well a position was learned and
//! when it is asked again. [`Repertoire::lesson`] chooses the next line. It is played from the
//! start of the repertoire, and the user is asked for the moves of its due positions.
//!
//! ```
//! use std::sync::Arc;
//!
//! use morello::analysis::trainer::{Cards, Repertoire, RepertoireOptions};
//! use morello::book::Book;
//! use morello::game::Color;
//! use morello::games;
//! use morello::input::read_game;
//!
//! let othello = games::get("othello")?;
//! let book = Arc::new(Book::built_in(othello).expect("Othello has a book")?);
//! let options = RepertoireOptions { plies: 10, ..RepertoireOptions::new(Color::Black) };
//! let tiger = Repertoire::of_book(read_game(othello, "Tiger")?, book, options);
//!
//! // Learn a line, answering every question with the best move.
//! let (mut cards, now) = (Cards::default(), 1_800_000_000);
//! let lesson = tiger.lesson(&cards, now, 10)?;
//! for question in &lesson.questions {
//!     let best = &question.exercise.best[0];
//!     cards.set(question.answered(best, now));
//! }
//! assert!(!lesson.questions.is_empty());
//!
//! // The next day it is asked again.
//! assert_eq!(tiger.lesson(&cards, now, 0)?.questions.len(), 0);
//! assert_eq!(tiger.lesson(&cards, now + 86_400, 0)?.questions.len(), lesson.questions.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The side learns one answer to each reply: the best move, or another right move once the user has
//! given it. Lessons contain only positions that these answers reach.
//!
//! All times are Unix times in whole seconds, passed by the caller.

mod card;
mod card_file;
mod lesson;
mod refutation;
mod repertoire;
#[cfg(test)]
mod tests;

pub use card::{Card, Cards, LAST_BOX};
pub use card_file::{CardFile, CardFileError, read_cards, write_cards};
pub use lesson::{Lesson, Question};
pub use refutation::Refutation;
pub use repertoire::{Repertoire, RepertoireOptions, Replies};
