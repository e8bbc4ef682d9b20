#!/usr/bin/env python3
"""Writes the page of data/results about complete endgame databases, and a table of the sectors of each game.

Usage: scripts/results/databases.py [--dir DIR --builds FOLDER GAME ...]

DIR is the folder of `morello database build --database DIR`, with all tables of each GAME, which
`scripts/data/solve-morris.sh` builds and verifies. FOLDER has the output of the build with `--format csv`, as
GAME.csv. The wins, draws and losses of every sector are written to data/results/databases/GAME.csv, the SHA-256
checksums of the tables to GAME.sha256, for `sha256sum --check` in the directory of the game, and what else the page
says about the game to runs.json.
The page, and results.csv with the values of all starts, are then written from the files in data/results/databases, for
all games that are in runs.json, and for games with GAME-starts.csv, of which only starts with fewer men are solved.

The page also reports how the tables were checked: from GAME-verified.csv there (`morello database verify GAME
--verified FILE`), with --sampled FOLDER from `morello database verify GAME --every N --format csv` in
FOLDER/GAME.every-N.csv, and by a search from the start with only the tables of the last placings. Needs only the
Python standard library.
"""

import argparse
import contextlib
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

PAGE = ROOT / "data/results/databases.md"
FOLDER = ROOT / "data/results/databases"
RUNS = FOLDER / "runs.json"
RESULTS = FOLDER / "results.csv"
PLURALS = {"win": "wins", "draw": "draws", "loss": "losses"}
WORDS = {"game", "phase", "value of the start", "date", "program"}


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def number(text):
    return int(text) if text else 0


def outcome(row):
    """Returns the result of a sector with one position, for the side to move, and the plies of a win or a loss."""
    for name, column in PLURALS.items():
        if number(row[column]):
            return name, row.get(f"longest_{name}") or ""
    sys.exit("the sector of the start has no position")


def value(row):
    """Returns the result of a sector with one position, in words."""
    name, plies = outcome(row)
    what = {"win": "win of the first player", "loss": "win of the second player", "draw": "draw"}[name]
    return f"{what} in {plies} plies" if plies else what


def in_hand(name):
    """Returns the number of men in hand in a sector, given the name of its file."""
    return sum(map(int, name.partition("+")[2].split("-"))) if "+" in name else 0


def file_name(row):
    """Returns the name of the file of a table."""
    return f"{row['sector']}.{'captures' if row['counted_to'] == 'capture' else 'table'}"


def sector_name(row):
    """Returns the name of a sector."""
    hands = f"+{row['own_hand']}-{row['other_hand']}" if number(row["own_hand"]) + number(row["other_hand"]) else ""
    return f"{row['own']}-{row['other']}{hands}"


def analyzed(program, game, position, *options):
    """Returns the row of `morello analyze` for a position."""
    command = [program, "analyze", game, *options, "--exact", "--format", "jsonl"]
    return json.loads(subprocess.run(command, input=position, capture_output=True, text=True, check=True).stdout)


def search(options, game, hands):
    """Searches some plies from the start with only the tables beyond them."""
    plies = min(8, hands)
    with tempfile.TemporaryDirectory() as partial:
        tables = pathlib.Path(partial, game)
        tables.mkdir()
        for file in pathlib.Path(options.dir, game).glob("*.table"):
            if in_hand(file.stem) <= 2 * hands - plies:
                (tables / file.name).symlink_to(file.resolve())
        row = analyzed(options.program, game, f"{hands},{hands} - - W", "--database", partial, "--depth", str(plies))
    return {
        "plies": plies,
        "hands": 2 * hands - plies,
        "outcome": row["outcome"] if row["exact"] else "nothing proved",
        "nodes": row["nodes"],
    }


def longest_win(options, game, sectors):
    """Returns a position with the longest win of a game, and the moves of best play."""
    row = max(sectors, key=lambda s: number(s["longest_win"]))
    name = sector_name(row)
    stats = output(
        options.program,
        "database",
        "stats",
        game,
        "--sectors",
        name,
        "--example",
        "--database",
        options.dir,
        "--format",
        "csv",
    )
    position = rows(stats)[0]["example"]
    pv = analyzed(options.program, game, position, "--database", options.dir)["pv"]
    return {"plies": number(row["longest_win"]), "sector": name, "position": position, "moves": pv}


