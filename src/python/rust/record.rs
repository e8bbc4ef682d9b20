//! `Game`: a position with its history and recorded data.

use morello::game::{self, AnnotatedGame, AnyGame, AnyMove, DrawRules, EndDescription, LineFormat};
use morello::input::read_text;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyType};

use crate::errors::{illegal, in_text, invalid};
use crate::items::Items;
use crate::pickled::State;
use crate::position::{Position, find_move, game_named};
use crate::tags;

/// What a game is made from.
#[derive(FromPyObject)]
#[expect(clippy::large_enum_variant)] // one lives at a time, and the derived conversion has no boxes
enum Start {
    Position(Position),
    Game(Game),
    Text(String),
    Moves(Items<String>),
}

impl Start {
    fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        value.extract().map_err(|_| {
            PyTypeError::new_err(format!("start must be a str, a Position, a Game or a list of moves, not {value:?}"))
        })
    }

    /// Returns the game without additional draw rules, except for a copy of a game.
    fn game(self, py: Python<'_>, game: &'static dyn AnyGame) -> PyResult<AnnotatedGame> {
        Ok(match self {
            Self::Position(position) => game::Game::new(position.inner).into(),
            Self::Game(game) => game.inner,
            Self::Text(text) => read_text(game, &text).map_err(|error| in_text(py, &error))?.game,
            Self::Moves(moves) => played(game::Game::new(game.start()), &moves)?.into(),
        })
    }
}

/// Plays moves given as text.
pub fn played(mut game: game::Game, moves: &[String]) -> PyResult<game::Game> {
    for (index, text) in moves.iter().enumerate() {
        let m = legal_move(&game, text).map_err(|reason| illegal(format!("moves[{index}]: {reason}")))?;
        game.play(m).map_err(illegal)?;
    }
    Ok(game)
}

/// Parses a move with which a game can continue, or returns why it cannot.
fn legal_move(game: &game::Game, text: &str) -> Result<AnyMove, String> {
    // The end comes first: a move may be illegal because the game is over.
    match EndDescription::of(game) {
        Some(end) => Err(format!("the game is over: {}", end.text)),
        None => find_move(game.position(), text),
    }
}

/// A game: a starting position and the moves played from it.
///
///     game = Game()                       # Othello
///     game.play("f5")
///     Game("f5d6c3d3c4")                  # in any notation, GGF, SGF and PGN included
///     Game(["f5", "d6", "c3"])
///     Game(game="morabaraba")
///
/// A game is a sequence of its moves: `len(game)` is the number of moves, `game[3]` is the fourth
/// move, `game[:4]` is a list of the first four, and iteration yields all moves.
/// `game.positions[3]` is the position before `game[3]`. Games with the same start, moves, draw
/// rules, tags and comments are equal. Games are mutable, so they have no hash.
///
/// In the mill games, a threefold repetition and a length of 400 plies are draws unless `draws` is
/// False.
///
/// Args:
///     start: a game or a position as text in any notation; a Position; a Game to copy; or a list
///         of moves. None for the starting position.
///     game: the name of the game, one of `games()`; None for the game of the given Position or
///         Game, otherwise Othello.
///     draws: whether the standard additional draw rules apply; None keeps the rules of a given
///         Game, and means True otherwise.
///
/// Raises:
///     ParseError: the text cannot be read; `line` and `column` say where.
///     IllegalMoveError: a move of the list is illegal; the message contains its index.
///     MorelloError: no game has this name, or `start` belongs to another game.
#[pyclass(module = "morello", from_py_object, eq, sequence)]
#[derive(Clone)]
pub struct Game {
    pub inner: AnnotatedGame,
}

