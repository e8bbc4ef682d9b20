"""Parquet and JSON lines of other programs, and for them."""

import datetime
import decimal
import gzip
import json
import subprocess
import sys
import zipfile

import pytest

from morello import Position, analyze, read, write

BOARDS = [str(Position(moves)) for moves in ("f5", "f5d6", "f5f6", "f5f4")]


def morello(*arguments):
    command = [sys.executable, "-m", "morello", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def converted(file, *arguments):
    done = morello("convert", "othello", file, "--to", "jsonl", *arguments)
    return [json.loads(line) for line in done.stdout.splitlines()], done


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
@pytest.mark.parametrize("version", ["1.0", "2.6"])
def test_reads_parquet_of_pyarrow(tmp_path, compression, version):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    time = datetime.datetime(2024, 5, 31, 12, 33, 18, 500000)
    columns = {
        "id": pyarrow.array([1, None, -3, 4], pyarrow.int8()),
        "big": pyarrow.array([2**64 - 1, 0, 1, 2], pyarrow.uint64()),
        "club": pyarrow.array(["a", "b", None, "a"]).dictionary_encode(),
        "weight": pyarrow.array([0.1, None, float("nan"), 2.0], pyarrow.float32()),
        "share": pyarrow.array([0.5, 1e300, float("inf"), None]),
        "rated": pyarrow.array([True, False, None, True]),
        "day": pyarrow.array([datetime.date(1969, 12, 31), None, datetime.date(2024, 2, 29), time.date()]),
        "at": pyarrow.array([time, None, time, datetime.datetime(1969, 12, 31, 23, 59, 59)], pyarrow.timestamp("ms")),
        "price": pyarrow.array([decimal.Decimal("1.50"), None, decimal.Decimal("-0.05"), decimal.Decimal("12.00")]),
        "nothing": pyarrow.nulls(4),
        "position": pyarrow.array(BOARDS).dictionary_encode(),
    }
    file = tmp_path / "x.parquet"
    settings = {"compression": compression, "version": version, "row_group_size": 3}
    parquet.write_table(pyarrow.table(columns), file, store_decimal_as_integer=True, **settings)
    rows, done = converted(file)
    assert done.returncode == 0, done.stderr
    assert [row["line"] for row in rows] == [1, 2, 3, 4] and [row["position"] for row in rows] == BOARDS
    values = {name: [row[name] for row in rows] for name in columns}
    assert values["id"] == [1, None, -3, 4] and values["big"] == [2**64 - 1, 0, 1, 2]
    assert values["club"] == ["a", "b", None, "a"] and values["rated"] == [True, False, None, True]
    assert values["weight"] == [0.1, None, None, 2.0] and values["share"] == [0.5, 1e300, None, None]
    assert values["day"] == ["1969-12-31", None, "2024-02-29", "2024-05-31"]
    assert values["at"][0] == "2024-05-31 12:33:18.5" and values["at"][3] == "1969-12-31 23:59:59"
    assert values["price"] == [1.5, None, -0.05, 12.0] and values["nothing"] == [None] * 4
    typed = tmp_path / "typed.parquet"
    assert morello("convert", "othello", file, "-o", typed).returncode == 0
    schema = parquet.read_schema(typed)
    kinds = [str(schema.field(name).type) for name in ("id", "share", "rated", "club")]
    assert kinds == ["int64", "double", "bool", "string"]


def test_reads_parquet_of_polars_and_pandas(tmp_path):
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    columns = {"id": list(range(3000)), "moves": ["f5d6c3", "f5f6", "f5"] * 1000, "black": ["Ann", None, "Bob"] * 1000}
    polars.DataFrame(columns).write_parquet(tmp_path / "polars.parquet", row_group_size=700)
    pandas.DataFrame(columns).to_parquet(tmp_path / "pandas.parquet")
    for name in ("polars", "pandas"):
        rows, done = converted(tmp_path / f"{name}.parquet")
        assert done.returncode == 0, done.stderr
        assert [row["id"] for row in rows] == columns["id"] and [row["line"] for row in rows] == list(range(1, 3001))
        assert [row["transcript"] for row in rows] == columns["moves"] and rows[2]["black"] == "Bob"
        assert [game.moves for game in read(tmp_path / f"{name}.parquet")][:2] == [["f5", "d6", "c3"], ["f5", "f6"]]


def test_reads_parquet_of_a_pipe_and_an_archive(tmp_path):
    polars = pytest.importorskip("polars")
    file = tmp_path / "x.parquet"
    polars.DataFrame({"position": BOARDS, "n": [1, 2, 3, 4]}).write_parquet(file)
    command = [sys.executable, "-m", "morello", "convert", "othello", "--to", "board"]
    done = subprocess.run(command, input=file.read_bytes(), capture_output=True)
    assert done.stdout.decode().split("\n")[:-1] == BOARDS
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.write(file, "rows/x.parquet")
    rows, done = converted(tmp_path / "x.zip")
    assert [row["position"] for row in rows] == BOARDS, done.stderr
    (tmp_path / "x.parquet.gz").write_bytes(gzip.compress(file.read_bytes()))
    done = morello("analyze", "othello", tmp_path / "x.parquet.gz")
    assert done.returncode == 2 and "a Parquet file within a compressed one (unpack it)" in done.stderr


def test_other_columns_are_left_out_and_errors_name_the_row(tmp_path):
    polars = pytest.importorskip("polars")
    file = tmp_path / "x.parquet"
    boards = [BOARDS[0], "no board", None, BOARDS[1]]
    polars.DataFrame({"position": boards, "tags": [["a"], [], None, ["b", "c"]], "n": [1, 2, 3, 4]}).write_parquet(file)
    rows, done = converted(file)
    assert [row["n"] for row in rows] == [1, 4] and "tags" not in rows[0]
    assert "column tags" in rows[0]["note"] and rows[1]["note"] is None
    assert f"{file}, line 2, column " in done.stderr
    assert f"{file}, line 3, column 1: no text in column `position`" in done.stderr
    file.write_bytes(file.read_bytes()[:-20])
    done = morello("analyze", "othello", file)
    assert done.returncode == 2 and "not a valid Parquet file" in done.stderr
    polars.DataFrame({"position": boards}).write_parquet(file, compression="lz4")
    done = morello("analyze", "othello", file)
    assert done.returncode == 2 and "use zstd, snappy or gzip" in done.stderr
    polars.DataFrame({"moves": [["f5", "d6"]], "n": [1]}).write_parquet(file)
    done = morello("analyze", "othello", file)
    assert done.returncode == 2 and "not read, because they contain lists or other kinds of values: moves" in done.stderr


def test_an_analysis_goes_through_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    file = tmp_path / "x.txt"
    file.write_text("\n".join(BOARDS) + "\n")
    rows = {}
    for name in ("jsonl", "parquet"):
        command = ["analyze", "othello", file, "--depth", "2", "--deterministic", "-o", tmp_path / f"rows.{name}"]
        assert morello(*command).returncode == 0
        rows[name] = converted(tmp_path / f"rows.{name}")[0]
    # Parquet has the columns that any row fills.
    assert len(rows["parquet"]) == 4 and "played" not in rows["parquet"][0]
    assert rows["parquet"] == [{name: row[name] for name in rows["parquet"][0]} for row in rows["jsonl"]]
    parquet = pytest.importorskip("pyarrow.parquet")
    metadata = parquet.read_metadata(tmp_path / "rows.parquet").metadata
    described = json.loads(metadata[b"morello.columns"])
    assert set(described) == set(parquet.read_schema(tmp_path / "rows.parquet").names)
    assert metadata[b"morello.settings.depth"] == b"2"


def test_shards_of_parquet_have_each_row_once(tmp_path):
    polars = pytest.importorskip("polars")
    file = tmp_path / "x.parquet"
    polars.DataFrame({"position": BOARDS * 500}).write_parquet(file, row_group_size=300)
    parts = [converted(file, "--shard", f"{part}/3")[0] for part in (1, 2, 3)]
    assert sum(parts, []) == converted(file)[0] and [len(part) for part in parts] == [666, 667, 667]
    assert [row["line"] for row in converted(file, "--shard", "3/1000")[0]] == [5, 6]


@pytest.mark.parametrize("name", ["parquet", "jsonl", "csv"])
@pytest.mark.parametrize("records", [["f5d6c3", "f5f6", "f5"], [BOARDS[0], "f5d6", BOARDS[1]]], ids=["games", "mixed"])
def test_shards_number_games_as_the_whole_file_does(tmp_path, name, records):
    polars = pytest.importorskip("polars")
    file = tmp_path / f"x.{name}"
    frame = polars.DataFrame({"moves": records * 20, "n": range(60)})
    {"parquet": frame.write_parquet, "jsonl": frame.write_ndjson, "csv": frame.write_csv}[name](file)

    def rows(*arguments):
        command = ["analyze", "othello", file, "--depth", "1", "--deterministic", "--format", "jsonl", *arguments]
        return [json.loads(line) for line in morello(*command).stdout.splitlines()]

    parts = [rows("--shard", f"{part}/3") for part in (1, 2, 3)]
    assert all(parts)
    assert sorted(sum(parts, []), key=lambda row: (row["line"], row["ply"] or 0)) == rows()


def test_reads_decimal_numbers_and_times_as_other_programs_write_them(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    prices = [decimal.Decimal("1.50"), None, decimal.Decimal("-0.05"), decimal.Decimal("-12.00")]
    huge = [10**38 - 1, -(10**38) + 1, 0, None]
    time = datetime.datetime(2024, 5, 31, 12, 33, 18, 123456)
    early = datetime.datetime(1969, 12, 31, 23, 59, 59, 1)
    columns = {
        "price": pyarrow.array(prices, pyarrow.decimal128(9, 2)),
        "huge": pyarrow.array(huge, pyarrow.decimal128(38, 0)),
        "larger": pyarrow.array([1, 2, 3, 4], pyarrow.decimal256(50, 0)),
        "at": pyarrow.array([time, None, early, time], pyarrow.timestamp("us")),
        "position": BOARDS,
    }
    file = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.table(columns), file, use_deprecated_int96_timestamps=True)
    rows, done = converted(file)
    assert [row["price"] for row in rows] == [1.5, None, -0.05, -12.0], done.stderr
    assert [row["huge"] for row in rows] == huge
    assert [row["at"] for row in rows][:3] == ["2024-05-31 12:33:18.123456", None, "1969-12-31 23:59:59.000001"]
    assert "larger" not in rows[0] and "column larger" in rows[0]["note"]


# Reads a file with each of its bytes changed.
DAMAGE = """
import sys, morello
data = open(sys.argv[1], "rb").read()
for at in range(4, len(data)):
    for value in (0, 255, data[at] ^ 1):
        open(sys.argv[2], "wb").write(data[:at] + bytes([value]) + data[at + 1:])
        try:
            for game in morello.read(sys.argv[2]): pass
        except (OSError, morello.ParseError):
            pass
"""


def test_damaged_files_print_nothing(tmp_path):
    write([Position("f5")], tmp_path / "x.parquet")
    command = [sys.executable, "-c", DAMAGE, tmp_path / "x.parquet", tmp_path / "y.parquet"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_polars_reads_json_lines_with_one_option(tmp_path):
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    file, rows = tmp_path / "x.txt", tmp_path / "rows.jsonl"
    file.write_text((BOARDS[0] + "\n") * 150 + "no board\n")
    morello("analyze", "othello", file, "--depth", "1", "-o", rows)
    frame = polars.read_ndjson(rows, infer_schema_length=None)
    assert len(frame) == 151 and frame["error"][150].startswith("line 151") and frame["error"][0] is None
    assert list(pandas.read_json(rows, lines=True)["error"].notna()) == [False] * 150 + [True]
    assert len(analyze(rows, depth=1)) == 151