def sampled(options, game):
    """Returns the results of the verifications of samples."""
    found = {}
    for file in sorted(options.sampled.glob(f"{game}.every-*.csv")) if options.sampled else []:
        checked = rows(file.read_text())
        found[file.stem.rpartition("-")[2]] = {
            "tables": len(checked),
            "wrong": sum(row["result"] != "ok" for row in checked),
        }
    return found


def measure(options, game):
    """Writes the files of a game, and returns what the page says beside them."""
    stats = output(options.program, "database", "stats", game, "--database", options.dir, "--format", "csv")
    (FOLDER / f"{game}.csv").write_text(stats + "\n")
    info = output(options.program, "database", "info", game, "--sha256", "--database", options.dir, "--format", "csv")
    (FOLDER / f"{game}.sha256").write_text("".join(f"{row['sha256']}  {file_name(row)}\n" for row in rows(info)))
    sectors, built = rows(stats), rows((options.builds / f"{game}.csv").read_text())
    return {
        "program": options.described,
        "date": datetime.date.today().isoformat(),
        "slots": sum(number(row["positions"]) for row in rows(info) if row["counted_to"] == "end"),
        "built": sum(number(unit["positions"]) for unit in built),
        "gb": round(sum(number(row["bytes"]) for row in rows(info)) / 1e9, 3),
        "minutes": round(sum(float(unit["time_s"]) for unit in built) / 60, 1),
        "memory_gib": round(max(number(unit["memory_bytes"]) for unit in built) / 2**30, 2),
        "remark": options.remark,
        "sampled": sampled(options, game),
        "search": search(options, game, max(number(s["own_hand"]) for s in sectors)),
        "longest": longest_win(options, game, sectors),
    }


def checks(game, run):
    """Prints how the tables of a game were checked."""
    file = FOLDER / f"{game}-verified.csv"
    if file.exists():
        found, tables = rows(file.read_text()), len((FOLDER / f"{game}.sha256").read_text().splitlines())
        positions, minutes = (
            sum(number(row["positions"]) for row in found),
            sum(float(row["time_s"]) for row in found) / 60,
        )
        right = sum(row["result"] == "ok" for row in found)
        of = "" if len(found) == tables else f" of {tables}"
        print(
            f"* {game}: `morello database verify`: every value of {len(found)}{of} tables, {positions:,} positions, in"
            f" {f'{minutes:.0f} minutes' if minutes >= 1 else 'less than a minute'}"
        )
        print(
            f"  {run['remark']}; {right} tables are correct."
            if run["remark"]
            else f"  on two cores; {right} tables are correct."
        )
    for every, found in run["sampled"].items():
        which = "every value" if every == "1" else f"the values of every {every}th block, the first included,"
        result = f"{found['wrong']} tables are wrong" if found["wrong"] else "no value was wrong"
        print(f"* {game}: `morello database verify --every {every}`: {which} of {found['tables']} tables; {result}.")
    searched = run["search"]
    print(
        f"* {game}: a search of {searched['plies']} plies from the start, with only the tables of at most"
        f" {searched['hands']} men in hand:"
    )
    print(f"  {searched['outcome']}, {searched['nodes']:,} nodes.")


def verified(game):
    """Returns the sectors of the tables of which every value was verified."""
    files = [FOLDER / f"{game}-verified.csv", FOLDER / f"{game}-starts-verified.csv"]
    found = [row for file in files if file.exists() for row in rows(file.read_text())]
    return {row["sector"] for row in found if row["result"] == "ok"}


def games(runs):
    """Returns the solved games, then the games with solved starts of fewer men only."""
    files = sorted(FOLDER.glob("*-starts.csv"))
    return list(dict.fromkeys([*runs, *(file.name.removesuffix("-starts.csv") for file in files)]))


