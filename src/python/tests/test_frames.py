"""The analysis of files, texts, arrays and data frames."""

import csv
import gc
import gzip
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import morello
from morello import Game, MorelloError, ParseError, Position, batch

GAME = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6"


def test_rows_are_those_of_the_program(tmp_path):
    file = tmp_path / "games.txt"
    file.write_text(GAME + "\nhello\n")
    command = ["analyze", "othello", str(file), "--depth", "2", "--deterministic", "--format", "jsonl"]
    program = subprocess.run([sys.executable, "-m", "morello", *command], capture_output=True, text=True)
    rows = morello.analyze(file, depth=2, deterministic=True)
    assert [dict(row) for row in rows] == [json.loads(line) for line in program.stdout.splitlines()]
    assert len(rows) == 61 and rows[-1]["error"]


def test_converts_to_frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    rows = morello.analyze([Position("f5d6"), Position("f5f6")], depth=2)
    assert isinstance(rows.to_pandas(), pandas.DataFrame) and isinstance(rows.to_polars(), polars.DataFrame)
    assert list(rows.to_pandas()["score"]) == list(rows.to_polars()["score"]) == [row["score"] for row in rows]


def test_columns_of_the_input_keep_their_types(tmp_path):
    file = tmp_path / "rated.csv"
    file.write_text(f"elo,share,id,position\n1500,0.5,007,{Position('f5')}\n1612,2,8,{Position('f5d6')}\n")
    rows = morello.analyze(file, depth=1)
    assert [rows[0][name] for name in ("elo", "share", "id")] == [1500, 0.5, "007"]
    pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = rows.to_pandas()
    assert [str(frame[name].dtype) for name in ("elo", "share")] == ["int64", "float64"]
    assert "error" in frame and "played" not in frame, "positions have no columns of games"


def test_reads_games_with_their_tags(tmp_path):
    file = tmp_path / "games.csv"
    file.write_text(f"moves,black\n{GAME},ann\nf5d6,ben\nf5f5,cid\n")
    records = morello.read(file)
    first = next(records)
    assert len(first) == 60 and first.is_over
    assert next(records).moves == ["f5", "d6"]
    with pytest.raises(ParseError) as error:
        next(records)
    assert (error.value.line, error.value.file) == (4, str(file))
    assert list(records) == []
    with pytest.raises(OSError, match="missing"):
        morello.read(tmp_path / "missing")


# --- The rows


def boards(count):
    return batch.random_boards(count, plies=20, seed=1)


def test_rows_are_a_sequence_of_dicts():
    source = boards(10_000)
    rows = morello.analyze(source, depth=1, deterministic=True)
    texts = batch.format_boards(source)
    assert len(rows) == 10_000 and [row["position"] for row in rows] == texts
    for index in (0, 4095, 4096, 8192, 9999, -1, -10_000):
        assert rows[index]["position"] == texts[index]
    assert [row["position"] for row in rows[4090:4100]] == texts[4090:4100]
    with pytest.raises(IndexError):
        rows[10_000]
    assert rows[7] in rows and rows.index(rows[5000]) == 5000
    rows[3]["score"] = "changed"
    assert rows[3]["score"] != "changed"


def test_rows_can_be_pickled():
    rows = morello.analyze(boards(5000), depth=1, deterministic=True)
    again = pickle.loads(pickle.dumps(rows))
    assert list(again) == list(rows) and again.to_arrow().equals(rows.to_arrow())


