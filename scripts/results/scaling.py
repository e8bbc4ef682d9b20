#!/usr/bin/env python3
"""Measures how exact solves scale with threads and prints the page of data/results about it.

Usage: scripts/results/scaling.py [--threads 1 2 4 8 16] [--before FILE] > data/results/scaling.md

Solves FFO #40 to #49 with each number of threads, and with the greatest one FFO #50 to #55 with 4 GiB and 6x6 Othello
from the start: about two minutes on 16 cores. With --before, an older program does the same after each run. Builds
nothing; the machine should be idle. An unexpected score aborts without a page. Needs only the Python standard library.
"""

import argparse
import csv
import datetime
import json
import pathlib
import subprocess
import sys

from page import ROOT, add_program, machine, table, version

START_6X6 = ROOT / "data/positions/othello-6x6-start.obf"


def run(program, *arguments):
    """Runs the program and returns what it prints."""
    command = [program.resolve(), *map(str, arguments)]
    print(*command, file=sys.stderr, flush=True)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def solve(program, threads, first, last, mebibytes):
    """Solves a part of the suite and returns the nodes and the seconds."""
    options = ["--from", first, "--to", last, "--hash", mebibytes, "--threads", threads]
    rows = list(csv.DictReader(run(program, "bench", "ffo", *options, "--format", "csv").splitlines()))
    if any(row["score"] != row["expected_score"] for row in rows):
        sys.exit(f"{program} finds a wrong score: {rows}")
    return sum(int(row["nodes"]) for row in rows), sum(float(row["time_ms"]) for row in rows) / 1000


def solve_6x6(program, threads, mebibytes):
    """Solves 6x6 Othello and returns the nodes and the seconds."""
    options = ["--exact", "--hash", mebibytes, "--threads", threads, "--format", "jsonl"]
    row = json.loads(run(program, "analyze", "othello-6x6", START_6X6, *options).splitlines()[0])
    if row["score"] != -4:
        sys.exit(f"{program} finds a wrong score: {row}")
    return row["nodes"], row["time_ms"] / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--before", type=pathlib.Path, metavar="FILE", help="an older program, to compare")
    parser.add_argument("--before-revision", default="unknown", help="the revision of the older program")
    add_program(parser)
    options = parser.parse_args()
    programs = [options.program, *([options.before] if options.before else [])]
    versions = [version(options.program, options.revision)]
    versions += [version(program, options.before_revision) for program in programs[1:]]

    most = max(options.threads)
    tasks = [("#40 to #49", threads, lambda *run: solve(*run, 40, 49, 256)) for threads in options.threads]
    tasks.append(("#50 to #55", most, lambda *run: solve(*run, 50, 55, 4096)))
    tasks.append(("6x6 from the start", most, lambda *run: solve_6x6(*run, 6144)))
    rows, first = [], {}
    for name, threads, task in tasks:
        row = [name, threads]
        for program in programs:
            nodes, seconds = task(program, threads)
            once = first.setdefault((name, program), (nodes, seconds))
            row += [f"{nodes / 1e6:,.1f}", f"{nodes / once[0]:.2f}", f"{seconds:.2f}", f"{once[1] / seconds:.1f}"]
            row.append(f"{nodes / seconds / 1e6:.0f}")
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        rows.append(row)
    columns = ["M nodes", "of the first", "s", "times faster", "Mnodes/s"]
    head = ["positions", "threads", *columns, *([f"before: {name}" for name in columns] if options.before else [])]
    print(f"""# Exact solves with many threads

This page shows how exact solves scale with the number of threads. The positions are from the FFO suite and 6x6 Othello,
and all scores were as expected. The columns "of the first" (nodes) and "times faster" compare with the first row of the
same positions; "before" is an older program. `scripts/results/scaling.py` writes the table.

* Machine: {machine()}
* Program: {versions[0]}{"".join(f"; before: {version}" for version in versions[1:])}
* Date: {datetime.date.today()}
* Commands: `morello bench ffo` with `--hash 256` to #49 and `--hash 4096` from #50, and `morello analyze othello-6x6
  {START_6X6.relative_to(ROOT)} --exact --hash 6144`

{table(head, rows, {"positions"})}""")


if __name__ == "__main__":
    main()
