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

    Positions are immutable and hashable, and equal positions of a game compare equal; they have no
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
        """Returns the position with this row of an array of `batch`.

        Args:
            board: three integers, such as a row of an array of boards: see `board`.
            game: the name of the game, one of `games()`.

        Raises:
            TypeError: the board is not three integers.
            MorelloError: no position of the game has this row, or no game has this name.
        """
    @property
    def board(self) -> NDArray[np.uint64]:
        """The position as a row of an array of `batch`: uint64 (3,). In Othello the discs of the side to
        move, those of the opponent, and the side to move: see `batch`.
        """
    def to_array(self) -> NDArray[np.int8]:
        """Returns the pieces as an array: int8 (points,), in the order of `point_names()`, with 1 for
        the pieces of the side to move, -1 for those of the opponent, and 0 for empty points.
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
        """Returns the representative of the position and its images: the same one for all of them."""
    def perft(self, depth: int, convention: str = "passes-count") -> int:
        """Counts the leaves `depth` plies below the position.

        Args:
            depth: the number of plies.
            convention: "passes-count" (a forced pass is a ply, games that ended earlier are not
            counted), "ended-once" or "free-pass".
        """
    def divide(self, depth: int, convention: str = "passes-count", threads: int | None = None) -> dict[str, int]:
        """Counts the leaves below each move.

        Returns:
            a dict from the moves to their counts; their sum is `perft(depth)`.
        """
    def point_names(self) -> list[str]:
        """Returns the point numbers of the board in the order of `batch` arrays, by name: square 0 is
        "a1" in Othello.
        """
    def svg(self, values: Mapping[str, object] | None = None) -> str:
        """Returns a drawing as SVG.

        Args:
            values: numbers or texts to write on the destinations of moves, such as those of
            `Engine.move_values`; the highest number is
                highlighted.
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

    A game is a sequence of its moves: `len(game)` is their number, `game[3]` the fourth one, `game[:4]`
    a list of the first four, and iteration gives all. `game.positions[3]` is the position before
    `game[3]`. Games with the same start, moves, draw rules, tags and comments are equal. They can be
    changed, so they have no hash.

    Draws by repetition (three times) and by length (400 plies) apply in the mill games unless
    `draws` is False.

    Args:
        start: the game or a position to start from, as text in any notation; a Position; a Game to
            copy; or a list of moves. None for the starting position.
        game: the name of the game, one of `games()`; None for that of a Position or Game, otherwise
            Othello.
        draws: whether the usual additional draw rules apply; None keeps those of a Game, and is True
            otherwise.

    Raises:
        ParseError: the text cannot be read; `line` and `column` say where.
        IllegalMoveError: a move of the list is illegal; the text names its index.
        MorelloError: no game has this name, or `start` belongs to another one.
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
        None. The last one is that of the game.
        """
    @property
    def tags(self) -> types.Tags:
        """What a file recorded about the game, as far as known: a new dict with some of the keys "black",
        "white" (the names of the players), "black_rating", "white_rating", "event", "date", "result"
        (points by which Black won), "ending" (why it ended early, such as "timeout": then a result of all
        squares says only who won), "theoretical" (the number of empty squares from which both sides
        play best, and the points by which Black wins from there) and "others" (a dict of other tags, by
        their names in PGN). `set_tags` changes them.
        """
    def set_tags(self, **tags: Unpack[types.TagChanges]) -> None:
        """Changes tags, which `text` writes in formats that have them.

            game.set_tags(black="Ann", white="Bob", result=4)
            game.set_tags(date=None)                # removes it

        Args:
            tags: the keys of `tags` with their values, or None to remove them; other tags stay.

        Raises:
            TypeError: there is no such tag, or its value has the wrong type; the game is unchanged.
            MorelloError: a number is not finite, no ending has this name, or a name in `others` is not of letters,
                digits and underscores.
        """
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def end(self) -> str | None:
        """Why the game is over, such as "White cannot move"; None if it is not over."""
    @property
    def points(self) -> int | None:
        """The points by which Black has won on the board, negative if White has won; None if the game
        is not over.
        """
    def play(self, move: str) -> None:
        """Plays a move. The comments, evaluations and times that a file recorded are dropped, as by
        `undo`.

        Raises:
            IllegalMoveError: with the reason; the game is unchanged.
        """
    def undo(self) -> str | None:
        """Undoes the last move and returns it; None at the start."""
    def text(self, format: str | None = None) -> str:
        """Writes the game in a format.

        Args:
            format: the name of a text format that can hold games, such as "transcript", "ggf",
            "pgn" or "sgf"; None for the moves on one line.
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
        """The score in points for the side to move: discs in Othello; 1 for a win and -1 for a loss in
        the mill games, estimates between.
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
        """The best lines, each with another first move, from the highest score to the lowest."""
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
        """Its confidence in percent; 100 if nothing was pruned."""
    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
    @property
    def time(self) -> float:
        """The time taken, in seconds."""
    @property
    def score_error(self) -> float | None:
        """The error in points that 95 % of estimates like this one do not exceed; None for a proved
        score, and where it was not measured.
        """
    @property
    def note(self) -> str | None:
        """A remark, such as a win that a rule turns into a draw; None if there is none."""
    @property
    def source(self) -> str:
        """Where the result comes from: "search", "book" or "table"."""
    def to_dict(self) -> types.ReportDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `Report(**fields)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Reports(Iterator[Report]):
    """An iterator of the reports of a running search."""
    def __iter__(self) -> Reports: ...
    def __next__(self) -> Report: ...
    def stop(self) -> None:
        """Stops the search."""

@final
class Limits:
    """The limits of a search, which stops at the first one reached. At least one of the first five is
    required.

    Searching functions take them as keywords, or as `limits`:

        engine.search(position, depth=12)
        limits = Limits(level=20)
        engine.search(position, limits=limits)

    Args:
        depth: the depth in plies.
        nodes: the number of nodes.
        time: the time in seconds.
        level: a strength of play, from 1 to 60, which sets the other limits.
        exact: whether to search until the score is proved.
        confidence: the confidence in percent of a selective search: 73, 87, 95, 98, 99 or 100.
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
    """An engine of one game: a search with its tables, which later searches reuse.

        engine = Engine()                          # Othello
        report = engine.search("f5d6", depth=12)
        report.best_move, report.score
        for report in engine.reports("f5d6", time=2.0): print(report)

    Every search requires a limit: see `Limits`. Ctrl-C stops a search. Calls from several threads
    wait for each other.

    Args:
        game: the name of the game, one of `games()`.
        hash_mib: the memory of the tables in MiB.
        threads: the number of threads of one search; None for all cores.
        weights: a file of trained weights; None for the built-in ones.
        database: the folder with the endgame tables of the game (mill games).
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
            position: a Position, a Game (whose history counts for draws) or a text.
            lines: the number of best moves to report; 0 for all.
            limits: depth, nodes, time, level, exact, confidence or limits, as in `Limits`.

        Returns:
            a Report with scores in points for the side to move.
        """
    def reports(self, position: _Root, *, lines: int = 1, **limits: Unpack[types.SearchLimits]) -> Reports:
        """Searches a position and returns an iterator of the reports of all iterations, the last of
        which is the result.

        The search stops when the iterator is deleted. The arguments are those of `search`.
        """
    def solve(self, position: _Root) -> float:
        """Proves the score of a position: the same as `search(position, exact=True).score`.

        In the mill games, only positions in tables and short games can be proved.

        Returns:
            the final score in points for the side to move.

        Raises:
            MorelloError: the score was not proved.
        """
    def move_values(self, position: _Root, **limits: Unpack[types.SearchLimits]) -> dict[str, float]:
        """Returns the score of every move of a position, in points for the side to move. The arguments
        are those of `search`.
        """
    def clear(self) -> None:
        """Clears the tables: the next search behaves like that of a new engine."""