def test_writes_rows(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "rated.csv"
    file.write_text(f"elo,id,position\n1500,007,{Position('f5')}\n,8,{Position('f5d6')}\nx,9,?\n")
    rows = morello.analyze(file, depth=1, deterministic=True)
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        rows.write(tmp_path / name)
    with (tmp_path / "a.csv").open(newline="") as lines:
        table = list(csv.DictReader(lines))
    assert [row["elo"] for row in table] == ["1500", "", "x"] and table[0]["id"] == "007" and table[2]["error"]
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == list(rows)
    assert parquet.read_table(tmp_path / "a.parquet").equals(rows.to_arrow())
    rows.write(tmp_path / "other", format="csv")
    assert (tmp_path / "other").read_text() == (tmp_path / "a.csv").read_text()
    with pytest.raises(MorelloError, match=r"the extension of .*a\.xls. is not \.csv, \.jsonl or \.parquet"):
        rows.write(tmp_path / "a.xls")
    with pytest.raises(MorelloError, match="no format `xls` of rows; use csv, jsonl or parquet"):
        rows.write(tmp_path / "a.csv", format="xls")
    with pytest.raises(OSError, match="missing"):
        rows.write(tmp_path / "missing" / "a.csv")


def test_no_rows_have_all_columns(tmp_path):
    pytest.importorskip("pyarrow")
    rows = morello.analyze([], depth=1)
    assert (len(rows), list(rows), rows[:]) == (0, [], [])
    assert {"position", "score", "best_move"} <= set(rows.to_arrow().column_names)
    rows.write(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().startswith("file,line,position")
    assert "0 rows" in rows._repr_html_()


def test_notebooks_show_the_first_and_the_last_rows():
    rows = morello.analyze(Game(GAME), depth=1)
    page = rows._repr_html_()
    assert page.count("<tr>") == 1 + 5 + 1 + 5 and "60 rows" in page
    assert "<th>played</th>" in page and "<th>error</th>" not in page
    page = morello.analyze(texts=["<b>"], depth=1)._repr_html_()
    assert "&lt;b&gt;" in page and page.count("<tr>") == 2


def test_reports_progress_and_stops():
    counts = []
    morello.analyze(boards(3000), depth=1, progress=counts.append)
    assert counts[-1] == 3000 and counts == sorted(counts)

    def stop(count):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        morello.analyze(boards(3000), depth=4, progress=stop)


# --- The sources


def test_texts_are_an_argument_of_their_own():
    rows = morello.analyze(texts=["f5d6c3", str(Position("f5"))], depth=1)
    assert [(row["file"], row["line"], row["ply"]) for row in rows] == [
        *(("text", 1, ply) for ply in range(4)),
        ("text", 2, None),
    ]
    assert len(morello.analyze(texts="f5d6", depth=1)) == 3
    assert [game.moves for game in morello.read(texts=["f5d6", "f5f6"])] == [["f5", "d6"], ["f5", "f6"]]
    mixed = morello.analyze([Position("f5")], texts=["f5d6"], depth=1)
    assert len(mixed) == 4


def test_wrong_sources_have_clear_errors(tmp_path):
    with pytest.raises(MorelloError, match=r"`f5d6c3` is a position or game, .*: pass texts=\[...\]"):
        morello.analyze("f5d6c3", depth=1)
    with pytest.raises(OSError, match="missing.txt"):
        morello.analyze(tmp_path / "missing.txt", depth=1)
    with pytest.raises(MorelloError, match="no source: give files"):
        morello.analyze(depth=1)
    with pytest.raises(TypeError, match=r"source\[1\] must be a path, a Position or a Game, not int"):
        morello.analyze([Position(), 3], depth=1)
    with pytest.raises(TypeError, match=r"texts\[0\] must be a str, not Position"):
        morello.analyze(texts=[Position()], depth=1)
    with pytest.raises(MorelloError, match=r"boards must have the shape \(n, 3\)"):
        morello.analyze(np.zeros(3, np.uint64), depth=1)
    with pytest.raises(TypeError, match="source must be paths, positions, .* or a data frame, not int"):
        morello.analyze(5, depth=1)
    with pytest.raises(TypeError, match="texts must be an iterable of texts, not int"):
        morello.analyze(texts=5, depth=1)
    # A file whose name is a move.
    (tmp_path / "f5").write_text("f5d6")
    for path in (tmp_path / "f5", str(tmp_path / "f5"), bytes(tmp_path / "f5")):
        assert len(morello.analyze(path, depth=1)) == 3


def test_games_keep_their_players():
    game = next(morello.read(texts=['[Black "Anna"]\n[White "Bob"]\n\n1. f5 d6 *']))
    rows = morello.analyze([game, Position("f5"), Game("f5f6")], depth=1)
    assert [row["player"] for row in rows] == ["Anna", "Bob", "Anna", None, None, None, None]
    mill = morello.analyze(Game("d2 f4", "nine-mens-morris"), "nine-mens-morris", depth=1)
    assert [row["played"] for row in mill] == ["d2", "f4", None]


def test_objects_of_another_game_are_refused():
    game = Game(game="nine-mens-morris")
    text = r"source\[1\] is of nine-mens-morris, but the argument game is othello"
    for one in (game, game.position):
        with pytest.raises(MorelloError, match=text):
            morello.analyze([Game(), one], depth=1)
        with pytest.raises(MorelloError, match=text):
            morello.read([Game(), one])


def test_files_and_objects_keep_their_order(tmp_path):
    file = tmp_path / "g.txt"
    file.write_text("f5\n")
    first, second = Position("f5f6"), Position("f5d6")
    source = [first, second, file, second, str(file)]
    expected = [first, second, Position(), second, Position()]
    assert [Position(str(game.positions[0])) for game in morello.read(iter(source))] == expected
    rows = morello.analyze(source, depth=1)
    assert [(row["file"], row["line"]) for row in rows if not row["ply"]] == [
        ("text", 1), ("text", 2), (str(file), 1), ("text", 1), (str(file), 1)
    ]  # fmt: skip


def test_analyses_with_equal_rows_are_equal():
    rows = [morello.analyze(boards(5000), depth=depth, deterministic=True) for depth in (1, 1, 2)]
    assert rows[0] == rows[1] and rows[0] != rows[2] and rows[0] != list(rows[0])
    assert rows[0] != morello.analyze(boards(4999), depth=1, deterministic=True)


def frames():
    """Returns data frames of the same rows, by kind."""
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    columns = {"id": ["007", "8", None], "elo": [1500, None, 3], "board": [str(Position("f5")), "?", None]}
    table = arrow.table(columns)
    return {
        "pandas": pandas.DataFrame(columns),
        "polars": polars.DataFrame(columns),
        "table": table,
        "batch": table.to_batches()[0],
        "reader": arrow.RecordBatchReader.from_batches(table.schema, table.to_batches()),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "table", "batch", "reader"])
def test_data_frames_are_sources(kind):
    rows = morello.analyze(frames()[kind], depth=1)
    assert [row["id"] for row in rows] == ["007", "8", None]
    assert [row["elo"] for row in rows] == [1500, None, 3]
    assert [row["position"] for row in rows][0] == str(Position("f5"))
    assert [row["error"] is None for row in rows] == [True, False, False]
    if kind != "reader":
        (first, *_) = morello.read(frames()[kind].slice(0, 1) if kind in ("table", "batch") else frames()[kind][:1])
        assert first.position == Position("f5")


def test_columns_are_chosen_as_in_files():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"first": ["f5"], "second": ["f5d6c3"], "black": ["Anna"]})
    (game,) = morello.read(table, column="second")
    assert game.moves == ["f5", "d6", "c3"] and game.tags["black"] == "Anna"
    with pytest.raises(OSError, match="no column `third`; the columns are: first, second, black"):
        morello.analyze(table, column="third", depth=1)
    with pytest.raises(TypeError, match=r"must be a data frame, not a column \(ChunkedArray\): pass it as texts"):
        morello.analyze(table["first"], depth=1)
    assert len(morello.analyze(texts=table["second"].to_pylist(), depth=1)) == 4
    twice = arrow.table([["f5"], ["f5"]], names=["moves", "moves"])
    with pytest.raises(MorelloError, match="two columns of the data frame have the same name"):
        morello.analyze(twice, depth=1)


