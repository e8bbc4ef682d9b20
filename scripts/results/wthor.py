#!/usr/bin/env python3
"""Prints data/results/wthor.md: all games of WTHOR files replayed, and theoretical scores of a sample solved again.

    scripts/results/wthor.py FOLDER --rows ROWS.csv --summary SUMMARY.json --part I/N

FOLDER has the .wtb files. ROWS and SUMMARY are the outputs of

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
    """Replays all games several times; returns the first line that the program prints, and the median time in
    seconds."""
    seconds = []
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        command = [program.resolve(), "convert", "othello", *files, "--to", "csv", "--statistics", "--force", "-o", table.name]
        for _ in range(REPLAYS):
            start = time.monotonic()
            report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
            seconds.append(time.monotonic() - start)
    return report.splitlines()[0], sorted(seconds)[REPLAYS // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path, required=True)
    parser.add_argument("--summary", type=pathlib.Path, required=True)
    parser.add_argument("--part", required=True, help="the part of the games that was solved, as for --shard")
    page.add_program(parser)
    arguments = parser.parse_args()
    version = page.version(arguments.program, arguments.revision)
    files = sorted(file for file in arguments.folder.iterdir() if file.suffix.lower() == ".wtb")
    report, seconds = replay(arguments.program, files)
    with arguments.rows.open() as rows:
        rows = [row for row in csv.DictReader(rows) if not row["error"]]
    summary = json.loads(arguments.summary.read_text())
    wrong = [row for row in rows if row["exact"] == "true" and row["score"] != row["expected_score"]]
    exact = sum(row["exact"] == "true" for row in rows)
    print("# WTHOR: all games, and their theoretical scores\n")
    print("This page shows that morello reads all WTHOR games and agrees with their results and theoretical scores.\n")
    print(f"* Program: {version}\n* Machine: {page.machine()}")
    print("* Games: the files of 1977 to 2009 published by the Fédération Française d'Othello\n")
    print(f"morello read all {len(files)} files, replayed all games and compared all results with the board:\n")
    print(f"    {report}\n")
    print(
        f"This takes {seconds:.2f} s, including writing a table of the games (`morello convert othello *.wtb --to csv"
    )
    print(f"--statistics -o FILE`, median of {REPLAYS} runs).\n")
    print(
        "For each game, WTHOR has the result of best play from the position with 24 empty squares. morello solved"
        " these positions exactly for part"
    )
    print(
        f"{arguments.part} of the games, taken in turn from all years (`morello analyze othello *.wtb --empties 24..24"
        f" --exact --shard {arguments.part}`):\n"
    )
    print(
        f"* Of {len(rows)} positions, {exact} were solved. {exact - len(wrong)} have the score recorded in WTHOR, and"
        f" {len(wrong)} differ."
    )
    for row in wrong:
        position, recorded = row["position"], row["expected_score"]
        print(
            f"  * `{pathlib.Path(row['file']).name}`, game {row['game']}: recorded {recorded}, correct {row['score']}:"
            f" `{position}`"
        )
    timing = summary["timing"]
    print(
        f"* {summary['nodes']:,} nodes in {timing['elapsed_s']:.0f} s; time per position: median"
        f" {timing['p50_ms'] / 1000:.2f} s,"
    )
    print(f"  95 % quantile {timing['p95_ms'] / 1000:.2f} s.")


if __name__ == "__main__":
    main()
