//! The information in a record about its moves: [`Note`], and [`MoveTree`] with comments and
//! variations.

use crate::game::{AnyMove, AnyPosition, Position as _};

/// A note on a move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Note {
    /// The player's evaluation.
    pub eval: Option<f64>,
    /// The depth of the player's search, in plies.
    pub depth: Option<u32>,
    /// The time for the move, in seconds.
    pub seconds: Option<f64>,
}

/// The maximum number of positions in a tree.
const MAX_NODES: usize = 100_000;

/// The moves of a game as a tree: the main line, variations and comments. Node 0 is the start.
///
/// ```
/// use morello::game::MoveTree;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// let tree = MoveTree::read(start, "1. f5 {good} d6 (1... f6 2. e6) 2. c3");
/// assert_eq!(tree.to_string(), "f5 {good} d6 (f6 e6) c3");
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MoveTree {
    nodes: Vec<MoveNode>,
}

/// A position of a [`MoveTree`], with the information in the record.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveNode {
    /// The position.
    pub position: AnyPosition,
    /// The move that leads to it; `None` at the start.
    pub played: Option<AnyMove>,
    /// The glyphs of the move, such as `?!`.
    pub glyphs: String,
    /// The note on the move.
    pub note: Note,
    /// The comment on one line, without braces.
    pub comment: String,
    /// The number of plies before the position.
    ply: usize,
    parent: Option<usize>,
    children: Vec<usize>,
}

impl MoveNode {
    fn new(position: AnyPosition, played: Option<AnyMove>, parent: Option<usize>) -> Self {
        let (glyphs, note, comment) = (String::new(), Note::default(), String::new());
        Self { position, played, glyphs, note, comment, ply: 0, parent, children: Vec::new() }
    }

    /// Appends text to the comment.
    pub(crate) fn add_comment(&mut self, text: &str) {
        let text = text.replace('{', "(").replace('}', ")");
        for word in text.split_whitespace() {
            self.comment += if self.comment.is_empty() { "" } else { " " };
            self.comment += word;
        }
    }
}

/// A node of a [`MoveTree`] without its position, for storage.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredNode {
    /// The text of the move that leads to the node; empty at the start.
    pub played: String,
    /// The glyphs of the move.
    pub glyphs: String,
    /// The note on the move.
    pub note: Note,
    /// The comment on one line.
    pub comment: String,
    /// The numbers of the nodes after it: the next node of its line, then the first nodes of
    /// variations.
    pub children: Vec<usize>,
}

impl MoveTree {
    /// The maximum number of plies of a line that are read.
    const MAX_PLIES: usize = 2000;
    /// The maximum number of illegal moves that are reported.
    pub(crate) const MAX_ILLEGAL: usize = 10;
    /// The maximum nesting depth of variations that are read.
    pub(crate) const MAX_DEPTH: usize = 1000;

    /// Creates a tree without moves.
    pub(crate) fn new(start: AnyPosition) -> Self {
        Self { nodes: vec![MoveNode::new(start, None, None)] }
    }