def results(runs, sectors):
    """Returns the values of all starts for the first player, a row each."""
    published = rows((FOLDER / "published.csv").read_text())
    found = []
    for game in games(runs):
        run = runs.get(game)
        file = FOLDER / f"{game}-starts.csv"
        values = {
            (number(row["first"]), number(row["second"])): (row["outcome"], row["plies"])
            for row in (rows(file.read_text()) if file.exists() else [])
            if row["outcome"]
        }
        full = None
        if run:
            tables = {sector_name(row) for row in sectors[game]}
            sampled = run["sampled"].get("1", {})
            is_verified = tables <= verified(game) or (sampled.get("wrong") == 0 and sampled["tables"] == len(tables))
            start = next(row for row in sectors[game] if number(row["own"]) + number(row["other"]) == 0)
            full = number(start["own_hand"]), number(start["other_hand"])
            values.setdefault(full, outcome(start))
        for (first, second), (result, plies) in sorted(values.items()):
            sources = [
                row["source"]
                for row in published
                if row["game"] == game and sector_name(row) == f"0-0+{first}-{second}"
            ]
            # The tables behind the starts with fewer men were verified together.
            is_known = is_verified if (first, second) == full else f"0-0+{first}-{second}" in verified(game)
            found.append([game, first, second, result, plies, "all" if is_known else "part", "; ".join(sources)])
    return found


NOVELTY = """\
`databases/results.csv` has the value of the start of each game and of starts with fewer men. Its column `published` \
names the publications that
we compared. An empty field does not mean that there are none: the value of three men's morris has long been known, \
and Gévay and Danner solved
starts of nine men's morris with flying with fewer men, which we have not compared. We have found no publication of \
the games without flying on the
board of 24 points, nor of the protected rules.

To cite a value, name the file that contains it and its revision in the repository, and the program by `CITATION.cff`.

## Builds

A sector contains all positions with given numbers of men, and is one table. A slot is an entry of a table; a \
position with symmetrically placed men
may have several slots.
"""

COLUMNS = """\
`databases/GAME.csv` has a row for each sector: all positions with given numbers of men. It is the output of `morello \
database stats`.

| column | meaning |
| --- | --- |
| `own`, `other` | the men on the board, of the side to move and of the opponent |
| `own_hand`, `other_hand` | their men in hand, still to be placed |
| `wins`, `draws`, `losses` | the positions that the side to move wins, draws and loses under best play of both \
sides; symmetric positions count once. Most boards have 16 symmetries, including the exchange of the inner and the \
outer square |
| `longest_win`, `longest_loss` | the plies to the end of the game, captures included, from the position of the \
sector where the winner needs most; empty without such a position |
| `wins_drawn`, `losses_drawn` | only in Morabaraba, where a side has three cows and none is in hand: the wins and \
losses that the ten-move rule draws |

A ply is a move of one side, and a capture is part of the move that forms the mill. The game ends when a side has two \
men left or cannot move. All
arrangements of the men count, including arrangements that no game reaches.

| file | content |
| --- | --- |
| `results.csv` | the value of each solved start: the men of the first and the second player, the outcome for the \
first player, the plies to the end, whether every value (`all`) or only some values (`part`) of the tables behind it \
were verified, \
and publications of the same value |
| `GAME.sha256` | the SHA-256 checksum of each table, for `sha256sum --check` |
| `GAME-verified.csv` | the verified tables: sector, number of table entries, result, time in seconds, checksum |
| `GAME-openings.csv` | the openings of four plies up to symmetry; `morello database openings --help` explains its \
columns |
| `GAME-starts.csv` | the values of starts with fewer men, from `morello database starts`; \
`GAME-starts-verified.csv` lists their verified tables |
| `runs.json` | what this page says about the builds, and the longest wins |
| `published.csv` | published results, in the columns of `GAME.csv`; empty fields were not published |
"""

COMPARISON = """\
`scripts/data/compare-databases.py` compares every published number with `databases/GAME.csv`.
"""

