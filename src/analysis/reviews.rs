//! [`Reviews`]: the reviews of several games, and statistics about a player's mistakes.

use std::collections::{BTreeMap, HashMap};

use morello_core::game::{AnyGame, Color, Position as _};
use morello_core::sorting;

use super::collection::Phase;
use super::{GameReview, MoveStatistics, MoveSummary, ReviewedMove, Severity};

/// The reviews of several games, with the sides whose moves count.
///
/// ```
/// use morello::analysis::{GameReviewer, Reviews, review_limits};
/// use morello::game::{EngineOptions, Game};
/// use morello::games;
///
/// let othello = games::get("othello-4x4")?;
/// let limits = review_limits(othello, None, None);
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let mut reviewer = GameReviewer::new(othello.random_game(3, 12), &limits);
/// while let Some((game, limits)) = reviewer.next_search() {
///     searcher.clear();
///     drop(reviewer.add(searcher.best(&game, &limits)));
/// }
/// let mut reviews = Reviews::default();
/// reviews.push(reviewer.finish().1.expect("the game has moves"), [true, true]);
/// let worst = reviews.worst(10);
/// assert!(worst[0].reviewed.severity() >= worst[1].reviewed.severity());
/// assert_eq!(reviews.by_phase()[0].name, "opening");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reviews {
    games: Vec<(GameReview, [bool; 2])>,
}

/// A group of moves: one phase, opening or player.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MoveGroup {
    /// The phase, the opening or the player.
    pub name: String,
    /// The number of games with moves in this group.
    pub games: u64,
    /// The statistics of the moves.
    pub moves: MoveSummary,
    /// The mean loss of expected result per game, where 1 is a win.
    pub lost_per_game: f64,
}

/// An inaccuracy, a mistake or a blunder.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct BadMove<'a> {
    /// The first game with the move.
    pub game: &'a GameReview,
    /// The move.
    pub reviewed: &'a ReviewedMove,
    /// How often it was played in this position, in all games.
    pub times: usize,
}

impl Reviews {
    /// Adds a game. `sides` says whether Black's and White's moves count.
    pub fn push(&mut self, game: GameReview, sides: [bool; 2]) {
        self.games.push((game, sides));
    }

    /// Returns the games, and whether the moves of Black and White count.
    #[must_use]
    pub fn games(&self) -> &[(GameReview, [bool; 2])] {
        &self.games
    }

