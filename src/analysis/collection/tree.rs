//! [`MoveTree`]: the moves played from a position, with results.
//!
//! Symmetric positions are merged, so a position has the same counts however a game reached it.
//! Equivalent moves of a symmetric position count as one move.

use std::collections::HashMap;

use morello_core::game::{AnnotatedGame, AnyMove, AnyPosition, Color, Position as _};
use morello_core::sorting;
use thiserror::Error;

use super::PositionPattern;
use super::results::SideResult;
use super::results::{Results, round};

/// The maximum number of rows of a tree.
pub const MAX_ROWS: usize = 1_000_000;

/// A tree has too many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the tree has more than {MAX_ROWS} moves; use a lower --max-plies or a higher --min-games")]
pub struct TooManyRows;

/// The moves played from a position and from the positions after it.
///
/// A [`PathFinder`] finds the part of each game that belongs to the tree.
///
/// ```
/// use morello::collection::{MoveTree, PathFinder};
/// use morello::games;
/// use morello::input::read_text;
///
/// let othello = games::get("othello")?;
/// let (finder, mut tree) = (PathFinder::new(&othello.start(), 2), MoveTree::new(othello.start()));
/// for text in ["f5d6c3", "f5d6", "d3c5", "f5f6"] {
///     tree.add(&finder.find(&read_text(othello, text)?.game).expect("it begins at the start"));
/// }
/// let rows = tree.rows(2, 2)?;
/// let moves: Vec<_> = rows.iter().map(|row| (format!("{:?}", row.moves), row.results.games, row.share)).collect();
/// assert_eq!(moves, [("[f5]".to_owned(), 4, 100.0), ("[f5, d6]".to_owned(), 3, 75.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct MoveTree {
    root: AnyPosition,
    nodes: HashMap<AnyPosition, TreeNode>,
}

morello_core::debug_fields!(MoveTree { root, nodes.len() });

/// A position, represented by its smallest symmetric image.
#[derive(Debug, Clone, Default)]
struct TreeNode {
    games: u64,
    /// The moves, keyed by the smallest image of each.
    moves: HashMap<AnyMove, PlayedMove>,
}

/// A move and its images.
#[derive(Debug, Clone, Default)]
struct PlayedMove {
    results: Results,
    last_year: Option<u32>,
    /// How often each image was played, if the move has several images in the position.
    images: Vec<(u16, u64)>,
}

/// Finds the part of a game that belongs to a tree. Threads can share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFinder {
    root: PositionPattern,
    depth: usize,
}

/// The part of a game that belongs to a tree.
#[derive(Debug, Clone)]
pub struct GamePath {
    steps: Vec<PathStep>,
    /// The result for Black.
    result: SideResult,
    year: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct PathStep {
    position: AnyPosition,
    /// The smallest image of the move played, the move itself, and whether it has several images in
    /// this position; `None` at the end of the game.
    played: Option<(AnyMove, AnyMove, bool)>,
}

/// A move of a tree, with results from the point of view of the side that plays it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreeRow {
    /// The moves from the root up to this one, in the orientation of the root.
    pub moves: Vec<AnyMove>,
    /// The side that plays the move.
    pub side: Color,
    /// The results of this side in the games with the move.
    pub results: Results,
    /// The share of games with the move, in percent of the games that reached the position before
    /// it.
    pub share: f64,
    /// The year of the last game with the move, if known.
    pub last_year: Option<u32>,
    /// The position after the move.
    pub position: AnyPosition,
}

impl PathFinder {
    /// Creates a finder for a tree that starts at `root` and is `depth` plies deep.
    #[must_use]
    pub fn new(root: &AnyPosition, depth: usize) -> Self {
        Self { root: PositionPattern::new(root), depth }
    }

    /// Returns the part of a game that belongs to the tree; `None` if the game does not reach the
    /// root.
    ///
    /// ```
    /// use morello::collection::PathFinder;
    /// use morello::games;
    /// use morello::input::{read_position, read_text};
    ///
    /// let othello = games::get("othello")?;
    /// let finder = PathFinder::new(&read_position(othello, "f5d6")?, 1);
    /// assert!(finder.find(&read_text(othello, "d3c5f6")?.game).is_some(), "it reaches an image of the root");
    /// assert!(finder.find(&read_text(othello, "f5f6")?.game).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(&self, annotated: &AnnotatedGame) -> Option<GamePath> {
        let game = &annotated.game;
        let (positions, moves) = (game.positions(), game.moves());
        let mut steps: Vec<PathStep> = Vec::new();
        let mut next = 0;
        for root in self.root.plies(game) {
            let end = positions.len().min(root + self.depth.max(1));
            for (ply, position) in positions.iter().enumerate().take(end).skip(next.max(root)) {
                let step = PathStep::new(position, moves.get(ply).copied());
                // A game counts once, even if it repeats a move.
                if !game.position().game().info().cyclic || !steps.contains(&step) {
                    steps.push(step);
                }
            }
            next = end;
        }
        let result = SideResult::of(annotated, Color::Black);
        (!steps.is_empty()).then_some(GamePath { steps, result, year: annotated.tags.year() })
    }
}

