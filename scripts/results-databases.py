#!/usr/bin/env python3
"""Prints the page of data/results about complete endgame databases, and writes a table of the sectors of each game.

Usage: scripts/results-databases.py --dir DIR --builds FOLDER GAME ... > data/results/databases.md

With --verified FOLDER, the page also reports how the tables were checked: by `morello database verify GAME --every N --format csv`, with the
output in FOLDER/GAME.every-N.csv, and by a search from the start with only the tables of the last placings.

DIR is the folder of `morello database build --dir DIR`, with all tables of each GAME. FOLDER has the output of that command with
`--format csv`, as GAME.csv. The wins, draws and losses of every sector are written to data/results/databases/GAME.csv, and the SHA-256 checksums of
the tables to GAME.sha256, for `sha256sum --check` in the folder of the game. Needs only the Python standard library.
"""

import argparse
import csv
import datetime
import io
import json
import pathlib
import subprocess
import sys
import tempfile

from page import ROOT, add_program, machine, output, table, version

FOLDER = ROOT / "data/results/databases"
WORDS = {"game", "phase", "value of the start"}


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def number(text):
    return int(text) if text else 0


def value(row):
    """Returns the result of a sector with one position, in words."""
    for result, plies in (("wins", row["longest_win"]), ("losses", row["longest_loss"]), ("draws", "")):
        if number(row[result]):
            what = {"wins": "win of the first player", "losses": "win of the second player", "draws": "draw"}[result]
            return f"{what} in {plies} plies" if plies else what
    sys.exit("the sector of the start has no position")


def in_hand(name):
    """Returns the number of men in hand in a sector, given the name of its file."""
    return sum(map(int, name.partition("+")[2].split("-"))) if "+" in name else 0


def file_name(row):
    """Returns the name of the file of a table."""
    return f"{row['sector']}.{'captures' if row['counted_to'] == 'capture' else 'table'}"


def search(program, folder, game, start, plies):
    """Searches `plies` plies from the start with only the tables beyond them; returns the result and the nodes."""
    hands = sum(map(int, start.split()[0].split(",")))
    with tempfile.TemporaryDirectory() as partial:
        tables = pathlib.Path(partial, game)
        tables.mkdir()
        for table in pathlib.Path(folder, game).glob("*.table"):
            if in_hand(table.stem) <= hands - plies:
                (tables / table.name).symlink_to(table.resolve())
        command = [program, "analyze", game, "--database", partial, "--exact", "--depth", str(plies), "--format", "jsonl"]
        run = subprocess.run(command, input=start, capture_output=True, text=True, check=True)
    row = json.loads(run.stdout)
    return row["outcome"] if row["exact"] else "nothing proved", row["nodes"]


def checks(options, game, start):
    """Prints how the tables of a game were checked."""
    for file in sorted(options.verified.glob(f"{game}.every-*.csv")):
        every = file.stem.rpartition("-")[2]
        found = rows(file.read_text())
        right = sum(row["result"] == "ok" for row in found)
        which = "every value" if every == "1" else f"the values of every {every}th block"
        print(f"* {game}: `morello database verify --every {every}`: {which} of {len(found)} tables; {right} tables are correct.")
    hands = sum(map(int, start.split()[0].split(",")))
    plies = min(8, hands // 2)
    outcome, nodes = search(options.program, options.dir, game, start, plies)
    print(f"* {game}: a search of {plies} plies from the start, with only the tables of at most {hands - plies} men in hand:")
    print(f"  {outcome}, {nodes:,} nodes.")


def phase(hands):
    return "moving" if hands == 0 else f"placing, {hands} in hand"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", metavar="GAME", nargs="+")
    parser.add_argument("--dir", required=True, help="the folder of the databases")
    parser.add_argument("--builds", required=True, type=pathlib.Path, help="the folder with the output of the builds")
    parser.add_argument("--verified", type=pathlib.Path, help="the folder with the output of the verifications")
    add_program(parser)
    options = parser.parse_args()
    described = version(options.program, options.revision)
    FOLDER.mkdir(exist_ok=True)

    summary, phases = [], []
    for game in options.games:
        stats = output(options.program, "database", "stats", game, "--dir", options.dir, "--format", "csv")
        (FOLDER / f"{game}.csv").write_text(stats + "\n")
        info = output(options.program, "database", "info", game, "--sha256", "--dir", options.dir, "--format", "csv")
        sums = "".join(f"{row['sha256']}  {file_name(row)}\n" for row in rows(info))
        (FOLDER / f"{game}.sha256").write_text(sums)
        sectors = rows(stats)
        built = rows((options.builds / f"{game}.csv").read_text())
        start = [s for s in sectors if number(s["own"]) + number(s["other"]) == 0]
        total = {name: sum(number(unit[name]) for unit in built) for name in ("positions", "bytes")}
        seconds = sum(float(unit["time_s"]) for unit in built)
        longest = max((number(s["longest_win"]), f"{s['own']}-{s['other']}", number(s["own_hand"])) for s in sectors)
        summary.append([
            game,
            value(start[0]) if start else "not reached",
            f"{len(sectors)}",
            f"{total['positions']:,}",
            f"{total['bytes'] / 1e9:.3f}",
            f"{seconds / 60:.1f}",
            f"{total['positions'] / seconds / 1e6:.1f}",
            f"{max(number(unit['memory_bytes']) for unit in built) / 2**30:.2f}",
            f"{longest[0]} ({longest[1]}{' with men in hand' if longest[2] else ''})",
        ])
        for hands in sorted({number(s["own_hand"]) + number(s["other_hand"]) for s in sectors}):
            of = [s for s in sectors if number(s["own_hand"]) + number(s["other_hand"]) == hands]
            sums = {name: sum(number(s[name]) for s in of) for name in ("wins", "draws", "losses")}
            longest = max(number(s["longest_win"]) for s in of)
            phases.append([game, phase(hands), len(of), *(f"{sums[n]:,}" for n in sums), longest or "-"])

    print("# Complete endgame databases\n")
    print("All positions reachable from the start, solved: win, draw or loss and the number of plies to the end. Wins, draws and losses")
    print("are for the side to move; symmetric positions are counted once. The numbers of each sector are in")
    print("`databases/GAME.csv`. Written by `scripts/results-databases.py`; all numbers are generated.\n")
    print(f"* Machine: {machine()}; not idle during the whole run")
    print(f"* Program: {described}")
    print(f"* Date: {datetime.date.today().isoformat()}")
    print("* Command: `morello database build GAME --all --format csv`\n")
    head = ["game", "value of the start", "sectors", "slots", "GB", "minutes", "M slots/s", "GiB of memory", "longest win, plies"]
    print(table(head, summary, WORDS))
    if options.verified:
        print("\n## How they were checked\n")
        for game in options.games:
            hands = max(number(s["own_hand"]) for s in rows((FOLDER / f"{game}.csv").read_text()))
            checks(options, game, f"{hands},{hands} - - W")
    print("\n## By the men in hand of both sides\n")
    print(table(["game", "phase", "sectors", "wins", "draws", "losses", "longest win"], phases, WORDS))


if __name__ == "__main__":
    main()
