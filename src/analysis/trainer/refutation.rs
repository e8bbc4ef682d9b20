//! [`Refutation`]: why an answer is wrong.

use morello_core::game::{AnyMove, AnyPosition, Game, Limits, Report};

use super::lesson::Question;
use crate::{Exercise, GameReviewer, Reason, review_limits};

/// Why an answer is wrong.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Refutation {
    /// By how many points it is worse than the best move, 0 or more: from the book if it has the
    /// move, otherwise from a search. `None` if unknown.
    pub loss: Option<f64>,
    /// The best line after the answer, from the search.
    pub line: Vec<AnyMove>,
    /// The reason, if the boards show it.
    pub reason: Option<Reason>,
}

impl Refutation {
    /// Finds out by a search why a move is wrong, as [`Question::refute`] does.
    ///
    /// # Errors
    /// Any error from `search`.
    pub fn find<E>(
        position: &AnyPosition,
        m: AnyMove,
        search: &mut dyn FnMut(&Game, &Limits) -> Result<Report, E>,
    ) -> Result<Self, E> {
        let mut found = Self { loss: None, line: Vec::new(), reason: None };
        let mut game = Game::new(*position);
        if game.play(m).is_err() {
            return Ok(found);
        }
        let mut reviewer = GameReviewer::new(game, &review_limits(position.game(), None, None));
        while let Some((game, limits)) = reviewer.next_search() {
            drop(reviewer.add(search(&game, &limits)?));
        }
        let review = reviewer.finish().1;
        if let Some((review, played)) = review.as_ref().and_then(|review| Some((review, review.moves.first()?))) {
            found.loss = played.loss.map(|loss| loss.points);
            found.line = review.moves.get(1).map_or_else(Vec::new, |next| next.pv.clone());
            found.reason = review.reason(played);
        }
        Ok(found)
    }
}

impl Question {
    /// Finds out why a move is wrong. `search` searches two or three positions. It must start with
    /// empty tables and keep to the limits of a review, which it receives.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use morello::analysis::trainer::{Cards, Repertoire, RepertoireOptions};
    /// use morello::book::Book;
    /// use morello::game::{Color, EngineOptions, Position as _};
    /// use morello::games;
    /// use morello::input::read_game;
    ///
    /// let othello = games::get("othello")?;
    /// let book = Arc::new(Book::built_in(othello).expect("Othello has a book")?);
    /// let start = read_game(othello, "f5d6")?;
    /// let repertoire = Repertoire::of_book(start, book, RepertoireOptions::new(Color::Black));
    /// let lesson = repertoire.lesson(&Cards::default(), 0, 9)?;
    /// let question = &lesson.questions[0];
    /// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
    /// let bad = question.line.position().parse_move("c7")?;
    /// let refutation = question.refute::<()>(bad, &mut |game, limits| {
    ///     searcher.clear();
    ///     Ok(searcher.best(game, limits))
    /// });
    /// let refutation = refutation.expect("the search does not fail");
    /// assert!(refutation.loss.is_some_and(|loss| loss > 5.0) && !refutation.line.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Any error from `search`.
    pub fn refute<E>(
        &self,
        m: AnyMove,
        search: &mut dyn FnMut(&Game, &Limits) -> Result<Report, E>,
    ) -> Result<Refutation, E> {
        let found = Refutation::find(self.line.position(), m, search)?;
        Ok(Refutation { loss: of_book(&self.exercise, m).or(found.loss), ..found })
    }
}

/// Returns by how many points a move is worse than the best one, from the scores in the exercise.
fn of_book(exercise: &Exercise, m: AnyMove) -> Option<f64> {
    let points = exercise.values.get(&m.to_string())?;
    let best = exercise.values.values().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(((best - points) * 1000.0).round() / 1000.0)
}
