//! [`Repertoire`]: the moves that one side should know, and the opponent's likely replies.

use std::sync::Arc;

use morello_core::game::{AnyMove, AnyPosition, Color, Game};
use morello_core::sorting;
use morello_files::book::{
    Book, BookError, BookGraph, KnownMove, Successor, distinct_moves, least_image, move_images, successor,
};
use serde::{Deserialize, Serialize};

use crate::MoveLoss;

/// How fast the expected frequency of a reply falls with its loss: a reply that loses a tenth of a
/// win (3 discs in an even opening) is expected a sixth as often.
const LIKELIHOOD_DECAY: f64 = 18.0;

/// The order in which the opponent's replies are learned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Replies {
    /// By the number of games in the book or the collection. Without games, better replies are
    /// expected more often.
    #[default]
    Frequency,
    /// Likely replies after which the average move loses much come first.
    Tricky,
}

/// What a repertoire contains.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RepertoireOptions {
    /// The side whose moves are asked.
    pub side: Color,
    /// The lines end after this many plies, counted as in the game at their start.
    pub plies: usize,
    /// Book moves are right if they are at most this many points worse than the best one. In a
    /// repertoire from games, all played moves are right.
    pub error: f64,
    /// The order of the replies.
    pub replies: Replies,
}

impl RepertoireOptions {
    /// Returns the options for a side: lines of 20 plies, only the best moves, and replies by
    /// frequency.
    ///
    /// ```
    /// use morello::analysis::trainer::{Replies, RepertoireOptions};
    /// use morello::game::Color;
    ///
    /// let options = RepertoireOptions { error: 0.5, ..RepertoireOptions::new(Color::White) };
    /// assert_eq!((options.plies, options.replies), (20, Replies::Frequency));
    /// ```
    #[must_use]
    pub fn new(side: Color) -> Self {
        Self { side, plies: 20, error: 0.0, replies: Replies::default() }
    }
}

/// The moves that one side should know, and the opponent's likely replies.
#[derive(Debug)]
pub struct Repertoire {
    pub(super) start: Game,
    pub(super) options: RepertoireOptions,
    book: Option<Arc<Book>>,
    games: Option<BookGraph>,
}

/// A move in a position. One move represents all its symmetric images.
pub(super) struct Choice {
    pub m: AnyMove,
    /// The score of the move in the book, for the side that plays it.
    pub points: Option<f64>,
    /// The number of games that continued with the move.
    games: u64,
}

impl Repertoire {
    /// Returns the repertoire of a book, starting at the end of the game `start`. Right moves are
    /// the book moves within [`RepertoireOptions::error`].
    #[must_use]
    pub fn of_book(start: Game, book: Arc<Book>, options: RepertoireOptions) -> Self {
        Self { start, options, book: Some(book), games: None }
    }

