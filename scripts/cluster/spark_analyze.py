#!/usr/bin/env python3
"""Analyzes positions and games on a cluster: Apache Spark distributes shards, and `morello analyze` processes each.

Usage: scripts/cluster/spark_analyze.py GAME INPUT... --output DIR [--shards N] [--morello PATH] [--master URL]
[--parts jsonl|parquet] [--merge FILE] [-- OPTIONS]

    scripts/cluster/spark_analyze.py othello games.ggf.gz --output run --master spark://host:7077 --shards 200 --merge
    rows.jsonl \\
      -- --exact --empties 18..20 --deterministic

INPUT is a file or a quoted pattern, in any format that `morello analyze` supports, or Parquet: a file or a folder of
files, with a column named position, transcript, moves, obf, fen or board, or as given by --column in OPTIONS. The
other columns are copied to the output. OPTIONS are those of `morello analyze`; --deterministic is recommended, so
that a repeated shard is identical to the byte.

    a folder that all machines see           a row of a DataFrame each         DIR, in the same folder
    games.ggf.gz, 2001.wtb, x.parquet  --->  analyze --shard 1/200 ...   --->  part-00001.jsonl, part-00001.json
                                             analyze --shard 2/200 ...   --->  part-00002.jsonl, part-00002.json

The tasks run the Python package morello of their interpreter if this script's interpreter has it, and otherwise the
program; --morello gives its path.

Shared folder: inputs, DIR and the program must have the same paths on all machines, for example on NFS. Every worker
takes each N-th record, as `--shard` does, and only counts the lines of the others: the line numbers identify and order
the rows. Counting is cheap compared with any search.

A shard reads only its range of the rows of a Parquet file of positions; `line` is then the number of the row.

With --parts parquet, the shards are Parquet files, part-00001.parquet, which Spark (mergeSchema), DuckDB
(union_by_name) and Polars (concat) read as one table; --merge is then not needed and not supported.

A shard is written to a temporary file ending in .tmp and renamed when it is complete, then its sidecar,
part-00001.json. Exit codes 0 and 1 (bad lines, or rows that contradict their lines) count as done. Spark retries
other failures, and the tasks of lost machines. After an interruption, run the same command again: it skips shards
with a valid sidecar (same inputs, options and version, and correct size and hash of the rows).

DIR then has run.json (the request), manifest.json (the shards: rows, bytes, hash, seconds, host), and
statistics.json: the output of `--summary` on one machine, except that some means by group are computed from rounded
ones. --merge joins the shards in the order of the input as JSON lines, CSV or Parquet, depending on the file name
extension. The result is the file that one machine would have written.

Each task uses as many threads as Spark gives it cores (`--conf spark.task.cpus=4`; default 1). The machines need Java
and Python with `pip install 'pyspark[sql]==4.0.1'`; on a cluster, set the variable PYSPARK_PYTHON to the Python to
use.

Exit codes: 0 success, 1 success with bad lines or contradictions, 2 failure.
"""

from __future__ import annotations

import argparse
import collections
import glob
import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from typing import Any

from spark_rows import RunError, write_merged
from spark_shards import (
    add_cluster_options,
    claim_output,
    command_parser,
    digest,
    do_all,
    find_program,
    number_of_shards,
    parse_with_options,
    read_sidecars,
    remove_leftovers,
    run_program,
    stamp,
    start_spark,
    valid_sidecar,
    words_of,
    write_json,
)
from spark_statistics import sum_statistics

# The entries of run.json that determine the rows.
KEYS = ("version", "game", "options", "shards", "parts", "inputs", "option_files")
# Options of `morello analyze` that this script sets itself, and options that need all rows together.
SET_BY_SCRIPT = {
    "--format",
    "--output",
    "-o",
    "--summary",
    "--shard",
    "--threads",
    "--progress",
    "--resume",
    "--strict",
}
# The fields of the rows that statistics need.
TALLIED = ("score", "depth", "expected_score", "loss", "ply")
NEEDS_ALL_ROWS = {"--unique", "--memory", "--game-rows", "--report", "--cache"}


# Worker code.


def rows_of(path: str, form: str) -> Iterator[dict[str, Any]]:
    """Yields what statistics need of the rows of a shard; a file of Parquet has no column that no row fills."""
    if form == "jsonl":
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)
        return
    import pyarrow.parquet  # Imported on the workers, which need it for `mapInArrow` anyway.

    with pyarrow.parquet.ParquetFile(path) as file:
        columns = [name for name in TALLIED if name in file.schema_arrow.names]
        for batch in file.iter_batches(columns=columns):
            yield from ({**dict.fromkeys(TALLIED), **row} for row in batch.to_pylist())


