#!/usr/bin/env python3
"""Analyzes positions and games on a cluster: Apache Spark hands out shards, `morello analyze` works on each.

Usage: scripts/spark_analyze.py GAME INPUT... --output DIR [--shards N] [--morello PATH] [--master URL] [--merge FILE] [-- OPTIONS]

    scripts/spark_analyze.py othello games.ggf.gz --output run --master spark://host:7077 --shards 200 --merge rows.jsonl \\
      -- --exact --empties 18..20 --deterministic

INPUT is a file, or a pattern in quotes, of any format that `morello analyze` reads, or Parquet: a file, or a folder of files, with a
column named position, transcript, moves, obf, fen or board, or as --column among the OPTIONS names it. The other columns stay beside the
rows. OPTIONS are those of `morello analyze`; --deterministic is recommended, for a shard that is done again is then the same to the byte.

    a folder that all machines see           a row of a DataFrame each         DIR, in the same folder
    games.ggf.gz, 2001.wtb, x.parquet  --->  analyze --shard 1/200 ...   --->  part-00001.jsonl, part-00001.json
                                             analyze --shard 2/200 ...   --->  part-00002.jsonl, part-00002.json

Shared folder. Inputs, DIR and the program must have the same paths on all machines: NFS or the like, or one machine. Every worker reads all
of the input and takes each N-th line or game of it, as `--shard` deals them. Files are not cut: that would need to know each format, could
not be done to compressed ones, and would lose the lines' numbers, by which rows are told and put in order. Reading is cheap beside any search.

Parquet is turned into JSON lines first, DIR/input/*.jsonl, a Spark task a file: `line` is the number of the row.

A shard is written under a name of its own that ends in .tmp, and renamed when it is whole; then its sidecar is, part-00001.json. Exit codes 0
and 1 (bad lines, or rows that disagree with what their lines expect) are done, others fail and are tried again by Spark, as are the
tasks of a machine that is lost. Run the same command again after an interruption: what has a valid sidecar (same inputs, options and version,
size and hash of the rows) is skipped.

DIR then has run.json (what was asked), manifest.json (the shards: rows, bytes, hash, seconds, host), and statistics.json, what `--summary` of
one machine tells, less some means by group, which are those of rounded ones here. --merge joins the shards in the order of the input as
JSON lines, CSV or Parquet, by the ending of its name: the file that one machine would have written.

Each task runs as many threads as Spark gives it cores (`--conf spark.task.cpus=4`; else 1). The machines need Java and Python with
`pip install 'pyspark[sql]==4.0.1'`; on a cluster the variable PYSPARK_PYTHON names the Python.

Exit codes: 0 done, 1 done with bad lines or rows that disagree, 2 failed.
"""

from __future__ import annotations

import argparse
import collections
import glob
import hashlib
import json
import math
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from spark_rows import RunError, write_merged
from spark_statistics import sum_statistics

PYSPARK = "4.0.1"
PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "target/release/morello"
TASK_FAILURES = 4
# What this script gives to `morello analyze` itself, and what cannot be done a shard at a time.
GOVERNED = {"--format", "--output", "-o", "--summary", "--shard", "--threads", "--progress", "--resume", "--strict"}
WHOLE = {"--unique", "--memory", "--games", "--report", "--cache"}


# What the workers do.


def digest(path: str) -> tuple[int, str]:
    """Returns the bytes of a file, and their SHA-256."""
    with open(path, "rb") as file:
        sha, size = hashlib.sha256(), 0
        while block := file.read(1 << 20):
            sha.update(block)
            size += len(block)
    return size, sha.hexdigest()


