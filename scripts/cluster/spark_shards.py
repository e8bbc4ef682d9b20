"""Shards on an Apache Spark cluster: what `spark_analyze.py` and `spark_selfplay.py` share.

A run has an output folder with run.json, its request with a fingerprint, and files for each shard: the data, and a
sidecar with the fingerprint, the size and the hash of the data, which is written last. A shard with a valid sidecar
is done.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from importlib import util
from typing import Any

from spark_rows import RunError

PYSPARK = "4.0.1"
BUILT = pathlib.Path(__file__).resolve().parents[2] / "target/release"
TASK_FAILURES = 4


# Worker code.


def digest(path: str) -> tuple[int, str]:
    """Returns the size of a file in bytes, and its SHA-256."""
    with open(path, "rb") as file:
        sha, size = hashlib.sha256(), 0
        while block := file.read(1 << 20):
            sha.update(block)
            size += len(block)
    return size, sha.hexdigest()


def valid_sidecar(data: str, sidecar: str, fingerprint: str) -> dict[str, Any] | None:
    """Returns the content of a sidecar if it belongs to this run and the data match it."""
    try:
        with open(sidecar, encoding="utf-8") as file:
            content = json.load(file)
        same = content["fingerprint"] == fingerprint and os.path.getsize(data) == content["bytes"]
        return content if same and digest(data) == (content["bytes"], content["sha256"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_json(path: str, content: Any) -> None:
    """Writes a JSON file atomically."""
    temporary = f"{path}.{uuid.uuid4().hex[:8]}.tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(temporary, path)


def words_of(run: dict[str, Any]) -> list[str]:
    """Returns the command that starts the program on this machine: the Python package of the running interpreter, or
    the program at a path."""
    return [run["morello"]] if run["morello"] else [sys.executable, "-m", "morello"]


def run_program(run: dict[str, Any], arguments: list[str], what: str, accepted: tuple[int, ...] = (0,)) -> int:
    """Runs the program for a task, after a check of its version; returns its exit code.

    Raises:
        RuntimeError: the version differs from that of the driver, or the exit code is not accepted.
    """
    import socket

    program = words_of(run)
    version = subprocess.run([*program, "--version"], capture_output=True, text=True, check=False)
    if version.returncode != 0:
        raise RuntimeError(f"{socket.gethostname()}: {' '.join(program)} does not run: {version.stderr.strip()[-500:]}")
    if version.stdout.split()[:2] != run["version"].split()[:2]:
        raise RuntimeError(f"{socket.gethostname()} has {version.stdout.strip()}, but the driver has {run['version']}")
    done = subprocess.run(
        [*program, *arguments], cwd=run["folder"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode not in accepted:
        message = done.stderr.strip()[-2000:] or "no error message"
        raise RuntimeError(f"{what}: morello exited with code {done.returncode}: {message}")
    return done.returncode


def tasks_in_arrow(run: dict[str, Any], task: Callable[[dict[str, Any], int, int], dict[str, Any]]):
    """Returns the function for `mapInArrow` that executes the task of each row."""

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import TaskContext

        attempt = TaskContext.get().attemptNumber()
        for batch in batches:
            for number in batch.column("number").to_pylist():
                yield pyarrow.RecordBatch.from_pylist([task(run, number, attempt)])

    return work


# Driver code.


def command_parser(doc: str) -> argparse.ArgumentParser:
    """Returns a parser whose help is the documentation of a script: a description, `Usage: ...` and more."""
    about, more = doc.split("\n\nUsage: ", 1)
    return argparse.ArgumentParser(
        description=about,
        usage=more.splitlines()[0],
        epilog=more.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that all jobs have."""
    parser.add_argument("--output", metavar="DIR", required=True, help="the folder for the shards")
    parser.add_argument("--shards", metavar="N", type=int, help="number of shards [default: 4 per core of the cluster]")
    parser.add_argument(
        "--morello",
        metavar="PATH",
        help="the program [default: the Python package if it is installed, else target/release/morello, or from PATH]",
    )
    parser.add_argument(
        "--master", metavar="URL", help="the master, as for spark-submit [default: that of spark-submit, or local[*]]"
    )
    parser.add_argument(
        "--conf", metavar="KEY=VALUE", action="append", default=[], help="a Spark setting; may be repeated"
    )