impl PartialEq for Game {
    /// Compares everything except the parts of the input text that were not read.
    fn eq(&self, other: &Self) -> bool {
        let AnnotatedGame { game, tags, notes, tree, unread: _ } = &self.inner;
        (game, tags, notes, tree) == (&other.inner.game, &other.inner.tags, &other.inner.notes, &other.inner.tree)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (start=None, game=None, *, draws=None))]
    fn new(
        py: Python<'_>,
        start: Option<&Bound<'_, PyAny>>,
        game: Option<&str>,
        draws: Option<bool>,
    ) -> PyResult<Self> {
        let start = start.map(Start::of).transpose()?;
        let expected = game_named(game.unwrap_or("othello"))?;
        let keeps_rules = draws.is_none() && matches!(start, Some(Start::Game(_)));
        let mut inner = match start {
            Some(start) => start.game(py, expected)?,
            None => game::Game::new(expected.start()).into(),
        };
        let own = inner.game.position().game();
        if game.is_some() && own.name() != expected.name() {
            return Err(invalid(format!("start is of {}, but game is {}; remove one", own.name(), expected.name())));
        }
        if !keeps_rules {
            let has_draws = draws.unwrap_or(true);
            inner.game.set_draw_rules(if has_draws { own.standard_draw_rules() } else { DrawRules::default() });
        }
        Ok(Self { inner })
    }

    /// Returns a copy, which later changes of the game do not affect.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Position,), State<'py>)> {
        let start = Position { inner: *self.inner.game.start() };
        Ok((py.get_type::<Self>(), (start,), State::of(py, &self.inner)?))
    }

    fn __setstate__(&mut self, state: State<'_>) -> PyResult<()> {
        self.inner = state.restore(*self.inner.game.start())?;
        Ok(())
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.game.position().game().name()
    }

    /// The current position.
    #[getter]
    fn position(&self) -> Position {
        Position { inner: *self.inner.game.position() }
    }

    /// The positions: the start, then the one after each move.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.inner.game.positions().iter().map(|&inner| Position { inner }).collect()
    }

    /// The moves played so far.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.inner.game.moves().iter().map(ToString::to_string).collect()
    }

    /// The names of openings: for the start and after each move, the last named opening so far, or
    /// None. The last entry is the opening of the game.
    #[getter]
    fn openings(&self) -> Vec<Option<&'static str>> {
        let game = &self.inner.game;
        match game.position().game().opening_names() {
            Some(names) => names.of_game(game).into_iter().map(|opening| opening.map(|opening| opening.name)).collect(),
            None => vec![None; game.positions().len()],
        }
    }

    /// What a file recorded about the game: a new dict with the keys that are known. `set_tags`
    /// changes them.
    ///
    /// "black", "white": the names of the players
    /// "black_rating", "white_rating": their ratings
    /// "event", "date"
    /// "result": Black's margin in points, negative if White won
    /// "ending": why the game ended early, such as "timeout"; a result of all squares then says only
    ///     who won
    /// "theoretical": the number of empty squares from which both sides play best, and Black's
    ///     margin from there
    /// "others": a dict of other tags, by their names in PGN
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tags::to_dict(py, &self.inner.tags)
    }

    /// Changes tags. `text` writes them in formats that support tags.
    ///
    ///     game.set_tags(black="Ann", white="Bob", result=4)
    ///     game.set_tags(date=None)                # removes it
    ///
    /// Args:
    ///     tags: the keys of `tags` with their new values, or None to remove a tag; other tags are
    ///         unchanged.
    ///
    /// Raises:
    ///     TypeError: the tag does not exist, or its value has the wrong type; the game is
    ///         unchanged.
    ///     MorelloError: a number is not finite, the game cannot have this result, no ending has this
    ///         name, or a name in `others` does not consist of letters, digits and underscores.
    #[pyo3(signature = (**tags))]
    fn set_tags(&mut self, tags: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut changed = self.inner.tags.clone();
        let game = self.inner.game.position().game();
        for (name, value) in tags.into_iter().flatten() {
            tags::set(&mut changed, game, &name.extract::<String>()?, &value)?;
        }
        self.inner.tags = changed;
        Ok(())
    }

    /// Plays a move. Like `undo`, this drops the comments, evaluations and times that a file
    /// recorded.
    ///
    /// Raises:
    ///     IllegalMoveError: with the reason; the game is unchanged.
    fn play(&mut self, r#move: &str) -> PyResult<()> {
        let m = legal_move(&self.inner.game, r#move).map_err(illegal)?;
        self.inner.game.play(m).map_err(illegal)?;
        self.drop_remarks();
        Ok(())
    }

    /// Undoes the last move and returns it; None at the start.
    fn undo(&mut self) -> Option<String> {
        self.drop_remarks();
        self.inner.game.undo().map(|m| m.to_string())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.game.end().is_some()
    }

    /// Why the game is over, such as "White cannot move"; None if it is not over.
    #[getter]
    fn end(&self) -> Option<String> {
        EndDescription::of(&self.inner.game).map(|end| end.text)
    }

    /// Black's margin on the final board, in points, negative if White won; None if the game is not
    /// over.
    #[getter]
    fn points(&self) -> Option<i32> {
        self.inner.game.points(game::Color::Black)
    }

    /// Writes the game in a format.
    ///
    /// Args:
    ///     format: the name of a text format for games, such as "transcript", "ggf", "pgn" or
    ///         "sgf"; None for the moves on one line.
    #[pyo3(signature = (format=None))]
    fn text(&self, format: Option<&str>) -> PyResult<String> {
        let game = self.inner.game.position().game();
        let Some(name) = format else { return Ok(game.write_moves(&self.inner.game)) };
        let writes = |format: &&LineFormat| format.writer.game.is_some();
        let known = || game.formats().iter().filter(writes).map(|format| format.name).collect::<Vec<_>>().join(", ");
        let format = game.format_named(name).filter(writes);
        let format = format
            .ok_or_else(|| invalid(format!("no format `{name}` for games of {} (known: {})", game.name(), known())))?;
        format.write_game(&self.inner).expect("the format writes games").map_err(invalid)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(morello::output::board_svg(self.inner.game.position(), &[]))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.moves())?.as_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.moves())?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.inner.game.moves().len()
    }

    fn __str__(&self) -> PyResult<String> {
        self.text(None)
    }

    fn __repr__(&self) -> PyResult<String> {
        let game = &self.inner.game;
        let has_draws = game.draw_rules() == game.position().game().standard_draw_rules();
        let draws = if has_draws { "" } else { ", draws=False" };
        let name = self.game();
        let start = Position { inner: *game.start() };
        Ok(match (game.moves(), game.start() == &game.position().game().start()) {
            ([], true) => format!("Game(game={name:?}{draws})"),
            ([], false) => format!("Game({}{draws})", start.__repr__()),
            _ => format!("Game({:?}, {name:?}{draws})", self.text(None)?),
        })
    }
}

impl Game {
    /// Drops what a file recorded about the moves.
    fn drop_remarks(&mut self) {
        self.inner.notes.clear();
        self.inner.tree = None;
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Game>()
}