def valid_sidecar(data: str, sidecar: str, fingerprint: str) -> dict[str, Any] | None:
    """Returns what a sidecar says, if it is of this run and the data are as it says."""
    try:
        with open(sidecar, encoding="utf-8") as file:
            told = json.load(file)
        same = told["fingerprint"] == fingerprint and os.path.getsize(data) == told["bytes"]
        return told if same and digest(data) == (told["bytes"], told["sha256"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_json(path: str, content: Any) -> None:
    """Writes a file of JSON, whole or not at all."""
    temporary = f"{path}.{uuid.uuid4().hex[:8]}.tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(temporary, path)


def tally_rows(path: str) -> dict[str, Any]:
    """Counts the rows of a shard, and what of their values adds up: thousandths of a point, and counts of distinct values."""
    scores, depths = collections.Counter(), collections.Counter()
    losses = collections.defaultdict(lambda: [0, 0, 0, 0])
    rows = errors = error_sum = 0
    with open(path, encoding="utf-8") as file:
        for rows, line in enumerate(file, 1):  # noqa: B007
            row = json.loads(line)
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
    return {"rows": rows, "scores": scores, "depths": depths, "losses": losses, "errors": errors, "error_sum": error_sum}


def run_shard(run: dict[str, Any], shard: int, attempt: int) -> dict[str, Any]:
    """Analyzes a shard, or finds that this is done; returns its number and whether it was skipped."""
    data = os.path.join(run["output"], f"part-{shard:05}.jsonl")
    sidecar = os.path.join(run["output"], f"part-{shard:05}.json")
    if valid_sidecar(data, sidecar, run["fingerprint"]):
        return {"number": shard, "skipped": True}
    # An attempt that Spark gave up may still be writing, so each has names of its own.
    mark = uuid.uuid4().hex[:8]
    temporary, summary = f"{data}.{mark}.tmp", f"{data}.{mark}.tmp.json"
    program = [run["morello"]]
    version = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True).stdout
    if version.split()[:2] != run["version"].split()[:2]:
        raise RuntimeError(f"{socket.gethostname()} has {version.strip()}, and the driver {run['version']}")
    command = [*program, "analyze", run["game"], *run["options"], "--threads", str(run["threads"])]
    command += ["--shard", f"{shard}/{run['shards']}", "--format", "jsonl", "--progress", "never"]
    command += ["--output", temporary, "--summary", summary, "--", *run["files"]]
    start = time.time()
    try:
        done = subprocess.run(command, cwd=run["folder"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            told = done.stderr.strip()[-2000:] or "nothing on the standard error"
            raise RuntimeError(f"shard {shard}: morello ended with code {done.returncode}: {told}")
        with open(summary, encoding="utf-8") as file:
            summed = json.load(file)
        tally = tally_rows(temporary)
        size, sha = digest(temporary)
        os.replace(temporary, data)
    finally:
        for path in (temporary, summary):
            pathlib.Path(path).unlink(missing_ok=True)
    told = {
        "fingerprint": run["fingerprint"],
        "shard": shard,
        "shards": run["shards"],
        "exit_code": done.returncode,
        "rows": tally["rows"],
        "bytes": size,
        "sha256": sha,
        "seconds": round(time.time() - start, 3),
        "host": socket.gethostname(),
        "attempt": attempt,
        "summary": summed,
        "tally": tally,
    }
    write_json(sidecar, told)
    return {"number": shard, "skipped": False}


def plain(value: Any) -> Any:
    """Turns a value of Parquet into one of JSON: what is no number is null, bytes are text, dates and decimals as they are written."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def convert_parquet(run: dict[str, Any], number: int) -> dict[str, Any]:
    """Writes a file of Parquet as JSON lines, in its order, or finds that this is done; folders named `key=value` are columns too."""
    import pyarrow.parquet  # On the workers, which have it for `mapInArrow` anyway.

    source, target, keys = run["parquet"][number]
    data = os.path.join(run["folder"], target)
    sidecar, fingerprint = f"{data}.json", run["fingerprint"]
    if valid_sidecar(data, sidecar, fingerprint):
        return {"number": number, "skipped": True}
    temporary, rows = f"{data}.{uuid.uuid4().hex[:8]}.tmp", 0
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            for batch in pyarrow.parquet.ParquetFile(os.path.join(run["folder"], source)).iter_batches():
                for row in batch.to_pylist():
                    file.write(json.dumps(plain({**row, **keys}), separators=(",", ":"), ensure_ascii=False) + "\n")
                    rows += 1
        size, sha = digest(temporary)
        os.replace(temporary, data)
    finally:
        pathlib.Path(temporary).unlink(missing_ok=True)
    write_json(sidecar, {"fingerprint": fingerprint, "source": source, "rows": rows, "bytes": size, "sha256": sha})
    return {"number": number, "skipped": False}


def tasks_in_arrow(run: dict[str, Any], kind: str):
    """Returns the function for `mapInArrow` that does the task of each row."""

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import TaskContext

        attempt = TaskContext.get().attemptNumber()
        for batch in batches:
            for number in batch.column("number").to_pylist():
                done = run_shard(run, number, attempt) if kind == "shard" else convert_parquet(run, number)
                yield pyarrow.RecordBatch.from_pylist([done])

    return work


# What the driver does before.


def parse_arguments() -> argparse.Namespace:
    """Reads the command line; the options after `--` are those of `morello analyze`."""
    arguments = sys.argv[1:]
    options = arguments[arguments.index("--") + 1 :] if "--" in arguments else []
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    about, more = __doc__.split("\n\nUsage: ", 1)
    parser = argparse.ArgumentParser(
        description=about,
        usage=more.splitlines()[0],
        epilog=more.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="the game, as `morello analyze` names it")
    parser.add_argument("inputs", metavar="INPUT", nargs="+", help="files, patterns, or Parquet")
    parser.add_argument("--output", metavar="DIR", required=True, help="the folder for the shards")
    parser.add_argument("--shards", metavar="N", type=int, help="parts [default: 4 for each core of the cluster]")
    parser.add_argument("--morello", metavar="PATH", help="the program [default: target/release/morello, then that of PATH]")
    parser.add_argument("--master", metavar="URL", help="as spark-submit has it [default: what that says, or local[*]]")
    parser.add_argument("--conf", metavar="KEY=VALUE", action="append", default=[], help="a setting of Spark; may be repeated")
    parser.add_argument("--merge", metavar="FILE", help="join the rows to this .jsonl, .csv or .parquet")
    parsed = parser.parse_args(own)
    parsed.options = options
    for option in options:
        name = option.split("=", 1)[0]
        name = "-o" if re.match(r"-o.", name) else name
        if name in GOVERNED:
            parser.error(f"{name} is governed by this script (threads: --conf spark.task.cpus=N)")
        if name in WHOLE:
            parser.error(f"{name} is of all rows together and cannot be had by shards")
    if parsed.shards is not None and not 1 <= parsed.shards <= 99999:
        parser.error("--shards: from 1 to 99999")
    if any("=" not in setting for setting in parsed.conf):
        parser.error("--conf: KEY=VALUE")
    if parsed.merge and pathlib.Path(parsed.merge).suffix not in (".jsonl", ".csv", ".parquet"):
        parser.error("--merge: the name must end in .jsonl, .csv or .parquet")
    return parsed


def check_options(program: str, arguments: argparse.Namespace) -> None:
    """Lets the program say what is wrong with its options, on no position."""
    command = [program, "analyze", arguments.game, *arguments.options, "--format", "jsonl", "--progress", "never"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    if done.returncode == 2:  # noqa: PLR2004
        raise RunError(done.stderr.strip().removeprefix("error: "))


def find_program(given: str | None) -> tuple[str, str]:
    """Returns the path of the program, and what it says its version is."""
    path = given or (str(PROGRAM) if PROGRAM.exists() else shutil.which("morello"))
    if path is None:
        raise RunError("no morello: build it (cargo build --release), or say where it is (--morello PATH)")
    path = os.path.abspath(path)
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; say where morello is by --morello PATH") from error
    if done.returncode != 0 or not done.stdout.startswith("morello "):
        raise RunError(f"{path} is not morello: it answers --version by {done.stdout.strip() or 'nothing'}")
    return path, done.stdout.strip()


def find_inputs(patterns: list[str], output: str) -> tuple[list[str], list[str], list[tuple[str, str, dict[str, str]]]]:
    """Returns the inputs as they are named, the files for the program, and what of them is to be made of Parquet, from where."""
    named: list[tuple[str, str | None]] = []
    for pattern in patterns:
        found = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
        if not found:
            raise RunError(f"no input: there is no `{pattern}`")
        for path in found:
            if not os.path.isdir(path):
                named.append((path, None))
                continue
            inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
            parquet = sorted(name for name in inside if name.endswith(".parquet") and not os.path.basename(name).startswith(("_", ".")))
            if not parquet:
                raise RunError(f"no input: the folder `{path}` has no files that end in .parquet")
            named += [(name, path) for name in parquet]
    sources = [path for path, _ in named]
    for path in sources:
        # Rows are put in order by file and line.
        if sources.count(path) > 1:
            raise RunError(f"`{path}` is given twice")
        if not os.path.isfile(path) or not os.access(path, os.R_OK):
            raise RunError(f"no input: cannot read `{path}`")
    files, made = [], []
    for number, (path, root) in enumerate(named):
        if path.endswith((".parquet", ".pq")):
            folders = os.path.dirname(os.path.relpath(path, root)).split(os.sep) if root else []
            keys = dict(folder.split("=", 1) for folder in folders if "=" in folder)
            target = os.path.join(output, "input", f"{number:05}-{pathlib.Path(path).stem}.jsonl")
            made.append((path, target, keys))
            path = target
        files.append(path)
    return sources, files, made


def stamp(path: str) -> list[Any]:
    """Returns by what it is seen that a file is another."""
    status = os.stat(path)
    return [path, status.st_size, status.st_mtime_ns]


def plan(arguments: argparse.Namespace, shards: int) -> dict[str, Any]:
    """Returns all that the workers need, with the fingerprint of what determines the rows."""
    program, version = find_program(arguments.morello)
    sources, files, parquet = find_inputs(arguments.inputs, arguments.output)
    texts = [part for option in arguments.options for part in {option, option.split("=", 1)[-1]}]
    asked = {
        "version": version.split()[:2],
        "game": arguments.game,
        "options": arguments.options,
        "shards": shards,
        "inputs": [stamp(path) for path in sources],
        "option_files": sorted(stamp(text) for text in texts if os.path.isfile(text)),
    }
    return {
        **asked,
        "fingerprint": hashlib.sha256(json.dumps(asked).encode()).hexdigest(),
        "version": version,
        "morello": program,
        "files": files,
        "parquet": parquet,
        "folder": os.getcwd(),
        "output": os.path.abspath(arguments.output),
    }


def claim_output(run: dict[str, Any]) -> None:
    """Makes the output folder, or sees that it is of the same run."""
    path = os.path.join(run["output"], "run.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
        if before.get("fingerprint") != run["fingerprint"]:
            keys = ("version", "game", "options", "shards", "inputs", "option_files")
            other = [key for key in keys if before.get(key) != json.loads(json.dumps(run[key]))]
            raise RunError(
                f"{run['output']} is of another run (other {', '.join(other) or 'run.json'}): take another folder, or remove this one"
            )
    elif os.path.isdir(run["output"]) and os.listdir(run["output"]):
        raise RunError(f"{run['output']} is neither empty nor of a run of this script: take another folder")
    os.makedirs(os.path.join(run["output"], "input") if run["parquet"] else run["output"], exist_ok=True)
    write_json(path, run)


def start_spark(arguments: argparse.Namespace) -> Any:
    """Starts a session of Spark."""
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise RunError(f"no {error.name}: pip install 'pyspark[sql]=={PYSPARK}'") from error
    java = os.environ.get("JAVA_HOME")
    if not shutil.which(os.path.join(java, "bin", "java") if java else "java"):
        raise RunError("no java: install a Java runtime (17 or 21), and set JAVA_HOME if it is not in PATH")
    master = arguments.master
    if master is None or master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Without a second number, Spark's local mode tries nothing again.
    if local := re.fullmatch(r"local\[(\w+|\*)\]", master or ""):
        master = f"local[{local[1]},{TASK_FAILURES}]"
    builder = SparkSession.builder.appName("morello analyze").config("spark.task.maxFailures", TASK_FAILURES)
    builder = builder.master(master) if master else builder
    for setting in arguments.conf:
        builder = builder.config(*setting.split("=", 1))
    try:
        return builder.getOrCreate()
    except Exception as error:
        where = master or "the master that spark-submit names"
        raise RunError(f"Spark does not start; is there a master at {where}? ({str(error).splitlines()[0]})") from error


def do_all(spark: Any, run: dict[str, Any], kind: str, numbers: list[int]) -> int:
    """Lets Spark do a task for each number, and returns how many were done before."""
    rows = spark.sparkContext.parallelize([(number,) for number in numbers], len(numbers))
    frame = spark.createDataFrame(rows, "number long").mapInArrow(tasks_in_arrow(run, kind), "number long, skipped boolean")
    try:
        done = frame.collect()
    except Exception as error:
        # The last line of the worker's traceback says it; the rest is Spark's.
        told = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception): .*", str(error), re.MULTILINE)
        told = [line for line in told if "PythonException" not in line and "SparkException" not in line]
        raise RunError(told[-1] if told else str(error)) from error
    return sum(row["skipped"] for row in done)


# What the driver does after.


def read_sidecars(run: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns what the sidecars of all shards say, in order."""
    told = []
    for shard in range(1, run["shards"] + 1):
        data = os.path.join(run["output"], f"part-{shard:05}.jsonl")
        sidecar = os.path.join(run["output"], f"part-{shard:05}.json")
        try:
            with open(sidecar, encoding="utf-8") as file:
                told.append(json.load(file))
            if os.path.getsize(data) != told[-1]["bytes"]:
                raise RunError(f"{data} is not as its sidecar says: run this again")
        except (OSError, ValueError) as error:
            raise RunError(f"cannot read {sidecar}, which a worker has written ({error}): is the folder shared?") from error
    return told


def finish(run: dict[str, Any], merge: str | None) -> int:
    """Writes the manifest, the statistics and the merged rows; returns the exit code."""
    sidecars = read_sidecars(run)
    kept = ("shard", "exit_code", "rows", "bytes", "sha256", "seconds", "host", "attempt")
    manifest = {name: run[name] for name in ("fingerprint", "version", "game", "options", "files")}
    manifest["rows"] = sum(told["rows"] for told in sidecars)
    manifest["seconds"] = round(sum(told["seconds"] for told in sidecars), 3)
    manifest["shards"] = [{"file": f"part-{told['shard']:05}.jsonl", **{name: told[name] for name in kept}} for told in sidecars]
    statistics = sum_statistics(sidecars)
    if merge:
        write_merged(run, merge)
    write_json(os.path.join(run["output"], "statistics.json"), statistics)
    write_json(os.path.join(run["output"], "manifest.json"), manifest)
    for pattern in ("part-*.jsonl.????????.tmp*", "part-*.json.????????.tmp", "input/*.jsonl.????????.tmp"):
        for left in pathlib.Path(run["output"]).glob(pattern):
            left.unlink(missing_ok=True)
    print(f"{statistics['positions']} positions, {statistics['bad_lines']} bad lines, {statistics['nodes']} nodes")
    return max(told["exit_code"] for told in sidecars)


def analyze(arguments: argparse.Namespace) -> int:
    """Does it all; returns the exit code."""
    # What needs no Spark is checked before it starts.
    check_options(find_program(arguments.morello)[0], arguments)
    find_inputs(arguments.inputs, arguments.output)
    if arguments.shards:
        claim_output(plan(arguments, arguments.shards))
    spark = start_spark(arguments)
    try:
        shards = arguments.shards or number_of_shards(spark, arguments.output)
        run = {**plan(arguments, shards), "threads": int(spark.conf.get("spark.task.cpus", "1"))}
        claim_output(run)
        if run["parquet"]:
            skipped = do_all(spark, run, "parquet", list(range(len(run["parquet"]))))
            print(f"{len(run['parquet'])} files of Parquet, of which {skipped} were read before")
        skipped = do_all(spark, run, "shard", list(range(1, shards + 1)))
        print(f"{shards} shards, of which {skipped} were done before")
        return finish(run, arguments.merge)
    finally:
        spark.stop()


def number_of_shards(spark: Any, output: str) -> int:
    """Returns the number of shards where none is given: that of the run that goes on, or four for each core there is."""
    try:
        with open(os.path.join(output, "run.json"), encoding="utf-8") as file:
            return int(json.load(file)["shards"])
    except (OSError, ValueError, KeyError):
        return 4 * max(spark.sparkContext.defaultParallelism, 2)


def main() -> int:
    """Runs, and tells errors in a line."""
    try:
        return analyze(parse_arguments())
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
