#!/usr/bin/env python3
"""Writes the built-in exercises of the mill games: src/analysis/data/exercises.jsonl.

Usage: scripts/data/exercises.py --database DIR > src/analysis/data/exercises.jsonl

    : > src/analysis/data/exercises.jsonl
    pip install .
    cargo build --release
    for game in nine-mens-morris-flying morabaraba lasker-morris five-mens-morris; do
        target/release/morello database build $game --max-men 10 --database DIR
    done
    target/release/morello database build seven-mens-morris --max-men 14 --database DIR
    target/release/morello database build nine-mens-morris --max-men 16 --database DIR
    scripts/data/exercises.py --database DIR > src/analysis/data/exercises.jsonl

The program must be built without the old exercises, since it would repeat them. For each game, difficulty and theme,
and for any theme, it writes the exercises of `morello practice endgames -o`, but one of several symmetric positions.

The difficulties depend on the weights of the game: after new weights, make the exercises again.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from morello import Position

GAMES = ["nine-mens-morris", "nine-mens-morris-flying", "morabaraba", "lasker-morris", "seven-mens-morris",
         "five-mens-morris"]
FLYING = {"nine-mens-morris-flying", "morabaraba", "lasker-morris"}
THEMES = [None, "double-mill", "zugzwang"]
DIFFICULTIES = ["easy", "medium", "hard"]
# The number of exercises without a theme and of each theme, for each difficulty.
PLAIN = 12
OF_THEME = 6
# Where one seed finds no exercise, others are tried.
ATTEMPTS = 3


def exercises(program, database, game, theme, difficulty):
    """Returns exercises as lines of text; none if the game has none of the theme and difficulty."""
    # Games with the same tables should not have the same exercises.
    seeds = [GAMES.index(game) + 1 + len(GAMES) * attempt for attempt in range(ATTEMPTS)]
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "exercises.jsonl"
            limit = OF_THEME if theme else PLAIN
            command = [program, "practice", "endgames", game, "--database", database, "--difficulty", difficulty,
                       "--limit", str(limit), "--seed", str(seed), "-o", path]
            if theme:
                command += ["--theme", theme]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if path.exists():
                return path.read_text().splitlines()
    print(result.stderr.strip(), file=sys.stderr)
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--database", required=True, metavar="DIR", help="directory of the tables")
    parser.add_argument("--program", default="target/release/morello", metavar="PROGRAM")
    arguments = parser.parse_args()
    seen = set()
    for game in GAMES:
        for theme in THEMES + ["flying"] * (game in FLYING):
            for difficulty in DIFFICULTIES:
                for line in exercises(arguments.program, arguments.database, game, theme, difficulty):
                    position = Position(json.loads(line)["start"], game=game).canonical()
                    if position not in seen:
                        seen.add(position)
                        print(line)


if __name__ == "__main__":
    main()