def parse_with_options(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parses the command line. The words after `--` become `options`, which are passed to morello."""
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parsed = parser.parse_args(arguments[:end])
    parsed.options = arguments[end + 1 :]
    if any("=" not in setting for setting in parsed.conf):
        parser.error("--conf: expected KEY=VALUE")
    return parsed


def find_program(given: str | None, name: str = "morello") -> tuple[str | None, str]:
    """Returns the path of the program, or None for the Python package, and its version.

    Without a given path, it is the package of this interpreter if that is installed, then the program in
    target/release, then that in PATH. The package does not have the trainer, morello-train.
    """
    if given is None and name == "morello" and util.find_spec("morello._morello") is not None:
        path, words = None, [sys.executable, "-m", "morello"]
    else:
        path = given or (str(BUILT / name) if (BUILT / name).exists() else shutil.which(name))
        if path is None:
            package = "install the package with `pip install .`, " if name == "morello" else ""
            raise RunError(
                f"{name} not found: {package}build the program with `cargo build --release`, or give its path with --morello"
            )
        path = os.path.abspath(path)
        words = [path]
    command = " ".join(words)
    try:
        done = subprocess.run([*words, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise RunError(f"{command}: {error.strerror}; give the path of {name} with --morello") from error
    if done.returncode != 0 or not done.stdout.startswith(f"{name} "):
        raise RunError(f"{command} is not {name}: `--version` prints {done.stdout.strip() or 'nothing'}")
    return path, done.stdout.strip()


def stamp(path: str) -> list[Any]:
    """Returns the properties by which a changed file is detected."""
    status = os.stat(path)
    return [path, status.st_size, status.st_mtime_ns]


def claim_output(run: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Creates the output folder, or checks that it belongs to the same run; `keys` are the entries that the message
    compares."""
    path = os.path.join(run["output"], "run.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
        if before.get("fingerprint") != run["fingerprint"]:
            different = [key for key in keys if before.get(key) != json.loads(json.dumps(run[key]))]
            raise RunError(
                f"{run['output']} is from another run (different {', '.join(different) or 'run.json'}); use another"
                " folder, or remove this one"
            )
    elif os.path.isdir(run["output"]) and os.listdir(run["output"]):
        raise RunError(f"{run['output']} is neither empty nor from a run of this script; use another folder")
    os.makedirs(run["output"], exist_ok=True)
    write_json(path, run)


def start_spark(name: str, master: str | None, settings: list[str]) -> Any:
    """Starts a Spark session, whose workers get this module with their tasks."""
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        from pyspark import cloudpickle
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise RunError(f"{error.name} not found: pip install 'pyspark[sql]=={PYSPARK}'") from error
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    java = os.environ.get("JAVA_HOME")
    if not shutil.which(os.path.join(java, "bin", "java") if java else "java"):
        raise RunError("java not found: install a Java runtime (17 or 21), and set JAVA_HOME if it is not in PATH")
    if master is None or master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Without a second number, Spark's local mode does not retry.
    if local := re.fullmatch(r"local\[(\w+|\*)\]", master or ""):
        master = f"local[{local[1]},{TASK_FAILURES}]"
    builder = SparkSession.builder.appName(name).config("spark.task.maxFailures", TASK_FAILURES)
    builder = builder.master(master) if master else builder
    for setting in settings:
        builder = builder.config(*setting.split("=", 1))
    try:
        return builder.getOrCreate()
    except Exception as error:
        where = master or "the master that spark-submit names"
        raise RunError(f"Spark does not start; is there a master at {where}? ({str(error).splitlines()[0]})") from error


def do_all(
    spark: Any, run: dict[str, Any], task: Callable[[dict[str, Any], int, int], dict[str, Any]], numbers: list[int]
) -> int:
    """Runs a Spark task for each number; returns how many were already done."""
    rows = spark.sparkContext.parallelize([(number,) for number in numbers], len(numbers))
    frame = spark.createDataFrame(rows, "number long").mapInArrow(
        tasks_in_arrow(run, task), "number long, skipped boolean"
    )
    try:
        done = frame.collect()
    except Exception as error:
        # The useful part is the last line of the worker's traceback.
        errors = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception): .*", str(error), re.MULTILINE)
        errors = [line for line in errors if "PythonException" not in line and "SparkException" not in line]
        raise RunError(errors[-1] if errors else str(error)) from error
    return sum(row["skipped"] for row in done)


def number_of_shards(spark: Any, output: str) -> int:
    """Returns the default number of shards: that of the run to resume, or four per core."""
    try:
        with open(os.path.join(output, "run.json"), encoding="utf-8") as file:
            return int(json.load(file)["shards"])
    except (OSError, ValueError, KeyError):
        return 4 * max(spark.sparkContext.defaultParallelism, 2)


def remove_leftovers(run: dict[str, Any], patterns: Iterable[str]) -> None:
    """Removes the temporary files of attempts that were given up."""
    for pattern in patterns:
        for left in pathlib.Path(run["output"]).glob(pattern):
            left.unlink(missing_ok=True)


def read_sidecars(run: dict[str, Any], extension: str) -> list[dict[str, Any]]:
    """Returns the sidecars of all shards, in order; `extension` is that of the data."""
    sidecars = []
    for shard in range(1, run["shards"] + 1):
        data = os.path.join(run["output"], f"part-{shard:05}.{extension}")
        sidecar = os.path.join(run["output"], f"part-{shard:05}.json")
        try:
            with open(sidecar, encoding="utf-8") as file:
                sidecars.append(json.load(file))
            if os.path.getsize(data) != sidecars[-1]["bytes"]:
                raise RunError(f"{data} does not match its sidecar; run the same command again")
        except (OSError, ValueError) as error:
            raise RunError(
                f"cannot read {sidecar}, written by a worker ({error}); check that the folder is shared"
            ) from error
    return sidecars