def tally_rows(path: str, form: str) -> dict[str, Any]:
    """Counts the rows of a shard and sums that can be added up: thousandths of a point, and counts of distinct
    values."""
    scores, depths = collections.Counter(), collections.Counter()
    losses = collections.defaultdict(lambda: [0, 0, 0, 0])
    rows = errors = error_sum = 0
    for rows, row in enumerate(rows_of(path, form), 1):  # noqa: B007
        if row["score"] is None:
            continue
        score = round(row["score"] * 1000)
        scores[score] += 1
        depths[row["depth"]] += 1
        if row["expected_score"] is not None:
            errors += 1
            error_sum += abs(score - row["expected_score"] * 1000)
        if row["loss"] is not None:
            loss = round(row["loss"] * 1000)
            for number, amount in enumerate((1, loss, loss < 500, loss == 0)):
                losses[row["ply"]][number] += int(amount)
    return {
        "rows": rows,
        "scores": scores,
        "depths": depths,
        "losses": losses,
        "errors": errors,
        "error_sum": error_sum,
    }


def run_shard(run: dict[str, Any], shard: int, attempt: int) -> dict[str, Any]:
    """Analyzes a shard unless it is already done; returns its number and whether it was skipped."""
    data = os.path.join(run["output"], f"part-{shard:05}.{run['parts']}")
    sidecar = os.path.join(run["output"], f"part-{shard:05}.json")
    if valid_sidecar(data, sidecar, run["fingerprint"]):
        return {"number": shard, "skipped": True}
    # An attempt that Spark has given up may still be writing, so each uses its own names.
    mark = uuid.uuid4().hex[:8]
    temporary, summary = f"{data}.{mark}.tmp", f"{data}.{mark}.tmp.json"
    command = ["analyze", run["game"], *run["options"], "--threads", str(run["threads"])]
    command += ["--shard", f"{shard}/{run['shards']}", "--format", run["parts"], "--progress", "never"]
    command += ["--output", temporary, "--summary", summary, "--", *run["files"]]
    start = time.time()
    try:
        code = run_program(run, command, f"shard {shard}", accepted=(0, 1))
        with open(summary, encoding="utf-8") as file:
            summed = json.load(file)
        tally = tally_rows(temporary, run["parts"])
        size, sha = digest(temporary)
        os.replace(temporary, data)
    finally:
        for path in (temporary, summary):
            pathlib.Path(path).unlink(missing_ok=True)
    content = {
        "fingerprint": run["fingerprint"],
        "shard": shard,
        "shards": run["shards"],
        "exit_code": code,
        "rows": tally["rows"],
        "bytes": size,
        "sha256": sha,
        "seconds": round(time.time() - start, 3),
        "host": socket.gethostname(),
        "attempt": attempt,
        "summary": summed,
        "tally": tally,
    }
    write_json(sidecar, content)
    return {"number": shard, "skipped": False}


# Driver code before the tasks.


def parse_arguments() -> argparse.Namespace:
    """Parses the command line. Options after `--` are passed to `morello analyze`."""
    parser = command_parser(__doc__)
    parser.add_argument("game", metavar="GAME", help="the game, as for `morello analyze`")
    parser.add_argument("inputs", metavar="INPUT", nargs="+", help="files, patterns, or Parquet")
    add_cluster_options(parser)
    parser.add_argument("--parts", choices=("jsonl", "parquet"), default="jsonl", help="the format of the shards")
    parser.add_argument("--merge", metavar="FILE", help="write all rows to this .jsonl, .csv or .parquet file")
    parsed = parse_with_options(parser)
    for option in parsed.options:
        name = option.split("=", 1)[0]
        name = "-o" if re.match(r"-o.", name) else name
        if name in SET_BY_SCRIPT:
            parser.error(f"{name} is set by this script (for threads, use --conf spark.task.cpus=N)")
        if name in NEEDS_ALL_ROWS:
            parser.error(f"{name} is not supported: it needs all rows together")
    if parsed.shards is not None and not 1 <= parsed.shards <= 99999:
        parser.error("--shards: expected a number from 1 to 99999")
    if parsed.merge and parsed.parts == "parquet":
        parser.error("--merge: needs --parts jsonl; the Parquet files of the shards are one table as they are")
    if parsed.merge and pathlib.Path(parsed.merge).suffix not in (".jsonl", ".csv", ".parquet"):
        parser.error("--merge: the name must end in .jsonl, .csv or .parquet")
    return parsed


