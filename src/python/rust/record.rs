//! `Game`: a position with its history, and the data that files record.

use morello::game::{self, AnnotatedGame, DrawRules, EndDescription, LineFormat};
use morello::input::read_text;
use pyo3::prelude::*;

use crate::errors::{illegal, in_text, invalid};
use crate::position::{Position, game_named, parse_move};

/// A game: a starting position and the moves played from it.
///
///     game = Game()                       # Othello
///     game.play("f5")
///     Game("f5d6c3d3c4")                  # in any notation, GGF, SGF and PGN included
///     Game(game="morabaraba")
///
/// Draws by repetition (three times) and by length (400 plies) apply in the mill games unless
/// `draws` is False.
///
/// Args:
///     text: the game or a position to start from, in any notation; None for the starting position.
///     game: the name of the game, one of `games()`.
///     draws: whether the usual additional draw rules apply.
///
/// Raises:
///     ParseError: the text cannot be read; `line` and `column` say where.
#[pyclass(module = "morello", from_py_object)]
#[derive(Clone)]
pub struct Game {
    pub inner: AnnotatedGame,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (text=None, game="othello", draws=true))]
    fn new(py: Python<'_>, text: Option<&str>, game: &str, draws: bool) -> PyResult<Self> {
        let game = game_named(game)?;
        let mut inner = match text {
            Some(text) => read_text(game, text).map_err(|error| in_text(py, &error))?.game,
            None => game::Game::new(game.start()).into(),
        };
        inner.game.set_draw_rules(if draws { game.standard_draw_rules() } else { DrawRules::default() });
        Ok(Self { inner })
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
    /// None. The last one is that of the game.
    #[getter]
    fn openings(&self) -> Vec<Option<&'static str>> {
        let game = &self.inner.game;
        match game.position().game().opening_names() {
            Some(names) => names.of_game(game).into_iter().map(|opening| opening.map(|opening| opening.name)).collect(),
            None => vec![None; game.positions().len()],
        }
    }

    /// The players, the event, the date and the result that a file recorded, as far as known: a
    /// dict with the keys "black", "white", "event", "date", "result" (points by which Black won) and
    /// "ending" (why it ended early, such as "timeout": then a result of all squares says only who won).
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let tags = &self.inner.tags;
        let dict = pyo3::types::PyDict::new(py);
        let [black, white] = &tags.names;
        for (key, value) in [("black", black), ("white", white), ("event", &tags.tournament), ("date", &tags.date)] {
            if let Some(value) = value {
                dict.set_item(key, value)?;
            }
        }
        if let Some(result) = tags.result {
            dict.set_item("result", result.points)?;
        }
        if let Some(ending) = tags.termination {
            dict.set_item("ending", ending.name())?;
        }
        Ok(dict)
    }

    /// Plays a move.
    ///
    /// Raises:
    ///     IllegalMoveError: with the reason; the game is unchanged.
    fn play(&mut self, r#move: &str) -> PyResult<()> {
        // The end comes first: a move may be illegal because the game is over.
        let m = match (parse_move(self.inner.game.position(), r#move), EndDescription::of(&self.inner.game)) {
            (_, Some(end)) => return Err(illegal(format!("the game is over: {}", end.text))),
            (m, None) => m?,
        };
        self.inner.game.play(m).map_err(illegal)?;
        self.inner.notes.clear();
        Ok(())
    }

    /// Undoes the last move and returns it; None at the start.
    fn undo(&mut self) -> Option<String> {
        self.inner.notes.clear();
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

    /// The points by which Black has won on the board, negative if White has won; None if the game
    /// is not over.
    #[getter]
    fn points(&self) -> Option<i32> {
        self.inner.game.points(game::Color::Black)
    }

    /// Writes the game in a format.
    ///
    /// Args:
    ///     format: the name of a text format that can hold games, such as "transcript", "ggf",
    ///     "pgn" or "sgf"; None for the moves on one line.
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

    fn __len__(&self) -> usize {
        self.inner.game.moves().len()
    }

    fn __str__(&self) -> PyResult<String> {
        self.text(None)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Game({:?}, {:?})", self.text(None)?, self.game()))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Game>()
}