@final
class Probe:
    """The value of a position or a move in a database, for the side to move."""
    def __new__(cls, **fields: Unpack[types.ProbeDict]) -> Self: ...
    @property
    def result(self) -> str:
        """"win", "draw" or "loss"."""
    @property
    def plies(self) -> int | None:
        """The number of plies to the end of the game under best play; None for a draw, and where the
        tables store results alone.
        """
    @property
    def drawn_by_rule(self) -> bool:
        """Whether the ten-move rule of Morabaraba turns a win or loss into this draw."""
    def to_dict(self) -> types.ProbeDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `Probe(**fields)` is equal again."""
    def __hash__(self) -> int: ...

@final
class Database:
    """The endgame tables of a mill game in a folder, as `morello database build` writes them.

    Args:
        game: the name of a mill game.
        folder: the folder of the tables of this game, or the folder that has one for each game.

    Raises:
        MorelloError: not a mill game.
        OSError: there is no such folder, or a table cannot be read.
    """
    def __new__(cls, game: str, folder: _Path) -> Self: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    def probe(self, position: Position, clock: int = 0) -> Probe | None:
        """Returns the value of a position; None if no table has it.

        Args:
            position: a position of the game.
            clock: the number of plies since the last capture or placement, for the ten-move rule of Morabaraba.
        """
    def probe_moves(self, position: Position, clock: int = 0) -> list[tuple[str, Probe]] | None:
        """Returns the moves of a position with their values for the side that makes them, best first;
        None if a table is missing.
        """
    @property
    def sectors(self) -> list[str]:
        """The names of the sectors that have a table, such as "3-3" or "2+1-3+0": the men of the side to move
        and of the opponent, on the board and in hand.
        """
        pass
    def boards(self, sector: str) -> _Boards:
        """Returns the positions of a sector: uint64 (n, 3), each at least once up to symmetry, with White to move.

        Raises:
            MorelloError: no table has this sector.
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
        """Other moves that lead to the same position, up to symmetry, separated by spaces; None without any."""
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
        """The result is at least this: proved, or in 95 % of such scores; None if unknown."""
    @property
    def upper(self) -> float | None:
        """The result is at most this, likewise."""
    @property
    def depth(self) -> int:
        """The depth of the search in plies, from the position that has the move."""
    @property
    def confidence(self) -> int:
        """The confidence of the search in percent."""
    @property
    def source(self) -> str:
        """Where the score comes from: "morello-1" (the engine and its revision), "edax", "egaroucid",
        "database" or "unknown".
        """
    @property
    def in_book(self) -> bool | None:
        """Whether the position after the move is in the book, too; None in `BookEntry.others`."""
    @property
    def games(self) -> int:
        """The games of the book that went on with the move, those without a result included."""
    @property
    def wins(self) -> int:
        """Those that the side to move won."""
    @property
    def draws(self) -> int:
        """Those that were drawn."""
    @property
    def losses(self) -> int:
        """Those that the side to move lost."""
    @property
    def opening(self) -> str | None:
        """The name of the opening that ends with the move; None if it has none."""
    def to_dict(self) -> types.BookMoveDict:
        """Returns the fields as a dict, which `json.dumps` accepts; `BookMove(**fields)` is equal again."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class BookEntry:
    """What a book knows about a position."""
    def __new__(cls, **fields: Unpack[types.BookEntryDict]) -> Self: ...
    @property
    def moves(self) -> list[BookMove]:
        """The scored moves, the best first. Of moves that a symmetry of the position maps to each other,
        one stands for all.
        """
    @property
    def others(self) -> BookMove | None:
        """The limit of all other moves: none has a better score. None if there are no others, or nothing
        is known about them.
        """
    @property
    def score(self) -> float | None:
        """The score of the position in points for the side to move; None if no move has a score."""
    @property
    def bound(self) -> str | None:
        """"exact", "lower" or "upper" (a proved bound), or "estimate"; None without a score."""
    @property
    def games(self) -> int:
        """The games of the book that came through the position, those without a result included."""
    @property
    def wins(self) -> int:
        """Those that the side to move won."""
    @property
    def draws(self) -> int:
        """Those that were drawn."""
    @property
    def losses(self) -> int:
        """Those that the side to move lost."""
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

    `len(book)` is the number of positions, iteration gives them, each the representative of its
    symmetric images, and `position in book` says whether one is there. Positions in which the side to
    move must pass are in no book.

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
        """Returns what the book knows about a position; None if the position is not in the book.

        Args:
            position: a Position, a Game (whose last position is meant) or a text.

        Raises:
            OSError: the file is damaged.
        """
    def choose(self, position: _Root, *, variety: float = 0.0, seed: int = 0) -> str | None:
        """Chooses one of the moves that lose at most `variety` points against the best one; None if the
        position is not in the book.

        Better moves are more likely: a move that loses the whole `variety` has a tenth of the weight
        of the best one.

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
    two actions of the same player: the move, then the capture.

        state = State("othello")
        while not state.is_over:
            state.apply(random.choice(state.legal_actions()))
        state.score("black")

    Args:
        game: the name of the game, a Position, or a Game to continue, whose draw rules apply.
        draws: whether the usual additional draw rules apply: in the mill games a draw by the third
            repetition of a position, and after 400 plies. Ignored for a Game.

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
        """The current position; that before the turn if a capture is still to be chosen."""
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
        """The number of actions; all are below it."""
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
        """Whether the next action is the capture of a move that has closed a mill."""
        pass
    def legal_actions(self) -> list[int]:
        """Returns the legal actions in increasing order; none after the end."""
        pass
    def mask(self) -> NDArray[np.int8]:
        """Returns the legal actions as a mask: int8 (action_count,)."""
        pass
    def apply(self, action: int) -> None:
        """Applies an action.

        Raises:
            IllegalMoveError: it is not legal.
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

        "points" is int8 (points + 3,): for each point 1 for an own piece and -1 for one of the
        opponent, then the own and the other men in hand, and whether a capture is due, after a move
        that is already on the board. "planes" is int8 (planes, rows, columns): the own pieces,
        those of the opponent, and the points of legal actions; in the mill games also the men that
        may move, and as constant planes the own and the other men in hand and whether a capture is
        due. "tensor" is float32 (planes, rows, columns), the observation tensor of OpenSpiel's othello and
        nine_mens_morris.

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
        """Starts new games in all environments, or in those of a mask."""
        pass
    def apply(self, chosen: ArrayLike) -> None:
        """Applies an action of the player in each environment, and lets opponents reply."""
        pass
    def waiting(self) -> tuple[NDArray[Any], NDArray[np.int8]] | None:
        """Returns what the opponents see that have to choose; None if there are none."""
        pass
    def reply(self, chosen: ArrayLike) -> None:
        """Applies the actions of the opponents that were waiting."""
        pass
    def outcomes(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Returns rewards float64, ends bool and ends by an illegal action bool, (count,) each."""
        pass
    def observe(self, chosen: NDArray[np.bool_] | None = None) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Returns what the player sees in all environments, or in those of a mask."""
        pass
    def position(self, index: int) -> Position:
        """Returns the position of an environment."""
        pass
    def side(self, index: int) -> str:
        """Returns the side of the player in an environment."""
        pass

@final
class Records(Iterator[Game]):
    """An iterator of the games and positions of files; a position is a Game without moves.

    Raises:
        ParseError: a record cannot be read; the iterator continues after it.
    """
    def __iter__(self) -> Records: ...
    def __next__(self) -> Game: ...

def games() -> list[str]:
    """Returns the names of all games."""
def opening_names(game: str = "othello") -> list[types.OpeningDict]:
    """Returns the named openings of a game, sorted by their moves; [] if none of its openings have
    names.

    Args:
        game: the name of the game, one of `games()`.

    Returns:
        a list of dicts: "name"; "other_names", a list; "moves", one of the move orders as text;
        "source", where the name comes from.
    """
def about(game: str) -> str:
    """Returns a one-line description of a game.

    Raises:
        MorelloError: no game has this name.
    """
def formats(game: str = "othello") -> list[str]:
    """Returns the names of the text formats of a game, in the order of detection."""
@final
class RowChunks(Iterator[tuple[bytes, int]]):
    """An iterator of the rows of a running analysis: chunks as pairs of their bytes and their number of rows.

    The analysis waits while chunks are not taken, and stops when the iterator is deleted or closed.

    Raises:
        RuntimeError: the process is a fork of the one that started the analysis.
    """
    @property
    def fields(self) -> list[_Field]:
        """The fields of the rows: the name, the type and whether Parquet has it only with a value."""
        pass
    def __iter__(self) -> RowChunks: ...
    def __next__(self) -> tuple[bytes, int]: ...
    def close(self) -> None:
        """Stops the analysis and waits for its end."""
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
        the number of records, and what the format could not hold.
    """
    pass