def test_values_of_frames_that_json_lacks():
    arrow = pytest.importorskip("pyarrow")
    nan = float("nan")
    columns = {
        "board": arrow.array([str(Position("f5")).encode(), b"\xff", str(Position("f5d6")).encode()]),
        "pair": [{"a": nan, "b": b"x"}, {"a": 1.0, "b": None}, {"a": float("inf"), "b": None}],
        "some": [[nan, 1.0], [], None],
        "weight": [nan, float("-inf"), 2.0],
    }
    rows = morello.analyze(arrow.table(columns), depth=1)
    assert [row["position"] for row in rows][::2] == [str(Position("f5")), str(Position("f5d6"))]
    assert [row["error"] is None for row in rows] == [True, False, True]
    assert rows[0]["pair"] == {"a": None, "b": "x"} and rows[0]["some"] == [None, 1.0]
    assert rows[2]["pair"]["a"] is None and [row["weight"] for row in rows][::2] == [None, 2.0]


def test_columns_with_other_names_are_found_in_csv_only(tmp_path):
    (tmp_path / "x.csv").write_text("id,record\n1,f5d6\n")
    assert len(morello.analyze(tmp_path / "x.csv", depth=1)) == 3
    (tmp_path / "x.jsonl").write_text('{"id":1,"record":"f5d6"}\n')
    with pytest.raises(OSError, match=r"name the one with positions or games \(--column; column in Python\)"):
        morello.analyze(tmp_path / "x.jsonl", depth=1)
    assert len(morello.analyze(tmp_path / "x.jsonl", depth=1, column="record")) == 3