SOURCES = """\
* eigenraum: [solving-nine-mens-morris](https://github.com/eigenraum/solving-nine-mens-morris), `RESULTS.md` of July \
2026: all sectors without men
  in hand. It says that it counts plies to a conversion, but all of its maxima equal our plies to the end of the game.
* Gasser: R. Gasser, "Solving Nine Men's Morris", in Games of No Chance, MSRI Publications 29, 1996: the game is a \
draw, and the longest loss of 3-3
  takes 26 plies. He counts 7,673,759,269 states in the moving phase, because he omits unreachable ones.
* Gevay & Danner: G. E. Gévay and G. Danner, "Calculating Ultra-Strong and Extended Solutions for Nine Men's Morris, \
Morabaraba, and Lasker Morris",
  IEEE Transactions on Computational Intelligence and AI in Games 8(3), 2016, arXiv 1408.0032: nine men's and \
Lasker's morris are draws, and the first
  player wins Morabaraba in 49 plies. In their rules of Morabaraba, a full board is a draw.
* De Clercq: D. De Clercq, [5-6-7 Men's Morris](http://puzzles.net23.net/6mm.htm): five and six men's morris are \
draws, and the first player wins
  seven men's morris in 25 moves.

All but the last play with flying. We know of no published results of nine men's morris without it.
"""


def longest(game, run):
    """Prints the longest win of a game."""
    found = run["longest"]
    print(f"* {game}: {found['plies']} plies, sector {found['sector']}: `{found['position']}`")
    print(textwrap.fill(found["moves"], 140, initial_indent="  ", subsequent_indent="  "))


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
    print(
        f"* {game}: of {len(found):,} openings of {plies} plies, up to symmetry, the side to move wins"
        f" {counts['win']:,}, draws {counts['draw']:,} and loses {counts['loss']:,};"
    )
    print(
        f"  in {single:,} of them only one move keeps the win or the draw. The hardest is {hard['opening']}, a"
        f" {hard['outcome']}, which only {hard['replies'].split()[0]} keeps."
    )


def starts(game):
    """Prints the known values of the starts of a game, if its list exists."""
    file = FOLDER / f"{game}-starts.csv"
    known = {}
    for row in rows(file.read_text()) if file.exists() else []:
        if row["outcome"]:
            known[int(row["first"]), int(row["second"])] = row["outcome"] + (
                f" in {row['plies']}" if row["plies"] else ""
            )
    seconds = sorted({second for _, second in known})
    head = [f"{game}: first", *(f"second {men}" for men in seconds)]
    cells = [
        [f"{first}", *(known.get((first, second), "-") for second in seconds)]
        for first in sorted({first for first, _ in known})
    ]
    if len(known) > 1:
        print(table(head, cells, set(head[1:])), end="\n\n")
    file = FOLDER / f"{game}-starts-verified.csv"
    if file.exists():
        verified = rows(file.read_text())
        print(
            f"`morello database verify {game}`: every value of {len(verified)} tables with"
            f" {sum(number(row['positions']) for row in verified):,} positions.\n"
        )


def rule_draws(game, sectors):
    """Prints how many results the ten-move rule draws, in games that have it."""
    limited = [s for s in sectors if s.get("wins_drawn")]
    if limited:
        drawn, wins = (sum(number(s[name]) for s in limited) for name in ("wins_drawn", "wins"))
        drawn_losses, losses = (sum(number(s[name]) for s in limited) for name in ("losses_drawn", "losses"))
        print(
            f"The ten-move rule of {game} draws {drawn:,} of the {wins:,} wins and {drawn_losses:,} of the {losses:,}"
            " losses where a side has"
        )
        print("three cows and none is in hand.\n")


def phases(game, sectors):
    """Returns the rows of the numbers of men in hand."""
    found = []
    for hands in sorted({number(s["own_hand"]) + number(s["other_hand"]) for s in sectors}):
        of = [s for s in sectors if number(s["own_hand"]) + number(s["other_hand"]) == hands]
        sums = [sum(number(s[name]) for s in of) for name in ("wins", "draws", "losses")]
        plies = max(number(s["longest_win"]) for s in of)
        found.append(
            [
                game,
                f"placing, {hands} in hand" if hands else "moving",
                len(of),
                *(f"{count:,}" for count in sums),
                plies or "-",
            ]
        )
    return found


def summary(game, run, sectors):
    """Returns the row of a game in the first table."""
    start = [s for s in sectors if number(s["own"]) + number(s["other"]) == 0]
    row = max(sectors, key=lambda s: number(s["longest_win"]))
    hand = " with men in hand" if number(row["own_hand"]) else ""
    seconds = 60 * run["minutes"]
    return [
        game,
        value(start[0]) if start else "not reached",
        len(sectors),
        f"{run['slots']:,}",
        f"{run['gb']:.3f}",
        run["minutes"],
        f"{run.get('built', run['slots']) / seconds / 1e6:.1f}" if seconds else "-",
        f"{run['memory_gib']:.2f}",
        f"{row['longest_win']} ({row['own']}-{row['other']}{hand})",
        run["date"],
        run["program"],
    ]


