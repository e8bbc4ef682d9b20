#!/usr/bin/env python3
"""Measures the batches of the Python package on one core, beside OpenSpiel if installed, and prints a table.

Usage: taskset -c 1 scripts/results/python.py [--other PYTHON] [--repeat N] [--quick]

    pip install . open_spiel
    taskset -c 1 scripts/results/python.py

Every figure is the median of --repeat runs (default 3), in turn. With --other, another interpreter, such as one with
a build for this processor alone, is measured in turn with this one, and the table has the ratio of both:

    MORELLO_NATIVE=1 RUSTFLAGS='-C target-cpu=native' CARGO_TARGET_DIR=/tmp/native /tmp/native-venv/bin/pip install .
    taskset -c 1 scripts/results/python.py --other /tmp/native-venv/bin/python

OpenSpiel plays random games twice: as a loop in Python that chooses among `legal_actions()`, and by its uniform
random bots and `evaluate_bots`, whose loop is in C++.
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
        start = time.perf_counter()
        done = work()
        rates[task] = (float(done) / (time.perf_counter() - start), unit)

    boards = np.concatenate([batch.random_boards(count // 8, plies, seed=plies) for plies in range(4, 60, 7)])
    batch.legal_masks(boards[:1000])
    rate("Othello: legal-move masks", "masks", lambda: len(batch.legal_masks(boards)))
    moves, first = batch.legal_moves(boards), None
    first = moves[1][np.minimum(moves[0][:-1], len(moves[1]) - 1)]
    playable = ~batch.results(boards)[0]
    playing, first = boards[playable], first[playable]
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


def measure_openspiel(games):
    """Returns the rates of OpenSpiel: {task: (number a second, unit)}; empty if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    numbers, rates = random.Random(1), {}
    for name, title, count in (("othello", "Othello", games), ("nine_mens_morris", "Nine men's morris", games // 2)):
        game = pyspiel.load_game(name)
        start, actions = time.perf_counter(), 0
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(numbers.choice(state.legal_actions()))
                actions += 1
        seconds = time.perf_counter() - start
        rates[f"{title}: random games, loop in Python"] = (count / seconds, "games")
        rates[f"{title}: actions of states, loop in Python"] = (actions / seconds, "actions")
        bots = [pyspiel.make_uniform_random_bot(player, 1) for player in (0, 1)]
        start = time.perf_counter()
        for seed in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        rates[f"{title}: random games, loop in C++"] = (count / (time.perf_counter() - start), "games")
    return rates


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
        theirs.append(measure_openspiel(20 if arguments.quick else 400))
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
        print("\n| OpenSpiel, one core | a second | morello is faster by |\n| --- | --- | --- |")
        for task in theirs[0]:
            rate = median(theirs, task)
            ours = own.get(task) or own[task.split(",")[0]]
            print(f"| {task} | {number(rate)} {theirs[0][task][1]} | {ours / rate:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