    /// Returns the nodes of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = &MoveNode> {
        let next = |&at: &usize| self.nodes[at].children.first().copied();
        std::iter::successors(Some(0), next).map(|at| &self.nodes[at])
    }

    /// Returns the nodes for storage, the start first.
    ///
    /// ```
    /// use morello::game::MoveTree;
    /// use morello::games;
    ///
    /// let start = games::get("othello")?.start();
    /// let tree = MoveTree::read(start, "1. f5?! {good} d6 (1... f6 {+2} 2. e6) 2. c3");
    /// assert_eq!(MoveTree::restore(start, tree.stored()), Some(tree));
    /// assert_eq!(MoveTree::restore(start, Vec::new()), None);
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn stored(&self) -> Vec<StoredNode> {
        let stored = |node: &MoveNode| StoredNode {
            played: node.played.map_or_else(String::new, |m| m.to_string()),
            glyphs: node.glyphs.clone(),
            note: node.note,
            comment: node.comment.clone(),
            children: node.children.clone(),
        };
        self.nodes.iter().map(stored).collect()
    }

    /// Restores a tree from its stored nodes and its starting position; `None` if the nodes do not
    /// form a tree of legal moves.
    #[must_use]
    pub fn restore(start: AnyPosition, stored: Vec<StoredNode>) -> Option<Self> {
        let mut parents = vec![None; stored.len()];
        for (at, node) in stored.iter().enumerate() {
            for &child in &node.children {
                // A node comes after its parent, and has only one parent.
                let parent = parents.get_mut(child).filter(|parent| at < child && parent.is_none())?;
                *parent = Some(at);
            }
        }
        let mut tree = Self::new(start);
        for (node, parent) in stored.iter().zip(parents).skip(1) {
            let parent = parent?;
            let m = tree.nodes[parent].position.find_move(&node.played)?;
            tree.add(parent, m);
        }
        if tree.nodes.len() != stored.len() {
            return None;
        }
        for (node, stored) in tree.nodes.iter_mut().zip(stored) {
            (node.glyphs, node.comment) = (stored.glyphs, stored.comment);
            (node.note, node.children) = (stored.note, stored.children);
        }
        Some(tree)
    }

    /// Returns whether the tree is a single line without variations and comments.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.nodes.iter().all(|node| node.comment.is_empty() && node.glyphs.is_empty() && node.children.len() < 2)
    }

    /// Makes a line of the tree the main line. Returns false if the tree does not contain its
    /// moves, or continues after them.
    pub(crate) fn promote(&mut self, moves: &[AnyMove]) -> bool {
        let mut at = 0;
        for &m in moves {
            let children = &self.nodes[at].children;
            let Some(place) = children.iter().position(|&child| self.nodes[child].played == Some(m)) else {
                return false;
            };
            self.nodes[at].children[..=place].rotate_right(1);
            at = self.nodes[at].children[0];
        }
        self.nodes[at].children.is_empty()
    }

    /// Sets the notes of the moves of the main line.
    pub(crate) fn set_notes(&mut self, notes: &[Note]) {
        let mut at = 0;
        for &note in notes {
            let Some(&next) = self.nodes[at].children.first() else { return };
            self.nodes[next].note = note;
            at = next;
        }
    }

    pub(crate) fn node(&self, at: usize) -> &MoveNode {
        &self.nodes[at]
    }

    pub(crate) fn node_mut(&mut self, at: usize) -> &mut MoveNode {
        &mut self.nodes[at]
    }

    /// Returns the nodes after a node: the next node of its line, then the first nodes of
    /// variations.
    pub(crate) fn children(&self, at: usize) -> &[usize] {
        &self.nodes[at].children
    }

    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        self.nodes[at].parent
    }

    /// Returns the node after the legal move that `find` returns, perhaps after a forced pass that
    /// the record omits. Adds the node if it is new and there is room.
    pub(crate) fn play(&mut self, at: usize, find: impl Fn(&AnyPosition) -> Option<AnyMove>) -> Option<usize> {
        let position = self.nodes[at].position;
        if self.nodes.len() >= MAX_NODES || self.nodes[at].ply >= Self::MAX_PLIES {
            return None;
        }
        if let Some(m) = find(&position) {
            return Some(self.add(at, m));
        }
        let pass = position.forced_pass()?;
        let m = find(&position.after(pass))?;
        let passed = self.add(at, pass);
        Some(self.add(passed, m))
    }

    /// Returns the node after a legal move.
    fn add(&mut self, at: usize, m: AnyMove) -> usize {
        let known = self.nodes[at].children.iter().find(|&&child| self.nodes[child].played == Some(m));
        known.copied().unwrap_or_else(|| {
            let new = self.nodes.len();
            let node = MoveNode::new(self.nodes[at].position.after(m), Some(m), Some(at));
            self.nodes.push(MoveNode { ply: self.nodes[at].ply + 1, ..node });
            self.nodes[at].children.push(new);
            new
        })
    }
}
