"""Files of positions and games, and their analysis as data frames."""

from __future__ import annotations

import bisect
import html
import io
import json
import operator
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import batch
from ._morello import (
    Game,
    MorelloError,
    Position,
    Records,
    read_records,
    row_lines,
    start_analysis,
    write_records,
    write_rows,
)
from .sources import inputs_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._morello import RowChunks

    Path = str | os.PathLike[str]

# The number of rows that are stored, and read back, together.
_CHUNK = 4096

# The pyarrow types of the field types.
_ARROW_TYPES = {
    "text": "string",
    "any": "string",
    "integer": "int64",
    "float": "float64",
    "boolean": "bool",
    "date": "date32",
}

# The fields that a notebook shows if a row has a value, and the maximum number of rows at each end.
_SHOWN = "file line game ply side position played loss best_move score exact depth error".split()
_SHOWN_ROWS = 5


def read(
    source: Any = None,
    game: str = "othello",
    *,
    texts: Iterable[str] | None = None,
    column: str | None = None,
    format: str | None = None,
    draws: bool = False,
) -> Records:
    """Reads games and positions from files of any format, compressed or not, directories, zip archives and data frames.

    Args:
        source: as in ``analyze``.
        game: the name of the game, one of ``games()``.
        texts: positions and games as text, read after the source.
        column: as in ``analyze``.
        format: the name of a format; None detects it.
        draws: whether the standard additional draw rules of the mill games apply.

    Returns:
        an iterator over Game objects; a position is a Game without moves.

    Raises:
        OSError: a file cannot be read.
        ParseError: from the iterator, for a bad record; the iterator continues after it.
    """
    return read_records(inputs_of(source, texts, game, format, column), game, draws)


def write(
    games: Iterable[Game | Position], path: Path, format: str | None = None, *, game: str = "othello"
) -> dict[str, Any]:
    """Writes games and positions to a file, in every format that ``morello convert`` writes.

    Position formats, such as OBF, write a game as its positions, without the final position of a finished game. Game
    formats write a position as a game without moves. Row formats (CSV, JSON lines and Parquet) write game rows or
    position rows, depending on the first record. An existing file is replaced when everything is written.

    Args:
        games: the games and positions, all of the same kind of game; any iterable, such as ``read(...)``.
        path: the file. WTHOR also writes the names of players and tournaments to ``.jou`` and ``.trn`` files next to
            it.
        format: the name of a text format (see ``formats``), "wthor", "csv", "jsonl" or "parquet"; None to use the
            extension of the file: a format name, ``.wtb``, or ``.txt`` for moves.
        game: the name of the game if there are no records.

    Returns:
        a dict: "count", the number of records, and "dropped", a list of strings that say what the format could not
        store, such as "the names of 3".

    Raises:
        MorelloError: the format is unknown or cannot store a record; the message has the index of the record.
        OSError: the file cannot be written.
    """
    if isinstance(games, (Game, Position)):
        games = [games]
    count, dropped = write_records(games, path, format, game)
    return {"count": count, "dropped": dropped}


