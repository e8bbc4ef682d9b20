#!/usr/bin/env python3
"""Prints the page of data/results about complete endgame databases, and writes a table of the sectors of each game.

Usage: scripts/results-databases.py --dir DIR --builds FOLDER GAME ... > data/results/databases.md

With --verified FOLDER, the page also reports how the tables were checked: by `morello database verify GAME --every N --format csv`, with the
output in FOLDER/GAME.every-N.csv, and by a search from the start with only the tables of the last placings.

DIR is the folder of `morello database build --database DIR`, with all tables of each GAME; `scripts/solve-morris.sh` builds and verifies them. FOLDER
has the output of the build with `--format csv`, as GAME.csv. The wins, draws and losses of every sector are written to
data/results/databases/GAME.csv, and the SHA-256 checksums of the tables to GAME.sha256, for `sha256sum --check` in the folder of the game. Needs only
the Python standard library.
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
import textwrap

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
    file = FOLDER / f"{game}-verified.csv"
    if file.exists():
        found = rows(file.read_text())
        right = sum(row["result"] == "ok" for row in found)
        positions, minutes = sum(number(row["positions"]) for row in found), sum(float(row["time_s"]) for row in found) / 60
        print(f"* {game}: `morello database verify`: every value of {len(found)} tables, {positions:,} positions, in {minutes:.0f} minutes;")
        print(f"  {right} tables are correct.")
    for file in sorted(options.verified.glob(f"{game}.every-*.csv")):
        every = file.stem.rpartition("-")[2]
        found = rows(file.read_text())
        right = sum(row["result"] == "ok" for row in found)
        if every == "1":
            which, result = "every value", f"{right} tables are correct"
        else:
            which, result = f"the values of every {every}th block", "no value was wrong" if right == len(found) else f"{len(found) - right} tables are wrong"
        print(f"* {game}: `morello database verify --every {every}`: {which} of {len(found)} tables; {result}.")
    hands = sum(map(int, start.split()[0].split(",")))
    plies = min(8, hands // 2)
    outcome, nodes = search(options.program, options.dir, game, start, plies)
    print(f"* {game}: a search of {plies} plies from the start, with only the tables of at most {hands - plies} men in hand:")
    print(f"  {outcome}, {nodes:,} nodes.")


COLUMNS = """\
`databases/GAME.csv` has a row for each sector: all positions with given numbers of men. It is the output of `morello database stats`.

| column | meaning |
| --- | --- |
| `own`, `other` | the men on the board of the side to move and of the other side |
| `own_hand`, `other_hand` | their men in hand, still to be placed |
| `wins`, `draws`, `losses` | the positions that the side to move wins, draws and loses under best play of both sides; positions that a symmetry of the board maps to each other count once, and it has 16 symmetries, the exchange of the inner and the outer square among them |
| `longest_win`, `longest_loss` | the plies to the end of the game, captures included, from the position of the sector where the winner needs most; empty without such a position |
| `wins_drawn`, `losses_drawn` | only in Morabaraba, where a side has three cows and none is in hand: the wins and losses that the ten-move rule draws, such as 56,671 of the 6,035,701 wins of 6-3, whose tables are not listed here |

A ply is a move of one side, and a capture is part of the move that forms the mill. The game ends when a side has two men left or cannot move. All
arrangements of the men count, including those that no game reaches.

