#!/usr/bin/env python3
"""Plays tournaments of the engine at several levels and time limits, and prints their page of data/results.

Usage: scripts/results/ladder.py --dir FOLDER [--threads COUNT] > data/results/ladder.md

FOLDER gets the logs of the games; run the same command again to resume after an interruption. Plots are written to
data/results/ladder/. The machine should be idle during the tournaments by time. Needs only the Python standard
library.
"""

import argparse
import datetime
import json
import pathlib
import shlex
import subprocess
import sys

from page import ROOT, add_program, machine, table, version

PLOTS = ROOT / "data/results/ladder"

# The name, the game, the setting, its values from weak to strong, and the games per pair.
LADDERS = [
    ("othello-levels", "othello", "level", ["1", "2", "3", "4", "6", "8", "10"], 40),
    ("nine-mens-morris-levels", "nine-mens-morris", "level", ["1", "2", "4", "6", "8", "10"], 40),
    ("nine-mens-morris-flying-levels", "nine-mens-morris-flying", "level", ["1", "2", "4", "6", "8", "10"], 40),
    ("morabaraba-levels", "morabaraba", "level", ["1", "2", "4", "6", "8"], 40),
    ("othello-time", "othello", "time", ["2ms", "4ms", "8ms", "16ms", "32ms"], 60),
    ("nine-mens-morris-time", "nine-mens-morris", "time", ["2ms", "4ms", "8ms", "16ms", "32ms"], 60),
    ("nine-mens-morris-flying-time", "nine-mens-morris-flying", "time", ["2ms", "4ms", "8ms", "16ms", "32ms"], 60),
]


def play(program, folder, threads, name, game, setting, values, games):
    """Plays a tournament; returns the command and the result."""
    count = games * len(values) * (len(values) - 1) // 2
    engines = [word for value in values for word in ("--engine", f"name={value},{setting}={value}")]
    arguments = ["selfplay", game, *engines, "--games", str(count), "--threads", str(threads)]
    log, plot = folder / f"{name}.jsonl", PLOTS / f"{name}.svg"
    command = [program.resolve(), *arguments, "--format", "jsonl", "--log", log, "--resume", "--plot", plot]
    print(f"{name}: {count} games", file=sys.stderr)
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return shlex.join(["morello", *arguments]), json.loads(result.stdout)


def signed(number, error=None):
    if number is None:
        return "-"
    return f"{number:+.0f}" + (f" ± {error:.0f}" if error is not None else "")


def ranks(result, setting):
    engines = sorted(result["engines"], key=lambda engine: -engine["rating"])
    rows = []
    for engine in engines:
        depth = "-" if engine["mean_depth"] is None else f"{engine['mean_depth']:.1f}"
        rows.append(
            [
                engine["name"],
                signed(engine["rating"], engine["rating_error"]),
                f"{engine['score'] * 100:.1f} %",
                engine["games"],
                depth,
                f"{engine['nodes_per_move']:,.0f}",
                f"{engine['time_per_move_ms']:.2f}",
                f"{engine['max_time_ms']:.1f}",
            ]
        )
    return table(
        [setting, "Elo", "score", "games", "depth", "nodes per move", "ms per move", "longest, ms"], rows, {setting}
    )


def steps(result, values, setting):
    """Formats the results of each engine against the next weaker one."""
    met = {(one["first"], one["second"]): one for one in result["encounters"]}
    has_discs = any(one["mean_discs"] is not None for one in met.values())
    rows = []
    for weaker, stronger in zip(values, values[1:]):
        one = met[weaker, stronger]
        elo = None if one["elo"] is None else -one["elo"]
        row = [
            f"{stronger} against {weaker}",
            f"{one['losses']} / {one['draws']} / {one['wins']}",
            f"{(1 - one['score']) * 100:.1f} %",
            signed(elo, one["elo_error"]),
        ]
        rows.append(row + ([f"{-one['mean_discs']:+.1f}"] if has_discs else []))
    head = [setting, "won / drawn / lost", "score", "Elo"] + (["discs"] if has_discs else [])
    return table(head, rows, {setting})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=pathlib.Path, required=True, help="folder for the logs")
    parser.add_argument("--threads", type=int, default=2, help="games at a time (default: 2)")
    add_program(parser)
    arguments = parser.parse_args()
    arguments.dir.mkdir(parents=True, exist_ok=True)
    PLOTS.mkdir(parents=True, exist_ok=True)
    print(f"""# The engine against itself

This page rates the engine against itself, by level and by time per move. In each tournament, every engine meets \
every other engine from the same
openings, and plays each opening twice with the colors swapped. Ratings are fitted to all results of a tournament, \
with mean 0; ± is half the 95 %
confidence interval, from the pairs of games. `scripts/results/ladder.py` writes this page; all numbers are generated.

* Machine: {machine()}
* Program: {version(arguments.program, arguments.revision)}
* Date: {datetime.date.today()}
* Games at a time: {arguments.threads}; each engine has one thread and 16 MiB of transposition tables
* Databases: none on disk; morello solves sectors with few men in memory
""")
    for name, game, setting, values, games in LADDERS:
        command, result = play(arguments.program, arguments.dir, arguments.threads, name, game, setting, values, games)
        by = "by level" if setting == "level" else "by time per move"
        print(f"## {game}, {by}\n\n```sh\n{command}\n```\n")
        reasons = ", ".join(f"{reason} {count}" for reason, count in result["end_reasons"].items())
        print(f"{result['games']} games, {result['distinct_games']} of them distinct; reasons of the end: {reasons}.\n")
        print(ranks(result, setting), end="\n\n")
        print(f"Each engine against the next weaker one{', which has half the time' if setting == 'time' else ''}:\n")
        print(steps(result, values, setting), end="\n\n")
        print(f"![ratings](ladder/{name}.svg)\n", flush=True)


if __name__ == "__main__":
    main()
