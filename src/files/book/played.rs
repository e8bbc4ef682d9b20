//! [`PlayedReplies`]: how often each move was played in a game collection.

use std::collections::{HashMap, HashSet};

use morello_core::game::{AnyPosition, Game, Position as _};
use morello_core::sorting;

/// The positions of some games, and the positions reached from them.
///
/// ```
/// use morello::book::PlayedReplies;
/// use morello::game::Position as _;
/// use morello::games;
/// use morello::input::read_game;
///
/// let othello = games::get("othello")?;
/// let mut replies = PlayedReplies::default();
/// for text in ["f5d6c3", "f5d6c3", "f5f6e6"] {
///     replies.add(&read_game(othello, text)?, 3);
/// }
/// // The start and the position after f5 were reached three times, f5d6 and f5d6c3 twice.
/// let frequent = replies.frequent(3, 0.5);
/// assert_eq!(frequent.iter().map(|&(_, ply)| ply).collect::<Vec<_>>(), [0, 1, 2]);
/// assert_eq!(replies.frequent(3, 0.3).len(), 4, "f5f6 is a third of the replies");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PlayedReplies {
    /// The number of games that reached each canonical position, and its lowest ply, not counting
    /// passes.
    reached: HashMap<AnyPosition, (u64, u32)>,
    /// The number of games that continued from the first position to the second.
    continued: HashMap<(AnyPosition, AnyPosition), u64>,
}

impl PlayedReplies {
    /// Counts the positions of a game after 0 to `plies` plies. A position that occurs several
    /// times in the game is counted once.
    pub fn add(&mut self, game: &Game, plies: usize) {
        let mut seen = HashSet::new();
        let mut before = None;
        for (ply, position) in book_positions(game, plies) {
            let (games, least) = self.reached.entry(position).or_insert((0, ply));
            *least = ply.min(*least);
            *games += u64::from(seen.insert((position, position)));
            if let Some(step) = before.replace(position).map(|before| (before, position)) {
                *self.continued.entry(step).or_default() += u64::from(seen.insert(step));
            }
        }
    }

    /// Returns the canonical positions that at least `min_games` games reached, and the positions
    /// to which at least the fraction `min_share` of the games of such a position continued. Each
    /// has its ply; the most frequent come first.
    #[must_use]
    pub fn frequent(&self, min_games: u64, min_share: f64) -> Vec<(AnyPosition, u32)> {
        let games = |position: &AnyPosition| self.reached[position].0;
        let is_frequent = |position: &AnyPosition| games(position) >= min_games;
        let replies = self
            .continued
            .iter()
            .filter(|&((from, _), &count)| is_frequent(from) && count as f64 >= min_share * games(from) as f64);
        let positions = self.reached.keys().copied().filter(is_frequent).chain(replies.map(|((_, to), _)| *to));
        let distinct: HashSet<_> = positions.collect();
        let mut frequent: Vec<_> = distinct.into_iter().collect();
        let key = |position: &AnyPosition| (u64::MAX - games(position), self.reached[position].1, position.key());
        sorting::sort_by(&mut frequent, &|a, b| key(a).cmp(&key(b)));
        frequent.into_iter().map(|position| (position, self.reached[&position].1)).collect()
    }
}

/// Returns the canonical positions in the first plies of a game that a book may contain, with their
/// plies, not counting passes.
pub(super) fn book_positions(game: &Game, plies: usize) -> impl Iterator<Item = (u32, AnyPosition)> {
    let positions = game.positions().iter().take(plies.saturating_add(1));
    let choices = positions.filter(|position| !position.is_over() && position.forced_pass().is_none());
    choices.enumerate().map(|(ply, position)| (ply as u32, position.canonical()))
}