class Analysis(Sequence[dict[str, Any]]):
    """The rows of ``analyze``, one per position, in input order, with the fields of ``morello analyze``.

    An Analysis is a sequence of dicts, and can be converted to Arrow, pandas and Polars tables. Rows are stored
    compressed; dicts are created when they are requested. An Analysis can be pickled. Two Analysis objects with equal
    rows and fields are equal; note that rows have times unless ``deterministic`` is set.
    """

    def __init__(self, chunks: RowChunks) -> None:
        self._fields = chunks.fields
        self._chunks: list[bytes] = []
        # The number of rows before each chunk, and the total.
        self._starts = [0]
        for lines, rows in chunks:
            self._chunks.append(lines)
            self._starts.append(self._starts[-1] + rows)
        self._recent: tuple[int, list[dict[str, Any]]] = (-1, [])

    def _dicts(self, chunk: int) -> list[dict[str, Any]]:
        known, rows = self._recent
        if known != chunk:
            rows = [json.loads(line) for line in row_lines(self._chunks[chunk]).splitlines()]
            self._recent = (chunk, rows)
        return rows

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_recent": (-1, [])}

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        chunk = bisect.bisect_right(self._starts, at) - 1
        return dict(self._dicts(chunk)[at - self._starts[chunk]])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Analysis):
            return NotImplemented
        return self._fields == other._fields and len(self) == len(other) and all(map(operator.eq, self, other))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for chunk in range(len(self._chunks)):
            yield from map(dict, self._dicts(chunk))

    def __repr__(self) -> str:
        return f"<Analysis of {len(self)} rows>"

    def _repr_html_(self) -> str:
        count = len(self)
        places = [*range(min(count, _SHOWN_ROWS)), *range(max(_SHOWN_ROWS, count - _SHOWN_ROWS), count)]
        rows = [self[place] for place in places]
        names = [name for name in _SHOWN if any(row.get(name) is not None for row in rows)]

        def line(tag: str, values: Iterable[Any]) -> str:
            cells = ("" if value is None else html.escape(str(value)) for value in values)
            return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"

        body = [line("td", (place, *(row[name] for name in names))) for place, row in zip(places, rows)]
        if count > len(places):
            body.insert(_SHOWN_ROWS, line("td", ["…"] * (len(names) + 1)))
        head = line("th", ["", *names])
        table = f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"
        return f"{table}<p>{count} rows, {len(self._fields)} fields</p>"

    def write(self, path: Path, format: str | None = None) -> None:
        """Writes the rows to a file, as ``morello analyze --output`` does.

        Args:
            path: the file; an existing file is replaced.
            format: "csv", "jsonl" or "parquet"; None to use the extension of the file.

        Raises:
            MorelloError: the format is unknown.
            OSError: the file cannot be written.
        """
        extension = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
        if format is None and extension not in ("csv", "jsonl", "parquet"):
            name = os.fspath(path)
            raise MorelloError(
                f"the extension of `{name}` is not .csv, .jsonl or .parquet: use one, or give the argument format"
            )
        write_rows(self._chunks, self._fields, format or extension, path)

    def _parquet(self) -> io.BytesIO:
        return io.BytesIO(write_rows(self._chunks, self._fields, "parquet", None) or b"")

    def to_arrow(self) -> pyarrow.Table:
        """Returns a pyarrow.Table (requires pyarrow)."""
        return _table(self._parquet())

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas.DataFrame (requires pandas and pyarrow)."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars.DataFrame (requires polars)."""
        import polars

        return polars.read_parquet(self._parquet())


def analyze(
    source: Any = None,
    game: str = "othello",
    *,
    texts: Iterable[str] | None = None,
    column: str | None = None,
    format: str | None = None,
    lines: int = 1,
    deterministic: bool = False,
    unique: bool = False,
    shard: tuple[int, int] | None = None,
    plies: int | tuple[int, int] | None = None,
    empties: int | tuple[int, int] | None = None,
    **options: Any,
) -> Analysis:
    """Analyzes positions and games as ``morello analyze`` does: best moves, scores, and losses of played moves.

    Args:
        source: a path of a file, directory or zip archive, a Position or a Game, or an iterable of these; or an array
            of boards (n, 3) as in ``morello.batch``; or a pandas, Polars or Arrow data frame (requires pyarrow).
        game: the name of the game, one of ``games()``.
        texts: positions and games as text in any notation, analyzed after the source.
        column: the name of the column with the positions or games, in CSV, JSON lines and Parquet files and in data
            frames. None uses the first column named position, transcript, moves, obf, fen or board, or else, in CSV
            only, the column that has a position or game in the first row. The other columns are copied to the rows.
        format: the name of the format of the files; None detects it.
        lines: the number of best moves; 0 for all.
        deterministic: whether the rows must be the same in each run; they then have no times.
        unique: whether to analyze equal and symmetric positions only once.
        shard: (k, n) analyzes the k-th of n equal parts of the records, k from 1, like ``morello analyze --shard k/n``;
            None for all. Several processes or machines can analyze the parts. Together, the parts have the same rows as
            the whole, with the same line numbers.
        plies: only positions of games after this number of plies, or (minimum, maximum); None for all.
        empties: only Othello positions with this number of empty squares, or (minimum, maximum); None for all.
        options: the limits of each search, as in ``Engine.search``, and hash_mib, threads, database and progress, as in
            ``batch.search``; ``progress`` receives the number of rows done. Unless depth, nodes or time are given,
            proved values of the built-in opening book replace the search; the field ``source`` then says so.

    Returns:
        an Analysis: iterate over its dicts, or call ``to_pandas()``, ``to_polars()``, ``to_arrow()`` or
        ``write(path)``. A bad record produces a row with an ``error``. Memory use grows by about 40 bytes per row;
        ``analyze_stream`` keeps no rows.

    Raises:
        OSError: a file cannot be read.
        MorelloError: an argument is wrong.
    """
    return Analysis(
        _start(
            source,
            game,
            rows=_CHUNK,
            form="lines",
            texts=texts,
            column=column,
            format=format,
            lines=lines,
            deterministic=deterministic,
            unique=unique,
            shard=shard,
            plies=plies,
            empties=empties,
            **options,
        )
    )


