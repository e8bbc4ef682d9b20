"""Arrays of boards, compared with positions one at a time."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import morello
from morello import IllegalMoveError, MorelloError, ParseError, Position, batch

GAMES = morello.games()


def sample(game, count=40):
    """Positions of all phases."""
    return np.concatenate([batch.random_boards(count // 4, plies, game, seed=plies) for plies in (2, 9, 21, 58)])


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_those_of_positions(game):
    boards = sample(game)
    texts = batch.format_boards(boards, game)
    positions = [Position(text, game) for text in texts]
    assert (batch.parse_boards(texts, game) == boards).all()
    offsets, moves = batch.legal_moves(boards, game)
    names = batch.move_texts(moves, game)
    for i, position in enumerate(positions):
        assert names[offsets[i] : offsets[i + 1]] == position.legal_moves()
    over, scores = batch.results(boards, game)
    assert list(over) == [position.is_over for position in positions]
    assert all(position.score == score for position, score, end in zip(positions, scores, over) if end)
    canonical = batch.format_boards(batch.canonical(boards, game), game)
    assert canonical == [str(position.canonical()) for position in positions]
    playable = ~over
    first = moves[offsets[:-1][playable]]
    after = batch.format_boards(batch.play(boards[playable], first, game), game)
    played = [position.play(position.legal_moves()[0]) for position in positions if not position.is_over]
    assert after == [str(position) for position in played]
    numbers = batch.move_numbers(boards[playable], batch.move_texts(first, game), game)
    assert (numbers == first).all()
    assert list(batch.perft(boards, 2, game)) == [position.perft(2) for position in positions]


def test_masks_are_the_legal_moves():
    for game in ["othello", "othello-6x6", "othello-4x4"]:
        boards = sample(game)
        offsets, moves = batch.legal_moves(boards, game)
        for i, mask in enumerate(batch.legal_masks(boards, game)):
            legal = [int(move) for move in moves[offsets[i] : offsets[i + 1]] if move != 64]
            assert int(mask) == sum(1 << move for move in legal)
    with pytest.raises(MorelloError, match="legal_moves"):
        batch.legal_masks(batch.start_boards(1, "morabaraba"), "morabaraba")


@pytest.mark.parametrize("game", GAMES)
def test_rejects_what_is_no_position(game):
    boards = batch.start_boards(3, game)
    # Two pieces on a point, points beyond the board, more men than the game has, and unused bits.
    overlap = int(boards[1, 1]) if game.startswith("othello") else 1 + 2**32
    bad_words = [(0, overlap), (0, 2**64 - 1), (1, 2**64 - 1), (2, 2**60)]
    if not game.startswith("othello"):
        bad_words.append((0, 1))  # with all men still in hand
    for column, value in bad_words:
        bad = boards.copy()
        bad[1, column] = value
        with pytest.raises(MorelloError, match=r"boards\[1\]"):
            batch.results(bad, game)
    with pytest.raises(MorelloError, match="shape"):
        batch.results(boards[:, :2].copy(), game)
    with pytest.raises(IllegalMoveError, match=r"moves\[0\]"):
        batch.play(boards, np.full(3, 65_000, np.uint16), game)
    with pytest.raises(MorelloError, match="2 moves"):
        batch.play(boards, np.zeros(2, np.uint16), game)
    # The first of several, whichever thread finds its one first.
    moves = np.full(20_000, 37, np.uint16)
    moves[[5_000, 19_000]] = 0
    with pytest.raises(IllegalMoveError, match=r"moves\[5000\]"):
        batch.play(batch.start_boards(len(moves)), moves)


def test_bad_texts_have_an_index():
    with pytest.raises(ParseError) as error:
        batch.parse_boards(["f5", "hello"])
    assert error.value.line == 2


def test_views_of_arrays_work():
    boards = sample("othello")
    assert (batch.legal_masks(boards[::3]) == batch.legal_masks(boards)[::3]).all()
    assert batch.legal_masks(boards[:0]).shape == (0,)


def test_random_games_depend_on_the_seed_alone():
    games = batch.random_games(500, seed=7)
    again = batch.random_games(500, seed=7)
    assert (games["moves"] == again["moves"]).all()
    assert (batch.random_games(500, seed=8)["length"] != games["length"]).any()
    boards = batch.start_boards(500)
    for ply in range(games["moves"].shape[1]):
        playing = games["length"] > ply
        boards[playing] = batch.play(boards[playing], games["moves"][playing, ply])
    assert (boards == games["board"]).all()
    over, scores = batch.results(boards)
    assert over.all()
    black = np.where(boards[:, 2] == 0, scores, -scores)
    assert (black == games["score"]).all()


def test_unique_games_and_positions_differ_up_to_symmetry():
    boards = batch.random_boards(200, 5, seed=1, unique=True)
    assert len(np.unique(batch.canonical(boards), axis=0)) == 200
    assert len(np.unique(batch.canonical(batch.random_boards(200, 5, seed=1)), axis=0)) < 200
    games = batch.random_games(100, plies=6, unique=True)
    assert len({tuple(row) for row in games["moves"]}) == 100
    with pytest.raises(MorelloError, match="only 1 different"):
        batch.random_boards(5, 1, unique=True)


def test_searches_agree_with_the_engine():
    boards = batch.random_boards(8, 52, seed=3)
    result = batch.search(boards, exact=True)
    assert result["exact"].all() and (result["error"] == 0).all()
    engine = morello.Engine()
    assert list(result["score"]) == [engine.solve(text) for text in batch.format_boards(boards)]
    done = []
    estimate = batch.search(boards, depth=2, threads=1, progress=lambda *now: done.append(now))
    assert done[-1] == (8, 8) and (estimate["nodes"] > 0).all()


def test_regret_is_the_loss_of_a_move():
    boards = batch.random_boards(6, 50, seed=5)
    engine = morello.Engine()
    for board, text in zip(boards, batch.format_boards(boards)):
        if Position(text).is_over:
            continue
        values = engine.move_values(text, exact=True)
        rows = np.repeat(board[None], len(values), axis=0)
        moves = batch.move_numbers(rows, list(values))
        result = batch.regret(rows, moves, exact=True)
        assert result["exact"].all()
        assert list(result["regret"]) == [max(values.values()) - value for value in values.values()]
    estimate = morello.regret([Position("f5")] * 3, ["d6", "f4", "f6"], depth=6)
    assert not estimate["exact"].any() and (estimate["error"] > 0).all() and estimate["regret"].min() == 0
    with pytest.raises(IllegalMoveError):
        morello.regret([Position()], ["a1"], depth=2)


@pytest.mark.parametrize("game", GAMES)
def test_evaluations_and_features(game):
    boards = sample(game)
    values = batch.evaluate(boards, game)
    features = batch.features(boards, game)
    over, scores = batch.results(boards, game)
    assert (values[over] == scores[over]).all() and features.shape[0] == len(boards)
    images = np.array(batch.parse_boards([str(Position(t, game).symmetries()[-1]) for t in batch.format_boards(boards, game)], game))
    assert np.allclose(batch.evaluate(images, game), values), "the evaluation is symmetric"
    if game == "othello":
        squares = batch.pattern_squares()
        assert features.shape[1] == len(squares)
        own, other = boards[7, 0], boards[7, 1]
        for shape, value in zip(squares, features[7]):
            discs = [int(own >> np.uint64(s) & np.uint64(1)) - int(other >> np.uint64(s) & np.uint64(1)) for s in shape]
            assert value in {sum(d * 3**i for i, d in enumerate(order)) for order in (discs, discs[::-1])}


def test_selfplay_is_reproducible():
    games = batch.selfplay_games(4, depth=2, seed=1, threads=2)
    again = batch.selfplay_games(4, depth=2, seed=1, threads=1)
    assert (games["moves"] == again["moves"]).all() and (games["length"] > 50).all()
    over, scores = batch.results(games["board"])
    assert over.all() and (np.where(games["board"][:, 2] == 0, scores, -scores) == games["score"]).all()
    mills = batch.selfplay_games(4, "six-mens-morris", depth=2, seed=1)
    _, scores = batch.results(mills["board"], "six-mens-morris")
    assert (np.where(mills["board"][:, 1] >> np.uint64(16) == 0, scores, -scores) == mills["score"]).all()


def test_results_do_not_depend_on_the_instruction_set():
    code = (
        "import morello\n"
        "from morello import batch\n"
        "boards = batch.random_boards(500, 30, seed=9)\n"
        "result = batch.search(boards[:20], depth=5, threads=1)\n"
        "print(result['nodes'].sum(), result['score'].sum(), batch.legal_masks(boards).sum(), batch.evaluate(boards).sum())\n"
        "print(morello.Position().perft(8), batch.random_games(200, seed=1)['score'].sum())\n"
    )
    outputs = set()
    for name in ["portable", "AVX2", "AVX-512"]:  # one that the processor lacks is replaced by the best
        environment = {**os.environ, "MORELLO_INSTRUCTIONS": name}
        outputs.add(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(outputs) == 1 and "390216" in outputs.pop()


def test_arrays_of_any_layout_are_read_alike():
    boards = sample("othello")
    columns = np.asfortranarray(boards)
    strided = np.repeat(boards, 2, axis=0)[::2]
    for same in (columns, strided, boards.astype(np.int64), boards.tolist(), boards[::-1][::-1]):
        assert (batch.legal_masks(same) == batch.legal_masks(boards)).all()
        assert (batch.canonical(same) == batch.canonical(boards)).all()


def test_integers_of_any_width_are_read_and_others_refused():
    boards = batch.random_boards(3, 10, seed=1)
    offsets, moves = batch.legal_moves(boards)
    first = moves[offsets[:-1]]
    for same in (first.astype(np.int64), first.astype(np.uint8), first.tolist()):
        assert (batch.play(boards, same) == batch.play(boards, first)).all()
        assert batch.move_texts(same) == batch.move_texts(first)
    assert len(batch.format_boards(np.zeros((0, 3)))) == len(batch.move_texts([])) == 0
    for wrong in (boards.astype(float), [["a", "b", "c"]], None, 5.5):
        with pytest.raises(TypeError, match="boards must be integers, not"):
            batch.legal_masks(wrong)
    for wrong in (boards[0], boards[:, :2], 5):
        with pytest.raises(MorelloError, match="boards must have the shape"):
            batch.legal_masks(wrong)
    with pytest.raises(TypeError, match="moves must be integers, not float64"):
        batch.play(boards, first.astype(float))
    for wrong in (-1, 1 << 16):
        with pytest.raises(MorelloError, match=rf"moves\[0\] is not a move: {wrong}"):
            batch.move_texts([wrong])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_batches_work_in_other_processes(method, tmp_path):
    """A forked process has none of the threads of its parent, and must not wait for them."""
    script = f"""
