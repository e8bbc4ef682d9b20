"""Exceptions of the right type, with a reason, instead of the end of the process."""

import subprocess
import sys
import time

import numpy as np
import pytest

import morello
from morello import Engine, MorelloError, batch

HUGE = 10**9
BOARDS = batch.start_boards(2)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Engine(hash_mib=HUGE),
        lambda: Engine("morabaraba", hash_mib=2**50),
        lambda: batch.search(BOARDS, depth=1, hash_mib=HUGE),
        lambda: batch.selfplay_games(2, depth=1, hash_mib=HUGE),
        lambda: morello.analyze(morello.Position(), depth=1, hash_mib=HUGE),
        lambda: morello.play_match([f"depth=1,hash={HUGE}", "random"], games=2),
        lambda: batch.start_boards(10**12),
        lambda: batch.start_boards(2**63),
        lambda: batch.random_games(10**13),
        lambda: batch.random_games(2**60, unique=True),
        lambda: batch.random_boards(10**13, 4),
        lambda: batch.selfplay_games(10**13, depth=1),
    ],
)
def test_sizes_beyond_the_memory(call):
    with pytest.raises(MemoryError, match="not enough memory for"):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Engine(hash_mib=0), "hash_mib"),
        (lambda: Engine(threads=0), "threads must be 1 to 1024"),
        (lambda: Engine(threads=10**7), "threads must be 1 to 1024"),
        (lambda: batch.search(BOARDS, depth=1, threads=0), "threads"),
        (lambda: morello.Position().divide(3, threads=0), "threads"),
        (lambda: morello.Limits(level=0), "level must be 1 to 60, not 0"),
        (lambda: morello.Limits(level=61), "level must be 1 to 60, not 61"),
        (lambda: morello.Limits(depth=0), "depth must be 1 to 240, not 0"),
        (lambda: morello.Limits(depth=1, confidence=0), "confidence must be one of 73, 87, .*100, not 0"),
        (lambda: morello.Limits(depth=1, confidence=101), "confidence must be one of 73, .*, not 101"),
        (lambda: morello.Limits(time=-1.0), "not a time in seconds: -1"),
        (lambda: batch.search(BOARDS, limits={**morello.Limits().to_dict(), "level": 0}), "level must be 1 to 60"),
    ],
)
def test_sizes_out_of_range(call, message):
    with pytest.raises(MorelloError, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda name: list(morello.read(name)),
        lambda name: morello.analyze(name, depth=1),
        lambda name: Engine(weights=name),
        lambda name: morello.play_match(["depth=1", "random"], games=2, openings=name),
        lambda name: Engine("nine-mens-morris", database=name),
        lambda name: batch.search(BOARDS, depth=1, database=name),
        lambda name: morello.play_match(["depth=1", "random"], games=2, database=name),
    ],
)
def test_missing_files(call, tmp_path):
    name = str(tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match="missing") as error:
        call(name)
    assert error.value.errno == 2


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: batch.start_boards(-1), "count"),
        (lambda: batch.random_games(-1), "count"),
        (lambda: batch.random_games(1, seed=-1), "seed"),
        (lambda: batch.random_games(1, width="9"), "width"),
        (lambda: batch.random_boards(1, -2), "plies"),
        (lambda: batch.selfplay_games(1, depth=1, random_plies=-1), "random_plies"),
        (lambda: batch.search(BOARDS, depth=-1), "depth"),
        (lambda: batch.search(BOARDS, depth="1"), "depth"),
        (lambda: batch.search(BOARDS, depth=1, threads=-1), "threads"),
        (lambda: batch.search(BOARDS, depht=1), "depht"),
        (lambda: Engine(hash_mib=-1), "hash_mib"),
        (lambda: Engine().search("f5", nodes=1.5), "nodes"),
        (lambda: morello.Limits(level=-3), "level"),
    ],
)
def test_a_wrong_number_names_its_argument(call, name):
    with pytest.raises(TypeError, match=f"'{name}'"):
        call()


def test_the_width_of_moves_may_be_absurd():
    with pytest.raises(MemoryError, match="not enough memory"):
        batch.random_games(2, width=2**63)


ABSURD = [-1, 0, 1.5, float("nan"), float("inf"), 10**18, 2**62, 2**63, 2**64, ""]

