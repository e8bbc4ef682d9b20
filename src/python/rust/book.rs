//! `Book`: an opening book, and its entries for positions.

use std::path::PathBuf;

use morello::book::{self, KnownMove};
use morello::game::{AnyGame, AnyPosition, RandomNumbers};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};

use crate::engine::Root;
use crate::errors::{failed, invalid};
use crate::items::Items;
use crate::position::{Position, game_named};
use crate::report::bound_name;
use crate::values::{Keywords, value_class};

/// A move of a position in a book, with its score for the side to move.
#[pyclass(module = "morello", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct BookMove {
    /// The move; None in `BookEntry.others`.
    pub r#move: Option<String>,
    /// Other moves that lead to the same position up to symmetry, separated by spaces; None if
    /// there are none.
    pub symmetric: Option<String>,
    /// The score in points for the side to move.
    pub score: f64,
    /// "exact", "lower" or "upper" (a proved bound), or "estimate".
    pub bound: String,
    /// The number of plies to the end of the game, if a win or loss is proved; otherwise None.
    pub plies: Option<u32>,
    /// A lower bound of the result, proved or valid for 95 % of such scores; None if unknown.
    pub lower: Option<f64>,
    /// An upper bound of the result, in the same sense.
    pub upper: Option<f64>,
    /// The search depth in plies, counted from the position before the move.
    pub depth: u32,
    /// The confidence of the search, in percent.
    pub confidence: u32,
    /// Where the score comes from: "morello-1" (the engine and its revision), "edax", "egaroucid",
    /// "database" or "unknown".
    pub source: String,
    /// Whether the position after the move is also in the book; None in `BookEntry.others`.
    pub in_book: Option<bool>,
    /// The number of book games that continued with the move, including games without a result.
    pub games: u64,
    /// The number of these games that the side to move won.
    pub wins: u32,
    /// The number of these games that were drawn.
    pub draws: u32,
    /// The number of these games that the side to move lost.
    pub losses: u32,
    /// The name of the opening that ends with the move; None if it has none.
    pub opening: Option<String>,
}

value_class!(BookMove {
    r#move,
    symmetric,
    score,
    bound,
    plies,
    lower,
    upper,
    depth,
    confidence,
    source,
    in_book,
    games,
    wins,
    draws,
    losses,
    opening
});

#[pymethods]
impl BookMove {
    #[new]
    #[pyo3(signature = (**fields))]
    fn with_fields(fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::of_fields(fields)
    }

    /// Returns the fields as a dict, which `json.dumps` accepts; `BookMove(**fields)` is equal again.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Keywords<'py>> {
        self.keywords(py)
    }

    fn __repr__(&self) -> String {
        let name = self.r#move.as_deref().unwrap_or("others");
        format!("BookMove({name} {} {:+}, depth {}@{}%)", self.bound, self.score, self.depth, self.confidence)
    }
}

impl BookMove {
    /// Describes a book move in a position.
    fn new(known: KnownMove, position: &AnyPosition) -> Self {
        let symmetric: Vec<_> = known.symmetric(position).iter().map(ToString::to_string).collect();
        let KnownMove { m, score, bounds: (lower, upper), is_linked, games, opening, .. } = known;
        Self {
            r#move: m.map(|m| m.to_string()),
            symmetric: Some(symmetric.join(" ")).filter(|moves| !moves.is_empty()),
            score: score.score.points(),
            bound: bound_name(score.score.certainty).to_owned(),
            plies: score.score.plies,
            lower,
            upper,
            depth: score.provenance.depth.into(),
            confidence: score.provenance.confidence.percent(),
            source: score.provenance.source.name(),
            in_book: is_linked,
            games: games.total(),
            wins: games.wins,
            draws: games.draws,
            losses: games.losses,
            opening: opening.map(str::to_owned),
        }
    }
}

/// The entry of a position in a book.
#[pyclass(module = "morello", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct BookEntry {
    /// The scored moves, the best first. Symmetric moves are listed once.
    pub moves: Items<BookMove>,
    /// An upper bound for all other moves: none has a better score. None if there are no other
    /// moves, or if nothing is known about them.
    pub others: Option<BookMove>,
    /// The score of the position in points for the side to move; None if no move has a score.
    pub score: Option<f64>,
    /// "exact", "lower" or "upper" (a proved bound), or "estimate"; None without a score.
    pub bound: Option<String>,
    /// The number of book games that reached the position, including games without a result.
    pub games: u64,
    /// The number of these games that the side to move won.
    pub wins: u32,
    /// The number of these games that were drawn.
    pub draws: u32,
    /// The number of these games that the side to move lost.
    pub losses: u32,
}

value_class!(BookEntry { moves, others, score, bound, games, wins, draws, losses });

#[pymethods]
impl BookEntry {
    #[new]
    #[pyo3(signature = (**fields))]
    fn with_fields(fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::of_fields(fields)
    }

    /// The best move; None if no move has a score.
    #[getter]
    fn best_move(&self) -> Option<&str> {
        self.moves.first().and_then(|best| best.r#move.as_deref())
    }

    /// Returns the fields as a dict, which `json.dumps` accepts; `BookEntry(**fields)` is equal again.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fields(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Keywords<'py>> {
        self.keywords(py)
    }

