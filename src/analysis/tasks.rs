//! [`Tasks`]: the positions to analyze, read from the inputs.

use std::collections::VecDeque;
use std::sync::Arc;

use morello_core::game::{
    AnnotatedGame, AnnotatedPosition, AnyGame, AnyMove, Color, Game, ParsedRecord, Position as _, Tags,
};
use morello_files::input::{GameRecord, ReadError, Reader, Record, Selection, unread_note};
use morello_files::output::Value;
use thiserror::Error;

use super::{FingerprintSet, RowError, TooManyFingerprints, fingerprint};

/// An error that ends the tasks.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// An input cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There are too many different positions.
    #[error(transparent)]
    Seen(#[from] TooManyFingerprints),
}

/// A position to analyze, or a bad record.
#[derive(Debug)]
#[non_exhaustive]
pub struct Task {
    /// The record.
    pub origin: Arc<RowOrigin>,
    /// The place in a game, if the position is part of one.
    pub game_context: Option<GameContext>,
    /// The position with its game and its expected scores, or the error in the record.
    pub position: Result<TaskPosition, RowError>,
}

/// A position with its game and its expected scores.
#[derive(Debug)]
pub struct TaskPosition {
    /// The game up to this position or a later one.
    game: Arc<Game>,
    /// The plies of the game before the position.
    plies: usize,
    /// The position and its expected scores.
    pub entry: AnnotatedPosition,
}

impl TaskPosition {
    /// Returns the game that ends with the position.
    #[must_use]
    pub fn game(&self) -> Game {
        // In acyclic games, the moves before the position do not matter.
        if self.entry.position.game().info().cyclic {
            self.game.up_to(self.plies)
        } else {
            Game::new(self.entry.position)
        }
    }
}

/// The place of a position in a game.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GameContext {
    /// The game.
    pub game: Arc<GameHeader>,
    /// The plies played before the position.
    pub ply: u32,
    /// The side to move.
    pub mover: Color,
    /// The move played; `None` after the last move.
    pub played: Option<AnyMove>,
    /// The ply of the next position after the move that is not a forced pass.
    pub next_ply: u32,
    /// The final result in points for the side to move, if the game ended with this move.
    pub final_points: Option<i32>,
    /// The last named opening up to this position.
    pub opening: Option<&'static str>,
    /// Whether the position was selected. Otherwise it serves only to compute the loss of the move
    /// before it.
    pub is_selected: bool,
}

/// A game of an input, without its moves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GameHeader {
    /// The number of the game in its input, from 1.
    pub number: u64,
    /// The metadata of the game.
    pub tags: Tags,
    /// The number of plies played.
    pub plies: u32,
    /// Black's margin on the final board, in points, if the game is over.
    pub black_points: Option<i32>,
    /// Black's margin in points, from the file or else from the board; `None` if only the winner is
    /// known.
    pub black_score: Option<f64>,
    /// The last named opening of the game.
    pub opening: Option<&'static str>,
}

/// An iterator over the tasks of some inputs, in order.
///
/// Each item is a [`Task`] or the [`TaskError`] that ends the iterator. Invalid records are tasks
/// too.
///
/// ```
/// use morello::analysis::{FingerprintSet, Tasks};
/// use morello::games;
/// use morello::input::{Input, Reader, Selection};
///
/// let othello = games::get("othello")?;
/// let games = Input::Text("f5d6\nd3c5\n".to_owned());
/// assert_eq!(Tasks::from(Reader::of(othello, games.clone())?).count(), 6);
/// // The second game is an image of the first.
/// let seen = FingerprintSet::new(FingerprintSet::DEFAULT_BYTES);
/// assert_eq!(Tasks::new(Reader::of(othello, games)?, Selection::default(), Some(seen)).count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tasks {
    game: &'static dyn AnyGame,
    source: TaskSource,
    selection: Selection,
    /// The positions seen so far, if duplicates are skipped.
    seen: Option<FingerprintSet>,
    queue: VecDeque<Task>,
    /// The number of records read.
    records: u64,
    file: Option<Arc<str>>,
    /// The number of games read from the current input.
    games: u64,
}

morello_core::debug_fields!(Tasks { game, selection, records });

/// Where the tasks come from.
enum TaskSource {
    /// The records of inputs.
    Records(Box<Reader>),
    /// Games, with the sides whose moves are analyzed.
    Games(Box<dyn Iterator<Item = (GameRecord, [bool; 2])> + Send>),
}