def check_options(words: list[str], arguments: argparse.Namespace) -> None:
    """Lets the program check its options, without any positions."""
    command = [*words, "analyze", arguments.game, *arguments.options, "--format", "jsonl", "--progress", "never"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    if done.returncode == 2:  # noqa: PLR2004
        raise RunError(done.stderr.strip().removeprefix("error: "))


def find_inputs(patterns: list[str]) -> list[str]:
    """Returns the input files. A folder stands for the Parquet files in it."""
    files: list[str] = []
    for pattern in patterns:
        found = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
        if not found:
            raise RunError(f"no input: `{pattern}` does not exist")
        for path in found:
            if not os.path.isdir(path):
                files.append(path)
                continue
            inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
            parquet = [name for name in inside if name.endswith(".parquet")]
            parquet = sorted(name for name in parquet if not os.path.basename(name).startswith(("_", ".")))
            if not parquet:
                raise RunError(f"no input: the folder `{path}` has no .parquet files")
            files += parquet
    for path in files:
        # Rows are sorted by file and line.
        if files.count(path) > 1:
            raise RunError(f"`{path}` is given twice")
        if not os.path.isfile(path) or not os.access(path, os.R_OK):
            raise RunError(f"no input: cannot read `{path}`")
    return files


def plan(arguments: argparse.Namespace, shards: int) -> dict[str, Any]:
    """Returns everything the workers need, with the fingerprint of all that determines the rows."""
    program, version = find_program(arguments.morello)
    files = find_inputs(arguments.inputs)
    texts = [part for option in arguments.options for part in {option, option.split("=", 1)[-1]}]
    asked = {
        "version": version.split()[:2],
        "game": arguments.game,
        "options": arguments.options,
        "shards": shards,
        "parts": arguments.parts,
        "inputs": [stamp(path) for path in files],
        "option_files": sorted(stamp(text) for text in texts if os.path.isfile(text)),
    }
    return {
        **asked,
        "fingerprint": hashlib.sha256(json.dumps(asked).encode()).hexdigest(),
        "version": version,
        "morello": program,
        "files": files,
        "folder": os.getcwd(),
        "output": os.path.abspath(arguments.output),
    }


# Driver code after the tasks.


def finish(run: dict[str, Any], merge: str | None) -> int:
    """Writes the manifest, the statistics and the merged rows; returns the exit code."""
    sidecars = read_sidecars(run, run["parts"])
    kept = ("shard", "exit_code", "rows", "bytes", "sha256", "seconds", "host", "attempt")
    manifest = {name: run[name] for name in ("fingerprint", "version", "game", "options", "files")}
    manifest["rows"] = sum(sidecar["rows"] for sidecar in sidecars)
    manifest["seconds"] = round(sum(sidecar["seconds"] for sidecar in sidecars), 3)
    manifest["shards"] = [
        {"file": f"part-{sidecar['shard']:05}.{run['parts']}", **{name: sidecar[name] for name in kept}}
        for sidecar in sidecars
    ]
    statistics = sum_statistics(sidecars)
    if merge:
        suffix = pathlib.Path(merge).suffix
        rows = merge if suffix == ".jsonl" else f"{merge}.jsonl"
        write_merged(run, rows)
        if rows != merge:
            command = ["convert", run["game"], os.path.abspath(rows), "--to", suffix[1:], "--force"]
            run_program(run, [*command, "--output", os.path.abspath(merge)], "merge")
            os.remove(rows)
    write_json(os.path.join(run["output"], "statistics.json"), statistics)
    write_json(os.path.join(run["output"], "manifest.json"), manifest)
    leftovers = (f"part-*.{run['parts']}.????????.tmp*", "part-*.json.????????.tmp")
    remove_leftovers(run, leftovers)
    print(f"{statistics['positions']} positions, {statistics['bad_lines']} bad lines, {statistics['nodes']} nodes")
    return max(sidecar["exit_code"] for sidecar in sidecars)


def analyze(arguments: argparse.Namespace) -> int:
    """Runs the whole analysis; returns the exit code."""
    # Check everything that does not need Spark first.
    check_options(words_of({"morello": find_program(arguments.morello)[0]}), arguments)
    find_inputs(arguments.inputs)
    if arguments.shards:
        claim_output(plan(arguments, arguments.shards), KEYS)
    spark = start_spark("morello analyze", arguments.master, arguments.conf)
    try:
        shards = arguments.shards or number_of_shards(spark, arguments.output)
        run = {**plan(arguments, shards), "threads": int(spark.conf.get("spark.task.cpus", "1"))}
        claim_output(run, KEYS)
        skipped = do_all(spark, run, run_shard, list(range(1, shards + 1)))
        print(f"{shards} shards, {skipped} already done")
        return finish(run, arguments.merge)
    finally:
        spark.stop()


def main() -> int:
    """Runs the script and prints errors."""
    try:
        return analyze(parse_arguments())
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; run the same command again to resume", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
