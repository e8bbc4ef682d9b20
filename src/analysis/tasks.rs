//! [`Tasks`]: the positions to analyze, out of the records of the inputs.

use std::collections::VecDeque;
use std::sync::Arc;

use thiserror::Error;

use super::{FingerprintSet, FingerprintSetError, RowError, fingerprint};
use crate::game::{AnnotatedPosition, AnyGame, AnyMove, Color, Game, ParsedRecord, Position as _, Tags};
use crate::input::{ReadError, Reader, Record, Selection};
use crate::output::Value;

/// Why there are no more tasks.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// An input cannot be read on.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The positions met before cannot be kept.
    #[error(transparent)]
    Seen(#[from] FingerprintSetError),
}

/// A position to be analyzed, or a record that is none.
pub struct Task {
    /// The name of the input.
    pub file: Arc<str>,
    /// The number of the record's line, from 1.
    pub line: u64,
    /// The number of the record, from 0, among those of all inputs together.
    pub record: u64,
    /// The bytes of all inputs that were read up to the end of the record.
    pub bytes_read: u64,
    /// What stands beside the record.
    pub beside: Arc<[Value]>,
    /// The place in a game, where the position is of one.
    pub in_game: Option<GameContext>,
    /// The game that leads to the position, and what is expected of it.
    pub position: Result<TaskPosition, RowError>,
}

/// A position and what is expected of it.
pub struct TaskPosition {
    /// The game up to some later position.
    game: Arc<Game>,
    /// The plies of it that were played before the position.
    plies: usize,
    /// The position, with what is expected.
    pub entry: AnnotatedPosition,
}

impl TaskPosition {
    /// Returns the game that ends in the position.
    #[must_use]
    pub fn game(&self) -> Game {
        // Where nothing can recur, nothing before the position matters.
        if self.entry.position.game().is_cyclic() {
            self.game.up_to(self.plies)
        } else {
            Game::new(self.entry.position)
        }
    }
}

/// Where in a game of a file a position stands.
#[derive(Debug, Clone, PartialEq)]
pub struct GameContext {
    /// The game.
    pub game: Arc<GameHeader>,
    /// The plies played before.
    pub ply: u32,
    /// The side to move.
    pub mover: Color,
    /// The move played; `None` after the last.
    pub played: Option<AnyMove>,
    /// The plies played before the next position with a choice, to which the move leads.
    pub next_ply: u32,
    /// The points for the side to move by which the game ended with this move, if it did.
    pub final_points: Option<i32>,
    /// Whether the position is one of those asked for, and not only there to judge the move before it.
    pub is_selected: bool,
}

/// A game of a file, without its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct GameHeader {
    /// The number of the game, from 1, in its input.
    pub number: u64,
    /// What is told of it.
    pub tags: Tags,
    /// The plies played.
    pub plies: u32,
    /// The points by which Black won on the board, if the game was played to its end.
    pub black_points: Option<i32>,
}

/// The tasks of some inputs, in order.
pub struct Tasks {
    reader: Reader,
    selection: Selection,
    /// The positions met before, if each is to be analyzed once only.
    seen: Option<FingerprintSet>,
    queue: VecDeque<Task>,
    /// The records that were read.
    records: u64,
    file: Option<Arc<str>>,
    /// The games of the present input that were read.
    games: u64,
}

impl Tasks {
    /// Selects from what a reader reads; with a set of those met before, only what is not among them, by which it grows.
    #[must_use]
    pub fn new(reader: Reader, selection: Selection, seen: Option<FingerprintSet>) -> Self {
        Self { reader, selection, seen, queue: VecDeque::new(), records: 0, file: None, games: 0 }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.reader.game()
    }

