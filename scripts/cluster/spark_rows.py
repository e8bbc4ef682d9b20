"""Merges the rows of the shards of `spark_analyze.py` in the order of the input, as JSON lines, CSV or Parquet.

A record (a line or game) belongs to one shard, and the rows of each shard are in the order of the input. So this is a
merge of sorted files, by input file and line; memory use does not depend on the number of rows.
"""

from __future__ import annotations

import csv
import heapq
import json
import os
import re
from collections.abc import Iterator
from typing import Any

INTEGERS = {
    "line",
    "empties",
    "game",
    "ply",
    "plies",
    "plies_lost",
    "lower",
    "upper",
    "depth",
    "confidence",
    "nodes",
    "expected_score",
}
FLOATS = {"black_points", "rating", "opponent_rating", "loss", "score", "score_error", "time_ms"}
BOOLEANS = {"exact", "agrees", "score_agrees"}
HEAD = re.compile(rb'\{"file":("(?:[^"\\]|\\.)*"),"line":(\d+)[,}]')


class RunError(Exception):
    """An error that ends the run, with a message for the user."""


def merge_rows(run: dict[str, Any]) -> Iterator[bytes]:
    """Yields the rows of all shards, sorted by the order of the input files and the line."""
    order = {path: number for number, path in enumerate(run["files"])}
    places: dict[bytes, int] = {}

    def keyed(path: str) -> Iterator[tuple[tuple[int, int], bytes]]:
        before = (-1, -1)
        with open(path, "rb") as file:
            for row in file:
                head = HEAD.match(row)
                if head is None:
                    raise RunError(f"{path}: a row without file and line: {row[:80]!r}")
                if head[1] not in places:
                    name = json.loads(head[1])
                    if name not in order:
                        raise RunError(f"{path}: a row of `{name}`, which is not an input; give all files before `--`")
                    places[head[1]] = order[name]
                key = (places[head[1]], int(head[2]))
                if key < before:
                    raise RunError(f"{path}: the rows are not sorted by line")
                before = key
                yield key, row

    paths = [os.path.join(run["output"], f"part-{shard:05}.jsonl") for shard in range(1, run["shards"] + 1)]
    allow_open_files(len(paths) + 64)
    for _, row in heapq.merge(*map(keyed, paths), key=lambda pair: pair[0]):
        yield row


def allow_open_files(count: int) -> None:
    """Raises the limit of open files if necessary and allowed."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        limit = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def cell(value: Any) -> Any:
    """Converts a JSON value, with numbers as written, to a value for CSV."""
    return ("true" if value else "false") if isinstance(value, bool) else value


def write_csv(rows: Iterator[bytes], path: str) -> None:
    """Writes rows as CSV, with numbers as written in the rows."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for number, row in enumerate(rows):
            values = json.loads(row, parse_int=str, parse_float=str)
            if number == 0:
                writer.writerow(values)
            writer.writerow(map(cell, values.values()))


def write_parquet(rows: Iterator[bytes], path: str, batch_rows: int = 50_000) -> None:
    """Writes rows as Parquet, with the types that `morello` uses; the other input columns are text."""
    import pyarrow
    import pyarrow.parquet

    first = next(rows, None)
    if first is None:
        pyarrow.parquet.write_table(pyarrow.table({}), path)
        return
    names = list(json.loads(first))
    own = names.index("position")

    def type_of(number: int, name: str) -> Any:
        if number >= own or number < 2:
            for these, type_ in ((INTEGERS, pyarrow.int64()), (FLOATS, pyarrow.float64()), (BOOLEANS, pyarrow.bool_())):
                if name in these:
                    return type_
        return pyarrow.string()

    schema = pyarrow.schema([(name, type_of(number, name)) for number, name in enumerate(names)])
    texts = [field.name for field in schema if field.type == pyarrow.string()]

    def batch(lines: list[bytes]) -> Any:
        typed = [json.loads(line) for line in lines]
        for row, line in zip(typed, lines):
            written = None
            for name in texts:
                if not isinstance(row[name], (str, type(None))):
                    written = written or json.loads(line, parse_int=str, parse_float=str)
                    row[name] = cell(written[name])
        for row in typed:
            for name in FLOATS & row.keys():
                row[name] = None if row[name] is None else float(row[name])
        return pyarrow.Table.from_pylist(typed, schema=schema)

    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        lines = [first]
        for row in rows:
            if len(lines) == batch_rows:
                writer.write_table(batch(lines))
                lines = []
            lines.append(row)
        writer.write_table(batch(lines))


def write_merged(run: dict[str, Any], path: str) -> None:
    """Merges the shards into a file in the format of its extension."""
    rows = merge_rows(run)
    temporary = f"{path}.tmp"
    if path.endswith(".csv"):
        write_csv(rows, temporary)
    elif path.endswith(".parquet"):
        write_parquet(rows, temporary)
    else:
        with open(temporary, "wb") as file:
            file.writelines(rows)
    os.replace(temporary, path)