def record_text(game: Game) -> str:
    """Returns a game as text with all that a text can hold of it: a format with metadata if it has any."""
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
    """Starts to analyze positions and games.

    Args:
        source: the inputs.
        game: the name of the game.
        lines, deterministic, unique, shard, plies, empties, options: as in `analyze`.
        form: "lines" for chunks of JSON lines, compressed; "parquet" for files.
        rows: the number of rows of a chunk.
    """
    pass
def row_lines(chunk: bytes) -> bytes:
    """Returns the JSON lines of a chunk."""
    pass
def write_rows(chunks: list[bytes], fields: list[_Field], format: str, path: _Path | None) -> bytes | None:
    """Writes the rows of chunks of JSON lines in a format of rows: to a file, or as bytes."""
    pass
def read_wthor(paths: _Path | list[_Path], *, replay: bool = False) -> types.WthorArrays:
    """Reads the games of WTHOR files, the databases of Othello games, into arrays.

    Args:
        paths: a file, or a folder or zip archive, of which the `.wtb` files are read, or a list of them; compressed or
            not. The names are those in the files `.jou` and `.trn` beside the games, as `read` finds them.
        replay: whether to play the games, which checks the moves and gives passes, results and final boards.

    Returns:
        a dict of arrays with a row for each game, in the order of the files:
        "moves" uint16 (n, 60), the moves as stored, without passes, `NO_MOVE` after the end;
        "length" uint32 (n,), the number of moves;
        "black", "white" and "tournament" uint16 (n,), numbers of names;
        "year" uint16 (n,), 0 if unknown;
        "discs" uint8 (n,), the recorded number of Black's discs at the end, with the empty squares for the winner;
        "theoretical" uint8 (n,), the same with best play by both from "depth" uint8 (n,) empty squares on; without
        meaning where the depth is 0;
        and of "players" and "tournaments", lists of names by number, empty without a file of names.
        With `replay`, "moves" uint16 (n, longest) and "length" have the forced passes, "score" int8 (n,) is the points
        by which Black won on the board, 0 for unfinished games, and "board" uint64 (n, 3) has the final boards, as in
        `random_games`.

    Raises:
        OSError: a file cannot be read.
        ParseError: a file is incomplete, of another board size or damaged; `line` is the record, from 1, or 0 for the
            header, and `column` the byte. `read` continues after such a record.
        MorelloError: the files have different files of names; read them by separate calls.
    """
    pass
