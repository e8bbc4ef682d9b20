"""Analysis and matches on Apache Spark: ``scripts/test/spark.sh`` installs what they need."""

import contextlib
import datetime
import gzip
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import morello
from morello import Game, MorelloError, Position, batch

pytest.importorskip("pyarrow")
pyspark = pytest.importorskip("pyspark")
if not shutil.which(os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"):
    pytest.skip("requires Java", allow_module_level=True)

import morello.spark

HOME = Path(pyspark.__file__).parent
SCRIPT = Path(__file__).parents[3] / "scripts" / "cluster" / "spark.py"
SETTINGS = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.memory": "1g"}
ENVIRONMENT = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
LIMITS = {"depth": 2, "deterministic": True, "hash_mib": 1}
SHARDS = 6


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ.update(ENVIRONMENT)
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Returns the paths of games, of positions with a bad line and a column, and of a folder of Parquet."""
    folder = tmp_path_factory.mktemp("inputs")
    arrays = batch.random_games(24, seed=3)
    texts = ["".join(batch.move_texts(row[:length])) for row, length in zip(arrays["moves"], arrays["length"])]
    games = [Game(text) for text in texts]
    morello.write(games, folder / "games.ggf")
    (folder / "games.ggf.gz").write_bytes(gzip.compress((folder / "games.ggf").read_bytes()))
    positions = [f"{number},{game.positions[20 + number]}" for number, game in enumerate(games)]
    (folder / "positions.csv").write_text("\n".join(["id,position", *positions[:9], "x,none", *positions[9:]]) + "\n")
    (folder / "parquet").mkdir()
    for number in range(2):
        records = [game.positions[30] for game in games[number::2]]
        morello.write(records, folder / "parquet" / f"{number}.parquet")
    return [folder / "games.ggf.gz", folder / "parquet", folder / "positions.csv"]


def expected_rows(inputs, **limits):
    """Returns the rows of one machine."""
    return [row for part in morello.analyze_stream(inputs, **limits) for row in part.to_pylist()]


def rows_of(frame):
    """Returns the rows of a DataFrame in the order of the input."""
    return [row.asDict() for row in frame.orderBy("file", "line", "game", "ply").collect()]


def test_files_have_the_rows_of_one_machine(spark, inputs):
    whole = expected_rows(inputs, **LIMITS)
    assert sum(row["error"] is not None for row in whole) == 1 and len(whole) > 1400
    assert rows_of(morello.spark.analyze_files(spark, inputs, SHARDS, **LIMITS)) == whole
    some = {**LIMITS, "empties": (9, 12)}
    found = rows_of(morello.spark.analyze_files(spark, inputs[0], 2, **some))
    assert found == expected_rows(inputs[0], **some) and len(found) < len(whole) / 10


def test_finished_shards_are_kept(spark, inputs, tmp_path):
    def rows():
        return rows_of(morello.spark.analyze_files(spark, inputs, SHARDS, out=tmp_path / "run", **LIMITS))

    whole = expected_rows(inputs, **LIMITS)
    assert rows() == whole
    parts = sorted((tmp_path / "run").iterdir())
    assert [part.name[:17] for part in parts] == [f"part-{shard:05}-of-000" for shard in range(1, SHARDS + 1)]
    assert rows_of(spark.read.parquet(str(tmp_path / "run"))) == whole
    times = [part.stat().st_mtime_ns for part in parts]
    parts[2].unlink()
    (tmp_path / "run" / f"{parts[2].name}.of-a-killed-task.tmp").write_text("PAR1")
    assert rows() == whole
    again = [part.stat().st_mtime_ns for part in parts]
    assert [number for number in range(SHARDS) if again[number] != times[number]] == [2]
    assert sorted((tmp_path / "run").iterdir()) == parts
    with pytest.raises(MorelloError, match="other inputs or settings; use another folder"):
        morello.spark.analyze_files(spark, inputs, SHARDS, out=tmp_path / "run", **{**LIMITS, "depth": 1})
    inputs[2].touch()
    with pytest.raises(MorelloError, match="other inputs or settings"):
        rows()


def test_wrong_arguments_come_before_the_tasks(spark, inputs):
    with pytest.raises(MorelloError, match="shards must be at least 1, not 0"):
        morello.spark.analyze_files(spark, inputs, 0, **LIMITS)
    with pytest.raises(MorelloError, match="no limit"):
        morello.spark.analyze_files(spark, inputs, 2)
    with pytest.raises(OSError, match="missing"):
        morello.spark.analyze_files(spark, ["missing"], 2, depth=1)
    with pytest.raises(MorelloError, match="unique needs all records"):
        morello.spark.analyze_files(spark, inputs, 2, unique=True, **LIMITS)
    with pytest.raises(MorelloError, match="engine `depth=x`"):
        morello.spark.selfplay(spark, ["depth=x", "random"], 2)
    with pytest.raises(MorelloError, match="sprt needs all games of the match; remove it"):
        morello.spark.selfplay(spark, ["depth=1", "random"], 2, sprt=(0, 5))


def test_a_machine_with_another_version_is_an_error(spark, inputs, monkeypatch):
    monkeypatch.setattr(morello.spark, "__version__", "9.9")
    rows = morello.spark.analyze_files(spark, inputs, 2, **LIMITS)
    with pytest.raises(Exception, match=f"has morello {morello.__version__}, but the driver has 9.9: install the same"):
        rows.count()


def test_statistics_are_those_of_the_program(spark, inputs, tmp_path):
    command = ["analyze", "othello", *map(str, inputs), "--depth", "2", "--deterministic", "--hash", "1"]
    command += ["--output", str(tmp_path / "rows.csv"), "--summary", str(tmp_path / "sums.json")]
    subprocess.run([sys.executable, "-m", "morello", *command], capture_output=True, check=False)
    sums = json.loads((tmp_path / "sums.json").read_text())
    rows = morello.spark.analyze_files(spark, inputs, SHARDS, **LIMITS)
    found = morello.spark.statistics(rows).first().asDict()
    for name in ("positions", "bad_lines", "exact", "nodes"):
        assert found[name] == sums[name]
    assert [found["mean_score"], found["standard_deviation"]] == pytest.approx(
        [sums["scores"]["mean"], sums["scores"]["standard_deviation"]], abs=0.001
    )
    names = ("moves", "mean_loss", "agreement")
    assert [found[name] for name in names] == pytest.approx([sums["play"][name] for name in names], abs=0.01)
    by_ply = {row["ply"]: row for row in morello.spark.statistics(rows, "ply").collect()}
    moves = {ply: row["moves"] for ply, row in by_ply.items() if row["moves"]}
    assert moves == {row["at"]: row["moves"] for row in sums["play"]["by_ply"]}


def test_positions_of_a_frame(spark):
    texts = ["f5d6c3", None, "f5f6", "no position", "f5d6c3d3c4", "f5f4"] * 5
    frame = spark.createDataFrame(list(enumerate(texts)), "id long, moves string").repartition(3)
    rows = {row["id"]: row for row in morello.spark.analyze(frame, "moves", **LIMITS).collect()}
    known = [Position(text) for text in set(texts) - {None, "no position"}]
    expected = {row["position"]: row for row in morello.analyze(known, **LIMITS)}
    assert len(rows) == len(texts)
    for number, text in enumerate(texts):
        row = rows[number]["analysis"].asDict()
        assert rows[number]["moves"] == text
        if text in (None, "no position"):
            assert row["error"] and row["score"] is None
            continue
        wanted = expected[str(Position(text))]
        assert {key: value for key, value in wanted.items() if key not in ("file", "line")} == row


def test_a_match_is_that_of_one_machine(spark, tmp_path):
    def first(game):
        return game.position.legal_moves()[0]

    def moves(result):
        return [(row["game"], row["moves"], row["result"]) for row in result.rows]

    players, settings = {"a": "depth=1,hash=1", "first": first}, {"games": 11, "seed": 5, "opening_plies": 4}
    whole = morello.play_match(players, **settings)
    result = morello.spark.selfplay(spark, players, 3, out=tmp_path, **settings)
    assert moves(result) == moves(whole) and result.elo == whole.elo
    again = morello.spark.selfplay(spark, players, 3, out=tmp_path, **settings)
    assert again.log == result.log and len(list(tmp_path.iterdir())) == 3
    file, out = tmp_path / "openings.txt", tmp_path / "of-file"
    file.write_text("f5d6\nf5f6\n")
    morello.spark.selfplay(spark, players, 2, out=out, games=4, openings=str(file))
    file.write_text("f5d6\nf5f4\nf5f6\n")
    with pytest.raises(MorelloError, match="other inputs or settings"):
        morello.spark.selfplay(spark, players, 2, out=out, games=4, openings=str(file))


def submit(master, *arguments, settings=()):
    """Starts the script."""
    options = [part for name, value in {**SETTINGS, **dict(settings)}.items() for part in ("--conf", f"{name}={value}")]
    command = [HOME / "bin" / "spark-submit", "--master", master, *options, SCRIPT, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen([str(word) for word in command], stdout=pipe, stderr=pipe, text=True, env=ENVIRONMENT)


def test_the_script_plays_a_match_and_reports_errors(tmp_path):
    played = ("selfplay", "othello", "name=a,depth=1", "name=b,random", "--shards", 2, "--out", tmp_path / "run")
    job = submit("local[2]", *played, "--log", tmp_path / "log.jsonl", "--set", "games=4", "seed=2")
    output, errors = job.communicate(timeout=300)
    assert job.returncode == 0, errors
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    result = morello.play_match(["name=a,depth=1", "name=b,random"], games=4, seed=2)
    assert [row["moves"] for row in rows] == [row["moves"] for row in result.rows]
    assert "match      othello, 4 games" in output and str(result).splitlines()[2] in output
    job = submit("local[2]", *played, "--set", "games=6")
    assert "error: out: " in "".join(job.communicate(timeout=300)) and job.returncode == 2


@contextlib.contextmanager
def cluster(folder):
    """Starts a master and two workers; gives the URL of the master, and the processes of the workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    url = f"spark://127.0.0.1:{port}"
    started = []

    def start(name, *arguments):
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *arguments]
        with (folder / f"{len(started)}.log").open("w") as log:
            command = [str(word) for word in [*command, "--webui-port", "0"]]
            # The processes of a worker are a group.
            options = {"stdout": log, "stderr": log, "env": ENVIRONMENT, "start_new_session": True}
            started.append(subprocess.Popen(command, **options))

    try:
        start("master.Master", "--port", port)
        for number in range(2):
            start("worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", folder / f"work-{number}", url)
        wait_for(lambda: (folder / "0.log").read_text().count("Registering worker") == 2, "workers")
        yield url, started[1:]
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(condition, what):
    end = datetime.datetime.now() + datetime.timedelta(minutes=3)
    while not condition():
        assert datetime.datetime.now() < end, f"no {what}"
        time.sleep(0.05)


def test_no_row_is_lost_with_a_machine(spark, inputs, tmp_path):
    run, shards = tmp_path / "run", 24
    limits = ["nodes=3000", "deterministic=True", "hash_mib=1"]
    files = [str(path) for path in inputs]
    analysis = ("analyze", "othello", *files, "--shards", shards, "--out", run, "--set", *limits)
    with cluster(tmp_path) as (url, workers):
        job = submit(url, *analysis, settings={"spark.executor.memory": "512m"}.items())
        wait_for(lambda: len(list(run.glob("*.parquet"))) >= 4 and list(run.glob("*.tmp")), "finished shards")
        os.killpg(workers[1].pid, signal.SIGKILL)
        assert len(list(run.glob("*.parquet"))) < shards - 2
        output, errors = job.communicate(timeout=500)
        assert job.returncode == 1, errors
        assert "Lost executor" in errors
    assert sorted(path.suffix for path in run.iterdir()) == [".parquet"] * shards
    whole = expected_rows(inputs, nodes=3000, deterministic=True, hash_mib=1)
    assert rows_of(spark.read.parquet(str(run))) == whole
    assert "bad_lines          1\n" in output and f"positions          {len(whole) - 1}\n" in output
