#!/usr/bin/env python3
"""Measures how far `--time` is exceeded while all cores are busy, and prints a table in Markdown.

Usage: scripts/test/time-limits.py [--program PROGRAM] [--positions COUNT] [--idle]

Starts one process for each core that computes without end, at the same priority, and analyzes positions of both
families of games with several limits. The time of a position is that in the column `time_ms`. With --idle, the cores
are left alone. Needs only the Python standard library, and takes about two minutes.
"""

import argparse
import json
import os
import subprocess
import sys

LIMITS_MS = [10, 50, 100, 500]
TARGET_MS = 20


# The moves of a game of each family: every position on the way is searched.
MOVES = {"othello": "f5d6c3d3c4f4c5b3c2e3", "nine-mens-morris-flying": "d2 f4 d6 b4 f2 b6 g4 f6 d5"}


def main() -> int:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/morello")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--idle", action="store_true")
    options = parser.parse_args()
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(0 if options.idle else os.cpu_count() or 1)
    ]
    missed = False
    try:
        print("| game | limit | searches | median | 99th percentile | most | over the limit by, 99th percentile |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for game, moves in MOVES.items():
            for limit in LIMITS_MS:
                games = min(options.positions, 20_000 // limit) // 10
                command = [
                    options.program,
                    "analyze",
                    game,
                    "--time",
                    f"{limit}ms",
                    "--threads",
                    "1",
                    "--format",
                    "jsonl",
                    "--no-database",
                ]
                run = subprocess.run(command, input=f"{moves}\n" * games, capture_output=True, text=True, check=True)
                times = sorted(json.loads(line)["time_ms"] for line in run.stdout.splitlines())
                high = times[min(len(times) - 1, int(0.99 * len(times)))]
                missed |= high > limit + TARGET_MS
                print(
                    f"| {game} | {limit} ms | {len(times)} | {times[len(times) // 2]:.1f} ms | {high:.1f} ms |"
                    f" {times[-1]:.1f} ms | {max(0.0, high - limit):.1f} ms |",
                    flush=True,
                )
    finally:
        for process in busy:
            process.kill()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
