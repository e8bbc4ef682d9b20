//! The pickled form of a game.

use morello::game::{self, AnnotatedGame, AnyPosition, DrawRules, MoveTree, Note, StoredNode};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::invalid;
use crate::items::Items;
use crate::record::played;
use crate::tags;

/// The evaluation, the depth and the time of a move.
type NoteParts = (Option<f64>, Option<u32>, Option<f64>);

/// A node of a tree of moves: the move, the glyphs, the note, the comment and the nodes after it.
type NodeParts = (String, String, NoteParts, String, Items<usize>);

/// The state of a game besides its start, for pickle.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct State<'py> {
    moves: Items<String>,
    /// The limits for repetition, lack of progress and length.
    draw_rules: (Option<u32>, Option<u32>, Option<u32>),
    tags: Bound<'py, PyDict>,
    /// Other tags. Names may occur several times.
    other_tags: Items<(String, String)>,
    notes: Items<NoteParts>,
    tree: Option<Items<NodeParts>>,
}

fn note_parts(note: &Note) -> NoteParts {
    (note.eval, note.depth, note.seconds)
}

fn note((eval, depth, seconds): NoteParts) -> Note {
    Note { eval, depth, seconds }
}

impl<'py> State<'py> {
    /// Returns the state of a game besides its start.
    pub fn of(py: Python<'py>, annotated: &AnnotatedGame) -> PyResult<Self> {
        let AnnotatedGame { game, tags, notes, tree, .. } = annotated;
        let DrawRules { repetition, no_progress, ply_cap } = game.draw_rules();
        let node = |StoredNode { played, glyphs, note, comment, children }| {
            (played, glyphs, note_parts(&note), comment, Items(children))
        };
        Ok(Self {
            moves: game.moves().iter().map(ToString::to_string).collect(),
            draw_rules: (repetition, no_progress, ply_cap),
            tags: tags::to_dict(py, tags)?,
            other_tags: Items(tags.others.clone()),
            notes: notes.iter().map(note_parts).collect(),
            tree: tree.as_ref().map(|tree| tree.stored().into_iter().map(node).collect()),
        })
    }

    /// Restores the game from its start.
    pub fn restore(self, start: AnyPosition) -> PyResult<AnnotatedGame> {
        let (repetition, no_progress, ply_cap) = self.draw_rules;
        let mut game = played(game::Game::new(start), &self.moves)?;
        game.set_draw_rules(DrawRules { repetition, no_progress, ply_cap });
        let mut restored = AnnotatedGame::from(game);
        for (name, value) in self.tags {
            tags::set(&mut restored.tags, start.game(), &name.extract::<String>()?, &value)?;
        }
        restored.tags.others = self.other_tags.0;
        restored.notes = self.notes.into_iter().map(note).collect();
        restored.tree = match self.tree {
            Some(nodes) => {
                let stored = nodes.into_iter().map(|(played, glyphs, parts, comment, children)| StoredNode {
                    played,
                    glyphs,
                    note: note(parts),
                    comment,
                    children: children.0,
                });
                let tree = MoveTree::restore(start, stored.collect());
                Some(tree.ok_or_else(|| invalid("the pickled moves are not a tree of legal moves"))?)
            }
            None => None,
        };
        Ok(restored)
    }
}
