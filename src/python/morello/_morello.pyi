from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, SupportsIndex, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, Unpack

from . import types

__version__: str
NO_MOVE: int

_Boards: TypeAlias = NDArray[np.uint64]
_Root: TypeAlias = Position | Game | str
_Path: TypeAlias = str | PathLike[str]
_Board: TypeAlias = NDArray[Any] | Sequence[int]

class MorelloError(ValueError):
    """The base of all exceptions of this package."""

class ParseError(MorelloError):
    """A text or file is not a position or game. `line` and `column` count from 1; `file` is the file or None."""
    line: int
    column: int
    file: str | None

class IllegalMoveError(MorelloError):
    """A move is illegal in its position, or the game is over."""

@final
class Position:
    """A position of a game, without history.

    Positions are immutable and hashable. Equal positions of a game compare equal; they have no
    order. Moves are text in the notation of the game: "f5" in Othello, "a7", "a7-d7" or "a7-d7xg1"
    in the mill games; a forced pass is the move "pa".

        Position()                                  # the start of Othello
        Position("f5d6c3")                          # after some moves
        Position("0,0 a7,d7,g7 b4,d2 W", "nine-mens-morris")

    Args:
        text: a position or the moves of a game in any notation; None for the starting position.
        game: the name of the game, one of `games()`.

    Raises:
        ParseError: the text is not a position; `line` and `column` say where.
        MorelloError: no game has this name.
    """
    def __new__(cls, text: str | None = None, game: str = "othello") -> Self: ...
    @staticmethod
    def from_board(board: _Board, game: str = "othello") -> Position:
        """Returns the position that is stored in a row of a `batch` array.

        Args:
            board: three integers, such as a row of an array of boards: see `board`.
            game: the name of the game, one of `games()`.

        Raises:
            TypeError: the board is not three integers.
            MorelloError: the row is not a position of the game, or no game has this name.
        """
    @property
    def board(self) -> NDArray[np.uint64]:
        """The position as a row of a `batch` array: uint64 (3,). In Othello these are the discs of the
        side to move, the discs of the opponent, and the side to move: see `batch`.
        """
    def to_array(self) -> NDArray[np.int8]:
        """Returns the pieces as an array: int8 (points,), in the order of `point_names()`, with 1 for
        a piece of the side to move, -1 for a piece of the opponent, and 0 for an empty point.
        """
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def opening(self) -> str | None:
        """The name of the opening that ends in this position, up to symmetry; None if it has no name."""
    @property
    def side_to_move(self) -> str:
        """The side to move: "black" or "white"."""
    @property
    def is_over(self) -> bool:
        """Whether the position itself ends the game."""
    @property
    def score(self) -> int | None:
        """The final score in points for the side to move (discs in Othello, 1 or -1 in the mill
        games); None if the game is not over.
        """
    @property
    def empties(self) -> int | None:
        """The number of empty squares; None in the mill games."""
    @property
    def in_hand(self) -> tuple[int, int] | None:
        """The pieces in hand of Black and White, in this order; None in Othello."""
    @property
    def pieces(self) -> dict[str, str]:
        """The pieces by the name of their point, such as {"d4": "white"}."""
    @property
    def symmetry_count(self) -> int:
        """The order of the symmetry group of the board: 8 in Othello, 16 in nine men's morris."""
    def legal_moves(self) -> list[str]:
        """The legal moves; empty if the game is over, and only "pa" if the side to move must pass."""
    def is_legal(self, move: str) -> bool:
        """Returns whether a move is legal."""
    def play(self, move: str) -> Position:
        """Returns the position after a move.

        Raises:
            IllegalMoveError: with the reason.
        """
    def transform(self, k: int) -> Position:
        """Returns the image under the `k`-th symmetry of the board, 0 (the identity) to
        `symmetry_count - 1`.
        """
    def symmetries(self) -> list[Position]:
        """Returns the images under all symmetries, the position itself first."""
    def canonical(self) -> Position:
        """Returns the representative of the position and its symmetric images: it is the same for all
        of them.
        """
    def perft(self, depth: int, convention: str = "passes-count") -> int:
        """Counts the leaves `depth` plies below the position.

        Args:
            depth: the number of plies.
            convention: "passes-count" (a forced pass is a ply, and games that end earlier are not
                counted), "ended-once" or "free-pass".
        """
    def divide(self, depth: int, convention: str = "passes-count", threads: int | None = None) -> dict[str, int]:
        """Counts the leaves below each move.

        Returns:
            a dict that maps each move to its count; their sum is `perft(depth)`.
        """
    def point_names(self) -> list[str]:
        """Returns the names of the points in the order of `batch` arrays: square 0 is "a1" in Othello."""
    def svg(self, values: Mapping[str, object] | None = None) -> str:
        """Returns a drawing of the board as SVG.

        Args:
            values: a dict from moves to numbers or strings that are written on their destinations,
                such as the result of `Engine.move_values`; the highest number is highlighted.
        """
    def __hash__(self) -> int: ...