| file | content |
| --- | --- |
| `GAME.sha256` | the SHA-256 checksum of each table, for `sha256sum --check` |
| `GAME-verified.csv` | the verified tables: sector, number of table entries, result, time in seconds, checksum |
| `GAME-openings.csv` | the openings of four plies up to symmetry: `morello database openings` explains its columns |
| `GAME-starts.csv` | the values of starts with fewer men, from `morello database starts`; `GAME-starts-verified.csv` lists their verified tables |
| `published.csv` | published results, in the columns of `GAME.csv`; empty fields were not published |
"""

COMPARISON = """\
`scripts/compare-databases.py` compares every published number with `databases/GAME.csv`.
"""

SOURCES = """\
* eigenraum: [solving-nine-mens-morris](https://github.com/eigenraum/solving-nine-mens-morris), `RESULTS.md` of July 2026: all sectors without men in
  hand. It calls its depths plies to a conversion, but all of its maxima equal our plies to the end of the game.
* Gasser: R. Gasser, "Solving Nine Men's Morris", in Games of No Chance, MSRI Publications 29, 1996: the game is a draw, and the longest loss
  of 3-3 takes 26 plies. He counts 7,673,759,269 states in the moving phase, since he leaves out unreachable ones.
* Gevay & Danner: G. E. Gévay and G. Danner, "Calculating Ultra-Strong and Extended Solutions for Nine Men's Morris, Morabaraba, and Lasker
  Morris", IEEE Transactions on Computational Intelligence and AI in Games 8(3), 2016, arXiv 1408.0032: nine men's and Lasker's morris are draws, and
  the first player wins Morabaraba, where a full board is a draw in their rules.

All of them play with flying. We know of no published results of nine men's morris without it.
"""


def longest_win(options, game, sectors):
    """Prints a position with the longest win of a game and the first moves of best play."""
    row = max(sectors, key=lambda s: number(s["longest_win"]))
    name = f"{row['own']}-{row['other']}" + (f"+{row['own_hand']}-{row['other_hand']}" if number(row["own_hand"]) + number(row["other_hand"]) else "")
    command = ["database", "stats", game, "--sectors", name, "--example", "--database", options.dir, "--format", "csv"]
    position = rows(output(options.program, *command))[0]["example"]
    command = [options.program, "analyze", game, "--database", options.dir, "--exact", "--format", "jsonl"]
    run = subprocess.run(command, input=position, capture_output=True, text=True, check=True)
    moves = json.loads(run.stdout)["pv"].split()
    print(f"* {game}: {row['longest_win']} plies, sector {name}: `{position}`")
    print(textwrap.fill(" ".join(moves), 140, initial_indent="  ", subsequent_indent="  "))


def openings(game):
    """Prints what the list of the openings of a game says, if it exists."""
    file = FOLDER / f"{game}-openings.csv"
    found = rows(file.read_text()) if file.exists() else []
    if not found:
        return
    counts = {outcome: sum(row["outcome"] == outcome for row in found) for outcome in ("win", "draw", "loss")}
    plies = len(found[0]["opening"].split())
    single = sum(row["outcome"] != "loss" and row["keeping"] == "1" for row in found)
    hard = max((row for row in found if row["outcome"] != "loss"), key=lambda row: float(row["difficulty"]))
    print(f"* {game}: of {len(found):,} openings of {plies} plies, up to symmetry, the side to move wins {counts['win']:,}, draws {counts['draw']:,} and loses {counts['loss']:,};")
    print(f"  in {single:,} of them only one move keeps the win or the draw. The hardest is {hard['opening']}, a {hard['outcome']}, which only {hard['replies'].split()[0]} keeps.")


def starts(game):
    """Prints the known values of the starts of a game, if its list exists."""
    file = FOLDER / f"{game}-starts.csv"
    known = {}
    for row in rows(file.read_text()) if file.exists() else []:
        if row["outcome"]:
            known[int(row["first"]), int(row["second"])] = row["outcome"] + (f" in {row['plies']}" if row["plies"] else "")
    seconds = sorted({second for _, second in known})
    head = [f"{game}: first", *(f"second {men}" for men in seconds)]
    cells = [[f"{first}", *(known.get((first, second), "-") for second in seconds)] for first in sorted({first for first, _ in known})]
    if len(known) > 1:
        print(table(head, cells, set(head[1:])), end="\n\n")
    file = FOLDER / f"{game}-starts-verified.csv"
    if file.exists():
        verified = rows(file.read_text())
        print(f"`morello database verify {game}`: every value of {len(verified)} tables with {sum(number(row['positions']) for row in verified):,} positions.\n")


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
    print("All positions of the sectors that lead on from the start, solved: win, draw or loss and the number of plies to the end. Wins, draws and losses")
    print("are for the side to move; symmetric positions are counted once. The numbers of each sector are in")
    print("`databases/GAME.csv`. Written by `scripts/results-databases.py`; all numbers are generated.\n")
    print(f"* Machine: {machine()}; not idle during the whole run")
    print(f"* Program: {described}")
    print(f"* Date: {datetime.date.today().isoformat()}")
    print("* Command: `morello database build GAME --all --format csv`\n")
    head = ["game", "value of the start", "sectors", "slots", "GB", "minutes", "M slots/s", "GiB of memory", "longest win, plies"]
    print(table(head, summary, WORDS))
    print("\nThe guide has the sizes of the games that are not solved yet: `src/guide/databases.md`.")
    if options.verified:
        print("\n## How they were checked\n")
        for game in options.games:
            hands = max(number(s["own_hand"]) for s in rows((FOLDER / f"{game}.csv").read_text()))
            checks(options, game, f"{hands},{hands} - - W")
    print("\n## What the files mean\n")
    print(COLUMNS)
    print("## Published results\n")
    print(COMPARISON)
    print(output(sys.executable, ROOT / "scripts/compare-databases.py", "--markdown"))
    print(f"\n{SOURCES}")
    print("## The longest wins\n")
    print("The first position of the table with the longest win, and best play of both sides: the winner takes the shortest way, the loser the")
    print("longest.\n")
    for game in options.games:
        longest_win(options, game, rows((FOLDER / f"{game}.csv").read_text()))
    print("\n## Starts with fewer men\n")
    print("The value for the first player, in plies, by the men of the first and the second player. A side that has placed its men moves them. Starts")
    print("with a dash or without a row are not computed yet: `morello database starts GAME --plan` has the sizes.\n")
    for game in options.games:
        starts(game)
    print("## Openings\n")
    print("`databases/GAME-openings.csv` has all of them, with the hardest replies: `morello database openings`.\n")
    for game in options.games:
        openings(game)
    print()
    print("## By the men in hand of both sides\n")
    print(table(["game", "phase", "sectors", "wins", "draws", "losses", "longest win"], phases, WORDS))


if __name__ == "__main__":
    main()
