"""The inputs of ``read`` and ``analyze``: files, positions, games, arrays of boards and data frames."""

from __future__ import annotations

import itertools
import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from . import batch
from ._morello import Game, MorelloError, Position, record_text

# The number of lines or boards converted at a time.
CHUNK = 4096

# What a source may be.
SOURCES = "paths, positions, games, an array of boards or a data frame"

# Paths and named files in memory, in order; the name of a format; and the name of a column.
Inputs = tuple[list[str | tuple[str, bytes]], str | None, str | None]


def inputs_of(source: Any, texts: Iterable[str] | None, game: str, format: str | None, column: str | None) -> Inputs:
    """Returns the inputs for the compiled part."""
    files: list[str | tuple[str, bytes]] = []
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        files.append(("frame", _packed(_frame_lines(source))))
    elif isinstance(source, np.ndarray) and source.dtype.kind in "iu":
        files.append(("boards", _packed(_board_texts(source, game))))
    elif source is not None:
        if isinstance(source, (str, bytes, os.PathLike, Position, Game)):
            source = [source]
        # The records between two paths become one text.
        records = enumerate(_iterable(source, "source", SOURCES))
        for is_path, run in itertools.groupby(records, lambda record: isinstance(record[1], (str, bytes, os.PathLike))):
            if is_path:
                files.extend(_checked_path(path, game) for _, path in run)
            else:
                files.append(("text", _packed(_record_texts(run, game))))
    if isinstance(texts, str):
        texts = [texts]
    if texts is not None:
        files.append(("text", _packed(_checked(_iterable(texts, "texts", "an iterable of texts")))))
    if not files and source is None:
        raise MorelloError("no source: give files, positions, games, boards or a data frame, or the argument texts")
    return files, format, column


def _iterable(value: Any, name: str, expected: str) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")
    return value


def _packed(lines: Iterator[str]) -> bytes:
    """Returns lines compressed with gzip, or b"" without lines."""
    packer = zlib.compressobj(level=1, wbits=31)
    parts = []
    while chunk := list(itertools.islice(lines, CHUNK)):
        # Invalid text becomes a bad record.
        parts.append(packer.compress("".join(f"{line}\n" for line in chunk).encode(errors="surrogatepass")))
    return b"".join([*parts, packer.flush()]) if parts else b""


def _checked(texts: Iterable[str]) -> Iterator[str]:
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{index}] must be a str, not {type(text).__name__}")
        yield text


def _record_texts(records: Iterable[tuple[int, Any]], game: str) -> Iterator[str]:
    """Yields the text of each position and game. ``records`` has pairs of index and record."""
    for index, one in records:
        if not isinstance(one, (Position, Game)):
            raise TypeError(f"source[{index}] must be a path, a Position or a Game, not {type(one).__name__}")
        if one.game != game:
            problem = f"source[{index}] is of {one.game}, but the argument game is {game}"
            raise MorelloError(f"{problem}: give game={one.game!r}")
        yield str(one) if isinstance(one, Position) else record_text(one)


def _checked_path(path: Any, game: str) -> str:
    """Returns a path. Raises an error if the string is a position or game instead of the path of a file."""
    if not isinstance(path, str) or os.path.exists(path):
        return os.fsdecode(path)
    try:
        Game(path, game)
    except MorelloError:
        return path
    shown = path if len(path) <= 40 else f"{path[:40]}..."
    raise MorelloError(
        f"`{shown}` is a position or game, and no file has this name: pass texts=[...], or morello.Position(...)"
    )


def _board_texts(boards: np.ndarray[Any, Any], game: str) -> Iterator[str]:
    for start in range(0, max(len(boards), 1), CHUNK):
        yield from batch.format_boards(boards[start : start + CHUNK], game)


def _frame_lines(frame: Any) -> Iterator[str]:
    """Yields the rows of a data frame as JSON."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("data frames as a source require pyarrow: pip install pyarrow") from error

    if hasattr(frame, "__arrow_c_stream__"):
        try:
            parts: Iterable[pyarrow.RecordBatch] = pyarrow.RecordBatchReader.from_stream(frame)
        except pyarrow.ArrowInvalid as error:
            if hasattr(frame, "columns"):
                raise TypeError(f"cannot convert a column of the data frame: {error}") from error
            kind = type(frame).__name__
            message = f"source must be a data frame, not a column ({kind}): pass it as texts, or its frame"
            raise TypeError(message) from error
    else:
        parts = [pyarrow.record_batch(frame)]
    for part in parts:
        names = part.schema.names
        if len(set(names)) < len(names):
            raise MorelloError(f"two columns of the data frame have the same name: {', '.join(names)}; rename one")
        for start in range(0, len(part), CHUNK):
            for row in part.slice(start, CHUNK).to_pylist():
                yield json.dumps(_plain(row), default=str)


def _plain(value: Any) -> Any:
    """Converts a value of a data frame for JSON: numbers that are not finite become None, and bytes become text."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    # Invalid text becomes a bad record.
    return value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