def page(runs, sectors):
    """Prints the page."""
    print("# Complete endgame databases\n")
    print(
        "We solved these games completely. Their tables have the value of every position: win, draw or loss, and the"
        " number of plies to the end."
    )
    print(
        "Wins, draws and losses are for the side to move; symmetric positions count once."
        " `scripts/results/databases.py` writes this page from the files"
    )
    print("in `databases`.\n")
    print(f"* Machine: {machine()}, or one like it; not idle during all of the runs")
    print("* Command: `morello database build GAME --all-sectors --format csv`\n")
    print("## Results\n")
    print(NOVELTY)
    head = [
        "game",
        "value of the start",
        "sectors",
        "slots",
        "GB",
        "minutes",
        "M slots/s",
        "GiB of memory",
        "longest win, plies",
        "date",
        "program",
    ]
    print(table(head, [summary(game, run, sectors[game]) for game, run in runs.items()], WORDS))
    for game, run in runs.items():
        if run.get("built", run["slots"]) < run["slots"]:
            print(f"\nThe build of {game} solved {run['built']:,} slots; it shares its other tables with another game.")
    print("\n`src/guide/databases.md` has the sizes of the games that are not solved yet.")
    print("\n## How they were checked\n")
    for game, run in runs.items():
        checks(game, run)
    print("\n## What the files mean\n")
    print(COLUMNS)
    for game in runs:
        rule_draws(game, sectors[game])
    print("## Published results\n")
    print(COMPARISON)
    print(output(sys.executable, ROOT / "scripts/data/compare-databases.py", "--markdown"))
    print(f"\n{SOURCES}")
    print("## The longest wins\n")
    print(
        "For each game: the first position with the longest win, and best play of both sides. The winner takes the"
        " shortest way, the loser the longest.\n"
    )
    for game, run in runs.items():
        longest(game, run)
    print("\n## Starts with fewer men\n")
    print(
        "The value for the first player, with the plies to the end, by the men of the first player (rows) and of the"
        " second player (columns). A side that"
    )
    print(
        "has placed its men moves them. Starts with a dash or without a row are not computed yet; `morello database"
        " starts GAME --plan` reports their sizes.\n"
    )
    for game in games(runs):
        starts(game)
    print("## Openings\n")
    print(
        "`databases/GAME-openings.csv` has all openings of four plies with the hardest replies, as `morello database"
        " openings` lists them.\n"
    )
    for game in runs:
        openings(game)
    print("\n## By the men in hand of both sides\n")
    found = [row for game in runs for row in phases(game, sectors[game])]
    print(table(["game", "phase", "sectors", "wins", "draws", "losses", "longest win"], found, WORDS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", metavar="GAME", nargs="*")
    parser.add_argument("--dir", help="the folder of the databases")
    parser.add_argument("--builds", type=pathlib.Path, help="the folder with the output of the builds")
    parser.add_argument(
        "--sampled", type=pathlib.Path, help="the folder with the output of the verifications of samples"
    )
    parser.add_argument(
        "--remark", default="", help="the circumstances of the verification, such as `beside other work`"
    )
    add_program(parser)
    options = parser.parse_args()
    if options.games and not (options.dir and options.builds):
        parser.error("games need --dir and --builds")
    runs = json.loads(RUNS.read_text()) if RUNS.exists() else {}
    if options.games:
        options.described = version(options.program, options.revision)
    for game in options.games:
        runs[game] = measure(options, game)
        RUNS.write_text(json.dumps(runs, indent=2) + "\n")
    sectors = {game: rows((FOLDER / f"{game}.csv").read_text()) for game in runs}
    with RESULTS.open("w", newline="") as file:
        columns = ["game", "first", "second", "outcome", "plies", "verified", "published"]
        csv.writer(file, lineterminator="\n").writerows([columns, *results(runs, sectors)])
    with PAGE.open("w") as file, contextlib.redirect_stdout(file):
        page(runs, sectors)


if __name__ == "__main__":
    main()
