"""Files of positions and games, and their analysis as data frames."""

import io
import json
import os

import numpy as np

from . import batch
from ._morello import Game, Position, analyze_to_bytes, read_records


def _inputs(source):
    """Splits paths, texts, positions and games into paths and texts."""
    if isinstance(source, (str, os.PathLike, Position, Game)):
        source = [source]
    paths, texts = [], []
    for one in source:
        if isinstance(one, Position):
            texts.append(str(one))
        elif isinstance(one, Game):
            texts.append(one.text())
        else:
            paths.append(os.fspath(one))
    return paths, texts or None


def read(paths, game="othello", *, format=None, draws=False):
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
    paths, texts = _inputs(paths)
    return read_records(paths, game, texts=texts, format=format, draws=draws)


class Analysis:
    """The rows of ``analyze``, one for each position, in input order, with the fields of ``morello analyze``.

    It is a sequence of dicts, and converts to the tables of Arrow, pandas and Polars.
    """

    def __init__(self, parquet, rows):
        self._parquet = parquet
        self._rows = rows

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, index):
        return self._rows[index]

    def __iter__(self):
        return iter(self._rows)

    def __repr__(self):
        return f"<Analysis of {len(self)} rows>"

    def to_arrow(self):
        """Returns a pyarrow.Table (requires pyarrow)."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(io.BytesIO(self._parquet))

    def to_pandas(self):
        """Returns a pandas.DataFrame (requires pandas and pyarrow)."""
        return self.to_arrow().to_pandas()

    def to_polars(self):
        """Returns a polars.DataFrame (requires polars)."""
        import polars

        return polars.read_parquet(io.BytesIO(self._parquet))


def analyze(
    source,
    game="othello",
    *,
    format=None,
    depth=None,
    nodes=None,
    time=None,
    level=None,
    exact=False,
    confidence=None,
    lines=1,
    hash_mib=64,
    threads=None,
    database=None,
    deterministic=False,
    unique=False,
    progress=None,
):
    """Analyzes positions and games as ``morello analyze`` does: the best move and score of each position, the loss of each played move.

    Args:
        source: a path, a Position or a Game, or a list of them.
        game: the name of the game, one of ``games()``.
        format: the name of the format of the files; None detects it.
        depth, nodes, time, level, exact, confidence: the limits of each search, as in ``Engine.search``.
        lines: the number of best moves; 0 for all.
        hash_mib: the memory of the tables in MiB.
        threads: the number of threads; None for all cores.
        database: the folder with the endgame tables of the game.
        deterministic: whether the rows must be the same on each run; they have no times then.
        unique: whether equal and symmetric positions are analyzed only once.
        progress: a function of the number of rows done.

    Returns:
        an Analysis: iterate over its dicts, or call ``to_pandas()``, ``to_polars()`` or ``to_arrow()``. A bad record gives a row with an
        ``error``.

    Raises:
        OSError: a file cannot be read.
    """
    paths, texts = _inputs(source)
    arguments = dict(
        depth=depth,
        nodes=nodes,
        time=time,
        level=level,
        exact=exact,
        confidence=confidence,
        lines=lines,
        hash_mib=hash_mib,
        threads=threads,
        database=database,
        deterministic=deterministic,
        unique=unique,
        progress=progress,
    )
    parquet, rows = analyze_to_bytes(paths, game, texts, format, **arguments)
    return Analysis(parquet, [json.loads(line) for line in rows.splitlines()])


def regret(positions, moves, **limits):
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
    result = batch.regret(boards, numbers, game, **limits)
    result["best"] = np.array(batch.move_texts(result["best"], game), dtype=object)
    return result