impl PathStep {
    fn new(position: &AnyPosition, played: Option<AnyMove>) -> Self {
        let (least, symmetries) = least_image(position);
        let image = |m: AnyMove| (least_move(m, &symmetries), m, symmetries.len() > 1);
        Self { position: least, played: played.map(image) }
    }
}

/// Returns the smallest image of a position, and the symmetries that lead to it.
fn least_image(position: &AnyPosition) -> (AnyPosition, Vec<usize>) {
    let (mut least, mut symmetries) = (*position, vec![0]);
    for k in 1..position.game().info().symmetries {
        let image = position.transform(k);
        if image < least {
            (least, symmetries) = (image, vec![k]);
        } else if image == least {
            symmetries.push(k);
        }
    }
    (least, symmetries)
}

/// Returns the smallest image of a move under some symmetries.
fn least_move(m: AnyMove, symmetries: &[usize]) -> AnyMove {
    let images = symmetries.iter().map(|&k| m.transform(k));
    images.min_by_key(|&m| u16::from(m)).expect("at least one symmetry leads to the least image")
}

impl MoveTree {
    /// Creates an empty tree.
    #[must_use]
    pub fn new(root: AnyPosition) -> Self {
        Self { root, nodes: HashMap::new() }
    }

    /// Adds the moves of a game that belong to the tree.
    pub fn add(&mut self, path: &GamePath) {
        for (number, step) in path.steps.iter().enumerate() {
            let node = self.nodes.entry(step.position).or_default();
            // If a game repeats positions, a position may occur with several moves; count the game
            // once.
            node.games += u64::from(path.steps[..number].iter().all(|before| before.position != step.position));
            let Some((least, played, has_images)) = step.played else { continue };
            let counts = node.moves.entry(least).or_default();
            counts.results.add(path.result.of_side(step.position.side_to_move()));
            counts.last_year = counts.last_year.max(path.year);
            if has_images {
                let played = u16::from(played);
                match counts.images.iter_mut().find(|(image, _)| *image == played) {
                    Some((_, times)) => *times += 1,
                    None => counts.images.push((played, 1)),
                }
            }
        }
    }

    /// Returns the number of games that reached the root.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.nodes.get(&least_image(&self.root).0).map_or(0, |node| node.games)
    }

    /// Returns the moves with at least `min_games` games, up to `depth` plies from the root, in
    /// depth-first order: each move is followed by its continuations, the most frequent first.
    /// Equivalent moves are represented by the one played most often.
    ///
    /// # Errors
    /// [`TooManyRows`] if there are more than [`MAX_ROWS`] rows.
    pub fn rows(&self, depth: usize, min_games: u64) -> Result<Vec<TreeRow>, TooManyRows> {
        let mut rows = Vec::new();
        self.add_rows(&mut rows, self.root, &mut Vec::new(), &[], depth, min_games.max(1))?;
        Ok(rows)
    }

    /// Adds the rows below the position that `line` leads to. `path` has the smallest images of the
    /// positions before it.
    fn add_rows(
        &self,
        rows: &mut Vec<TreeRow>,
        position: AnyPosition,
        path: &mut Vec<AnyPosition>,
        line: &[AnyMove],
        depth: usize,
        min_games: u64,
    ) -> Result<(), TooManyRows> {
        let (least, symmetries) = least_image(&position);
        let Some(node) = self.nodes.get(&least).filter(|_| depth > 0) else { return Ok(()) };
        // A line that returns to one of its positions would never end.
        if path.contains(&least) {
            return Ok(());
        }
        path.push(least);
        // Each move, its most frequent image, and its counts.
        let mut moves: Vec<(AnyMove, AnyMove, &PlayedMove)> = Vec::new();
        for m in position.legal_moves() {
            let least = least_move(m, &symmetries);
            let Some(counts) = node.moves.get(&least).filter(|counts| counts.results.games >= min_games) else {
                continue;
            };
            let times = |m: AnyMove| {
                let image = counts.images.iter().find(|(image, _)| *image == u16::from(m));
                image.map_or(0, |&(_, times)| times)
            };
            match moves.iter_mut().find(|(known, ..)| *known == least) {
                Some((_, shown, _)) if times(m) > times(*shown) => *shown = m,
                Some(_) => {}
                None => moves.push((least, m, counts)),
            }
        }
        sorting::sort_by(&mut moves, &|a, b| b.2.results.games.cmp(&a.2.results.games));
        for (_, m, counts) in moves {
            let moves = [line, &[m]].concat();
            let next = position.after(m);
            if rows.len() == MAX_ROWS {
                return Err(TooManyRows);
            }
            rows.push(TreeRow {
                moves: moves.clone(),
                side: position.side_to_move(),
                results: counts.results,
                share: round(100.0 * counts.results.games as f64 / node.games as f64, 1),
                last_year: counts.last_year,
                position: next,
            });
            self.add_rows(rows, next, path, &moves, depth - 1, min_games)?;
        }
        path.pop();
        Ok(())
    }
}
