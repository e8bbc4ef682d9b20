"""Files of games: reading, writing and WTHOR as arrays."""

import gzip
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import morello
from morello import Game, MorelloError, ParseError, Position, batch

PGN = '[Black "Anna"]\n[White "Bob"]\n[Date "2001"]\n[Result "40-24"]\n\n1. f5 d6 2. c3 d3 3. c4 40-24\n'
# The moves 58 and 59 each follow a pass.
WITH_PASSES = (
    "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2g7h8g8h1b8a2"
    "a1a3a8b4b3"
)


def tagged():
    return next(morello.read(texts=[PGN]))


# --- morello.write


@pytest.mark.parametrize("name", ["a.ggf", "a.pgn", "a.sgf", "a.txt", "a.csv", "a.jsonl", "a.wtb"])
def test_games_are_read_as_they_were_written(tmp_path, name):
    games = [tagged(), Game(WITH_PASSES), Game("f5f6")]
    result = morello.write(games, tmp_path / name)
    assert result["count"] == 3
    again = list(morello.read(tmp_path / name))
    assert [game.moves for game in again] == [game.moves for game in games]
    has_names = name != "a.txt"
    assert (again[0].tags.get("black") == "Anna") == has_names
    assert any("names" in text for text in result["dropped"]) != has_names


@pytest.mark.parametrize("name", ["a.obf", "a.csv", "a.jsonl", "a.board"])
def test_positions_are_read_as_they_were_written(tmp_path, name):
    over = Game(WITH_PASSES).position
    positions = [Position("f5"), Position("f5d6"), over]
    assert over.is_over
    assert morello.write(iter(positions), tmp_path / name) == {"count": 3, "dropped": []}
    assert [game.position for game in morello.read(tmp_path / name)] == positions


def test_a_format_of_positions_takes_those_of_a_game(tmp_path):
    file = tmp_path / "a.txt"
    morello.write(Game("f5d6"), file, "obf")
    assert [game.position for game in morello.read(file)] == Game("f5d6").positions


def test_writes_typed_columns_of_games_and_of_mill_games(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    morello.write([tagged()], tmp_path / "a.parquet")
    row = parquet.read_table(tmp_path / "a.parquet").to_pylist()[0]
    assert (row["black"], row["transcript"], row["black_points"]) == ("Anna", "f5d6c3d3c4", 16.0)
    assert "file" not in row
    game = Game("d2 f4 d6", "nine-mens-morris")
    morello.write([game], tmp_path / "a.moves")
    assert [one.moves for one in morello.read(tmp_path / "a.moves", "nine-mens-morris")] == [game.moves]


def test_a_file_may_be_written_from_itself_and_is_kept_after_an_error(tmp_path):
    file = tmp_path / "a.ggf"
    morello.write([tagged(), Game("f5f6")], file)
    morello.write(morello.read(file), file)
    assert len(list(morello.read(file))) == 2
    with pytest.raises(TypeError, match=r"games\[1\] must be a Game or a Position, not int"):
        morello.write([Game("f5"), 3], file)
    with pytest.raises(MorelloError, match=r"games\[1\] is of nine-mens-morris, but the games before it are of othello"):
        morello.write([Game("f5"), Game(game="nine-mens-morris")], file)
    assert len(list(morello.read(file))) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.ggf"]


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    file = tmp_path / "a.pgn"

    def write(count):
        for _ in range(20):
            morello.write((tagged() for _ in range(count)), file)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(1, 9)))
    assert 1 <= len(list(morello.read(file))) <= 8
    assert [path.name for path in tmp_path.iterdir()] == ["a.pgn"]


