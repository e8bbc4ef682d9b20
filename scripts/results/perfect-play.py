#!/usr/bin/env python3
"""Counts the moves that throw a result away in games of the program against itself, and prints their page.

Usage: scripts/results/perfect-play.py --database DIR --logs DIR [GAME ...] > data/results/perfect-play.md

--database is the directory of the complete endgame databases of the games (`morello database build --all-sectors`), by
which the moves are judged. The players do not use it. --logs keeps the games: the same command continues an
interrupted run.
"""

import argparse
import collections
import datetime
import json
import pathlib
import subprocess
import sys

from page import add_program, machine, table, version

GAMES = ["nine-mens-morris-flying", "nine-mens-morris", "seven-mens-morris", "six-mens-morris"]
KINDS = {("win", "draw"): "win to draw", ("win", "loss"): "win to loss", ("draw", "loss"): "draw to loss"}
OUTCOME = {1.0: "win", 0.0: "draw", -1.0: "loss"}


def play(arguments, game):
    """Plays the games that are missing in the log, and returns it."""
    log = arguments.logs / f"{game}.jsonl"
    command = [arguments.program.resolve(), "selfplay", game, "--games", arguments.games, "--seed", 1]
    engines = [f"time={arguments.time},no-database", f"name=b,time={arguments.time},no-database"]
    command += [word for engine in engines for word in ("--engine", engine)]
    command += ["--threads", arguments.threads, "--log", log, *(["--resume"] if log.exists() else [])]
    subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, check=True)
    return log


def moves(arguments, game, log):
    """Yields for each move after the opening its phase, and its kind of error or `None`."""
    command = [arguments.program.resolve(), "analyze", game, log, "--database", arguments.database, "--exact"]
    rows = subprocess.run([*command, "--format", "jsonl", "--summary", "/dev/null", "--force"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout  # fmt: skip
    for line in rows.splitlines():
        row = json.loads(line)
        if row["error"] or row["loss"] is None or row["ply"] <= len(row["opening_moves"].split()):
            continue
        if row["source"] != "table":
            sys.exit(f"{arguments.database}: the tables of {game} are incomplete: {row['position']} is not in them")
        hands, *men = row["position"].split()[:3]
        side = 0 if row["side"] == "black" else 1
        placing = hands.split(",")[side] != "0"
        flying = not placing and men[side].count(",") == 2 and "flying" in game
        phase = "placing" if placing else "flying" if flying else "moving"
        loss, best = row["loss"], row["score"]
        yield phase, KINDS.get((OUTCOME[best], OUTCOME[best - loss])) if loss > 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", type=pathlib.Path, required=True, help="the directory of the databases")
    parser.add_argument("--logs", type=pathlib.Path, required=True, help="the directory of the logs of the games")
    parser.add_argument("--games", type=int, default=400, help="games of each match (default: 400)")
    parser.add_argument("--time", default="50ms", help="time limit per move (default: 50ms)")
    parser.add_argument("--threads", type=int, default=2, help="games at a time (default: 2)")
    parser.add_argument("game", nargs="*", help=f"games (default: {' '.join(GAMES)})")
    add_program(parser)
    arguments = parser.parse_args()
    arguments.logs.mkdir(parents=True, exist_ok=True)
    rows = []
    for game in arguments.game or GAMES:
        log = play(arguments, game)
        counts = collections.Counter(moves(arguments, game, log))
        for phase in ("placing", "moving", "flying"):
            total = sum(count for (found, _), count in counts.items() if found == phase)
            thrown = [counts[phase, kind] for kind in KINDS.values()]
            if total:
                share = [f"{1000 * sum(thrown) / arguments.games:.0f}", f"{1000 * sum(thrown) / total:.2f}"]
                rows.append([game, phase, f"{total:,}", *thrown, *share])
    head = ["game", "phase", "moves", *KINDS.values(), "in 1,000 games", "in 1,000 moves"]
    print(f"""# Moves that throw a result away

This page counts the moves after which the result under perfect play is worse than before, in games of the program \
against
itself without its endgame databases. Complete databases judge the moves.
`scripts/results/perfect-play.py` writes this page; all numbers are generated.

* Machine: {machine()}
* Program: {version(arguments.program, arguments.revision)}
* Date: {datetime.date.today()}
* Command: `morello selfplay GAME --engine time={arguments.time},no-database \
--engine name=b,time={arguments.time},no-database --games {arguments.games} --seed 1 --threads {arguments.threads}`
* Openings: the default ones of `selfplay`. Moves of the opening do not count

{table(head, rows, {"game", "phase"})}""")


if __name__ == "__main__":
    main()
