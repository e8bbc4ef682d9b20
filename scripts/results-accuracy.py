#!/usr/bin/env python3
"""Measures scores of `morello analyze othello` against known ones and prints the page of data/results about it.

Usage: scripts/results-accuracy.py --depths 1 8 15 [NAME=]FILE ... > data/results/accuracy.md

Each FILE is of Othello positions in OBF with exact scores, of moves or of the position. Each position is searched to
every depth, with empty tables, so that the numbers repeat. --sample N takes N positions of each file by chance, the
same for a --seed. A page shows files by NAME, or else without their folders. A line without a score, or an exact score
that is not the known one, ends it without a page. Python's standard library is enough; what is measured goes to the
standard error as it comes.
"""

import argparse
import collections
import csv
import datetime
import itertools
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys

from page import add_program, machine, table, version

Result = collections.namedtuple("Result", "empties known score best nodes exact")


def named_file(text):
    """Splits `NAME=FILE`; a file without a name is called as it is without its folder."""
    name, equals, path = text.partition("=")
    return (name, pathlib.Path(path)) if equals else (pathlib.Path(text).name, pathlib.Path(text))


def read(path, sample, seed):
    """Returns lines with positions and their numbers, all or so many by chance, in their order."""
    texts = (re.split("[%#]", line)[0].strip() for line in path.read_text().splitlines())
    lines = [(number, text) for number, text in enumerate(texts, 1) if text]
    if sample is not None and sample < len(lines):
        lines = sorted(random.Random(seed).sample(lines, sample))
    return lines


def names_moves(line):
    """Tells whether a line scores moves, and not only the position."""
    return any(":" in field and not field.strip().startswith("--") for field in line.split(";")[1:])


def measure(program, path, lines, arguments):
    """Searches the positions and returns a `Result` of each but those without a move, which need no search."""
    command = [program, "analyze", "othello", *arguments, "--format", "csv", "--summary", "/dev/null"]
    text = "".join(f"{line}\n" for _, line in lines)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=False)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    # 1 tells of bad lines and disagreement: which, the rows say.
    if done.returncode not in (0, 1) or len(rows) != len(lines):
        sys.exit(f"{' '.join(map(str, command))} ended with exit code {done.returncode}")
    results = []
    for (number, line), row in zip(lines, rows):
        place = f"{path}, line {number}: "
        if row["error"]:
            sys.exit(place + re.sub(r"^line \d+, ", "", row["error"]))
        if not row["expected_score"]:
            sys.exit(place + "no known score: give each position one, `; +12;`, or its moves, `; f5:+12;`")
        known, score, exact = float(row["expected_score"]), float(row["score"]), row["exact"] == "true"
        if exact and score != known:
            sys.exit(place + f"the score is {score:+g}, and the known one {known:+g}")
        if row["best_move"]:
            best = row["agrees"] == "true" if names_moves(line) else None
            results.append(Result(row["position"][:64].count("-"), known, score, best, int(row["nodes"]), exact))
    if not results:
        sys.exit(f"{path}: no position with a move")
    return results


def with_error(numbers, sign):
    """Writes the mean of numbers and its standard error."""
    error = f" ± {statistics.stdev(numbers) / len(numbers) ** 0.5:.2f}" if len(numbers) > 1 else ""
    return f"{statistics.fmean(numbers):{sign}.2f}{error}"


def row(empties, depth, results):
    errors = [result.score - result.known for result in results]
    best = [result.best for result in results if result.best is not None]
    return [
        empties,
        depth,
        f"{len(results):,}",
        with_error([abs(error) for error in errors], ""),
        f"{statistics.fmean(error**2 for error in errors) ** 0.5:.2f}",
        with_error(errors, "+"),
        f"{statistics.fmean(best):.1%}".replace("%", " %") if best else "-",
        f"{statistics.fmean(result.exact for result in results):.0%}".replace("%", " %"),
        f"{statistics.fmean(result.nodes for result in results):,.0f}",
    ]


def rows(depths, measured):
    """Returns the rows of a file: by empty squares, then of all if they differ, at each depth."""
    found = sorted({result.empties for result in measured[depths[0]]})
    lines = []
    for empties in found:
        for depth in depths:
            lines.append(row(empties, depth, [result for result in measured[depth] if result.empties == empties]))
    if len(found) > 1:
        lines += [row("all", depth, measured[depth]) for depth in depths]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="[NAME=]FILE")
    parser.add_argument("--depths", nargs="+", required=True, metavar="PLIES")
    parser.add_argument("--sample", type=int, metavar="N", help="positions of each file; default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample; default: %(default)s")
    parser.add_argument("--confidence", help="in percent, as `morello analyze` has it; default: its own")
    parser.add_argument("--weights", type=pathlib.Path, help="a file of weights; default: those of the program")
    parser.add_argument("--hash", type=int, default=16, help="MiB, default: %(default)s")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="default: all cores")
    add_program(parser)
    options = parser.parse_args()
    # The files that follow the depths are read as such.
    depths = list(map(int, itertools.takewhile(str.isdecimal, options.depths)))
    files = options.depths[len(depths) :] + options.files
    if not depths or not files:
        parser.error("give depths, such as --depths 1 8 15, and files")

    common = ["--deterministic", "--hash", str(options.hash)]
    if options.confidence:
        common += ["--confidence", options.confidence]
    told = [*common]
    if options.weights:
        common += ["--weights", str(options.weights)]
        told += ["--weights", options.weights.name]
    described = version(options.program, options.revision)
    sets = [(name, path, read(path, options.sample, options.seed)) for name, path in map(named_file, files)]
    head = ["empties", "depth", "positions", "mean absolute error", "root mean square", "bias"]
    head += ["best move", "exact", "nodes"]

    sections = []
    for name, path, lines in sets:
        measured = {}
        for depth in depths:
            arguments = ["--depth", str(depth), *common, "--threads", str(options.threads)]
            measured[depth] = measure(options.program, path, lines, arguments)
            cells = zip(head[1:], row("", depth, measured[depth])[1:])
            print(f"{name}:", ", ".join(f"{what} {cell}" for what, cell in cells), file=sys.stderr, flush=True)
        sections.append(f"\n## {name}\n\n{table(head, rows(depths, measured), set())}")

    print("# How near scores come to the exact ones\n")
    print("Searches of 8x8 Othello positions whose exact scores are known. Written by `scripts/results-accuracy.py`;")
    print("nothing below is typed in by hand.\n")
    print(f"* Machine: {machine()}; no time is measured")
    print(f"* Program: {described}")
    print(f"* Date: {datetime.date.today().isoformat()}")
    print(f"* Command: `morello analyze othello FILE --depth D {' '.join(told)}`, each position with empty tables")
    if options.sample is not None:
        drawn = f"{options.sample} of each file by chance (seed {options.seed})"
        print(f"* Positions: {drawn}, or all where there are not more")
    print("* Errors: score less known score, in discs for the side to move. Bias is their mean; ± is a standard error")
    print("* Best move: of the positions whose moves are scored, those where the chosen one has the highest score.")
    print("  Exact: scores that the search proved. Nodes: the mean of a position")
    print("\n".join(sections))


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(str(error))
