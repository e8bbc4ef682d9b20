#!/usr/bin/env python3
"""Runs `morello bench ffo` and prints the page of data/results about the FFO suite.

Usage: scripts/results/ffo.py [--from 40] [--to 59] [--threads 1 2] [--hash MIB] [--repeat 3] [--edax FILE]
[--egaroucid FILE] > data/results/ffo.md

Each number of threads is a separate run, one after the other. The machine should be idle. With --edax or --egaroucid,
the paths of these programs, each run of morello is followed by one of theirs on the same positions. With --repeat,
all runs are repeated, and the page has those with the median time. A failed run or an unexpected score aborts without
a page. Needs only the Python standard library. The rows of each run are also written to standard error.
"""

import argparse
import csv
import datetime
import pathlib
import subprocess
import sys
import tempfile

import peers
from page import ROOT, add_program, machine, table, version

PUBLISHED = ROOT / "data/results/ffo-published.csv"
WORDS = {"position", "best move"}


def measure(program, arguments):
    """Runs the program and returns its rows."""
    rows, names = [], None
    with subprocess.Popen([program, *arguments, "--format", "csv"], stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            print(line, end="", file=sys.stderr, flush=True)
            values = next(csv.reader([line]))
            if names is None:
                names = values
            else:
                rows.append(dict(zip(names, values)))
    if running.returncode != 0:
        sys.exit(f"morello {' '.join(arguments)} ended with exit code {running.returncode}")
    return rows


def positions(first, last):
    """Returns the lines of the suite from one number to another."""
    lines = []
    for name in ("ffo-1-39", "ffo-40-59", "ffo-60-79"):
        text = (ROOT / f"data/positions/{name}.obf").read_text()
        lines += [line for line in text.splitlines() if line and not line.startswith("%")]
    return lines[first - 1 : last]


def measure_peer(peer, program, boards, scores, threads, mebibytes):
    """Runs another program and returns its nodes and milliseconds for each position."""
    name, solve = peers.SOLVERS[peer]
    with tempfile.NamedTemporaryFile("w", suffix=".obf") as file:
        file.writelines(f"{board}\n" for board in boards)
        file.flush()
        results = solve(program, file.name, threads, mebibytes)
    print(f"{name}, {threads} threads: {results}", file=sys.stderr, flush=True)
    if [score for score, _, _ in results] != scores:
        sys.exit(f"{name} finds {[score for score, _, _ in results]} instead of {scores}")
    return [(nodes, 1000 * seconds) for _, nodes, seconds in results]


def median(runs, milliseconds):
    """Returns the run with the median time, the shorter one of two."""
    return sorted(runs, key=milliseconds)[(len(runs) - 1) // 2]


def published():
    """Returns the nodes and milliseconds by program and position, and the comment on their source."""
    lines = PUBLISHED.read_text().splitlines()
    comment = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    figures = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        figures.setdefault(row["program"], {})[f"#{row['number']}"] = (int(row["nodes"]), float(row["time_ms"]))
    return figures, comment


def speed(nodes, milliseconds):
    return f"{nodes / milliseconds / 1000:.1f}" if milliseconds > 0 else "-"


def sums(pairs):
    """Adds pairs of nodes and milliseconds; `None` if one is missing."""
    return None if None in pairs else (sum(nodes for nodes, _ in pairs), sum(ms for _, ms in pairs))


def cells(taken):
    """Formats nodes, seconds and millions of nodes per second."""
    return ["-"] * 3 if taken is None else [f"{taken[0]:,}", f"{taken[1] / 1000:.3f}", speed(*taken)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="first", type=int, default=40)
    parser.add_argument("--to", dest="last", type=int, default=59)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--hash", type=int, default=256, help="table size in MiB; default: %(default)s")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each program; default: %(default)s")
    for peer, (name, _) in peers.SOLVERS.items():
        parser.add_argument(f"--{peer}", type=pathlib.Path, metavar="FILE", help=f"also run this {name}")
    parser.add_argument(
        "--note", default="", help="a sentence for the page about the other programs, such as their versions"
    )
    add_program(parser)
    options = parser.parse_args()

    described = version(options.program, options.revision)
    repeated = f" (the median of {options.repeat} runs)" if options.repeat > 1 else ""
    common = ["bench", "ffo", "--from", str(options.first), "--to", str(options.last), "--hash", str(options.hash)]
    asked = {peer: getattr(options, peer) for peer in peers.SOLVERS if getattr(options, peer) is not None}
    boards = positions(options.first, options.last)
    runs, theirs = {}, {}
    for threads in options.threads:
        all_ours, all_theirs = [], {peer: [] for peer in asked}
        for _ in range(options.repeat):
            all_ours.append(measure(options.program, [*common, "--threads", str(threads)]))
            scores = [int(row["score"]) for row in all_ours[0]]
            for peer, program in asked.items():
                all_theirs[peer].append(measure_peer(peer, program, boards, scores, threads, options.hash))
        runs[threads] = median(all_ours, lambda run: sum(float(row["time_ms"]) for row in run))
        for peer, found in all_theirs.items():
            theirs[peer, threads] = median(found, lambda run: sum(ms for _, ms in run))
    one = runs[options.threads[0]]
    taken = {
        threads: {row["position"]: (int(row["nodes"]), float(row["time_ms"])) for row in rows}
        for threads, rows in runs.items()
    }
    names = [row["position"] for row in one]
    totals = {threads: sums(list(of.values())) for threads, of in taken.items()}

    head = ["position", "empties", "score", "best move"]
    for threads in options.threads:
        head += [f"nodes, {threads} thread{'s' * (threads > 1)}", "s", "Mnodes/s"]
    head += [f"{threads} over {options.threads[0]}" for threads in options.threads[1:]]

    def row(start, of):
        first = of[options.threads[0]]
        ratios = [f"{first[1] / of[threads][1]:.2f}" if of[threads][1] > 0 else "-" for threads in options.threads[1:]]
        return start + [cell for threads in options.threads for cell in cells(of[threads])] + ratios

    ours = [
        row([r["position"], r["empties"], r["score"], r["best_move"]], {t: taken[t][r["position"]] for t in runs})
        for r in one
    ]
    ours.append(row(["total", "", "", ""], totals))

    figures, comment = published()
    beside = [name for name in names if all(name in of for of in figures.values())]

    print("# The FFO endgame suite, solved exactly\n")
    print(
        f"This page has the nodes and times of morello on FFO {names[0]} to {names[-1]}. All scores were as expected,"
        " and each position was solved"
    )
    print("with empty transposition tables. `scripts/results/ffo.py` writes this page; all numbers are generated.\n")
    print(f"* Machine: {machine()}")
    print(f"* Program: {described}")
    print(f"* Date: {datetime.date.today().isoformat()}")
    commands = " and ".join(f"`--threads {threads}`" for threads in options.threads)
    print(f"* Command: `morello {' '.join(common)}` with {commands}{repeated}\n")
    print(table(head, ours, WORDS))
    if theirs:
        print("\n## Other programs on the same machine\n")
        names_of_all = " and ".join(peers.SOLVERS[peer][0] for peer in asked)
        conventions = "; ".join(peers.NODES[program] for program in ["morello", *asked])
        print(
            f"The script ran {names_of_all} in turn with morello, with transposition tables of at most {options.hash}"
            f" MiB. {options.note}".rstrip()
        )
        print(f"The programs count nodes in different ways, so do not compare their nodes per second: {conventions}.\n")
        head = ["position"]
        columns = []
        for threads in options.threads:
            plural = f"{threads} thread{'s' * (threads > 1)}"
            columns.append(([taken[threads][name] for name in names], f"morello, {plural}"))
            columns += [(theirs[peer, threads], f"{peers.SOLVERS[peer][0]}, {plural}") for peer in asked]
        head += [f"{name}: {what}" for _, name in columns for what in ("nodes", "s")]
        rows = [
            [name, *(cell for of, _ in columns for cell in cells(of[index])[:2])] for index, name in enumerate(names)
        ]
        rows.append(["total", *(cell for of, _ in columns for cell in cells(sums(of))[:2])])
        print(table(head, rows, WORDS))
    if beside:
        threads = options.threads[0]
        print("\n## Comparison with published results\n")
        print(
            f"{comment} Times on other machines are not comparable. Nodes are, as far as the programs count them"
            " alike.\n"
        )
        head = ["position", f"morello, nodes, {threads} thread{'s' * (threads > 1)}"]
        head += [f"{program}, {what}" for program in figures for what in ("nodes", "s")]
        rows = [
            [name, f"{taken[threads][name][0]:,}", *(c for of in figures.values() for c in cells(of[name])[:2])]
            for name in beside
        ]
        all_ours = sums([taken[threads][name] for name in beside])
        all_theirs = [sums([of[name] for name in beside]) for of in figures.values()]
        rows.append(["total", f"{all_ours[0]:,}", *(c for of in all_theirs for c in cells(of)[:2])])
        print(table(head, rows, WORDS))


if __name__ == "__main__":
    main()