    fn __repr__(&self) -> String {
        let text = |known: &BookMove| format!("{} {:+}", known.r#move.as_deref().unwrap_or("others"), known.score);
        let moves = self.moves.iter().chain(&self.others).map(text);
        format!("BookEntry({}; {} games)", moves.collect::<Vec<_>>().join(", "), self.games)
    }
}

/// An opening book: positions with scored moves, unique up to symmetry.
///
///     book = Book()                       # the built-in book of Othello
///     entry = book.probe("f5d6c3")        # None if the position is not in the book
///     [(move.move, move.score) for move in entry.moves]
///     Book(file="mine.book")              # written by `morello book build`
///
/// `len(book)` is the number of positions. Iteration yields the positions, each as the
/// representative of its symmetric images. `position in book` tests whether a position is in the
/// book. Books never contain positions in which the side to move must pass.
///
/// Args:
///     game: the name of the game, one of `games()`.
///     file: a book file; None for the built-in book of the game, which Othello and some mill games have.
///
/// Raises:
///     MorelloError: no game has this name, or it has no built-in book.
///     OSError: the file cannot be read, or is not a book of the game.
#[pyclass(module = "morello", frozen)]
pub struct Book {
    game: &'static dyn AnyGame,
    inner: book::Book,
    file: Option<PathBuf>,
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (game="othello", file=None))]
    fn new(game: &str, file: Option<PathBuf>) -> PyResult<Self> {
        let game = game_named(game)?;
        let inner = match &file {
            Some(path) => book::Book::open(path, game),
            None => book::Book::built_in(game).ok_or_else(|| {
                let name = game.name();
                invalid(format!("{name} has no built-in book; give a file, which `morello book build` writes"))
            })?,
        };
        Ok(Self { game, inner: inner.map_err(|error| failed(&error))?, file })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The file as a pathlib.Path; None for a built-in book.
    #[getter]
    fn file(&self) -> Option<PathBuf> {
        self.file.clone()
    }

    /// Returns the entry of a position; None if the position is not in the book.
    ///
    /// Args:
    ///     position: a Position, a Game (whose last position is used) or text.
    ///
    /// Raises:
    ///     OSError: the file is damaged.
    fn probe(&self, py: Python<'_>, position: Root) -> PyResult<Option<BookEntry>> {
        let position = self.position(py, position)?;
        py.detach(|| self.entry(&position)).map_err(|error| failed(&error))
    }

    /// Chooses one of the moves that are at most `variety` points worse than the best one. Returns
    /// None if the position is not in the book.
    ///
    /// Better moves are more likely: a move that is `variety` points worse has a tenth of the best
    /// move's weight.
    ///
    /// Args:
    ///     position: as in `probe`.
    ///     variety: a number of points, 0 or more.
    ///     seed: determines the choice.
    #[pyo3(signature = (position, *, variety=0.0, seed=0))]
    fn choose(&self, py: Python<'_>, position: Root, variety: f64, seed: u64) -> PyResult<Option<String>> {
        if variety.is_nan() || variety < 0.0 {
            return Err(invalid(format!("variety must be 0 or more points, not {variety}")));
        }
        let position = self.position(py, position)?;
        let chosen = self.inner.choose(&position, variety, &mut RandomNumbers::new(seed));
        Ok(chosen.map_err(|error| failed(&error))?.map(|chosen| chosen.m.to_string()))
    }

    fn __contains__(&self, py: Python<'_>, position: Root) -> PyResult<bool> {
        let position = self.position(py, position)?;
        Ok(self.inner.get(&position).map_err(|error| failed(&error))?.is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let mut positions = Vec::new();
        self.visit(py, &mut |inner| positions.push(Position { inner }))?;
        PyList::new(py, positions)?.try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let mut count = 0;
        self.visit(py, &mut |_| count += 1)?;
        Ok(count)
    }

    fn __repr__(&self) -> String {
        let file = self.file.as_ref().map_or_else(String::new, |file| format!(", {:?}", file.display().to_string()));
        format!("Book({:?}{file})", self.game())
    }
}

impl Book {
    fn position(&self, py: Python<'_>, position: Root) -> PyResult<AnyPosition> {
        Ok(*position.game(py, self.game)?.position())
    }

    fn entry(&self, position: &AnyPosition) -> Result<Option<BookEntry>, book::BookError> {
        let Some(entry) = self.inner.get(position)? else { return Ok(None) };
        let (listed, others): (Vec<_>, Vec<_>) =
            self.inner.known_moves(position, &entry)?.into_iter().partition(|known| known.m.is_some());
        let score = entry.score(position).map(|known| known.score);
        Ok(Some(BookEntry {
            moves: listed.into_iter().map(|known| BookMove::new(known, position)).collect(),
            others: others.into_iter().next().map(|known| BookMove::new(known, position)),
            score: score.map(|score| score.points()),
            bound: score.map(|score| bound_name(score.certainty).to_owned()),
            games: entry.games.total(),
            wins: entry.games.wins,
            draws: entry.games.draws,
            losses: entry.games.losses,
        }))
    }

    /// Calls `visit` with each position.
    fn visit(&self, py: Python<'_>, visit: &mut (dyn FnMut(AnyPosition) + Send)) -> PyResult<()> {
        let visited = py.detach(|| self.inner.file().for_each(&mut |position, _| visit(position)));
        visited.map_err(|error| failed(&error))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Book>()?;
    module.add_class::<BookEntry>()?;
    module.add_class::<BookMove>()
}