@final
class Game:
    """A game: a starting position and the moves played from it.

        game = Game()                       # Othello
        game.play("f5")
        Game("f5d6c3d3c4")                  # in any notation, GGF, SGF and PGN included
        Game(["f5", "d6", "c3"])
        Game(game="morabaraba")

    A game is a sequence of its moves: `len(game)` is the number of moves, `game[3]` is the fourth
    move, `game[:4]` is a list of the first four, and iteration yields all moves.
    `game.positions[3]` is the position before `game[3]`. Games with the same start, moves, draw
    rules, tags and comments are equal. Games are mutable, so they have no hash.

    In the mill games, a threefold repetition and a length of 400 plies are draws unless `draws` is
    False.

    Args:
        start: a game or a position as text in any notation; a Position; a Game to copy; or a list
            of moves. None for the starting position.
        game: the name of the game, one of `games()`; None for the game of the given Position or
            Game, otherwise Othello.
        draws: whether the standard additional draw rules apply; None keeps the rules of a given
            Game, and means True otherwise.

    Raises:
        ParseError: the text cannot be read; `line` and `column` say where.
        IllegalMoveError: a move of the list is illegal; the message contains its index.
        MorelloError: no game has this name, or `start` belongs to another game.
    """
    def __new__(
        cls,
        start: str | Position | Game | Sequence[str] | None = None,
        game: str | None = None,
        *,
        draws: bool | None = None,
    ) -> Self: ...
    def copy(self) -> Game:
        """Returns a copy, which later changes of the game do not affect."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def position(self) -> Position:
        """The current position."""
    @property
    def positions(self) -> list[Position]:
        """The positions: the start, then the one after each move."""
    @property
    def moves(self) -> list[str]:
        """The moves played so far."""
    @property
    def openings(self) -> list[str | None]:
        """The names of openings: for the start and after each move, the last named opening so far, or
        None. The last entry is the opening of the game.
        """
    @property
    def tags(self) -> types.Tags:
        """What a file recorded about the game: a new dict with the keys that are known. `set_tags`
        changes them.

        "black", "white": the names of the players
        "black_rating", "white_rating": their ratings
        "event", "date"
        "result": Black's margin in points, negative if White won
        "ending": why the game ended early, such as "timeout"; a result of all squares then says only
            who won
        "theoretical": the number of empty squares from which both sides play best, and Black's
            margin from there
        "others": a dict of other tags, by their names in PGN
        """
    def set_tags(self, **tags: Unpack[types.TagChanges]) -> None:
        """Changes tags. `text` writes them in formats that support tags.

            game.set_tags(black="Ann", white="Bob", result=4)
            game.set_tags(date=None)                # removes it

        Args:
            tags: the keys of `tags` with their new values, or None to remove a tag; other tags are
                unchanged.

        Raises:
            TypeError: the tag does not exist, or its value has the wrong type; the game is
                unchanged.
            MorelloError: a number is not finite, the game cannot have this result, no ending has this
                name, or a name in `others` does not consist of letters, digits and underscores.
        """
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def end(self) -> str | None:
        """Why the game is over, such as "White cannot move"; None if it is not over."""
    @property
    def points(self) -> int | None:
        """Black's margin on the final board, in points, negative if White won; None if the game is not
        over.
        """
    def play(self, move: str) -> None:
        """Plays a move. Like `undo`, this drops the comments, evaluations and times that a file
        recorded.

        Raises:
            IllegalMoveError: with the reason; the game is unchanged.
        """
    def undo(self) -> str | None:
        """Undoes the last move and returns it; None at the start."""
    def text(self, format: str | None = None) -> str:
        """Writes the game in a format.

        Args:
            format: the name of a text format for games, such as "transcript", "ggf", "pgn" or
                "sgf"; None for the moves on one line.
        """
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> str: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[str]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Line:
    """A line of play and its score for the side to move."""
    def __new__(cls, **fields: Unpack[types.LineDict]) -> Self: ...
    @property
    def move(self) -> str | None:
        """The first move; None if the game is over."""
    @property
    def score(self) -> float:
        """The score in points for the side to move: discs in Othello; in the mill games, 1 for a win,
        -1 for a loss, and estimates in between.
        """
    @property
    def bound(self) -> str:
        """"exact", "lower" or "upper" (a proved bound), or "estimate"."""
    @property
    def exact(self) -> bool:
        """Whether the score is proved."""
    @property
    def plies(self) -> int | None:
        """The number of plies to the end of the game, for a proved win or loss in the mill games; None
        if unknown.
        """
    @property
    def pv(self) -> list[str]:
        """The principal variation: the moves of both sides."""
    def to_dict(self) -> types.LineDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `Line(**fields)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Report:
    """The result of a search."""
    def __new__(cls, **fields: Unpack[types.ReportDict]) -> Self: ...
    @property
    def lines(self) -> list[Line]:
        """The best lines, each with a different first move, from the highest score to the lowest."""
    @property
    def best_move(self) -> str | None:
        """The best move; None if the game is over."""
    @property
    def score(self) -> float:
        """The score of the best line, in points for the side to move."""
    @property
    def exact(self) -> bool:
        """Whether the score of the best line is proved."""
    @property
    def plies(self) -> int | None:
        """The number of plies to the end of the game, for a proved win or loss in the mill games; None
        if unknown.
        """
    @property
    def pv(self) -> list[str]:
        """The principal variation of the best line."""
    @property
    def lower(self) -> int | None:
        """A proved lower bound of the score of the position, in points; None if there is none."""
    @property
    def upper(self) -> int | None:
        """A proved upper bound; None if there is none."""
    @property
    def depth(self) -> int:
        """The depth of the last completed iteration, in plies."""
    @property
    def confidence(self) -> int:
        """The confidence of this iteration in percent; 100 without selective pruning."""
    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
    @property
    def time(self) -> float:
        """The time taken, in seconds."""
    @property
    def score_error(self) -> float | None:
        """The error in points that 95 % of estimates like this one do not exceed; None for a proved
        score, or if the error was not measured.
        """
    @property
    def note(self) -> str | None:
        """A remark, such as that a rule turns a win into a draw; None if there is none."""
    @property
    def source(self) -> str:
        """Where the result comes from: "search", "book" or "table" (the endgame database)."""
    def to_dict(self) -> types.ReportDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `Report(**fields)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Reports(Iterator[Report]):
    """Iterates over the reports of a running search.

    Raises:
        RuntimeError: this process was forked from the one that started the search.
    """
    def __iter__(self) -> Reports: ...
    def __next__(self) -> Report: ...
    def stop(self) -> None:
        """Stops the search."""

@final
class Limits:
    """Search limits. A search stops at the first limit reached. At least one of the first five is
    required.

    Searching functions accept them as keywords or as `limits`:

        engine.search(position, depth=12)
        limits = Limits(level=20)
        engine.search(position, limits=limits)

    Args:
        depth: the depth in plies.
        nodes: the number of nodes.
        time: the time in seconds.
        level: a strength of play, from 1 to 60, which sets the other limits.
        exact: whether to search until the score is proved.
        confidence: the confidence of a selective search in percent: 73, 87, 95, 98, 99 or 100.

    Raises:
        MorelloError: a limit is out of range.
    """
    def __new__(cls, **limits: Unpack[types.LimitsDict]) -> Self: ...
    @property
    def depth(self) -> int | None:
        """The depth in plies, or None."""
    @property
    def nodes(self) -> int | None:
        """The number of nodes, or None."""
    @property
    def time(self) -> float | None:
        """The time in seconds, or None."""
    @property
    def level(self) -> int | None:
        """The strength of play, or None."""
    @property
    def exact(self) -> bool:
        """Whether to search until the score is proved."""
    @property
    def confidence(self) -> int | None:
        """The confidence in percent, or None."""
    def to_dict(self) -> types.LimitsDict:
        """Returns the limits as a dict, which `json.dumps` accepts; `Limits(**limits)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Engine:
    """An engine for one game. Its search tables are reused by later searches.

        engine = Engine()                          # Othello
        report = engine.search("f5d6", depth=12)
        report.best_move, report.score
        for report in engine.reports("f5d6", time=2.0): print(report)

    Every search requires a limit: see `Limits`. Ctrl-C stops a search. A call waits for the search that
    runs, of another thread or of `reports`, which `stop` ends. A fork of the process can use the engine too, unless it was searching at the fork.

    Args:
        game: the name of the game, one of `games()`.
        hash_mib: the memory for the search tables in MiB.
        threads: the number of threads per search; None for all cores.
        weights: a file with trained weights; None for the built-in weights.
        database: the directory of the game's endgame database (mill games).
        evaluation: "trained" or "simple".
    """
    def __new__(
        cls,
        game: str = "othello",
        *,
        hash_mib: int = 64,
        threads: int | None = 1,
        weights: _Path | None = None,
        database: _Path | None = None,
        evaluation: str = "trained",
    ) -> Self: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    def search(self, position: _Root, *, lines: int = 1, **limits: Unpack[types.SearchLimits]) -> Report:
        """Searches a position.

        Args:
            position: a Position, a Game (whose history counts for draws) or text.
            lines: the number of best moves to report; 0 for all.
            limits: depth, nodes, time, level, exact, confidence or limits, as in `Limits`.

        Returns:
            a Report with scores in points for the side to move.
        """
    def reports(self, position: _Root, *, lines: int = 1, **limits: Unpack[types.SearchLimits]) -> Reports:
        """Searches a position and returns an iterator over the reports of all iterations. The last
        report is the result.

        The search stops when the iterator is deleted. For the arguments, see `search`.
        """
    def solve(self, position: _Root) -> float:
        """Proves the score of a position: the same as `search(position, exact=True).score`.

        In the mill games, only positions in the endgame database and short games can be proved.

        Returns:
            the final score in points for the side to move.

        Raises:
            MorelloError: the score was not proved.
        """
    def move_values(self, position: _Root, **limits: Unpack[types.SearchLimits]) -> dict[str, float]:
        """Returns the score of every move of a position, in points for the side to move. For the
        arguments, see `search`.
        """
    def clear(self) -> None:
        """Clears the search tables, so that the next search behaves like the first search of a new
        engine.
        """

@final
class Probe:
    """The value of a position or a move in a database, for the side to move."""
    def __new__(cls, **fields: Unpack[types.ProbeDict]) -> Self: ...
    @property
    def result(self) -> str:
        """"win", "draw" or "loss"."""
    @property
    def plies(self) -> int | None:
        """The number of plies to the end of the game with best play; None for a draw, or if the tables
        store only results.
        """
    @property
    def drawn_by_rule(self) -> bool:
        """Whether the ten-move rule of Morabaraba turns a win or loss into this draw."""
    def to_dict(self) -> types.ProbeDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `Probe(**fields)` is equal again."""
    def __hash__(self) -> int: ...

@final
class Database:
    """The endgame database of a mill game: a directory of tables that `morello database build` writes.

    Args:
        game: the name of a mill game.
        folder: the directory with the tables of this game, or the directory that has a subdirectory
            for each game.

    Raises:
        MorelloError: not a mill game.
        OSError: the directory does not exist, or a table cannot be read.
    """
    def __new__(cls, game: str, folder: _Path) -> Self: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    def probe(self, position: Position, clock: int = 0) -> Probe | None:
        """Returns the value of a position; None if no table contains it.

        Args:
            position: a position of the game.
            clock: the number of plies since the last capture or placement, for the ten-move rule of Morabaraba.
        """
    def probe_moves(self, position: Position, clock: int = 0) -> list[tuple[str, Probe]] | None:
        """Returns the moves of a position with their values for the side that makes them, the best
        first; None if a table is missing.
        """
    @property
    def sectors(self) -> list[str]:
        """The names of the sectors that have a table. "3-3" has three men of each side; "2+1-3+0" also
        gives the men in hand: two men on the board and one in hand for the side to move, three and
        none for the opponent.
        """
        pass
    def boards(self, sector: str) -> _Boards:
        """Returns the positions of a sector: uint64 (n, 3), each at least once up to symmetry, with White to move.

        Raises:
            MorelloError: there is no table for this sector.
        """
        pass

@final
class BookMove:
    """A move of a position in a book, with its score for the side to move."""
    def __new__(cls, **fields: Unpack[types.BookMoveDict]) -> Self: ...
    @property
    def move(self) -> str | None:
        """The move; None in `BookEntry.others`."""
    @property
    def symmetric(self) -> str | None:
        """Other moves that lead to the same position up to symmetry, separated by spaces; None if
        there are none.
        """
    @property
    def score(self) -> float:
        """The score in points for the side to move."""
    @property
    def bound(self) -> str:
        """"exact", "lower" or "upper" (a proved bound), or "estimate"."""
    @property
    def plies(self) -> int | None:
        """The number of plies to the end of the game, if a win or loss is proved; otherwise None."""
    @property
    def lower(self) -> float | None:
        """A lower bound of the result, proved or valid for 95 % of such scores; None if unknown."""
    @property
    def upper(self) -> float | None:
        """An upper bound of the result, in the same sense."""
    @property
    def depth(self) -> int:
        """The search depth in plies, counted from the position before the move."""
    @property
    def confidence(self) -> int:
        """The confidence of the search, in percent."""
    @property
    def source(self) -> str:
        """Where the score comes from: "morello-1" (the engine and its revision), "edax", "egaroucid",
        "database" or "unknown".
        """
    @property
    def in_book(self) -> bool | None:
        """Whether the position after the move is also in the book; None in `BookEntry.others`."""
    @property
    def games(self) -> int:
        """The number of book games that continued with the move, including games without a result."""
    @property
    def wins(self) -> int:
        """The number of these games that the side to move won."""
    @property
    def draws(self) -> int:
        """The number of these games that were drawn."""
    @property
    def losses(self) -> int:
        """The number of these games that the side to move lost."""
    @property
    def opening(self) -> str | None:
        """The name of the opening that ends with the move; None if it has none."""
    def to_dict(self) -> types.BookMoveDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `BookMove(**fields)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class BookEntry:
    """The entry of a position in a book."""
    def __new__(cls, **fields: Unpack[types.BookEntryDict]) -> Self: ...
    @property
    def moves(self) -> list[BookMove]:
        """The scored moves, the best first. Symmetric moves are listed once."""
    @property
    def others(self) -> BookMove | None:
        """An upper bound for all other moves: none has a better score. None if there are no other
        moves, or if nothing is known about them.
        """
    @property
    def score(self) -> float | None:
        """The score of the position in points for the side to move; None if no move has a score."""
    @property
    def bound(self) -> str | None:
        """"exact", "lower" or "upper" (a proved bound), or "estimate"; None without a score."""
    @property
    def games(self) -> int:
        """The number of book games that reached the position, including games without a result."""
    @property
    def wins(self) -> int:
        """The number of these games that the side to move won."""
    @property
    def draws(self) -> int:
        """The number of these games that were drawn."""
    @property
    def losses(self) -> int:
        """The number of these games that the side to move lost."""
    @property
    def best_move(self) -> str | None:
        """The best move; None if no move has a score."""
    def to_dict(self) -> types.BookEntryDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `BookEntry(**fields)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Book:
    """An opening book: positions with scored moves, unique up to symmetry.

        book = Book()                       # the built-in book of Othello
        entry = book.probe("f5d6c3")        # None if the position is not in the book
        [(move.move, move.score) for move in entry.moves]
        Book(file="mine.book")              # written by `morello book build`

    `len(book)` is the number of positions. Iteration yields the positions, each as the
    representative of its symmetric images. `position in book` tests whether a position is in the
    book. Books never contain positions in which the side to move must pass.

    Args:
        game: the name of the game, one of `games()`.
        file: a book file; None for the built-in book of the game, which Othello and some mill games have.

    Raises:
        MorelloError: no game has this name, or it has no built-in book.
        OSError: the file cannot be read, or is not a book of the game.
    """
    def __new__(cls, game: str = "othello", file: _Path | None = None) -> Self: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def file(self) -> Path | None:
        """The file as a pathlib.Path; None for a built-in book."""
    def probe(self, position: _Root) -> BookEntry | None:
        """Returns the entry of a position; None if the position is not in the book.

        Args:
            position: a Position, a Game (whose last position is used) or text.

        Raises:
            OSError: the file is damaged.
        """
    def choose(self, position: _Root, *, variety: float = 0.0, seed: int = 0) -> str | None:
        """Chooses one of the moves that are at most `variety` points worse than the best one. Returns
        None if the position is not in the book.

        Better moves are more likely: a move that is `variety` points worse has a tenth of the best
        move's weight.

        Args:
            position: as in `probe`.
            variety: a number of points, 0 or more.
            seed: determines the choice.
        """
    def __contains__(self, position: _Root, /) -> bool: ...
    def __iter__(self) -> Iterator[Position]: ...
    def __len__(self) -> int: ...

@final
class State:
    """A game whose moves are taken as actions, numbered as in OpenSpiel.

    In Othello an action is the number of a square (a1 is 0, b1 is 1), and n * n is a pass. In the
    mill games with n points, numbered in reading order from the top left, actions 0 to n - 1 place
    or capture a man on a point, and n + from * n + to moves a man. A move that closes a mill takes
    two actions by the same player: the move, then the capture.

        state = State("othello")
        while not state.is_over:
            state.apply(random.choice(state.legal_actions()))
        state.score("black")

    Args:
        game: the name of the game, a Position, or a Game to continue, whose draw rules apply.
        draws: whether the standard additional draw rules apply: in the mill games, a draw by
            threefold repetition and after 400 plies. Ignored for a Game.

    Raises:
        MorelloError: no game has this name.
    """
    def __new__(cls, game: str | Position | Game = "othello", *, draws: bool = True) -> Self: ...
    @property
    def game(self) -> str:
        """The name of the game."""
        pass
    @property
    def position(self) -> Position:
        """The current position, or the position before the turn if a capture must still be chosen."""
        pass
    def record(self) -> Game:
        """Returns the moves so far as a Game."""
        pass
    @property
    def points(self) -> list[str]:
        """The names of the points in the order of their numbers."""
        pass
    @property
    def action_count(self) -> int:
        """The number of actions; all actions are below it."""
        pass
    @property
    def side_to_move(self) -> str:
        """The side to move: "black" or "white"."""
        pass
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        pass
    @property
    def must_capture(self) -> bool:
        """Whether the next action is the capture after a move that closes a mill."""
        pass
    def legal_actions(self) -> list[int]:
        """Returns the legal actions in increasing order; empty after the end of the game."""
        pass
    def mask(self) -> NDArray[np.int8]:
        """Returns the legal actions as a mask: int8 (action_count,)."""
        pass
    def apply(self, action: int) -> None:
        """Applies an action.

        Raises:
            IllegalMoveError: the action is not legal.
        """
        pass
    def play(self, move: str) -> None:
        """Plays a whole move given as text, such as "f5" or "a7-d7xg1".

        Raises:
            IllegalMoveError: with the reason.
        """
        pass
    def observation(self, side: str | None = None, kind: str = "points") -> NDArray[Any]:
        """Returns what a side sees.

        "points" is int8 (points + 3,): for each point 1 for an own piece and -1 for a piece of the
        opponent, then the numbers of own and opposing men in hand, and whether a capture is due,
        after a move that is already on the board.

        "planes" is int8 (planes, rows, columns): the own pieces, the opponent's pieces, and the
        points of legal actions. In the mill games, there are also the men that may move and, as
        constant planes, the numbers of own and opposing men in hand and whether a capture is due.

        "tensor" is float32 (planes, rows, columns), the observation tensor of OpenSpiel's othello
        and nine_mens_morris.

        Args:
            side: "black" or "white"; None for the side to move.
            kind: "points", "planes" or "tensor".
        """
        pass
    def score(self, side: str) -> int:
        """Returns 1 if a side has won, -1 if it has lost, 0 for a draw or an unfinished game."""
        pass
    def copy(self) -> State:
        """Returns an independent copy."""
        pass
    def __reduce__(self) -> tuple[type[State], tuple[Game], int | None]: ...
    def __setstate__(self, started: int | None) -> None: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: Any) -> State: ...

@final
class Environments:
    """Games of a player against an opponent; `morello.gymnasium` describes the arguments."""
    def __new__(
        cls, game: str, count: int, level: int | None, side: str | None, random_plies: int, observation: str
    ) -> Self: ...
    @property
    def action_count(self) -> int:
        """The number of actions."""
        pass
    @property
    def shape(self) -> list[int]:
        """The shape of an observation."""
        pass
    def reset(self, chosen: NDArray[np.bool_] | None = None, seed: int | None = None) -> None:
        """Starts new games in all environments, or in the environments selected by a mask."""
        pass
    def apply(self, chosen: ArrayLike) -> None:
        """Applies the player's action in each environment, and lets opponents reply."""
        pass
    def waiting(self) -> tuple[NDArray[Any], NDArray[np.int8]] | None:
        """Returns what the opponents that must choose see; None if there are none."""
        pass
    def reply(self, chosen: ArrayLike) -> None:
        """Applies the actions of the opponents that were waiting."""
        pass
    def outcomes(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Returns three arrays (count,): the rewards (float64), whether the games ended (bool), and
        whether they ended by an illegal action (bool).
        """
        pass
    def observe(self, chosen: NDArray[np.bool_] | None = None) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Returns what the player sees in all environments, or in the environments selected by a mask."""
        pass
    def position(self, index: int) -> Position:
        """Returns the position of an environment."""
        pass
    def side(self, index: int) -> str:
        """Returns the player's side in an environment."""
        pass

@final
class Records(Iterator[Game]):
    """Iterates over the games and positions in files. A position is a Game without moves.

    Raises:
        ParseError: a record cannot be read; the iterator continues after it.
    """
    def __iter__(self) -> Records: ...
    def __next__(self) -> Game: ...

def games() -> list[str]:
    """Returns the names of all games."""
def opening_names(game: str = "othello") -> list[types.OpeningDict]:
    """Returns the named openings of a game, sorted by their moves; [] if the game has no named
    openings.

    Args:
        game: the name of the game, one of `games()`.

    Returns:
        a list of dicts with these keys:
        "name"
        "other_names": a list
        "moves": one of the move orders, as text
        "source": where the name comes from
    """
def about(game: str) -> str:
    """Returns a one-line description of a game.

    Raises:
        MorelloError: no game has this name.
    """
def formats(game: str = "othello") -> list[str]:
    """Returns the names of a game's text formats, in the order of detection."""
@final
class RowChunks(Iterator[tuple[bytes, int]]):
    """Iterates over the rows of a running analysis. Each chunk is a pair of its bytes and its number
    of rows.

    The analysis pauses while chunks are not taken, and stops when the iterator is deleted or
    closed.

    Raises:
        RuntimeError: this process was forked from the one that started the analysis.
    """
    @property
    def fields(self) -> list[_Field]:
        """The row fields: the name, the type, and whether Parquet files have it only if a row has a
        value.
        """
        pass
    def __iter__(self) -> RowChunks: ...
    def __next__(self) -> tuple[bytes, int]: ...
    def close(self) -> None:
        """Stops the analysis and waits until it has ended."""
        pass

_Field: TypeAlias = tuple[str, str, bool]
_Source: TypeAlias = tuple[list[str | tuple[str, bytes]], str | None, str | None]

def read_records(source: _Source, game: str, draws: bool) -> Records:
    """Reads positions and games: see `morello.read`."""
    pass
def write_records(
    records: Iterable[Game | Position], path: _Path, format: str | None, game: str
) -> tuple[int, list[str]]:
    """Writes games and positions to a file: see `morello.write`.

    Returns:
        the number of records, and what the format could not store.
    """
    pass
def record_text(game: Game) -> str:
    """Returns a game as text with everything that text can store: uses a format with metadata if the
    game has any.
    """
    pass
def start_analysis(
    source: _Source,
    game: str,
    *,
    lines: int,
    deterministic: bool,
    unique: bool,
    shard: tuple[int, int] | None,
    plies: int | tuple[int, int] | None,
    empties: int | tuple[int, int] | None,
    form: str,
    rows: int,
    **options: Unpack[types.SearchOptions],
) -> RowChunks:
    """Starts an analysis of positions and games.

    Args:
        source: the inputs.
        game: the name of the game.
        lines, deterministic, unique, shard, plies, empties, options: as in `analyze`.
        form: "lines" for chunks of JSON lines, compressed; "parquet" for files.
        rows: the number of rows per chunk.
    """
    pass
def row_lines(chunk: bytes) -> bytes:
    """Returns the JSON lines of a chunk."""
    pass
def write_rows(chunks: list[bytes], fields: list[_Field], format: str, path: _Path | None) -> bytes | None:
    """Converts chunks of JSON lines to a row format, and writes them to a file or returns them as
    bytes.
    """
    pass
def read_wthor(paths: _Path | list[_Path], *, replay: bool = False) -> types.WthorArrays:
    """Reads the games of WTHOR files, the databases of Othello games, into arrays.

    Args:
        paths: a file, or a directory or zip archive whose `.wtb` files are read, or a list of
            these; compressed or not. The names come from the `.jou` and `.trn` files next to the
            games, found as by `read`.
        replay: whether to play the games. This checks the moves and adds passes, results and final
            boards.

    Returns:
        a dict of arrays with one row per game, in the order of the files:
        "moves": uint16 (n, 60), the moves as stored, without passes, `NO_MOVE` after the end
        "length": uint32 (n,), the number of moves
        "black", "white" and "tournament": uint16 (n,), numbers of names
        "year": uint16 (n,), 0 if unknown
        "discs": uint8 (n,), the recorded number of Black's discs at the end, where the winner gets
            the empty squares
        "depth": uint8 (n,), the number of empty squares from which "theoretical" assumes best play
        "theoretical": uint8 (n,), like "discs", but with best play by both sides from "depth" empty
            squares on; meaningless if "depth" is 0
        "players" and "tournaments": lists of names by number, empty without a names file
        "score": int8 (n,), with `replay`: Black's margin on the board in points, 0 for unfinished
            games
        "board": uint64 (n, 3), with `replay`: the final boards, as in `random_games`
        With `replay`, "moves" uint16 (n, longest) and "length" include forced passes.

    Raises:
        OSError: a file cannot be read.
        ParseError: a file is incomplete, damaged or for another board size; `line` is the record,
            from 1, or 0 for the header, and `column` the byte. `read` continues after such a
            record.
        MorelloError: the files have different names files; read them in separate calls.
    """
    pass
def run_match(arguments: dict[str, Any]) -> dict[str, Any]:
    """Plays a match; `morello.play_match` describes the arguments."""
def run_program(arguments: list[str]) -> int:
    """Runs the program with a command line, which starts with the program name, and returns the exit
    code.
    """
def start_boards(count: int, game: str = "othello") -> _Boards:
    """Returns `count` copies of the starting position: uint64 (count, 3)."""
def parse_boards(texts: list[str], game: str = "othello") -> _Boards:
    """Reads positions, or the moves of games, in any notation: uint64 (n, 3).

    Raises:
        ParseError: `line` is the number of the invalid text, from 1.
    """
def format_boards(boards: ArrayLike, game: str = "othello") -> list[str]:
    """Writes boards in the notation of the game."""
def legal_masks(boards: ArrayLike, game: str = "othello") -> NDArray[np.uint64]:
    """Returns the legal moves of Othello boards as masks: uint64 (n,), bit s for square s (a1 is 0, b1
    is 1, h8 is 63). 0 means a pass or the end.
    """
def legal_moves(boards: ArrayLike, game: str = "othello") -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Returns the legal moves of boards.

    Returns:
        (offsets, moves), int64 (n + 1,) and uint16. The moves of board i are
        `moves[offsets[i]:offsets[i + 1]]`. In Othello a move is the number of its square, 0 to 63,
        and a pass is 64; see `move_texts`.
    """
def play(boards: ArrayLike, moves: ArrayLike, game: str = "othello") -> _Boards:
    """Plays one move on each board: uint64 (n, 3).

    Raises:
        IllegalMoveError: with the index of the first illegal move.
    """
def results(boards: ArrayLike, game: str = "othello") -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
    """Returns which positions end the game, and the final scores.

    Returns:
        (over, scores): bool (n,) and int8 (n,), points for the side to move; 0 where the game is not over.
    """
def canonical(boards: ArrayLike, game: str = "othello") -> _Boards:
    """Returns the canonical form of each board, equal for all symmetric boards: uint64 (n, 3)."""
def perft(
    boards: ArrayLike,
    depth: int,
    game: str = "othello",
    *,
    convention: str = "passes-count",
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.uint64]:
    """Counts the leaves `depth` plies below each board: uint64 (n,).

    Args:
        convention: as in `Position.perft`.
        progress: a function that receives the number of boards done and the total.
    """
def move_texts(moves: ArrayLike, game: str = "othello") -> list[str]:
    """Converts move numbers to text, such as 37 to "f5" in Othello; `NO_MOVE` becomes ""."""
def move_numbers(boards: ArrayLike, texts: list[str], game: str = "othello") -> NDArray[np.uint16]:
    """Converts moves given as text, one per board, to move numbers: uint16 (n,).

    Raises:
        IllegalMoveError: with the index of the first illegal move.
    """
def search(boards: ArrayLike, game: str = "othello", **options: Unpack[types.SearchOptions]) -> types.SearchArrays:
    """Searches every board.

    Args:
        boards: uint64 (n, 3).
        options: the limits of each search, as in `Engine.search`, and
            hash_mib: the memory for the search tables, which all threads share; 64 by default.
            threads: the number of threads, each of which searches a different board; None for all
                cores.
            database: the directory of the game's endgame database.
            progress: a function that receives the number of boards done and the total.

    Returns:
        a dict of arrays (n,):
        "score": float64, in points for the side to move
        "exact": bool, whether the score is proved
        "error": float64, the error in points that 95 % of such estimates do not exceed; 0 if exact,
            NaN if unknown
        "move": uint16, the best move; `NO_MOVE` if the game is over
        "depth": uint32, in plies
        "nodes": uint64
    """
def regret(
    boards: ArrayLike, moves: ArrayLike, game: str = "othello", **options: Unpack[types.SearchOptions]
) -> types.RegretArrays:
    """Returns by how much each move is worse than the best move of its board.

    The regret is the score of the best move minus the score of the given move, in points for the
    side to move, at least 0. A point is a disc in Othello; in the mill games, the regret is 1 from
    a win to a draw or from a draw to a loss. It is exact if the solver or the database proves both
    scores, and otherwise an estimate; the "exact" array says which. For the other arguments, see
    `search`; `exact=True` proves every regret in Othello.

    Returns:
        a dict of arrays (n,):
        "regret": float64
        "exact": bool
        "error": float64, the error that 95 % of such estimates do not exceed; 0 if exact, NaN if
            unknown
        "best": uint16, the best move

    Raises:
        IllegalMoveError: with the index of the first illegal move.
    """
def evaluate(boards: ArrayLike, game: str = "othello") -> NDArray[np.float64]:
    """Returns the static evaluation of each board without a search: float64 (n,), in points for the
    side to move.

    For a finished game, it is the final score.
    """
def features(boards: ArrayLike, game: str = "othello") -> NDArray[np.int32]:
    """Returns the features of the trained evaluation: int32 (n, k).

    In 8x8 Othello, the features are the configurations of k patterns, numbered from -(3^s - 1) / 2
    to (3^s - 1) / 2 for a pattern with s squares; `pattern_squares` returns the squares. In the
    mill games, they are the evaluation terms of the side to move minus the terms of the opponent.
    The small Othello boards have no features (k is 0).
    """
def pattern_squares() -> list[list[int]]:
    """Returns the squares of each pattern of `features`, for 8x8 Othello: a list of lists of square
    numbers.
    """
def move_values(
    boards: ArrayLike, game: str = "othello", **options: Unpack[types.SearchOptions]
) -> types.MoveValueArrays:
    """Scores every move of every board, for policy targets.

    For the arguments, see `search`.

    Returns:
        a dict of arrays:
        "offsets": int64 (n + 1,) and "move": uint16, as returned by `legal_moves`
        "score": float64, for each move, in points for the side to move; NaN if the search ended
            before it
        "exact": bool, for each move, whether the score is proved
    """
    pass
def replay(moves: ArrayLike, game: str = "othello", *, starts: ArrayLike | None = None) -> types.ReplayArrays:
    """Plays games, and returns every position before a move.

    Args:
        moves: integers (n, k), such as "moves" of `random_games`: the moves of a game end at the
            first `NO_MOVE` or -1. Forced passes may be omitted.
        starts: uint64 (n, 3), the position in which each game starts, or (1, 3) for one position
            for all games; None for the starting position of the game.

    Returns:
        a dict of arrays with one row per move of each game, including passes, in order:
        "game": int64 (m,), the index of the game
        "ply": int32 (m,), from 0
        "board": uint64 (m, 3), the board before the move
        "move": uint16 (m,)
        "outcome": int8 (m,), the final margin in points for the side to move, negative if it lost;
            0 for unfinished games
        "mask": uint64 (m,), only for Othello: the legal moves, as returned by `legal_masks`

    Raises:
        IllegalMoveError: with the game and the index of the first illegal move.
    """
    pass
def transform(boards: ArrayLike, k: ArrayLike, game: str = "othello") -> _Boards:
    """Returns the images of boards under the symmetries of the board: uint64 (n, 3).

    For the images of moves, see `transform_moves`.

    Args:
        k: the number of the symmetry, one for all boards or one per board, as in
            `Position.transform`: 0 (the identity) to `Position.symmetry_count - 1`.
    """
    pass
def transform_moves(moves: ArrayLike, k: ArrayLike, game: str = "othello") -> NDArray[np.uint16]:
    """Returns the images of moves under the symmetries of the board: uint16 (n,). `NO_MOVE` is
    unchanged.

    Args:
        k: as in `transform`.
    """
    pass
def probe(boards: ArrayLike, database: Database, *, clock: ArrayLike | None = None) -> types.ProbeArrays:
    """Looks up boards in an endgame database.

    Args:
        boards: uint64 (n, 3), positions of the database's game.
        database: a Database.
        clock: the number of plies since the last capture or placement, for the ten-move rule of
            Morabaraba: one number for all boards, or one per board.

    Returns:
        a dict of arrays (n,):
        "known": bool, whether a table has the position
        "result": int8, 1 for a win of the side to move, -1 for a loss, 0 for a draw or if unknown
        "plies": int32, the number of plies to the end with best play; -1 for draws or if unknown
        "drawn_by_rule": bool, as in `Probe`

    Raises:
        OSError: a table cannot be read.
    """
    pass
def random_games(
    count: int,
    game: str = "othello",
    *,
    plies: int | None = None,
    seed: int = 0,
    unique: bool = False,
    passes: bool = True,
    width: int | None = None,
) -> types.GameArrays:
    """Plays games of random legal moves from the starting position.

    Args:
        count: the number of games.
        game: the name of the game.
        plies: the maximum number of plies; None for whole games (the mill games end after 400
            plies).
        seed: equal seeds give equal games, regardless of the number of cores.
        unique: whether all games must be different, up to the symmetries of the board.
        passes: whether "moves" and "length" include Othello passes.
        width: the number of columns of "moves", so that several arrays can be joined; 60 is enough
            for Othello without passes; None for the length of the longest game.

    Returns:
        a dict of arrays:
        "moves": uint16 (n, width), `NO_MOVE` after the end of a game
        "length": uint32 (n,), the number of moves
        "score": int8 (n,), Black's margin in points, negative if White won; 0 for unfinished games
        "board": uint64 (n, 3), the final boards

    Raises:
        MorelloError: there are too few different games, or a game is longer than the width.
    """
    pass
def random_boards(count: int, plies: int, game: str = "othello", *, seed: int = 0, unique: bool = False) -> _Boards:
    """Returns positions after `plies` random legal moves from the start, or after fewer moves if the
    game ends earlier: uint64 (n, 3).

    Args:
        unique: whether all positions must be different, up to the symmetries of the board.

    Raises:
        MorelloError: there are too few different positions.
    """
    pass
def selfplay_games(
    count: int,
    game: str = "othello",
    *,
    random_plies: int = 8,
    seed: int = 0,
    starts: ArrayLike | None = None,
    values: bool = False,
    passes: bool = True,
    width: int | None = None,
    **options: Unpack[types.SearchOptions],
) -> types.SelfPlayArrays:
    """Plays games of the engine against itself, after some random plies.

    With a depth or node limit, equal seeds give equal games, regardless of the number of threads.

    Args:
        count: the number of games.
        random_plies: the number of random plies at the start of each game.
        starts: uint64 (k, 3), positions from which the games start in turn; None for the starting
            position.
        values: whether to score all moves, for policy targets. This takes several times longer.
        passes, width: as in `random_games`.
        options: the limits of each move, as in `Engine.search`, and threads, database, progress and
            hash_mib, as in `search`; the memory is per thread, 4 by default.

    Returns:
        a dict with the arrays of `random_games`, and:
        "start": uint64 (n, 3), the positions before the first moves
        "scores": float32 (n, width), the score of each move in points for the side that made it;
            NaN for random moves and after the end
        "value_offsets": int64 (m + 1,), "value_moves": uint16 and "value_scores": float32, only if
            `values` is true. The moves and scores at row i of `replay(moves, starts=start)` are the
            entries from `value_offsets[i]` to `value_offsets[i + 1]`; random moves have no entries.
    """
    pass