import multiprocessing, sys
from morello import batch

def masks(part):
    return int(batch.legal_masks(boards[part::2]).sum() % 2**61) + len(batch.random_games(10)["length"])

boards = batch.random_boards(50_000, 20)
if __name__ == "__main__":
    expected = [masks(part) for part in (0, 1)]
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        assert pool.map_async(masks, [0, 1]).get(100) == expected
"""
    file = tmp_path / "processes.py"
    file.write_text(script)
    subprocess.run([sys.executable, "-W", "ignore", str(file)], check=True, timeout=200)


# Each function of many boards, with arguments that take it long.
LONG = {
    "parse_boards": (lambda: ["f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5"] * 20_000, "batch.parse_boards(given)"),
    "format_boards": (lambda: batch.start_boards(500_000), "batch.format_boards(given)"),
    "legal_moves": (lambda: batch.start_boards(2_000_000), "batch.legal_moves(given)"),
    "canonical": (lambda: batch.start_boards(1_000_000), "batch.canonical(given)"),
    "perft": (lambda: batch.start_boards(1), "batch.perft(given, 11)"),
    "replay": (lambda: batch.random_games(20_000)["moves"], "batch.replay(given)"),
    "evaluate": (lambda: batch.start_boards(1_000_000), "batch.evaluate(given)"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_stops_a_batch(name):
    given, call = LONG[name]
    given = given()

    def seconds():
        start = time.perf_counter()
        eval(call, {"batch": batch, "given": given})
        return time.perf_counter() - start

    duration = seconds()
    timer = threading.Timer(duration / 10, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        seconds()
    assert time.perf_counter() - start < 0.7 * duration + 0.2
