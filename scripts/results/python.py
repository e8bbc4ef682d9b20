#!/usr/bin/env python3
"""Measures the batches of the Python package on one core, beside other packages if installed, and prints tables.

Usage: taskset -c 1 scripts/results/python.py [--other PYTHON] [--repeat N] [--quick]

    pip install . open_spiel rust-reversi pgx "jax[cpu]"
    taskset -c 1 scripts/results/python.py

Every figure is a rate in a second of processor time, the median of --repeat runs (default 3), in turn. With --other,
another interpreter, such as one with a build for this processor alone, is measured in turn with this one, and the table
has the ratio of both:

    MORELLO_NATIVE=1 RUSTFLAGS='-C target-cpu=native' CARGO_TARGET_DIR=/tmp/native /tmp/native-venv/bin/pip install .
    taskset -c 1 scripts/results/python.py --other /tmp/native-venv/bin/python

OpenSpiel plays random games twice: as a loop in Python that chooses among `legal_actions()`, and by its uniform
random bots and `evaluate_bots`, whose loop is in C++. Boards of pgx are stepped by 4,096 at once, compiled for the CPU.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time

FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"


def measure(count):
    """Returns the rates of all tasks once: {task: (number a second, unit)}. `count` scales their size."""
    import numpy as np

    import morello
    from morello import batch

    rates = {}

    def rate(task, unit, work):
        start = time.process_time()
        done = work()
        rates[task] = (float(done) / (time.process_time() - start), unit)

    boards = np.concatenate([batch.random_boards(count // 8, plies, seed=plies) for plies in range(4, 60, 7)])
    # The memory of a first large array takes longer than the work.
    batch.legal_masks(boards)
    rate("Othello: legal-move masks", "masks", lambda: len(batch.legal_masks(boards)))
    moves, first = batch.legal_moves(boards), None
    first = moves[1][np.minimum(moves[0][:-1], len(moves[1]) - 1)]
    playable = ~batch.results(boards)[0]
    playing, first = boards[playable], first[playable]
    batch.play(playing, first)
    rate("Othello: moves played", "boards", lambda: len(batch.play(playing, first)))
    rate("Othello: random plies", "plies", lambda: batch.random_games(count // 20, seed=1)["length"].sum())
    rate("Othello: random games", "games", lambda: len(batch.random_games(count // 20, seed=2)["length"]))
    game = "nine-mens-morris-flying"
    rate(
        "Nine men's morris: random games",
        "games",
        lambda: len(batch.random_games(count // 400, game, seed=1)["length"]),
    )
    rate("Othello: static evaluations", "boards", lambda: len(batch.evaluate(boards[: count // 8])))
    games = batch.random_games(count // 40, seed=3, passes=False, width=60)
    rate("Othello: positions of replayed games", "boards", lambda: len(batch.replay(games["moves"])["ply"]))
    rate("Othello: games as tokens", "games", lambda: len(morello.tokens.encode(games["moves"])))
    rate("Othello: actions of states, loop in Python", "actions", lambda: measure_states("othello", count // 2000))
    rate("Nine men's morris: actions of states, loop in Python", "actions", lambda: measure_states(game, count // 8000))
    measure_environments(rate, count // 8)
    late = batch.random_boards(max(8, count // 10_000), 48, seed=1)
    late = late[~batch.results(late)[0]]
    rate("Othello: exact solves, 12 empty squares", "boards", lambda: len(batch.search(late, exact=True)["score"]))
    rate("Othello: perft", "leaves", lambda: morello.Position().perft(10))
    engine = morello.Engine()
    rate("Othello: search of midgame positions", "nodes", lambda: engine.search("f5d6c3d3c4f4f6", depth=14).nodes)
    engine = morello.Engine()
    rate("Othello: exact solver, FFO #40", "nodes", lambda: engine.search(FFO_40, exact=True).nodes)
    return rates


def measure_states(game, count):
    """Plays random games one action at a time; returns the number of actions."""
    import morello

    numbers, actions = random.Random(1), 0
    for _ in range(count):
        state = morello.State(game)
        while not state.is_over:
            state.apply(numbers.choice(state.legal_actions()))
            actions += 1
    return actions


def measure_environments(rate, steps):
    """Measures environments with random play, if Gymnasium and PettingZoo are installed."""
    try:
        import morello.gymnasium
        import morello.pettingzoo
    except ImportError:
        return
    import numpy as np

    def play_many(count=4096):
        env = morello.gymnasium.VectorGameEnv(num_envs=count, opponent=0)
        observations, _ = env.reset(seed=1)
        numbers = np.random.default_rng(1)
        for _ in range(max(1, steps // count)):
            masks = observations["action_mask"]
            observations, *_ = env.step((numbers.random(masks.shape, np.float32) * masks).argmax(1))
        return max(1, steps // count) * count

    def play_one(done=0):
        env, numbers = morello.pettingzoo.env(), random.Random(1)
        while done < steps // 8:
            env.reset()
            for _ in env.agent_iter():
                observation, _, over, *_ = env.last()
                legal = observation["action_mask"].nonzero()[0]
                env.step(None if over else legal[int(numbers.random() * len(legal))])
                done += not over
        return done

    rate("Othello: steps of a vector environment", "steps", play_many)
    rate("Othello: steps of a PettingZoo environment", "steps", play_one)


def per_second(work):
    """Returns the number of things that some work did, a second."""
    start = time.process_time()
    return float(work()) / (time.process_time() - start)


def measure_openspiel(size):
    """Returns rows of OpenSpiel: (task, unit, our task, number a second)."""
    import pyspiel

    numbers = random.Random(1)
    for name, title, count in (("othello", "Othello", size), ("nine_mens_morris", "Nine men's morris", size // 2)):
        game = pyspiel.load_game(name)

        def loop(game=game, count=count):
            actions = 0
            for _ in range(count):
                state = game.new_initial_state()
                while not state.is_terminal():
                    state.apply_action(numbers.choice(state.legal_actions()))
                    actions += 1
            return actions

        def bots(game=game, count=count):
            players = [pyspiel.make_uniform_random_bot(player, 1) for player in (0, 1)]
            for seed in range(count):
                pyspiel.evaluate_bots(game.new_initial_state(), players, seed)
            return count

        actions = f"{title}: actions of states, loop in Python"
        yield actions.replace(":", ", OpenSpiel:"), "actions", actions, per_second(loop)
        yield f"{title}, OpenSpiel: random games, loop in C++", "games", f"{title}: random games", per_second(bots)


def measure_rust_reversi(size):
    """Returns rows of rust-reversi: (task, unit, our task, number a second)."""
    from rust_reversi import AlphaBetaSearch, Board, PieceEvaluator

    numbers = random.Random(1)

    def play(choose, count=10 * size):
        """Plays random games; returns their plies."""
        plies = 0
        for _ in range(count):
            board = Board()
            while not board.is_game_over():
                if board.is_pass():
                    board.do_pass()
                else:
                    board.do_move(choose(board))
                plies += 1
        return plies

    def boards(empties):
        board = Board()
        while board.piece_sum() < 64 - empties and not board.is_game_over():
            if board.is_pass():
                board.do_pass()
            else:
                board.do_move(board.get_random_move())
        return board

    def masks(count=1000 * size):
        board = boards(30)
        for _ in range(count):
            board.get_legal_moves()
        return count

    def solve(count=max(2, size // 5)):
        search = AlphaBetaSearch(PieceEvaluator(), 20, 1 << 10)
        games = [boards(12) for _ in range(count)]
        playable = [board for board in games if not board.is_game_over() and not board.is_pass()]

        def work():
            for board in playable:
                search.get_move(board)
            return len(playable)

        return per_second(work)

    actions = "Othello: actions of states, loop in Python"
    loop = per_second(lambda: play(lambda board: numbers.choice(board.get_legal_moves_vec())))
    yield "rust-reversi: moves chosen in Python", "plies", actions, loop
    drawn = per_second(lambda: play(Board.get_random_move))
    yield "rust-reversi: its random moves", "plies", "Othello: random plies", drawn
    yield "rust-reversi: legal-move masks", "masks", "Othello: legal-move masks", per_second(masks)
    yield "rust-reversi: exact solves, 12 empty squares", "boards", "Othello: exact solves, 12 empty squares", solve()


def measure_pgx(size):
    """Returns rows of pgx: (task, unit, our task, number a second)."""
    import jax
    import pgx

    env, count = pgx.make("othello"), 4096
    step = jax.jit(jax.vmap(env.step))
    choose = jax.jit(lambda key, masks: (jax.random.uniform(key, masks.shape) * masks).argmax(1))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, count))

    def work(state=state, key=key, steps=max(1, size // 4)):
        for _ in range(steps):
            key, now = jax.random.split(key)
            state = step(state, choose(now, state.legal_action_mask))
        state.current_player.block_until_ready()
        return steps * count

    work(steps=1)
    yield "pgx: steps of 4,096 boards", "steps", "Othello: steps of a vector environment", per_second(work)


def measure_others(size):
    """Returns the rows of all other packages that are installed."""
    rows = []
    for measure_package in (measure_openspiel, measure_rust_reversi, measure_pgx):
        try:
            rows += measure_package(size)
        except ImportError:
            pass
    return rows


def number(rate):
    """Writes a rate with three digits."""
    for unit, size in ((" G", 1e9), (" M", 1e6), (" k", 1e3)):
        if rate >= size:
            return f"{rate / size:.3g}{unit}"
    return f"{rate:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--other", metavar="PYTHON", help="another interpreter to measure in turn")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="number of runs [default: 3]")
    parser.add_argument("--quick", action="store_true", help="small batches, to try the script")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    count = 100_000 if arguments.quick else 4_000_000
    if arguments.once:
        print(json.dumps(measure(count)))
        return 0
    interpreters = [sys.executable, *([arguments.other] if arguments.other else [])]
    runs, theirs = [[] for _ in interpreters], []
    for repeat in range(arguments.repeat):
        for python, results in zip(interpreters, runs):
            command = [python, __file__, "--once", *(["--quick"] if arguments.quick else [])]
            results.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))
        theirs.append(measure_others(20 if arguments.quick else 400))
        if sys.stderr.isatty():
            print(f"{repeat + 1} of {arguments.repeat} runs", file=sys.stderr)

    def median(results, task):
        return statistics.median(run[task][0] for run in results)

    own = {task: median(runs[0], task) for task in runs[0][0]}
    head = ["morello, one core", "a second", *(["other build", "ratio"] if arguments.other else [])]
    print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|")
    for task, rate in own.items():
        cells = [task, f"{number(rate)} {runs[0][0][task][1]}"]
        if arguments.other:
            other = median(runs[1], task)
            cells += [number(other), f"{rate / other:.2f}"]
        print("| " + " | ".join(cells) + " |")
    if theirs[0]:
        print("\n| other packages, one core | a second | morello is faster by |\n| --- | --- | --- |")
        for row, (task, unit, ours, _) in enumerate(theirs[0]):
            rate = statistics.median(run[row][3] for run in theirs)
            print(f"| {task} | {number(rate)} {unit} | {own[ours] / rate:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
