//! [`Lesson`]: the questions along the next line of a repertoire.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use morello_core::game::{AnyMove, AnyPosition, Game, Position as _};
use morello_files::book::{BookError, KnownMove, canonical, canonical_move, distinct_moves, least_image, move_images};

use super::card::{Card, Cards};
use super::repertoire::{Choice, Repertoire};
use crate::Exercise;

/// The maximum number of positions of a repertoire. The positions reached most often are kept.
const MAX_POSITIONS: usize = 20_000;

/// The questions along the next line of a repertoire, and how much is left to learn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Lesson {
    /// The questions, in the order of the line; empty if there is nothing to ask now. The line
    /// continues with the first move of [`Exercise::best`]. After another right answer, the later
    /// questions are not reached.
    pub questions: Vec<Question>,
    /// The number of positions of the repertoire that can be asked.
    pub positions: usize,
    /// The number of these positions that were never asked.
    pub new: usize,
    /// The number of these positions whose last answer was right.
    pub learnt: usize,
    /// The number of these positions that are due, not counting new ones.
    pub due: usize,
    /// When the next position will be due, as Unix time in seconds; `None` if no position is
    /// waiting.
    pub next_due: Option<u64>,
}

/// A position in which the user is asked for the move.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// The line up to the position.
    pub line: Game,
    /// The position and its right moves. The lesson continues with the first one.
    pub exercise: Exercise,
    /// The card of the position.
    pub card: Card,
}

impl Question {
    /// Returns the card of the position after the answer `m`, right or wrong, at the time `now`.
    #[must_use]
    pub fn answered(&self, m: &str, now: u64) -> Card {
        let position = self.line.position();
        let played = position.find_move(m).filter(|m| self.exercise.is_right(&m.to_string()));
        self.card.answered(played.map(|m| canonical_move(position, m).to_string()).as_deref(), now)
    }
}

/// A position in which the learning side is to move and which its answers reach.
struct Node {
    game: Game,
    parent: Option<usize>,
    known: Vec<KnownMove>,
    /// The right moves. The line continues with the first one.
    answers: Vec<Choice>,
    card: Card,
    /// Whether enough moves are wrong.
    is_asked: bool,
}

/// A position that will become a node. Candidates that replies reach most often come first.
struct Candidate {
    share: f64,
    /// Orders candidates with equal shares.
    number: usize,
    game: Game,
    parent: Option<usize>,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.share.total_cmp(&other.share).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// The positions that the learning side's answers reach. Each position comes after its predecessor.
struct Tree<'a> {
    repertoire: &'a Repertoire,
    cards: &'a Cards,
    nodes: Vec<Node>,
    candidates: BinaryHeap<Candidate>,
    seen: HashSet<AnyPosition>,
    number: usize,
}

impl Tree<'_> {
    /// Adds the next positions in which the learning side is to move as candidates.
    fn expect(&mut self, mut game: Game, share: f64, parent: Option<usize>) -> Result<(), BookError> {
        while let Some(pass) = game.position().forced_pass().filter(|_| game.end().is_none()) {
            game.play(pass).expect("the pass is legal and the game is not over");
        }
        let options = &self.repertoire.options;
        if game.end().is_some() || game.moves().len() >= options.plies {
            return Ok(());
        }
        if game.position().side_to_move() == options.side {
            self.number += 1;
            self.candidates.push(Candidate { share, number: self.number, game, parent });
            return Ok(());
        }
        for (reply, part) in self.repertoire.replies(game.position())? {
            let mut next = game.clone();
            if next.play(reply).is_ok() {
                self.expect(next, share * part, parent)?;
            }
        }
        Ok(())
    }

    /// Adds a candidate as a node, unless another move order has already reached its position, or
    /// the repertoire has no moves for it.
    fn add(&mut self, Candidate { share, game, parent, .. }: Candidate) -> Result<(), BookError> {
        let position = *game.position();
        if !self.seen.insert(position.canonical()) {
            return Ok(());
        }
        let known = self.repertoire.known_moves(&position)?;
        let mut answers = self.repertoire.answers(&position, &known);
        let place = |card: &Card| {
            let given = of_canonical(&position, card.answer.as_deref()?)?;
            answers.iter().position(|answer| least_image(&position, answer.m) == given)
        };
        // Other cards were learned for another repertoire, or with another limit.
        let fitting = self.cards.all(&position).iter().filter(|card| card.answer.is_none() || place(card).is_some());
        let card = fitting.max_by_key(|card| card.answer.is_some()).cloned().unwrap_or_else(|| Card::new(&position));
        if let Some(at) = place(&card) {
            answers[..=at].rotate_right(1);
        }
        let Some(first) = answers.first().map(|first| first.m) else { return Ok(()) };
        let mut next = game.clone();
        // Where most moves are right, there is little to learn.
        let moves = distinct_moves(&position).len();
        let is_asked = answers.len() < moves && answers.len() <= moves.div_ceil(2);
        self.nodes.push(Node { game, parent, known, answers, card, is_asked });
        if next.play(first).is_ok() {
            self.expect(next, share, Some(self.nodes.len() - 1))?;
        }
        Ok(())
    }
}

