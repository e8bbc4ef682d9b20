"""Files and data frames."""

import json
import subprocess
import sys

import pytest

import morello
from morello import ParseError, Position

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
