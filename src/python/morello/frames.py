"""Files of positions and games, and their analysis as data frames."""

from __future__ import annotations

import functools
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import batch
from ._morello import Game, Position, Records, analyze_records, read_records

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._morello import AnalysisRows

    Path = str | os.PathLike[str]


def _source(source: Any, format: str | None) -> tuple[list[Path], list[str] | None, str | None]:
    """Splits paths, positions and games into paths and texts, and adds the format."""
    if isinstance(source, (str, os.PathLike, Position, Game)):
        source = [source]
    paths: list[Path] = []
    texts: list[str] = []
    for one in source:
        if isinstance(one, Position):
            texts.append(str(one))
        elif isinstance(one, Game):
            texts.append(one.text())
        else:
            paths.append(os.fspath(one))
    return paths, texts or None, format


def read(paths: Path | Iterable[Path], game: str = "othello", *, format: str | None = None, draws: bool = False) -> Records:
    """Reads the games and positions of files of any format, compressed or not.

    Args:
        paths: a path or a list of paths.
        game: the name of the game, one of ``games()``.
        format: the name of a format; None detects it.
        draws: whether the usual additional draw rules of the mill games apply.

    Returns:
        an iterator of Game; a position is a Game without moves.

    Raises:
        OSError: a file cannot be read.
        ParseError: from the iterator, for a bad record; the iterator continues after it.
    """
    return read_records(_source(paths, format), game, draws)


class Analysis:
    """The rows of ``analyze``, one for each position, in input order, with the fields of ``morello analyze``.

    It is a sequence of dicts, and converts to the tables of Arrow, pandas and Polars.
    """

    def __init__(self, rows: AnalysisRows) -> None:
        self._rows = rows

    @functools.cached_property
    def _dicts(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._rows.json_lines().splitlines()]

    @functools.cached_property
    def _parquet(self) -> bytes:
        return self._rows.parquet()

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return self._dicts[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._dicts)

    def __repr__(self) -> str:
        return f"<Analysis of {len(self)} rows>"

    def to_arrow(self) -> pyarrow.Table:
        """Returns a pyarrow.Table (requires pyarrow)."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(io.BytesIO(self._parquet))

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas.DataFrame (requires pandas and pyarrow)."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars.DataFrame (requires polars)."""
        import polars

        return polars.read_parquet(io.BytesIO(self._parquet))


def analyze(
    source: Path | Position | Game | Iterable[Path | Position | Game],
    game: str = "othello",
    *,
    format: str | None = None,
    lines: int = 1,
    deterministic: bool = False,
    unique: bool = False,
    **options: Any,
) -> Analysis:
    """Analyzes positions and games as ``morello analyze`` does: the best move and score of each position, the loss of each played move.

    Args:
        source: a path, a Position or a Game, or a list of them.
        game: the name of the game, one of ``games()``.
        format: the name of the format of the files; None detects it.
        lines: the number of best moves; 0 for all.
        deterministic: whether the rows must be the same on each run; they have no times then.
        unique: whether equal and symmetric positions are analyzed only once.
        options: the limits of each search, as in ``Engine.search`` (unless depth, nodes or time are given, proved values of the built-in
            opening book replace the search; the field ``source`` says so), and hash_mib, threads, database and progress, as in ``batch.search``;
            ``progress`` is a function of the number of rows done.

    Returns:
        an Analysis: iterate over its dicts, or call ``to_pandas()``, ``to_polars()`` or ``to_arrow()``. A bad record gives a row with an
        ``error``.

    Raises:
        OSError: a file cannot be read.
    """
    rows = analyze_records(_source(source, format), game, lines=lines, deterministic=deterministic, unique=unique, **options)
    return Analysis(rows)


def regret(positions: Sequence[Position], moves: Sequence[str], **limits: Any) -> dict[str, Any]:
    """Returns how much worse moves are than the best ones: ``batch.regret`` for positions and moves as text.

    Args:
        positions: a list of Position of one game.
        moves: a list of moves as text, one for each position.
        limits: the arguments of ``batch.regret``, such as ``depth=12`` or ``exact=True``.

    Returns:
        a dict of arrays (n,): "regret" float64 in points, "exact" bool, "error" float64 and "best", a list of moves as text.
    """
    positions, moves = list(positions), list(moves)
    games = {position.game for position in positions}
    if len(games) > 1:
        raise ValueError(f"positions of several games: {', '.join(sorted(games))}")
    game = games.pop() if games else "othello"
    boards = batch.parse_boards([str(position) for position in positions], game)
    numbers = batch.move_numbers(boards, moves, game)
    result: dict[str, Any] = {**batch.regret(boards, numbers, game, **limits)}
    result["best"] = np.array(batch.move_texts(result["best"], game), dtype=object)
    return result