impl Repertoire {
    /// Returns the questions along the next line, at the time `now`. The next line is the one with
    /// the most due positions. If none is due, it is the line with the most of the next `new`
    /// positions that were never asked; positions that replies reach most often come first. If
    /// there are none, it is the line with the most positions whose last answer was wrong.
    ///
    /// # Errors
    /// [`BookError::Damaged`] if a checksum of the book is wrong.
    pub fn lesson(&self, cards: &Cards, now: u64, new: usize) -> Result<Lesson, BookError> {
        let (candidates, seen) = (BinaryHeap::new(), HashSet::new());
        let mut tree = Tree { repertoire: self, cards, nodes: Vec::new(), candidates, seen, number: 0 };
        tree.expect(self.start.clone(), 1.0, None)?;
        while let Some(candidate) = tree.candidates.pop().filter(|_| tree.nodes.len() < MAX_POSITIONS) {
            tree.add(candidate)?;
        }
        let nodes = tree.nodes;
        let (mut positions, mut news, mut learnt) = (0, 0, 0);
        let (mut due, mut fresh, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for node in &nodes {
            let is_new = node.is_asked && node.card.is_new();
            let is_old = node.is_asked && !node.card.is_new();
            positions += usize::from(node.is_asked);
            news += usize::from(is_new);
            learnt += usize::from(is_old && node.card.number > 0);
            due.push(is_old && node.card.due <= now);
            fresh.push(is_new && news <= new);
            again.push(is_old && node.card.number == 0);
        }
        let questions = [&due, &fresh, &again].into_iter().find_map(|wanted| line(&nodes, wanted));
        let waiting = nodes.iter().filter(|node| node.is_asked && !node.card.is_new() && node.card.due > now);
        Ok(Lesson {
            questions: questions.unwrap_or_default(),
            positions,
            new: news,
            learnt,
            due: due.iter().filter(|&&is_due| is_due).count(),
            next_due: waiting.map(|node| node.card.due).min(),
        })
    }
}

/// Returns the questions along the line with the most wanted positions; if several lines have the
/// same number, the first.
fn line(nodes: &[Node], wanted: &[bool]) -> Option<Vec<Question>> {
    let mut counts: Vec<usize> = Vec::new();
    for (node, &is_wanted) in nodes.iter().zip(wanted) {
        counts.push(node.parent.map_or(0, |parent| counts[parent]) + usize::from(is_wanted));
    }
    let most = counts.iter().copied().max().filter(|&most| most > 0)?;
    let end = counts.iter().position(|&count| count == most)?;
    let path = std::iter::successors(Some(end), |&at| nodes[at].parent);
    let mut questions: Vec<_> = path.filter(|&at| wanted[at]).map(|at| nodes[at].question()).collect();
    questions.reverse();
    Some(questions)
}

impl Node {
    fn question(&self) -> Question {
        let position = self.game.position();
        // The move of the line comes before its symmetric images.
        let mut right: Vec<AnyMove> = Vec::new();
        for choice in &self.answers {
            for m in std::iter::once(choice.m).chain(move_images(position, choice.m)) {
                if !right.contains(&m) {
                    right.push(m);
                }
            }
        }
        let mut exercise = Exercise::of_moves(position, right);
        for known in &self.known {
            let images = known.m.map_or_else(Vec::new, |m| move_images(position, m));
            exercise.values.extend(images.into_iter().map(|m| (m.to_string(), known.score.score.points())));
        }
        exercise.source = source(&self.game);
        Question { line: self.game.clone(), exercise, card: self.card.clone() }
    }
}

/// Returns the last named opening of a line, and its moves; `None` without moves.
fn source(game: &Game) -> Option<String> {
    let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    let names = game.position().game().opening_names();
    let name = names
        .and_then(|names| names.at_ply(game, usize::MAX))
        .map_or_else(String::new, |named| format!("{}: ", named.name));
    (!moves.is_empty()).then(|| name + &moves.join(" "))
}

/// Parses a move in the canonical image of a position, and returns its smallest symmetric image.
fn of_canonical(position: &AnyPosition, text: &str) -> Option<AnyMove> {
    let (image, back) = canonical(position);
    Some(least_image(position, image.find_move(text)?.transform(back)))
}
