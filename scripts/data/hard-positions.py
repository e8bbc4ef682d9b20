#!/usr/bin/env python3
"""Creates a set of hard endgame positions of 8x8 Othello, with the exact score of every legal move.

Usage: scripts/data/hard-positions.py EMPTIES COUNT CANDIDATES [--seed N] [--jobs N] > data/positions/hard-EMPTIES.obf

1. Self-play: each game begins with ten random plies and continues with searches of a fixed depth until EMPTIES
squares are empty and the
   side to move has a choice. This is repeated until there are CANDIDATES different positions.
2. Every candidate is solved. Of those with a score within 10 discs, the COUNT with the most nodes are kept. 3. Every
position after a legal move of those is solved too. The script checks that the best of these scores equals the score
of the position
   itself.

Moves and nodes depend on the version of the program, so another version creates another set from the same seed. Needs
only the Python standard library. Progress is written to standard error.
"""

import argparse
import csv
import pathlib
import random
import subprocess
import sys

from othello import START, moves, name, play, square_of

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "target/release/morello"
RANDOM_PLIES = 10
DEPTH = 6
LOPSIDED = 10


def analyze(program, positions, *options):
    """Returns the rows of `morello analyze`, one per position."""
    command = [
        program,
        "analyze",
        "othello",
        "--format",
        "csv",
        "--progress",
        "never",
        "--summary",
        "/dev/null",
        *options,
    ]
    done = subprocess.run(command, input="\n".join(positions) + "\n", capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    if done.returncode != 0 or len(rows) != len(positions):
        sys.exit(f"{' '.join(command)} failed: {done.stderr}")
    return rows


def solve(program, positions, what, *options):
    """Returns the exact score and the nodes of each position, and reports progress."""
    solved = []
    step = 50
    for start in range(0, len(positions), step):
        rows = analyze(program, positions[start : start + step], "--exact", *options)
        assert all(row["exact"] == "true" for row in rows)
        solved += [(int(row["score"]), int(row["nodes"])) for row in rows]
        print(f"{what}: {len(solved)} of {len(positions)} solved", file=sys.stderr, flush=True)
    return solved


def random_opening(numbers):
    position = START
    for _ in range(RANDOM_PLIES):
        choice = moves(position)
        position = play(position, numbers.choice(choice) if choice else None)
    return position


def self_play(program, openings, empties, *options):
    """Plays all games at once, ply by ply, and returns the positions with this number of empty squares and a choice
    of moves."""
    games, reached = list(dict.fromkeys(openings)), []
    while games:
        rows = analyze(program, games, "--depth", str(DEPTH), *options)
        games = [play(game, square_of(row["best_move"])) for game, row in zip(games, rows) if row["best_move"]]
        reached += [game for game in games if game.count("-") == empties and len(moves(game)) > 1]
        games = [game for game in games if game.count("-") > empties]
    return list(dict.fromkeys(reached))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("empties", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("candidates", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="number of threads; does not affect the result")
    parser.add_argument("--program", default=PROGRAM, help="default: %(default)s")
    options = parser.parse_args()
    program, numbers = options.program, random.Random(options.seed)

    # Moves and nodes are reproducible only if every search starts with empty tables. Clearing large tables would take
    # too long.
    repeatable = ["--deterministic", "--threads", str(options.jobs), "--hash"]
    candidates = []
    while len(candidates) < options.candidates:
        openings = [random_opening(numbers) for _ in range(options.candidates - len(candidates))]
        candidates = list(dict.fromkeys(candidates + self_play(program, openings, options.empties, *repeatable, "1")))
        print(f"{len(candidates)} of {options.candidates} candidates", file=sys.stderr, flush=True)
    solved = dict(zip(candidates, solve(program, candidates, "candidates", *repeatable, "64")))
    close = [position for position in candidates if abs(solved[position][0]) <= LOPSIDED]
    kept = sorted(close, key=lambda position: -solved[position][1])[: options.count]

    after = [(position, square) for position in kept for square in moves(position)]
    # Exact scores do not depend on the tables, so these searches may share them.
    shared = ["--threads", str(options.jobs), "--hash", "1024"]
    scores = {}
    replies = [play(position, square) for position, square in after]
    for (position, square), (score, _) in zip(after, solve(program, replies, "moves", *shared)):
        scores.setdefault(position, []).append((-score, square))

    command = f"scripts/data/hard-positions.py {options.empties} {options.count} {options.candidates} --seed {options.seed}"
    print(
        f"% {len(kept)} hard positions with {options.empties} empty squares, hardest first, from morello's own games"
        " and solver:"
    )
    print(f"%   {command}")
    print(
        f"% Of {len(candidates)} positions with {options.empties} empty squares, from games of {RANDOM_PLIES} random"
        f" plies and then searches at depth {DEPTH},"
    )
    print(
        f"% {len(close)} have a score of at most {LOPSIDED} discs; these are the ones that took the solver the most"
        " nodes."
    )
    print(
        "% Scores are exact disc differences for the side to move, the empty squares counted for the winner; every"
        " legal move has its score."
    )
    print("% Each move was solved separately, and the best score agrees with a solve of the position.")
    for position in kept:
        best_first = sorted(scores[position], key=lambda pair: (-pair[0], pair[1]))
        if best_first[0][0] != solved[position][0]:
            sys.exit(f"{position}: the score is {solved[position][0]}, but that of the best move is {best_first[0][0]}")
        print(f"{position};", " ".join(f"{name(square)}:{score:+};" for score, square in best_first))


if __name__ == "__main__":
    main()
