#!/usr/bin/env python3
"""Measures how many positions of good play the opening book knows, and how far its scores are from deeper searches.

Usage: scripts/data/book-coverage.py [--positions 200] [--plies 10] [--error 1] [--level 14] [--book FILE] [--seed 1]

Each position is reached by a random number of plies, 0 to --plies. Each ply is a random one of the moves that lose at
most --error discs against the best one, by a search of all moves at --level that does not use the book. A position
that is in the book with a search of depth d is searched again at level d + 2. MORELLO names the program (default:
target/release/morello).
"""

import argparse
import json
import os
import random
import subprocess

import othello

MORELLO = os.environ.get("MORELLO", "target/release/morello")
START = "---------------------------OX------XO--------------------------- X"


def rows_of(arguments, text=""):
    """Returns the rows of a command."""
    done = subprocess.run(
        [MORELLO, *arguments, "--format", "jsonl"], input=text, capture_output=True, text=True, check=False
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def good_moves(position, level, error):
    """Returns the squares of the moves that lose at most `error` discs."""
    [row] = rows_of(["analyze", "othello", "--level", str(level), "--all-moves"], position + "\n")
    scored = [scored.split(":") for scored in row["moves"].replace(" ", "").split(";") if scored]
    scores = {move: float(score.lstrip("~<>=")) for move, score in scored}
    return sorted(othello.square_of(move) for move, score in scores.items() if score >= max(scores.values()) - error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--plies", type=int, default=10)
    parser.add_argument("--error", type=float, default=1)
    parser.add_argument("--level", type=int, default=14)
    parser.add_argument("--book")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    drawn, good = random.Random(options.seed), {}
    known = near = 0
    errors = []
    for number in range(options.positions):
        position = START
        for _ in range(drawn.randint(0, options.plies)):
            if position not in good:
                good[position] = good_moves(position, options.level, options.error)
            position = othello.play(position, drawn.choice(good[position]))
        book = ["--book", options.book] if options.book else []
        rows = [row for row in rows_of(["book", "show", "othello", position, *book]) if row["move"] != "others"]
        if not rows:
            print(f"{position}: not in the book", flush=True)
            continue
        known += 1
        best = max(rows, key=lambda row: row["score"])
        [row] = rows_of(["analyze", "othello", "--level", str(best["depth"] + 2)], position + "\n")
        difference = best["score"] - row["score"]
        errors.append(difference)
        near += abs(difference) <= 1
        if abs(difference) > 1:
            print(
                f"{position}: {best['score']:+.0f} at depth {best['depth']}, but {row['score']:+.0f} at depth"
                f" {row['depth']}",
                flush=True,
            )
    mean = sum(map(abs, errors)) / max(1, len(errors))
    print(
        f"{options.positions} positions: {known} in the book, {near} of them within 1 disc; mean difference {mean:.2f}"
        " discs"
    )


if __name__ == "__main__":
    main()
