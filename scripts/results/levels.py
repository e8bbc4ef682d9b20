#!/usr/bin/env python3
"""Plays each named level against the next weaker one, the strongest against level 1, and prints their page.

Usage: scripts/results/levels.py [--games N] [--threads N] [--program PATH] > data/results/levels.md
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys

from page import add_program, machine, table, version

LEVELS = [
    "novice", "newcomer", "beginner", "learner", "casual", "hobbyist",
    "amateur", "improver", "skilled", "club", "strong", "expert", "1",
]  # fmt: skip
GAMES = ["othello", "nine-mens-morris", "nine-mens-morris-flying", "morabaraba", "six-mens-morris"]


def score(arguments, game, weaker, stronger):
    """Plays a match; returns the score of the stronger level in percent."""
    engines = [f"level={stronger}", f"level={weaker}"]
    command = [arguments.program.resolve(), "selfplay", game, *(word for one in engines for word in ("--engine", one))]
    command += ["--games", str(arguments.games), "--seed", "7", "--threads", str(arguments.threads), "--format", "jsonl"]
    result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return f"{result['score'] * 100:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games of each match (default: 1000)")
    parser.add_argument("--threads", type=int, default=2, help="games at a time (default: 2)")
    add_program(parser)
    arguments = parser.parse_args()
    rows = []
    for weaker, stronger in zip(LEVELS, LEVELS[1:]):
        print(f"{stronger} against {weaker}", file=sys.stderr)
        scores = [score(arguments, game, weaker, stronger) for game in GAMES]
        rows.append([f"{stronger} against {weaker}", *scores])
    print(f"""# Named levels against each other

This page has the score of each named level against the next weaker one, in percent, over {arguments.games:,} games. \
Each random balanced opening is
played twice with the colors swapped. The standard error is about {50 / arguments.games**0.5:.1f}. A difference of \
100 Elo is a score of 64 %.
`scripts/results/levels.py` writes this page; all numbers are generated.

* Machine: {machine()}
* Program: {version(arguments.program, arguments.revision)}
* Date: {datetime.date.today()}

{table(["level", *GAMES], rows, {"level"})}""")


if __name__ == "__main__":
    main()