# --- Streams


def test_streams_have_the_rows_of_the_analysis():
    arrow = pytest.importorskip("pyarrow")
    source = boards(2500)
    batches = list(morello.analyze_stream(source, depth=1, deterministic=True, rows=1000))
    assert [len(part) for part in batches] == [1000, 1000, 500]
    assert len({part.schema for part in batches}) == 1
    whole = morello.analyze(source, depth=1, deterministic=True).to_arrow()
    streamed = arrow.Table.from_batches(batches)
    assert streamed.select(whole.column_names).equals(whole)
    # Whether positions or games come is not known at the start.
    assert "played" in streamed.column_names and "played" not in whole.column_names
    assert list(morello.analyze_stream([], depth=1)) == []


def test_streams_keep_the_types_of_columns(tmp_path):
    pytest.importorskip("pyarrow")
    file = tmp_path / "rated.csv"
    lines = [f"{index},{Position('f5')}\n" for index in range(300)]
    file.write_text("elo,position\n" + "".join(lines))
    parts = list(morello.analyze_stream(file, depth=1, rows=200))
    assert [str(part.schema.field("elo").type) for part in parts] == ["int64"] * 2
    file.write_text("elo,position\n" + "".join(lines) + f"unrated,{Position('f5')}\n")
    stream = morello.analyze_stream(file, depth=1, rows=200)
    assert len(next(stream)) == 200
    with pytest.raises(MorelloError, match="rows 200 to 300: the column `elo` has other values than int64"):
        next(stream)
    # The whole analysis knows all values.
    assert str(morello.analyze(file, depth=1).to_arrow().schema.field("elo").type) == "string"