    /// Returns the game that was played; `None` without a move.
    #[must_use]
    pub fn rules(&self) -> Option<&'static dyn AnyGame> {
        self.games.iter().flat_map(|(game, _)| &game.moves).next().map(|m| m.position.game())
    }

    /// Returns the moves that count, with their games.
    fn moves(&self) -> impl Iterator<Item = (&GameReview, &ReviewedMove)> {
        self.games.iter().flat_map(|reviewed| counted(reviewed).map(|m| (&reviewed.0, m)))
    }

    /// Returns the games for changes, so that moves can be [settled](GameReview::settle).
    pub fn reviews_mut(&mut self) -> impl Iterator<Item = &mut GameReview> {
        self.games.iter_mut().map(|(game, _)| game)
    }

    /// Returns the statistics of the moves that count.
    #[must_use]
    pub fn statistics(&self) -> MoveStatistics {
        statistics(self.moves().map(|(_, m)| m))
    }

    /// Returns the number of moves that count with this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.moves().filter(|(_, m)| m.severity() == Some(severity)).count()
    }

    /// Returns the `count` worst moves that count, the worst first; equally bad moves in the order
    /// of the games.
    #[must_use]
    pub fn worst(&self, count: usize) -> Vec<BadMove<'_>> {
        let mut places = HashMap::new();
        let mut worst: Vec<BadMove<'_>> = Vec::new();
        for (game, reviewed) in self.moves().filter(|(_, m)| m.severity().is_some()) {
            let place = *places.entry((reviewed.position, reviewed.played)).or_insert(worst.len());
            match worst.get_mut(place) {
                Some(bad) => bad.times += 1,
                None => worst.push(BadMove { game, reviewed, times: 1 }),
            }
        }
        sorting::sort_by(&mut worst, &|a, b| {
            let lost = |bad: &BadMove<'_>| bad.reviewed.loss.map_or((0.0, 0.0), |loss| (loss.result, loss.points));
            let (a, b) = (lost(a), lost(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        worst.truncate(count);
        worst
    }

    /// Returns the moves by phase of the game, in the order of the phases.
    #[must_use]
    pub fn by_phase(&self) -> Vec<MoveGroup> {
        let groups = self.groups(|_, m| Phase::of(&m.position));
        groups.into_iter().map(|(phase, group)| MoveGroup { name: phase.name().to_owned(), ..group }).collect()
    }

    /// Returns the moves by the last named opening of the game, the most costly opening first.
    #[must_use]
    pub fn by_opening(&self) -> Vec<MoveGroup> {
        let groups = self.groups(|game, _| game.head.opening.map(str::to_owned));
        sorted(groups, |a, b| b.lost_per_game.total_cmp(&a.lost_per_game))
    }

    /// Returns the moves by player, the player with the most moves first.
    #[must_use]
    pub fn by_player(&self) -> Vec<MoveGroup> {
        let groups = self.groups(|game, m| game.head.tags.names[m.mover.index()].clone());
        sorted(groups, |a, b| b.moves.moves.cmp(&a.moves.moves))
    }

    fn groups<K: Ord + Clone>(&self, key: impl Fn(&GameReview, &ReviewedMove) -> Option<K>) -> BTreeMap<K, MoveGroup> {
        let mut groups: BTreeMap<K, (u64, MoveStatistics, f64)> = BTreeMap::new();
        for reviewed in &self.games {
            let game = &reviewed.0;
            let mut seen: Vec<K> = Vec::new();
            for m in counted(reviewed) {
                let (Some(loss), Some(key)) = (m.loss, key(game, m)) else { continue };
                let group = groups.entry(key.clone()).or_default();
                if !seen.contains(&key) {
                    group.0 += 1;
                    seen.push(key);
                }
                group.1.add(loss);
                group.2 += loss.result;
            }
        }
        let group = |(key, (games, statistics, lost)): (K, (u64, MoveStatistics, f64))| {
            let moves = MoveSummary::from(&statistics);
            (key, MoveGroup { name: String::new(), games, moves, lost_per_game: lost / games as f64 })
        };
        groups.into_iter().map(group).collect()
    }

    /// Returns, for each game, its index and the accuracy of the moves that count, in percent. The
    /// games are sorted by date; games without a date come first, in input order.
    #[must_use]
    pub fn trend(&self) -> Vec<(usize, f64)> {
        let accuracy = |(at, game): (usize, &_)| Some((at, statistics(counted(game)).accuracy()?));
        let mut trend: Vec<_> = self.games.iter().enumerate().filter_map(accuracy).collect();
        let date = |at: usize| &self.games[at].0.head.tags.date;
        sorting::sort_by(&mut trend, &|a, b| date(a.0).cmp(date(b.0)));
        trend
    }
}

/// Returns the moves of a game that count.
fn counted((game, sides): &(GameReview, [bool; 2])) -> impl Iterator<Item = &ReviewedMove> {
    game.moves.iter().filter(|m| sides[m.mover.index()])
}

/// Returns the statistics of moves.
pub(super) fn statistics<'a>(moves: impl Iterator<Item = &'a ReviewedMove>) -> MoveStatistics {
    let mut statistics = MoveStatistics::default();
    moves.filter_map(|m| m.loss).for_each(|loss| statistics.add(loss));
    statistics
}

/// Returns the groups with their names, sorted by `order` and then by name.
fn sorted(
    groups: BTreeMap<String, MoveGroup>,
    order: impl Fn(&MoveGroup, &MoveGroup) -> std::cmp::Ordering,
) -> Vec<MoveGroup> {
    let mut groups: Vec<_> = groups.into_iter().map(|(name, group)| MoveGroup { name, ..group }).collect();
    sorting::sort_by(&mut groups, &order);
    groups
}

impl GameReview {
    /// Returns the sides in the order in which they move.
    #[must_use]
    pub fn order(&self) -> [Color; 2] {
        let start = self.moves.first().map_or(Color::Black, |m| m.position.game().start().side_to_move());
        [start, !start]
    }

    /// Returns the names of the players with their sides, or the number of the game.
    #[must_use]
    pub fn heading(&self) -> String {
        match &self.head.tags.names {
            [None, None] => format!("Game {}", self.head.number),
            names => {
                let [first, second] = self.order();
                let name = |side: Color| names[side.index()].as_deref().unwrap_or("unknown");
                format!("{} ({first}) – {} ({second})", name(first), name(second))
            }
        }
    }
}
