"""The inputs of ``read`` and ``analyze``: files, positions, games, arrays of boards and data frames."""

from __future__ import annotations

import itertools
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from . import batch
from ._morello import Game, MorelloError, Position, record_text

# Lines and boards that are converted at a time.
CHUNK = 4096

# What a source may be.
SOURCES = "paths, positions, games, an array of boards or a data frame"

# Paths, files in memory with their names, the name of a format and that of a column.
Inputs = tuple[list[str], list[tuple[str, bytes]], str | None, str | None]


def inputs_of(source: Any, texts: Iterable[str] | None, game: str, format: str | None, column: str | None) -> Inputs:
    """Returns the inputs for the compiled part."""
    paths: list[str] = []
    memory: list[tuple[str, bytes]] = []
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        memory.append(("frame", _packed(_frame_lines(source))))
    elif isinstance(source, np.ndarray) and source.dtype.kind in "iu":
        memory.append(("boards", _packed(_board_texts(source, game))))
    elif source is not None:
        if isinstance(source, (str, bytes, os.PathLike, Position, Game)):
            source = [source]
        own = _packed(_record_texts(_iterable(source, "source", SOURCES), game, paths))
        if own:
            memory.append(("text", own))
    if isinstance(texts, str):
        texts = [texts]
    if texts is not None:
        memory.append(("text", _packed(_checked(_iterable(texts, "texts", "an iterable of texts")))))
    if not paths and not memory and source is None:
        raise MorelloError("no source: give files, positions, games, boards or a data frame, or the argument texts")
    return paths, memory, format, column


def _iterable(value: Any, name: str, expected: str) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")
    return value


def _packed(lines: Iterator[str]) -> bytes:
    """Returns lines, compressed with gzip; nothing without a line."""
    packer = zlib.compressobj(level=1, wbits=31)
    parts = []
    while chunk := list(itertools.islice(lines, CHUNK)):
        # What is no text is a bad record.
        parts.append(packer.compress("".join(f"{line}\n" for line in chunk).encode(errors="surrogatepass")))
    return b"".join([*parts, packer.flush()]) if parts else b""


def _checked(texts: Iterable[str]) -> Iterator[str]:
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{index}] must be a str, not {type(text).__name__}")
        yield text


def _record_texts(source: Iterable[Any], game: str, paths: list[str]) -> Iterator[str]:
    """Yields the texts of positions and games, and adds the paths among them to a list."""
    for index, one in enumerate(source):
        if isinstance(one, Position):
            yield str(one)
        elif isinstance(one, Game):
            yield record_text(one)
        elif isinstance(one, (str, bytes, os.PathLike)):
            if isinstance(one, str):
                _check_path(one, game)
            paths.append(os.fsdecode(one))
        else:
            raise TypeError(f"source[{index}] must be a path, a Position or a Game, not {type(one).__name__}")


def _check_path(path: str, game: str) -> None:
    """Raises an error if a text is a position or game instead of the path of a file."""
    if os.path.exists(path):
        return
    try:
        Game(path, game)
    except MorelloError:
        return
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
                # Not a number means no value.
                known = {name: None if value != value else value for name, value in row.items()}
                yield json.dumps(known, default=str)