def _start(
    source: Any,
    game: str,
    *,
    texts: Iterable[str] | None = None,
    column: str | None = None,
    format: str | None = None,
    lines: int = 1,
    deterministic: bool = False,
    unique: bool = False,
    shard: tuple[int, int] | None = None,
    plies: int | tuple[int, int] | None = None,
    empties: int | tuple[int, int] | None = None,
    **options: Any,
) -> RowChunks:
    """Starts an analysis."""
    inputs = inputs_of(source, texts, game, format, column)
    return start_analysis(
        inputs,
        game,
        lines=lines,
        deterministic=deterministic,
        unique=unique,
        shard=shard,
        plies=plies,
        empties=empties,
        **options,
    )


def _schema(chunks: RowChunks) -> pyarrow.Schema:
    """Returns the schema of the rows."""
    import pyarrow

    return pyarrow.schema([(name, pyarrow.type_for_alias(_ARROW_TYPES[kind])) for name, kind, _ in chunks.fields])


def analyze_stream(
    source: Any = None, game: str = "othello", *, rows: int = 65_536, **arguments: Any
) -> Iterator[pyarrow.RecordBatch]:
    """Analyzes as ``analyze`` does, and yields rows as they are ready, for results of any size (requires pyarrow).

    The analysis runs on other threads. It pauses while two batches wait to be taken, and stops when the iterator is
    closed or deleted, or on Ctrl-C. Files are read during the analysis. Positions, boards and data frames are first
    read to the end and stored compressed.

    Args:
        source, game: as in ``analyze``.
        rows: the number of rows per batch; the last one may have fewer.
        arguments: the other arguments of ``analyze``.

    Returns:
        an iterator over pyarrow.RecordBatch objects with one schema, which has all fields of ``morello analyze``. Each
        other input column has the type of its first 256 values, or is text if there are none.

    Raises:
        OSError: a file cannot be read.
        RuntimeError: from the iterator, if the process was forked.
        MorelloError: an argument is wrong; or, from the iterator, a later value in another input column does not have
            the type of the column.
    """
    chunks = _start(source, game, rows=rows, form="parquet", **arguments)
    return _batches(chunks, _schema(chunks))


def _batches(chunks: RowChunks, schema: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    import pyarrow

    start = 0
    try:
        for file, count in chunks:
            table = _table(io.BytesIO(file))
            arrays = [_column(table, field, start) for field in schema]
            yield pyarrow.RecordBatch.from_arrays(arrays, schema=schema)
            start += count
    finally:
        chunks.close()


def _table(file: io.BytesIO) -> pyarrow.Table:
    import pyarrow.parquet

    # pyarrow's threads may abort a program that ends soon afterwards.
    return pyarrow.parquet.read_table(file, use_threads=False)


def _column(table: pyarrow.Table, field: pyarrow.Field, start: int) -> pyarrow.Array:
    """Returns a column of a chunk with the type of the field. The first row of the chunk has the index ``start``."""
    import pyarrow

    if field.name not in table.column_names:
        return pyarrow.nulls(len(table), field.type)
    column = table.column(field.name)
    try:
        column = column.cast(field.type)
    except pyarrow.ArrowInvalid as error:
        rows = f"rows {start} to {start + len(table) - 1}"
        raise MorelloError(
            f"{rows}: the column `{field.name}` has other values than {field.type}, the type of its first ones: "
            f"{error}; use analyze, which finds the type of all, or make the first value a text"
        ) from error
    return pyarrow.concat_arrays(column.chunks) if column.num_chunks else pyarrow.nulls(0, field.type)


def regret(positions: Sequence[Position], moves: Sequence[str], **limits: Any) -> dict[str, Any]:
    """Returns by how much moves are worse than the best moves: ``batch.regret`` for Positions and moves as text.

    Args:
        positions: a list of Positions of one game.
        moves: a list of moves as text, one per position.
        limits: the arguments of ``batch.regret``, such as ``depth=12`` or ``exact=True``.

    Returns:
        a dict of arrays (n,): "regret", float64, in points; "exact", bool; "error", float64; and "best", the best moves
        as text.
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