def test_a_writer_removes_what_a_killed_one_left(tmp_path):
    file = tmp_path / "a.pgn"
    left = tmp_path / "a.pgn.morello-new"
    left.mkdir()
    (left / "b.pgn").write_text("half")
    (tmp_path / "a.pgn.morello-new.lock").touch()

    def games():
        yield tagged()
        # A writer inside a writer gets a directory of its own.
        morello.write([tagged()] * 2, file)
        assert len(list(morello.read(file))) == 2

    morello.write(games(), file)
    assert len(list(morello.read(file))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.pgn"]


def test_a_wthor_file_may_be_written_from_itself(tmp_path):
    file = tmp_path / "a.wtb"
    morello.write([tagged(), Game("f5f6")], file)
    morello.write((game for game in morello.read(file) if len(game) == 5), file)
    (game,) = morello.read(file)
    assert game.tags["black"] == "Anna"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jou", "a.trn", "a.wtb"]
    # Names of other games.
    (tmp_path / "b.JOU").write_bytes((tmp_path / "a.jou").read_bytes())
    with pytest.raises(OSError, match="b.JOU. would be read as the names of this file"):
        morello.write([tagged()], tmp_path / "b.wtb")
    assert not (tmp_path / "b.wtb").exists()


def test_threads_may_share_an_iterator(tmp_path):
    file = tmp_path / "x.txt"
    file.write_text("f5d6\n" * 5000)
    games = morello.read(file)
    with ThreadPoolExecutor(4) as pool:
        counts = pool.map(lambda _: sum(1 for _ in games), range(4))
    assert sum(counts) == 5000


def test_other_tags_have_names_of_pgn(tmp_path):
    game = Game("f5d6")
    for name in ("", 'Q"', "a b", "é"):
        with pytest.raises(MorelloError, match="tag `others`: no tag can have the name .*: use a name of letters"):
            game.set_tags(others={name: "x"})
    assert "others" not in game.tags
    game.set_tags(white="Ann", others={"Time_Control": "5]\"", "White": "Bob", "SetUp": "1"})
    for name in ("n.pgn", "n.sgf", "n.ggf"):
        morello.write([game], tmp_path / name)
        (again,) = morello.read(tmp_path / name)
        assert again.moves == game.moves and again.tags["white"] == "Ann"
    (again,) = morello.read(tmp_path / "n.pgn")
    assert again.tags["others"] == {"Time_Control": "5]\""}


def test_no_games_are_a_file_too(tmp_path):
    assert morello.write([], tmp_path / "a.csv") == {"count": 0, "dropped": []}
    morello.write([], tmp_path / "a.moves", game="morabaraba")
    assert (tmp_path / "a.moves").read_text() == ""


def test_wthor_files_of_a_folder(tmp_path):
    plain, packed, others = folders = [tmp_path / name for name in ("plain", "packed", "others")]
    for folder in folders:
        folder.mkdir()
        (folder / "readme.txt").write_text("f5d6\n")
    morello.write([tagged(), Game("f5f6")], plain / "a.wtb")
    (packed / "A.WTB.gz").write_bytes(gzip.compress((plain / "a.wtb").read_bytes()))
    for folder in (plain, packed):
        assert list(morello.read_wthor(folder)["length"]) == [5, 2]
    with pytest.raises(OSError, match="others.: there are no .wtb files in it"):
        morello.read_wthor(others)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="requires /dev/zero")
def test_wthor_files_have_a_largest_size():
    with pytest.raises(OSError, match="/dev/zero.*larger than 256 MiB"):
        morello.read_wthor("/dev/zero")


def test_wrong_outputs_have_clear_errors(tmp_path):
    with pytest.raises(MorelloError, match=r"no format of othello has the extension of .*\.ggf.*argument format"):
        morello.write([Game()], tmp_path / "a.xml")
    with pytest.raises(MorelloError, match="format: unknown format `kif`"):
        morello.write([Game()], tmp_path / "a", "kif")
    with pytest.raises(OSError, match="missing.*a.ggf"):
        morello.write([Game("f5")], tmp_path / "missing" / "a.ggf")
    start = Game("-" * 27 + "OX------XO" + "-" * 27 + " O")
    start.play(start.position.legal_moves()[0])
    with pytest.raises(MorelloError, match=r"games\[1\]: .*start position"):
        morello.write([Game("f5"), start], tmp_path / "a.wtb")


# --- WTHOR as arrays


def header(games, *, names=0, year=2001, size=8, depth=24):
    return bytes([20, 26, 2, 16]) + struct.pack("<IHH4B", games, names, year, size, 0, depth, 0)


def record(moves, numbers=(1, 2, 3), discs=40, theoretical=33):
    stored = [10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves if move != "pa"]
    return struct.pack("<3H2B60s", *numbers, discs, theoretical, bytes(stored))


def names(texts, length):
    records = [text.encode("latin-1").ljust(length, b"\0") for text in texts]
    return header(0, names=len(texts), year=0, depth=0) + b"".join(records)


def folder(tmp_path, records, **fields):
    (tmp_path / "WTH_2001.wtb").write_bytes(header(len(records), **fields) + b"".join(records))
    (tmp_path / "WTH.JOU").write_bytes(names(["???", "a", "Renée", "Tastet Marc"], 20))
    (tmp_path / "WTH.TRN").write_bytes(names(["???", "cup"], 26))
    return tmp_path / "WTH_2001.wtb"