    /// Returns the repertoire of a game collection, starting at the end of the game `start`. All
    /// moves of the games are right, and the most frequent one comes first. `games` is a book in
    /// memory, which [`learn`](morello_files::book::learn) fills; every move that leads to one of
    /// its positions counts as played. `book`, if given, provides scores for the moves.
    ///
    /// ```
    /// use morello::analysis::trainer::{Cards, Repertoire, RepertoireOptions};
    /// use morello::book::{BookGraph, learn};
    /// use morello::game::{Color, Game};
    /// use morello::games;
    /// use morello::input::read_game;
    ///
    /// let (othello, mut graph) = (games::get("othello")?, BookGraph::default());
    /// for line in ["f5d6c3d3c4", "f5d6c4", "f5d6c3", "f5f6e6"] {
    ///     learn(&mut graph, &read_game(othello, line)?, 20, None);
    /// }
    /// let options = RepertoireOptions::new(Color::Black);
    /// let repertoire = Repertoire::of_games(Game::new(othello.start()), graph, None, options);
    /// let lesson = repertoire.lesson(&Cards::default(), 0, 10)?;
    /// assert_eq!(lesson.questions[0].exercise.best, ["c3", "c4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_games(start: Game, games: BookGraph, book: Option<Arc<Book>>, options: RepertoireOptions) -> Self {
        Self { start, options, book, games: Some(games) }
    }

    /// Returns the moves of a position that are in the book, the best first.
    pub(super) fn known_moves(&self, position: &AnyPosition) -> Result<Vec<KnownMove>, BookError> {
        let Some(book) = &self.book else { return Ok(Vec::new()) };
        let entry = book.get(position)?;
        entry.map_or(Ok(Vec::new()), |entry| book.known_moves(position, &entry))
    }

    /// Returns all moves of a position in the repertoire, including book moves that may be wrong.
    fn choices(&self, position: &AnyPosition, known: &[KnownMove]) -> Vec<Choice> {
        let of_book = known.iter().filter_map(|known| {
            Some(Choice {
                m: preferred_image(position, known.m?),
                points: Some(known.score.score.points()),
                games: known.games.total(),
            })
        });
        let Some(games) = &self.games else { return of_book.collect() };
        let of_book: Vec<_> = of_book.collect();
        let played = distinct_moves(position).into_iter().filter_map(|m| {
            let Successor::Position(next, _) = successor(position, m) else { return None };
            let games = games.get(&next)?.games.total();
            let points =
                of_book.iter().find(|known| least_image(position, known.m) == m).and_then(|known| known.points);
            (games > 0).then(|| Choice { m: preferred_image(position, m), points, games })
        });
        played.collect()
    }

    /// Returns the right moves in a position in which the learning side is to move. The first one
    /// is to be learned.
    pub(super) fn answers(&self, position: &AnyPosition, known: &[KnownMove]) -> Vec<Choice> {
        let mut choices = self.choices(position, known);
        if self.games.is_some() {
            sorting::sort_by(&mut choices, &|a, b| b.games.cmp(&a.games));
            return choices;
        }
        let best = choices.iter().filter_map(|choice| choice.points).fold(f64::NEG_INFINITY, f64::max);
        choices.retain(|choice| choice.points.is_some_and(|points| best - points <= self.options.error + 1e-9));
        choices
    }

    /// Returns the opponent's replies in a position, each with its share of all replies.
    pub(super) fn replies(&self, position: &AnyPosition) -> Result<Vec<(AnyMove, f64)>, BookError> {
        let choices = self.choices(position, &self.known_moves(position)?);
        let best = choices.iter().filter_map(|choice| choice.points).fold(f64::NEG_INFINITY, f64::max);
        let has_games = choices.iter().any(|choice| choice.games > 0);
        let mut weighted = Vec::new();
        for choice in choices {
            let likely = match choice.points {
                Some(points) if !has_games => (-LIKELIHOOD_DECAY * MoveLoss::new(position, best, points).result).exp(),
                _ => choice.games as f64,
            };
            let weight = match self.options.replies {
                Replies::Frequency => likely,
                Replies::Tricky => likely * self.mean_loss(position, choice.m)?,
            };
            weighted.push((choice.m, weight));
        }
        let sum: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let equal = 1.0 / weighted.len().max(1) as f64;
        weighted.iter_mut().for_each(|(_, weight)| *weight = if sum > 0.0 { *weight / sum } else { equal });
        Ok(weighted)
    }

    /// Returns the mean loss of the moves after a reply, as a fraction of a win; 0 if they are not
    /// in the book.
    fn mean_loss(&self, position: &AnyPosition, reply: AnyMove) -> Result<f64, BookError> {
        let Successor::Position(next, _) = successor(position, reply) else { return Ok(0.0) };
        let known = self.known_moves(&next)?;
        let (Some(best), Some(last)) = (known.first(), known.last()) else { return Ok(0.0) };
        let loss =
            |known: &KnownMove| MoveLoss::new(&next, best.score.score.points(), known.score.score.points()).result;
        let listed: f64 = known.iter().filter(|known| known.m.is_some()).map(loss).sum();
        let count = known.iter().filter(|known| known.m.is_some()).count();
        let all = distinct_moves(&next).len().max(1);
        // Moves that are not listed are at most as good as the last entry.
        Ok((listed + all.saturating_sub(count) as f64 * loss(last)) / all as f64)
    }
}

/// At the start of games with named openings, returns the symmetric image of a move that is played
/// by convention; otherwise returns the move.
fn preferred_image(position: &AnyPosition, m: AnyMove) -> AnyMove {
    let names = position.game().opening_names().filter(|_| position.is_start());
    let first = names.and_then(|names| names.all().first()?.moves.first().copied());
    first.filter(|first| move_images(position, m).contains(first)).unwrap_or(m)
}