/// The record that a task or row comes from. A record may have several.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct RowOrigin {
    /// The name of the input: the path as given, or `-`.
    pub file: Arc<str>,
    /// The line number, from 1; in binary files the record number.
    pub line: u64,
    /// The number of the record among all inputs, from 0. Not an output field.
    pub record: u64,
    /// The bytes read from all inputs up to the end of the record. Not an output field.
    pub bytes_read: u64,
    /// The values of the other input columns, in the order of the reader's columns.
    pub extra: Arc<[Value]>,
    /// A note on parts of the record that were ignored, with their places; `None` if there are
    /// none.
    pub note: Option<String>,
}

impl Task {
    fn new(
        origin: &Arc<RowOrigin>,
        game_context: Option<GameContext>,
        position: Result<TaskPosition, RowError>,
    ) -> Self {
        Self { origin: Arc::clone(origin), game_context, position }
    }
}

impl Tasks {
    /// Selects positions from the records of a reader. If `seen` is given, positions in it are
    /// skipped, and new ones are added to it.
    #[must_use]
    pub fn new(reader: Reader, selection: Selection, seen: Option<FingerprintSet>) -> Self {
        let game = reader.game();
        let source = TaskSource::Records(Box::new(reader));
        Self { game, source, selection, seen, queue: VecDeque::new(), records: 0, file: None, games: 0 }
    }

    /// Selects the positions of games in which Black or White is to move. Such tasks have no extra
    /// columns and no count of bytes read, and they cannot skip records that are already done.
    ///
    /// ```
    /// use morello::analysis::Tasks;
    /// use morello::games;
    /// use morello::input::{GameRecord, Selection, read_text};
    ///
    /// let othello = games::get("othello")?;
    /// let game = read_text(othello, "f5d6c3d3c4")?.game;
    /// let record = GameRecord { file: "memory".into(), line: 1, number: 1, game, extra: [].into() };
    /// // Only Black's moves; the positions after them are searched for the losses.
    /// let tasks: Vec<_> = Tasks::of_games(othello, [(record, [true, false])].into_iter(), Selection::default())
    ///     .collect::<Result<_, _>>()?;
    /// let selected = tasks.iter().filter_map(|task| task.game_context.as_ref()).filter(|context| context.is_selected);
    /// assert_eq!(selected.map(|context| context.ply).collect::<Vec<_>>(), [0, 2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_games(
        game: &'static dyn AnyGame,
        games: impl Iterator<Item = (GameRecord, [bool; 2])> + Send + 'static,
        selection: Selection,
    ) -> Self {
        let source = TaskSource::Games(Box::new(games));
        Self { game, source, selection, seen: None, queue: VecDeque::new(), records: 0, file: None, games: 0 }
    }

    /// Returns the game whose positions are analyzed.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Returns whether duplicates are skipped.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.seen.is_some()
    }

    /// Queues the tasks of a record.
    fn add(&mut self, record: Record) -> Result<(), TooManyFingerprints> {
        let Record { file, line, bytes_read, raw, extra, content, is_selected, .. } = record;
        if self.file.as_ref().is_none_or(|current| !Arc::ptr_eq(current, &file)) {
            (self.file, self.games) = (Some(Arc::clone(&file)), 0);
        }
        let number = self.records;
        self.records += 1;
        let is_done = number < self.selection.done;
        if !is_selected || is_done && self.seen.is_none() {
            if let Ok(ParsedRecord::Games(games)) = &content {
                self.games += games.len() as u64;
            }
            return Ok(());
        }
        let note = content.as_ref().ok().and_then(|content| unread_note(line, content.unread()));
        let origin = Arc::new(RowOrigin { file, line, record: number, bytes_read, extra, note });
        match content {
            Err(error) => self.queue.push_back(Task::new(&origin, None, Err(RowError::new(error, raw)))),
            Ok(ParsedRecord::Position(entry)) => {
                if self.selection.contains_empties(&entry.position) {
                    let game = Arc::new(Game::new(entry.position));
                    self.queue.push_back(Task::new(&origin, None, Ok(TaskPosition { game, plies: 0, entry })));
                }
            }
            Ok(ParsedRecord::Games(games)) => {
                for annotated in games {
                    self.games += 1;
                    self.add_game(&origin, self.games, annotated, [true; 2]);
                }
            }
        }
        if let Some(seen) = &mut self.seen {
            let mut is_new = |task: &Task| match (&task.position, &task.game_context) {
                (Ok(_), Some(context)) if !context.is_selected => Ok(false),
                (Ok(position), _) => seen.insert(fingerprint(&position.entry.position)),
                (Err(_), _) => Ok(true),
            };
            for task in std::mem::take(&mut self.queue) {
                // Positions of completed records count as seen, too.
                if is_new(&task)? && !is_done {
                    self.queue.push_back(task);
                }
            }
        }
        Ok(())
    }

    /// Queues the tasks of a game: the positions in which one of `sides` is to move.
    fn add_game(&mut self, origin: &Arc<RowOrigin>, number: u64, annotated: AnnotatedGame, sides: [bool; 2]) {
        let black_score = annotated.black_score();
        let game = Arc::new(annotated.game);
        let head = Arc::new(GameHeader {
            number,
            tags: annotated.tags,
            plies: game.moves().len() as u32,
            black_points: game.points(Color::Black),
            black_score,
            opening: opening_name(&game, game.moves().len()),
        });
        for (game_context, position) in positions(&game, &head, &self.selection, sides) {
            self.queue.push_back(Task::new(origin, Some(game_context), Ok(position)));
        }
    }
}