# Each function with one number. Those that accept 10**18 or more do not allocate by it.
NUMBERS = {
    "hash": lambda n: Engine(hash_mib=n),
    "threads": lambda n: Engine(threads=n),
    "analyze hash": lambda n: morello.analyze(morello.Position(), depth=1, hash_mib=n),
    "analyze threads": lambda n: morello.analyze(morello.Position(), depth=1, threads=n),
    "depth": lambda n: Engine().search("f5", depth=n, nodes=10),
    "nodes": lambda n: Engine().search("f5", depth=1, nodes=n),
    "time": lambda n: Engine().search("f5", depth=1, time=n),
    "level": lambda n: Engine().search("f5", level=n, nodes=10),
    "confidence": lambda n: Engine().search("f5", depth=1, confidence=n),
    "lines": lambda n: Engine().search("f5", depth=1, lines=n),
    "divide threads": lambda n: morello.Position().divide(1, threads=n),
    "start_boards": lambda n: batch.start_boards(n),
    "random_games": lambda n: batch.random_games(n),
    "random_games plies": lambda n: batch.random_games(1, plies=n),
    "random_games width": lambda n: batch.random_games(1, width=n),
    "random_games width of no games": lambda n: batch.random_games(0, width=n),
    "random_games seed": lambda n: batch.random_games(1, seed=n),
    "random_boards": lambda n: batch.random_boards(n, 4),
    "random_boards plies": lambda n: batch.random_boards(1, n),
    "selfplay_games": lambda n: batch.selfplay_games(n, depth=1),
    "selfplay_games plies": lambda n: batch.selfplay_games(1, random_plies=n, depth=1),
    "transform": lambda n: batch.transform(BOARDS, n),
    "match threads": lambda n: morello.play_match(["depth=1", "random"], games=2, threads=n),
    "match seed": lambda n: morello.play_match(["depth=1", "random"], games=2, seed=n),
    "match hash": lambda n: morello.play_match([f"depth=1,hash={n}", "random"], games=2),
    "match depth": lambda n: morello.play_match([f"depth={n},nodes=10", "random"], games=2),
}


@pytest.mark.parametrize("call", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("number", ABSURD, ids=repr)
def test_absurd_numbers(call, number):
    """An error with a reason, at once, or a harmless result."""
    start = time.monotonic()
    try:
        call(number)
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        assert str(error), repr(error)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("number", [-1, 2**64, 10**20])
def test_a_number_out_of_range_names_the_limits(number):
    for most, call in [(2**64 - 1, "hash"), (2**64 - 1, "nodes"), (2**32 - 1, "depth"), (2**64 - 1, "start_boards")]:
        with pytest.raises(TypeError, match=f"expected an integer from 0 to {most}, not {number}"):
            NUMBERS[call](number)
    for depth in (0, 241):
        with pytest.raises(ValueError, match=f"depth must be 1 to 240, not {depth}"):
            NUMBERS["depth"](depth)


def line(**changed):
    return {"move": None, "score": 1.0, "bound": "exact", "plies": None, "pv": [], **changed}


REPORT = Engine().search("f5", depth=1).to_dict()
ENTRY = morello.BookEntry(moves=[], others=None, score=None, bound=None, games=0, wins=0, draws=0, losses=0).to_dict()

# Each function of a list.
LISTS = {
    "Game": morello.Game,
    "parse_boards": batch.parse_boards,
    "move_numbers": lambda items: batch.move_numbers(batch.start_boards(1), items),
    "read_wthor": morello.read_wthor,
    "Line": lambda items: morello.Line(**line(pv=items)),
    "Report": lambda items: morello.Report(**{**REPORT, "lines": items}),
    "BookEntry": lambda items: morello.BookEntry(**{**ENTRY, "moves": items}),
    "openings": lambda items: morello.play_match(["depth=1", "random"], games=2, openings=items),
    "run_program": morello._morello.run_program,
    "read_records": lambda items: morello._morello.read_records((items, None, None), "othello", True),
    "write_rows": lambda items: morello._morello.write_rows(items, [], "csv", None),
    "fields of write_rows": lambda items: morello._morello.write_rows([], items, "csv", None),
}


@pytest.mark.parametrize("call", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("items", [range(3), range(10**11), range(2**61), range(2**80), {}, {1}, 7], ids=repr)
def test_a_wrong_or_endless_list(call, items):
    with pytest.raises(TypeError):
        call(items)


def test_text_is_no_list_and_other_sequences_are():
    for name in ("parse_boards", "move_numbers", "Line"):
        with pytest.raises(TypeError, match="expected a list, not str"):
            LISTS[name]("f5")
    for texts in (("f5", "d3"), np.array(["f5", "d3"], dtype=object)):
        assert (batch.parse_boards(texts) == batch.parse_boards(["f5", "d3"])).all()
    assert len(batch.parse_boards(["f5"] * 5000)) == 5000


def test_an_interrupted_import_does_not_break_arrays():
    """Loads the module in a new process, in which any later import is interrupted."""
    code = """
import builtins
from morello import _morello
def stop(*_):
    raise KeyboardInterrupt
builtins.__import__ = stop
boards = _morello.start_boards(2)
try:
    _morello.legal_masks(boards)
except KeyboardInterrupt:
    print(boards.shape)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "(2, 3)\n", done.stderr