def test_wthor_arrays_have_all_that_is_stored(tmp_path):
    file = folder(tmp_path, [record(Game(WITH_PASSES).moves), record(["f5", "d6"], (0, 3, 1), 20, 64)])
    games = morello.read_wthor(file)
    assert games["moves"].shape == (2, 60) and games["moves"].dtype == np.uint16
    assert batch.move_texts(games["moves"][1, :2]) == ["f5", "d6"]
    assert (games["moves"][1, 2:] == batch.NO_MOVE).all()
    assert list(games["length"]) == [60, 2]
    assert [games["players"][number] for number in games["white"]] == ["Tastet Marc", "a"]
    assert [games["players"][number] for number in games["black"]] == ["Renée", "Tastet Marc"]
    assert [games["tournaments"][number] for number in games["tournament"]] == ["cup", "???"]
    stored = {name: list(games[name]) for name in ("discs", "theoretical", "year", "depth")}
    assert stored == {"discs": [40, 20], "theoretical": [33, 64], "year": [2001, 2001], "depth": [24, 24]}
    assert games["discs"].dtype == np.uint8 and games["year"].dtype == np.uint16


def test_replayed_wthor_games_are_those_of_read(tmp_path):
    file = folder(tmp_path, [record(Game(WITH_PASSES).moves), record(["f5", "d6"])])
    games = morello.read_wthor([file], replay=True)
    read = list(morello.read(file))
    assert list(games["length"]) == [len(game) for game in read] == [62, 2]
    assert batch.move_texts(games["moves"][0][:62]) == read[0].moves
    assert list(games["score"]) == [read[0].points, 0]
    assert batch.format_boards(games["board"]) == [str(game.position) for game in read]


def test_written_wthor_games_are_read_as_arrays(tmp_path):
    random = batch.random_games(50, seed=3)
    texts = [" ".join(batch.move_texts(moves[:length])) for moves, length in zip(random["moves"], random["length"])]
    morello.write(map(Game, texts), tmp_path / "a.wtb")
    games = morello.read_wthor(tmp_path, replay=True)
    assert (games["moves"] == random["moves"]).all() and (games["score"] == random["score"]).all()
    assert (games["discs"] * 2.0 - 64 == random["score"]).all()


def test_wthor_files_of_any_packing_and_without_names(tmp_path):
    content = header(1) + record(["f5"])
    (tmp_path / "a.wtb.gz").write_bytes(gzip.compress(content))
    (tmp_path / "b.wtb").write_bytes(content)
    games = morello.read_wthor([str(tmp_path / "a.wtb.gz"), tmp_path / "b.wtb"])
    assert len(games["year"]) == 2 and games["players"] == []
    empty = tmp_path / "c.wtb"
    empty.write_bytes(header(0))
    for replay in (False, True):
        assert morello.read_wthor(empty, replay=replay)["length"].shape == (0,)


@pytest.mark.parametrize(
    ("content", "line", "column", "problem"),
    [
        (header(1)[:9], 0, 10, "incomplete wthor header: 9 of 16 bytes"),
        (header(1, size=10), 0, 1, "board size 10x10 is not supported"),
        (header(0, names=2), 0, 1, "the file contains 2 player or tournament names"),
        (header(2) + record(["f5"]) + bytes(10), 2, 11, "counts 2 games, 152 bytes, but the file has 94 bytes"),
        (header(1) + record(["f5"]) + bytes(68), 2, 1, "counts 1 games, 84 bytes, but the file has 152 bytes"),
        (header(2) + record(["f5"]) + record(["f5"], discs=65), 2, 7, "the score 65 is out of range"),
        (header(1) + record(["f5"])[:9] + bytes([99]) + bytes(58), 1, 10, "99 at ply 2 is not a square"),
        (header(1) + record(["f5"])[:9] + bytes([0, 0, 46]) + bytes(56), 1, 12, "unexpected move 46 after the end"),
    ],
)
def test_damaged_wthor_files_have_a_place(tmp_path, content, line, column, problem):
    file = tmp_path / "a.wtb"
    file.write_bytes(content)
    for replay in (False, True):
        with pytest.raises(ParseError, match=problem) as error:
            morello.read_wthor(file, replay=replay)
        assert (error.value.line, error.value.column, error.value.file) == (line, column, str(file))


def test_illegal_moves_are_found_by_a_replay(tmp_path):
    file = folder(tmp_path, [record(["f5"]), record(["f5", "f5"])])
    assert list(morello.read_wthor(file)["length"]) == [1, 2]
    with pytest.raises(ParseError, match="illegal move `f5` at ply 2") as error:
        morello.read_wthor(file, replay=True)
    assert (error.value.line, error.value.column) == (2, 10)


def test_files_with_different_names_are_not_mixed(tmp_path):
    for part in ("a", "b"):
        (tmp_path / part).mkdir()
    folder(tmp_path / "a", [record(["f5"])])
    (tmp_path / "b" / "b.wtb").write_bytes(header(1) + record(["f5"]))
    with pytest.raises(MorelloError, match="different player or tournament names; read them by separate calls"):
        morello.read_wthor(tmp_path)
    with pytest.raises(OSError, match="missing"):
        morello.read_wthor(tmp_path / "missing.wtb")
