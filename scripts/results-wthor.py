#!/usr/bin/env python3
"""Writes data/results/wthor.md: all games of WTHOR files replayed, and their theoretical scores solved again for a sample.

    scripts/results-wthor.py FOLDER --rows ROWS.csv --summary SUMMARY.json --part I/N

FOLDER has the .wtb files. ROWS and SUMMARY are those of

    morello analyze othello FOLDER/*.wtb --empties 24..24 --exact --shard I/N -o ROWS.csv --summary SUMMARY.json
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile
import time

import page

REPLAYS = 5


def replay(program, files):
    """Replays all games some times; returns what the program says of them, and the median of the seconds."""
    seconds = []
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        command = [program.resolve(), "convert", "othello", *files, "--to", "csv", "--statistics", "-o", table.name]
        for _ in range(REPLAYS):
            start = time.monotonic()
            said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
            seconds.append(time.monotonic() - start)
    return said.splitlines()[0], sorted(seconds)[REPLAYS // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path, required=True)
    parser.add_argument("--summary", type=pathlib.Path, required=True)
    parser.add_argument("--part", required=True, help="which part of the games was solved, as given to --shard")
    page.add_program(parser)
    arguments = parser.parse_args()
    version = page.version(arguments.program, arguments.revision)
    files = sorted(file for file in arguments.folder.iterdir() if file.suffix.lower() == ".wtb")
    said, seconds = replay(arguments.program, files)
    with arguments.rows.open() as rows:
        rows = [row for row in csv.DictReader(rows) if not row["error"]]
    summary = json.loads(arguments.summary.read_text())
    wrong = [row for row in rows if row["exact"] == "true" and row["score"] != row["expected_score"]]
    exact = sum(row["exact"] == "true" for row in rows)
    print("# WTHOR: all games, and what best play would have made of them\n")
    print(f"* Program: {version}\n* Machine: {page.machine()}")
    print("* Games: the published files of the years 1977 to 2009, of the Fédération Française d'Othello\n")
    print(f"All {len(files)} files read, every game replayed by the rules, every result compared with the board:\n")
    print(f"    {said}\n")
    print(f"That takes {seconds:.2f} s, with the writing of a table of the games (`morello convert othello *.wtb --to csv")
    print(f"--statistics -o FILE`, median of {REPLAYS} runs).\n")
    print("WTHOR tells of each game what it would have ended in under best play from 24 empty squares on. Solved exactly for the")
    print(f"part {arguments.part} of the games, dealt in turn over all years (`morello analyze othello *.wtb --empties 24..24 --exact")
    print(f"--shard {arguments.part}`):\n")
    print(f"* {len(rows)} positions, {exact} solved; {exact - len(wrong)} have the score that WTHOR tells, {len(wrong)} another.")
    for row in wrong:
        position, told = row["position"], row["expected_score"]
        print(f"  * `{pathlib.Path(row['file']).name}`, game {row['game']}: {told} is told, {row['score']} is right: `{position}`")
    timing = summary["timing"]
    print(f"* {summary['nodes']:,} nodes in {timing['elapsed_s']:.0f} s; half of the positions took at most {timing['p50_ms'] / 1000:.2f} s,")
    print(f"  95 % at most {timing['p95_ms'] / 1000:.2f} s.")


if __name__ == "__main__":
    main()