def run_match(arguments: dict[str, Any]) -> dict[str, Any]:
    """Plays a match; `morello.play_match` describes the arguments."""
def run_program(arguments: list[str]) -> int:
    """Runs the program with a command line, its name first, and returns its exit code."""
def start_boards(count: int, game: str = "othello") -> _Boards:
    """Returns `count` copies of the starting position: uint64 (count, 3)."""
def parse_boards(texts: list[str], game: str = "othello") -> _Boards:
    """Reads positions, or the moves of games, in any notation: uint64 (n, 3).

    Raises:
        ParseError: `line` is the index of the bad text from 1.
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
        (offsets, moves): the moves of board i are `moves[offsets[i]:offsets[i + 1]]`; int64 (n +
        1,) and uint16. In Othello a move is the
        number of its square, 0 to 63, and a pass is 64; see `move_texts`.
    """
def play(boards: ArrayLike, moves: ArrayLike, game: str = "othello") -> _Boards:
    """Plays one move on each board: uint64 (n, 3).

    Raises:
        IllegalMoveError: with the index of the first illegal move.
    """
def results(boards: ArrayLike, game: str = "othello") -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
    """Returns which games are over by their position, and the final scores.

    Returns:
        (over, scores): bool (n,) and int8 (n,), points for the side to move; 0 where the game is not over.
    """
