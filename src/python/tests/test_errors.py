"""Exceptions of the right type, with a reason, instead of the end of the process."""

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