    /// Returns whether each position comes once only.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.seen.is_some()
    }

    /// Takes the tasks of a record into the queue.
    fn add(&mut self, record: Record) -> Result<(), FingerprintSetError> {
        let Record { file, line, bytes_read, raw, beside, content: held } = record;
        if self.file.as_ref().is_none_or(|present| !Arc::ptr_eq(present, &file)) {
            (self.file, self.games) = (Some(Arc::clone(&file)), 0);
        }
        let number = self.records;
        self.records += 1;
        let (part, parts) = self.selection.shard;
        let is_done = number < self.selection.done;
        if number % parts != part || is_done && self.seen.is_none() {
            if let Ok(ParsedRecord::Games(games)) = &held {
                self.games += games.len() as u64;
            }
            return Ok(());
        }
        let task = |in_game, position| Task {
            file: Arc::clone(&file),
            line,
            record: number,
            bytes_read,
            beside: Arc::clone(&beside),
            in_game,
            position,
        };
        match held {
            Err(error) => self.queue.push_back(task(None, Err(RowError::new(error, raw)))),
            Ok(ParsedRecord::Position(entry)) => {
                if self.selection.contains_empties(&entry.position) {
                    let game = Arc::new(Game::new(entry.position));
                    self.queue.push_back(task(None, Ok(TaskPosition { game, plies: 0, entry })));
                }
            }
            Ok(ParsedRecord::Games(games)) => {
                for annotated in games {
                    self.games += 1;
                    let tags = annotated.tags;
                    let game = Arc::new(annotated.game);
                    let head = Arc::new(GameHeader {
                        number: self.games,
                        tags,
                        plies: game.moves().len() as u32,
                        black_points: game.points(Color::Black),
                    });
                    for (in_game, asked) in positions(&game, &head, &self.selection) {
                        self.queue.push_back(task(Some(in_game), Ok(asked)));
                    }
                }
            }
        }
        if let Some(seen) = &mut self.seen {
            let mut is_new = |task: &Task| match (&task.position, &task.in_game) {
                (Ok(_), Some(place)) if !place.is_selected => Ok(false),
                (Ok(asked), _) => seen.insert(fingerprint(&asked.entry.position)),
                (Err(_), _) => Ok(true),
            };
            for task in std::mem::take(&mut self.queue) {
                // What is done was met before as well.
                if is_new(&task)? && !is_done {
                    self.queue.push_back(task);
                }
            }
        }
        Ok(())
    }
}

impl Iterator for Tasks {
    type Item = Result<Task, TaskError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(task) = self.queue.pop_front() {
                return Some(Ok(task));
            }
            match self.reader.next()? {
                Ok(record) => {
                    if let Err(error) = self.add(record) {
                        return Some(Err(error.into()));
                    }
                }
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

/// Returns the positions of a game that are asked for, those left out in which a pass is forced, and after the last of them the one that
/// judges its move.
fn positions(game: &Arc<Game>, head: &Arc<GameHeader>, selection: &Selection) -> Vec<(GameContext, TaskPosition)> {
    let (positions, moves) = (game.positions(), game.moves());
    let is_forced_pass = |ply: usize| moves.get(ply).is_some_and(|&m| m.is_pass());
    let is_end = |ply: usize| ply == moves.len() && game.end().is_some();
    let mut found = Vec::new();
    let mut judge_last = false;
    for (ply, position) in positions.iter().enumerate() {
        if is_forced_pass(ply) || is_end(ply) {
            continue;
        }
        let is_asked = selection.contains(position, ply as u32);
        if !is_asked && !judge_last {
            continue;
        }
        judge_last = is_asked;
        let next = (ply + 1..).find(|&next| !is_forced_pass(next)).unwrap_or(ply + 1);
        let mover = position.side_to_move();
        let in_game = GameContext {
            game: Arc::clone(head),
            ply: ply as u32,
            mover,
            played: moves.get(ply).copied(),
            next_ply: next as u32,
            final_points: if next == moves.len() { game.points(mover) } else { None },
            is_selected: is_asked,
        };
        let theoretical = head.tags.theoretical.filter(|told| position.empties() == Some(told.empties));
        let sign = if mover == Color::Black { 1 } else { -1 };
        let expected = theoretical.map(|told| (None, sign * told.points)).into_iter().collect();
        found.push((
            in_game,
            TaskPosition {
                game: Arc::clone(game),
                plies: ply,
                entry: AnnotatedPosition { position: *position, expected },
            },
        ));
    }
    found
}
