//! Training of openings: asks for the moves of a repertoire until they are known.
//!
//! A [`Repertoire`] has the moves that one side should know, from an opening book or from games, and
//! what the other side may reply. A [`Card`] says how well a position was learnt and when it is asked
//! again. [`Repertoire::lesson`] chooses the next line: it is played from the start of the repertoire,
//! and its due positions are asked on the way.
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
//! A side learns one answer to each reply: the best one, until it gives another right one, whose
//! lines are then asked instead. So the positions of the lessons are those that it can reach.
//!
//! Times are whole seconds since the beginning of 1970, from the caller.

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
