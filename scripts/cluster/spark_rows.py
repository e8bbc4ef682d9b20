"""Merges the rows of the shards of `spark_analyze.py` in the order of the input.

A record (a line or game) belongs to one shard, and the rows of each shard are in the order of the input. So this is a
merge of sorted files, by input file and line; memory use does not depend on the number of rows.
"""

from __future__ import annotations

import heapq
import json
import os
import re
from collections.abc import Iterator
from typing import Any

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


def write_merged(run: dict[str, Any], path: str) -> None:
    """Merges the shards into a file of JSON lines."""
    temporary = f"{path}.tmp"
    with open(temporary, "wb") as file:
        file.writelines(merge_rows(run))
    os.replace(temporary, path)
