//! `State`: a game whose moves are taken as actions with numbers, for reinforcement learning.
//!
//! ```text
//! State, Environments -> Turns (a game and a started turn) -> Actions (numbers), Observation (arrays)
//! ```

pub mod actions;
pub mod observation;
pub mod turns;

use morello::game::{AnyGame, AnyPosition, Color, DrawRules, Game as Record, Playable};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};

use crate::batch::for_game;
use crate::errors::{illegal, invalid};
use crate::position::{Position, game_named, parse_move};
use crate::record::Game;
use actions::{ActionSet, Actions};
use observation::Observation;
use turns::Turns;

/// A [`Turns`] of any game.
trait AnyTurns: Send + Sync {
    fn legal(&self, actions: &Actions) -> ActionSet;
    fn apply(&mut self, actions: &Actions, action: usize) -> bool;
    fn side_to_move(&self) -> Color;
    fn is_over(&self) -> bool;
    fn started(&self) -> Option<usize>;
    fn result(&self, side: Color) -> i8;
    fn position(&self) -> AnyPosition;
    fn record(&self) -> Record;
    fn observe(&self, kind: Observation, actions: &Actions, side: Color, array: &mut [i8]);
    fn copy(&self) -> Box<dyn AnyTurns>;
}

impl<P: Playable> AnyTurns for Turns<P> {
    fn legal(&self, actions: &Actions) -> ActionSet {
        self.legal(actions)
    }

    fn apply(&mut self, actions: &Actions, action: usize) -> bool {
        self.apply(actions, action)
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }

    fn started(&self) -> Option<usize> {
        self.started()
    }

    fn result(&self, side: Color) -> i8 {
        self.result(side)
    }

    fn position(&self) -> AnyPosition {
        AnyPosition::new(*self.game().position())
    }

    fn record(&self) -> Record {
        self.game().any()
    }

    fn observe(&self, kind: Observation, actions: &Actions, side: Color, array: &mut [i8]) {
        kind.write(self, actions, &self.legal(actions), side, array);
    }

    fn copy(&self) -> Box<dyn AnyTurns> {
        Box::new(self.clone())
    }
}

/// Continues a game of this type.
fn turns_of<P: Playable>(record: &Record) -> Box<dyn AnyTurns> {
    Box::new(Turns::<P>::new(record.typed().expect("the record is of this game")))
}

/// Returns the color with this name.
pub fn color_named(name: &str) -> PyResult<Color> {
    let named = Color::ALL.into_iter().find(|color| color.name() == name);
    named.ok_or_else(|| invalid(format!("the side must be \"black\" or \"white\", not `{name}`")))
}

/// Where a state begins: the start of a game by name, a position, or a game to continue.
#[derive(FromPyObject)]
#[expect(clippy::large_enum_variant)] // one lives at a time, and the derived conversion has no boxes
enum Beginning {
    Name(String),
    Position(Position),
    Game(Game),
}