def canonical(boards: ArrayLike, game: str = "othello") -> _Boards:
    """Returns the canonical boards, the same for all symmetric boards: uint64 (n, 3)."""
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
        progress: a function of the number of boards done and their total.
    """
def move_texts(moves: ArrayLike, game: str = "othello") -> list[str]:
    """Returns the text of moves, such as "f5" for 37 in Othello; "" for `NO_MOVE`."""
def move_numbers(boards: ArrayLike, texts: list[str], game: str = "othello") -> NDArray[np.uint16]:
    """Returns the numbers of moves given as text, one for each board: uint16 (n,).

    Raises:
        IllegalMoveError: with the index of the first illegal move.
    """
def search(boards: ArrayLike, game: str = "othello", **options: Unpack[types.SearchOptions]) -> types.SearchArrays:
    """Searches every board.

    Args:
        boards: uint64 (n, 3).
        options: the limits of each search, as in `Engine.search`, and
            hash_mib: the memory of the tables, which all threads share; 64 by default.
            threads: the number of threads; None for all cores. Each searches another board.
            database: the folder with the endgame tables of the game.
            progress: a function of the number of boards done and their total.

    Returns:
        a dict of arrays (n,): "score" float64 in points for the side to move, "exact" bool,
        "error" float64 (the error in points that 95 % of
        such estimates do not exceed; 0 if exact, NaN if unknown), "move" uint16 (`NO_MOVE` if the
        game is over), "depth" uint32 and
        "nodes" uint64.
    """
def regret(
    boards: ArrayLike, moves: ArrayLike, game: str = "othello", **options: Unpack[types.SearchOptions]
) -> types.RegretArrays:
    """Returns how much worse each move is than the best move of its board.

    The regret is the score of the best move minus that of the given one, in points for the side to
    move, at least 0: discs in Othello; in the mill games 1 from a win to a draw or from a draw to a
    loss. It is exact where the solver or the database proves both scores, and otherwise an
    estimate; the arrays say which. The arguments are those of `search`; `exact=True` proves every
    regret in Othello.

    Returns:
        a dict of arrays (n,): "regret" float64, "exact" bool, "error" float64 (95 % of such
        estimates are within it; 0 if exact, NaN if
        unknown), "best" uint16, the best move.

    Raises:
        IllegalMoveError: with the index of the first illegal move.
    """
def evaluate(boards: ArrayLike, game: str = "othello") -> NDArray[np.float64]:
    """Returns the static evaluation of each board without a search: float64 (n,), points for the side
    to move.

    A finished game has its final score.
    """
def features(boards: ArrayLike, game: str = "othello") -> NDArray[np.int32]:
    """Returns the features of the trained evaluation: int32 (n, k).

    In 8x8 Othello they are the configurations of the k patterns whose squares `pattern_squares`
    returns, from -(3^s - 1) / 2 to (3^s - 1) / 2 for s squares. In the mill games they are the
    terms of the evaluation, those of the side to move minus those of the opponent. The small
    Othello boards have none (k is 0).
    """
def pattern_squares() -> list[list[int]]:
    """Returns the squares of each pattern of `features`, for 8x8 Othello: a list of lists of square
    numbers.
    """
def move_values(
    boards: ArrayLike, game: str = "othello", **options: Unpack[types.SearchOptions]
) -> types.MoveValueArrays:
    """Searches every move of every board: the values are policy targets.

    The arguments are those of `search`.

    Returns:
        a dict of arrays: "offsets" int64 (n + 1,) and "move" uint16, which are those of `legal_moves`, and for each move
        "score" float64 in points for the side to move (NaN if the search ended before it) and "exact" bool.
    """
    pass
def replay(moves: ArrayLike, game: str = "othello", *, starts: ArrayLike | None = None) -> types.ReplayArrays:
    """Plays games, and returns every position before a move.

    Args:
        moves: integers (n, k), such as "moves" of `random_games`: the moves of a game end at the first
            `NO_MOVE` or -1. Forced passes may be left out.
        starts: uint64 (n, 3), the position in which each game starts, or (1, 3) for all; None for
            the starting position of the game.

    Returns:
        a dict of arrays with a row for each move of each game, passes included, in order: "game"
        int64 (m,), the index of the game; "ply" int32 (m,), from 0; "board" uint64 (m, 3), before the
        move; "move" uint16 (m,); "outcome" int8 (m,), the points by which the side to move has won at the end, 0
        for unfinished games; and for Othello "mask" uint64 (m,), the legal moves as `legal_masks` has them.

    Raises:
        IllegalMoveError: with the place of the first illegal move.
    """
    pass
def transform(boards: ArrayLike, k: ArrayLike, game: str = "othello") -> _Boards:
    """Returns the images of boards under the symmetries of the board: uint64 (n, 3).

    `transform_moves` has the images of moves.

    Args:
        k: the number of the symmetry for all boards, or one for each, as in `Position.transform`: 0 (the
            identity) to `Position.symmetry_count - 1`.
    """
    pass
def transform_moves(moves: ArrayLike, k: ArrayLike, game: str = "othello") -> NDArray[np.uint16]:
    """Returns the images of moves under the symmetries of the board: uint16 (n,). `NO_MOVE` stays.

    Args:
        k: as in `transform`.
    """
    pass
def probe(boards: ArrayLike, database: Database, *, clock: ArrayLike | None = None) -> types.ProbeArrays:
    """Returns the values of boards in endgame tables.

    Args:
        boards: uint64 (n, 3), positions of the game of the tables.
        database: the tables, a Database.
        clock: the number of plies since the last capture or placement, for the ten-move rule of Morabaraba: one
            for all boards, or one for each.

    Returns:
        a dict of arrays (n,): "known" bool, whether a table has the position; "result" int8, 1 for a win of the
        side to move, -1 for a loss, 0 for a draw and if unknown; "plies" int32, the number of plies to the end under
        best play, -1 for draws and where it is unknown; "drawn_by_rule" bool, as in `Probe`.

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
        plies: the greatest number of plies; None for whole games (the mill games end after 400 plies).
        seed: equal seeds give equal games, whatever the number of cores.
        unique: whether no two games are equal up to a symmetry of the board.
        passes: whether "moves" and "length" have the passes of Othello.
        width: the number of columns of "moves", so that several arrays fit together: 60 is enough
            for Othello without passes; None for the length of the longest game.

    Returns:
        a dict of arrays: "moves" uint16 (n, width), `NO_MOVE` after the end; "length" uint32
        (n,); "score" int8 (n,), the points by which
        Black won, 0 for unfinished games; "board" uint64 (n, 3), the final boards.

    Raises:
        MorelloError: there are too few different games, or a game is longer than the width.
    """
    pass
def random_boards(count: int, plies: int, game: str = "othello", *, seed: int = 0, unique: bool = False) -> _Boards:
    """Returns positions after `plies` random legal moves from the start, or fewer where the game ends
    first: uint64 (n, 3).

    Args:
        unique: whether no two positions are equal up to a symmetry of the board.

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

    With a limit on depth or nodes, equal seeds give equal games, whatever the number of threads.

    Args:
        count: the number of games.
        random_plies: the number of random plies at the start of each game.
        starts: uint64 (k, 3), positions from which the games start in turn; None for the starting
            position.
        values: whether all moves are scored, for policy targets. It takes several times longer.
        passes, width: as in `random_games`.
        options: the limits of each move, as in `Engine.search`, and threads, database, progress and hash_mib, as
            in `search`; the memory is that of each thread, 4 by default.

    Returns:
        a dict of arrays: those of `random_games`, and "start" uint64 (n, 3), the positions before
        the first moves; "scores" float32 (n, width), the score of each move in points for the side that made it,
        NaN for random moves and after the end. With `values`, "value_offsets" int64 (m + 1,),
        "value_moves" uint16 and "value_scores" float32: the moves and their scores at row i of `replay(moves,
        starts=start)` are those from `value_offsets[i]` to `value_offsets[i + 1]`; none at random moves.
    """
    pass