def test_wrong_arguments_of_a_stream_come_at_once(tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(MorelloError, match="rows must be at least 1"):
        morello.analyze_stream(boards(1), depth=1, rows=0)
    with pytest.raises(MorelloError, match="no limit"):
        morello.analyze_stream(boards(1))
    with pytest.raises(OSError, match="missing"):
        morello.analyze_stream(tmp_path / "missing", depth=1)


def workers():
    """Returns the threads of this process."""
    return {task.name for task in Path("/proc/self/task").iterdir()}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the threads of the process")
def test_a_stream_waits_and_stops_when_it_is_deleted():
    pytest.importorskip("pyarrow")
    done = []
    before = workers()
    stream = morello.analyze_stream(boards(50_000), depth=1, rows=10, threads=1, progress=done.append)
    next(stream)
    time.sleep(0.3)
    next(stream)
    # Two batches wait, and what is in flight.
    assert done[-1] < 1000
    # Threads of earlier tests may end meanwhile.
    started = workers() - before
    assert started
    del stream
    gc.collect()
    deadline = time.monotonic() + 10
    while workers() & started and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not workers() & started


# A stream that goes on in the parent, and is used, deleted or left open in a fork.
FORK = """
import gc, os, sys, warnings
import morello
warnings.simplefilter("ignore")
stream = morello.frames._start(None, "othello", texts=["f5"] * 50_000, form="lines", rows=10, depth=1)
next(stream)
child = os.fork()
if child == 0:
    if sys.argv[1] == "next":
        try:
            next(stream)
        except RuntimeError as error:
            print(error)
    if sys.argv[1] != "exit":
        stream.close()
        del stream
        gc.collect()
    sys.exit(7)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
next(stream)
stream.close()
sys.exit(status)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("use", ["next", "del", "exit"])
def test_a_stream_ends_in_a_fork(use):
    done = subprocess.run([sys.executable, "-c", FORK, use], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (7, "")
    assert ("the analysis runs in the process that started it" in done.stdout) == (use == "next")


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_stops_a_stream():
    pytest.importorskip("pyarrow")
    stream = morello.analyze_stream([Position()], depth=60)
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        next(stream)
    assert time.perf_counter() - start < 10


def shard_inputs(folder):
    """Returns files of positions and games in several formats, with a bad record each."""
    games = random_records(40)
    positions = [str(Game(game).positions[-20]) for game in games]
    lines = "\n".join([*positions[:20], "no position", *positions[20:]]) + "\n"
    files = {name: folder / name for name in ("a.txt", "a.txt.gz", "a.jsonl", "a.csv", "games.txt", "games.ggf")}
    files["a.txt"].write_text(lines)
    files["a.txt.gz"].write_bytes(gzip.compress(lines.encode()))
    rows = lines.splitlines()
    files["a.jsonl"].write_text("".join(json.dumps({"id": 7, "position": row}) + "\n" for row in rows))
    files["a.csv"].write_text("id,position\n" + "".join(f"7,{row}\n" for row in rows))
    files["games.txt"].write_text("\n".join([*games[:9], "no game", *games[9:]]))
    morello.write(map(Game, games), files["games.ggf"])
    return files


def random_records(count):
    """Returns games as text."""
    games = batch.random_games(count, seed=3)
    moves = (batch.move_texts(row[:length]) for row, length in zip(games["moves"], games["length"]))
    return ["".join(move for move in game if len(move) == 2) for game in moves]


@pytest.mark.parametrize("name", "a.txt a.txt.gz a.jsonl a.csv games.txt games.ggf a.parquet all".split())
def test_shards_have_every_row_once(tmp_path, name):
    files = shard_inputs(tmp_path)
    if name == "a.parquet":
        polars = pytest.importorskip("polars")
        files[name] = tmp_path / name
        polars.read_csv(files["a.csv"]).write_parquet(files[name])
    source = list(files.values()) if name == "all" else files[name]
    limits = {"depth": 1, "deterministic": True, "hash_mib": 1, "empties": (9, 40)}
    whole = [dict(row) for row in morello.analyze(source, **limits)]
    assert len({row["line"] for row in whole}) > 20
    for count in (2, 3):
        parts = [morello.analyze(source, shard=(k, count), **limits) for k in range(1, count + 1)]
        assert min(map(len, parts)) > len(whole) / count / 3
        place = {json.dumps(row): number for number, row in enumerate(whole)}
        order = [[place[json.dumps(dict(row))] for row in part] for part in parts]
        assert all(part == sorted(part) for part in order)
        assert sorted(sum(order, [])) == list(range(len(whole)))


def test_a_shard_is_that_of_the_program(tmp_path):
    file = shard_inputs(tmp_path)["games.txt"]
    command = ["analyze", "othello", str(file), "--depth", "1", "--deterministic", "--format", "jsonl"]
    options = ["--shard", "2/3", "--plies", "4..9", "--empties", "50..55"]
    program = subprocess.run([sys.executable, "-m", "morello", *command, *options], capture_output=True, text=True)
    rows = morello.analyze(file, depth=1, deterministic=True, shard=(2, 3), plies=(4, 9), empties=(50, 55))
    assert rows and [dict(row) for row in rows] == [json.loads(line) for line in program.stdout.splitlines()]


def test_a_stream_of_a_shard_has_its_rows(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    file = shard_inputs(tmp_path)["a.jsonl"]
    batches = list(morello.analyze_stream(file, depth=1, shard=(2, 2), deterministic=True, rows=7))
    streamed = arrow.Table.from_batches(batches)
    assert streamed["line"].to_pylist() == [row["line"] for row in morello.analyze(file, depth=1, shard=(2, 2))]


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"shard": (0, 2)}, r"shard must be \(k, n\) with k from 1 to n, such as \(2, 8\), not \(0, 2\)"),
        ({"shard": (3, 2)}, r"not \(3, 2\)"),
        ({"shard": (-1, -1)}, r"not \(-1, -1\)"),
        ({"plies": (3, 2)}, r"plies must be \(least, greatest\), not \(3, 2\)"),
        ({"empties": (9, 2)}, r"empties must be \(least, greatest\), not \(9, 2\)"),
        ({"empties": 3, "game": "nine-mens-morris"}, "empties: .* use plies"),
    ],
)
def test_wrong_shards_and_selections(arguments, text):
    with pytest.raises(MorelloError, match=text):
        morello.analyze([], depth=1, **arguments)