/// A game whose moves are taken as actions, numbered as in OpenSpiel.
///
/// In Othello an action is the number of a square (a1 is 0, b1 is 1), and n * n is a pass. In the
/// mill games with n points, numbered in reading order from the top left, actions 0 to n - 1 place
/// or capture a man on a point, and n + from * n + to moves a man. A move that closes a mill takes
/// two actions by the same player: the move, then the capture.
///
///     state = State("othello")
///     while not state.is_over:
///         state.apply(random.choice(state.legal_actions()))
///     state.score("black")
///
/// Args:
///     game: the name of the game, a Position, or a Game to continue, whose draw rules apply.
///     draws: whether the standard additional draw rules apply: in the mill games, a draw by
///         threefold repetition and after 400 plies. Ignored for a Game.
///
/// Raises:
///     MorelloError: no game has this name.
#[pyclass(module = "morello", weakref)]
pub struct State {
    turns: Box<dyn AnyTurns>,
    game: &'static dyn AnyGame,
    actions: &'static Actions,
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game=Beginning::Name("othello".to_owned()), *, draws=true),
        text_signature = "(game='othello', *, draws=True)")]
    fn new(game: Beginning, draws: bool) -> PyResult<Self> {
        let rules = |game: &'static dyn AnyGame| if draws { game.standard_draw_rules() } else { DrawRules::default() };
        let record = match game {
            Beginning::Name(name) => {
                let game = game_named(&name)?;
                Record::with_draw_rules(game.start(), rules(game))
            }
            Beginning::Position(position) => Record::with_draw_rules(position.inner, rules(position.inner.game())),
            Beginning::Game(game) => game.inner.game,
        };
        let game = record.position().game();
        let turns = for_game!(game.name(), P => turns_of::<P>(&record));
        Ok(Self { turns, game, actions: Actions::of(game) })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The current position, or the position before the turn if a capture must still be chosen.
    #[getter]
    fn position(&self) -> Position {
        Position { inner: self.turns.position() }
    }

    /// Returns the moves so far as a Game.
    fn record(&self) -> Game {
        Game { inner: self.turns.record().into() }
    }

    /// The names of the points in the order of their numbers.
    #[getter]
    fn points(&self) -> Vec<&str> {
        let points = self.actions.points.iter();
        points.map(|&point| self.actions.layout.points[point].name.as_str()).collect()
    }

    /// The number of actions; all actions are below it.
    #[getter]
    fn action_count(&self) -> usize {
        self.actions.count
    }

    /// The side to move: "black" or "white".
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.turns.side_to_move().name()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.turns.is_over()
    }

    /// Whether the next action is the capture after a move that closes a mill.
    #[getter]
    fn must_capture(&self) -> bool {
        self.turns.started().is_some()
    }

    /// Returns the legal actions in increasing order; empty after the end of the game.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.turns.legal(self.actions).iter())
    }

    /// Returns the legal actions as a mask: int8 (action_count,).
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.actions.count];
        self.turns.legal(self.actions).iter().for_each(|action| mask[action] = 1);
        mask.into_pyarray(py)
    }

    /// Applies an action.
    ///
    /// Raises:
    ///     IllegalMoveError: the action is not legal.
    fn apply(&mut self, action: i64) -> PyResult<()> {
        let is_legal = usize::try_from(action).is_ok_and(|action| self.turns.apply(self.actions, action));
        if is_legal { Ok(()) } else { Err(illegal(format!("illegal action {action}"))) }
    }

    /// Plays a whole move given as text, such as "f5" or "a7-d7xg1".
    ///
    /// Raises:
    ///     IllegalMoveError: with the reason.
    fn play(&mut self, r#move: &str) -> PyResult<()> {
        if self.turns.is_over() || self.turns.started().is_some() {
            return Err(illegal(if self.turns.is_over() { "the game is over" } else { "a capture is due" }));
        }
        let m = parse_move(&self.turns.position(), r#move)?.path();
        let first = self.actions.first(m);
        let capture = m.captured.map(|point| self.actions.numbers[point]);
        for action in [Some(first), capture].into_iter().flatten() {
            self.turns.apply(self.actions, action);
        }
        Ok(())
    }

    /// Returns what a side sees.
    ///
    /// "points" is int8 (points + 3,): for each point 1 for an own piece and -1 for a piece of the
    /// opponent, then the numbers of own and opposing men in hand, and whether a capture is due,
    /// after a move that is already on the board.
    ///
    /// "planes" is int8 (planes, rows, columns): the own pieces, the opponent's pieces, and the
    /// points of legal actions. In the mill games, there are also the men that may move and, as
    /// constant planes, the numbers of own and opposing men in hand and whether a capture is due.
    ///
    /// "tensor" is float32 (planes, rows, columns), the observation tensor of OpenSpiel's othello
    /// and nine_mens_morris.
    ///
    /// Args:
    ///     side: "black" or "white"; None for the side to move.
    ///     kind: "points", "planes" or "tensor".
    #[pyo3(signature = (side=None, kind="points"))]
    fn observation<'py>(&self, py: Python<'py>, side: Option<&str>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        let kind = Observation::named(kind)?;
        let side = side.map_or_else(|| Ok(self.turns.side_to_move()), color_named)?;
        let shape = kind.shape(self.actions);
        let mut array = vec![0; shape.iter().product()];
        self.turns.observe(kind, self.actions, side, &mut array);
        Ok(kind.array(py, shape, array))
    }

    /// Returns 1 if a side has won, -1 if it has lost, 0 for a draw or an unfinished game.
    fn score(&self, side: &str) -> PyResult<i8> {
        Ok(self.turns.result(color_named(side)?))
    }

    /// Returns an independent copy.
    fn copy(&self) -> Self {
        Self { turns: self.turns.copy(), game: self.game, actions: self.actions }
    }

    /// The game so far, and the action of a move whose capture must still be chosen.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Game,), Option<usize>) {
        (py.get_type::<Self>(), (self.record(),), self.turns.started())
    }

    fn __setstate__(&mut self, started: Option<usize>) {
        started.map(|action| self.turns.apply(self.actions, action));
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __repr__(&self) -> String {
        format!("State({}, {:?})", self.game.name(), self.turns.position().to_string())
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<State>()
}