impl From<Reader> for Tasks {
    /// Selects all positions.
    fn from(reader: Reader) -> Self {
        Self::new(reader, Selection::default(), None)
    }
}

impl Iterator for Tasks {
    type Item = Result<Task, TaskError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(task) = self.queue.pop_front() {
                return Some(Ok(task));
            }
            match &mut self.source {
                TaskSource::Records(reader) => match reader.next()? {
                    Ok(record) => {
                        if let Err(error) = self.add(record) {
                            return Some(Err(error.into()));
                        }
                    }
                    Err(error) => return Some(Err(error.into())),
                },
                TaskSource::Games(games) => {
                    let (GameRecord { file, line, number, game, .. }, sides) = games.next()?;
                    let record = self.records;
                    let origin = Arc::new(RowOrigin { file, line, record, ..RowOrigin::default() });
                    self.records += 1;
                    self.add_game(&origin, number, game, sides);
                }
            }
        }
    }
}

/// Returns the name of the last named opening within the first plies of a game.
fn opening_name(game: &Game, plies: usize) -> Option<&'static str> {
    game.position().game().opening_names()?.at_ply(game, plies).map(|opening| opening.name)
}

/// Returns the selected positions of a game in which one of `sides` is to move, without forced
/// passes. Also returns the position after each of them, which determines the loss of its move.
fn positions(
    game: &Arc<Game>,
    head: &Arc<GameHeader>,
    selection: &Selection,
    sides: [bool; 2],
) -> Vec<(GameContext, TaskPosition)> {
    let (positions, moves) = (game.positions(), game.moves());
    let is_forced_pass = |ply: usize| moves.get(ply).is_some_and(|&m| m.is_pass());
    let is_end = |ply: usize| ply == moves.len() && game.end().is_some();
    let names = game.position().game().opening_names().map(|names| names.of_game(game));
    let opening = |ply: usize| names.as_ref().and_then(|names| names[ply]).map(|opening| opening.name);
    let mut found = Vec::new();
    let mut needs_next = false;
    for (ply, position) in positions.iter().enumerate() {
        if is_forced_pass(ply) || is_end(ply) {
            continue;
        }
        let is_selected = sides[position.side_to_move().index()] && selection.contains(position, ply as u32);
        if !is_selected && !needs_next {
            continue;
        }
        needs_next = is_selected;
        let next = (ply + 1..).find(|&next| !is_forced_pass(next)).unwrap_or(ply + 1);
        let mover = position.side_to_move();
        let game_context = GameContext {
            game: Arc::clone(head),
            ply: ply as u32,
            mover,
            played: moves.get(ply).copied(),
            next_ply: next as u32,
            final_points: if next == moves.len() { game.points(mover) } else { None },
            opening: opening(ply),
            is_selected,
        };
        let theoretical = head.tags.theoretical.filter(|result| position.empty_count() == Some(result.empties));
        let sign = if mover == Color::Black { 1 } else { -1 };
        let expected = theoretical.map(|result| (None, sign * result.points)).into_iter().collect();
        found.push((
            game_context,
            TaskPosition {
                game: Arc::clone(game),
                plies: ply,
                entry: AnnotatedPosition { expected, ..(*position).into() },
            },
        ));
    }
    found
}
