#!/usr/bin/env python3
"""Compares scores of `morello analyze othello` with exact scores and prints the page of data/results about it.

Usage: scripts/results/accuracy.py --depths 1 8 15 [--plot calibration.svg] [NAME=]FILE ... > data/results/accuracy.md

Each FILE has Othello positions in OBF with exact scores of the moves or of the position. Each position is searched to
every depth with empty tables, so the results are reproducible. --sample N takes a random sample of N positions of each
file, determined by --seed. Files appear on the page by NAME, or else by their file name. A line without a score, or an
exact score that differs from the given one, aborts without a page. --plot draws the errors that the program states for
its scores beside those that 95 % of the scores really do not exceed. Needs only the Python standard library. Progress
is written to standard error.
"""

import argparse
import collections
import csv
import datetime
import html
import itertools
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys

from page import add_program, machine, table, version

Result = collections.namedtuple("Result", "empties known score best nodes exact stated")

# Points of the plot have this many scores or more.
SCORES_PER_POINT = 60
# Side and margin of the plot, in pixels.
SIDE, MARGIN = 420, 50

COLUMNS = """\
| column | meaning |
| --- | --- |
| mean absolute error, root mean square, bias | of the errors: score minus exact score, in discs for the side to move. \
Bias is the mean; ± is a standard error |
| stated error | the mean of the field `score_error` of unproved scores, which 95 % of the errors should not exceed |
| within it | the share of scores whose error does not exceed the stated error |
| best move | the share of positions with scored moves in which the chosen move has the highest score |
| exact | the share of scores that the search proved |
| nodes | the mean number of nodes per position |"""


def named_file(text):
    """Splits `NAME=FILE`. The default name is the file name."""
    name, equals, path = text.partition("=")
    return (name, pathlib.Path(path)) if equals else (pathlib.Path(text).name, pathlib.Path(text))


def read(path, sample, seed):
    """Returns the positions of a file with their line numbers, all or a random sample, in order."""
    texts = (re.split("[%#]", line)[0].strip() for line in path.read_text().splitlines())
    lines = [(number, text) for number, text in enumerate(texts, 1) if text]
    if sample is not None and sample < len(lines):
        lines = sorted(random.Random(seed).sample(lines, sample))
    return lines


def names_moves(line):
    """Returns whether a line has scores of moves, and not only of the position."""
    return any(":" in field and not field.strip().startswith("--") for field in line.split(";")[1:])


def measure(program, path, lines, arguments):
    """Searches the positions and returns a `Result` for each that has a move."""
    command = [program, "analyze", "othello", *arguments, "--format", "csv", "--summary", "/dev/null"]
    text = "".join(f"{line}\n" for _, line in lines)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=False)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    # 1: invalid lines or disagreeing scores, which the rows list.
    if done.returncode not in (0, 1) or len(rows) != len(lines):
        sys.exit(f"{' '.join(map(str, command))} ended with exit code {done.returncode}")
    results = []
    for (number, line), row in zip(lines, rows):
        place = f"{path}, line {number}: "
        if row["error"]:
            sys.exit(place + re.sub(r"^line \d+, ", "", row["error"]))
        if not row["expected_score"]:
            sys.exit(place + "no exact score; add one of the position, `; +12;`, or of its moves, `; f5:+12;`")
        known, score, exact = float(row["expected_score"]), float(row["score"]), row["exact"] == "true"
        if exact and score != known:
            sys.exit(place + f"computed score {score:+g}, expected {known:+g}")
        if row["best_move"]:
            best = row["agrees"] == "true" if names_moves(line) else None
            stated = float(row["score_error"]) if row["score_error"] else None
            empties = row["position"][:64].count("-")
            results.append(Result(empties, known, score, best, int(row["nodes"]), exact, stated))
    if not results:
        sys.exit(f"{path}: no position with a move")
    return results


def with_error(numbers, sign):
    """Formats the mean of numbers with its standard error."""
    error = f" ± {statistics.stdev(numbers) / len(numbers) ** 0.5:.2f}" if len(numbers) > 1 else ""
    return f"{statistics.fmean(numbers):{sign}.2f}{error}"


def within(results):
    """Returns the mean of the stated errors of unproved scores, and the share of scores within them."""
    stated = [result for result in results if not result.exact and result.stated is not None]
    if not stated:
        return ["-", "-"]
    share = statistics.fmean(abs(result.score - result.known) <= result.stated for result in stated)
    return [f"{statistics.fmean(result.stated for result in stated):.1f}", f"{share:.1%}".replace("%", " %")]


def calibration(results):
    """Returns points: the mean of similar stated errors, the error that 95 % of their scores do not exceed, and their
    number."""
    stated = sorted(
        (result for result in results if not result.exact and result.stated is not None), key=lambda r: r.stated
    )
    groups = [[]]
    for result in stated:
        if len(groups[-1]) >= SCORES_PER_POINT and result.stated > groups[-1][-1].stated:
            groups.append([])
        groups[-1].append(result)
    points = []
    for group in groups:
        if len(group) >= SCORES_PER_POINT:
            errors = sorted(abs(result.score - result.known) for result in group)
            points.append((statistics.fmean(r.stated for r in group), errors[int(0.95 * len(errors))], len(group)))
    return points


def plot(series):
    """Draws points of named series over the line on which they would lie if the stated errors were true, as SVG."""
    most = max((max(x, y) for _, points in series for x, y, _ in points), default=1)
    top = 4 * (int(most // 4) + 1)

    def x(discs):
        return MARGIN + SIDE * discs / top

    def y(discs):
        return 10 + SIDE - SIDE * discs / top

    width, height = SIDE + MARGIN + 170, SIDE + 10 + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif"'
        ' font-size="12">'
    ]
    lines.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for tick in range(0, top + 1, 4):
        lines.append(f'<path d="M{x(tick):.0f} 10V{y(0)}M{x(0)} {y(tick):.0f}H{x(top)}" stroke="#ddd"/>')
        lines.append(f'<text x="{x(tick):.0f}" y="{y(0) + 16}" text-anchor="middle">{tick}</text>')
        lines.append(f'<text x="{x(0) - 6}" y="{y(tick) + 4:.0f}" text-anchor="end">{tick}</text>')
    lines.append(f'<path d="M{x(0)} {y(0)}L{x(top)} {y(top)}" stroke="#888"/>')
    lines.append(f'<text x="{x(top / 2)}" y="{y(0) + 36}" text-anchor="middle">stated error in discs</text>')
    middle = y(top / 2)
    lines.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">')
    lines.append("error that 95 % of the scores do not exceed</text>")
    for number, ((name, points), color) in enumerate(
        zip(series, itertools.cycle(["#0072b2", "#d55e00", "#009e73", "#cc79a7"]))
    ):
        lines += [f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="4" fill="{color}"/>' for px, py, _ in points]
        lines.append(f'<circle cx="{x(top) + 20}" cy="{24 + 20 * number}" r="4" fill="{color}"/>')
        lines.append(f'<text x="{x(top) + 30}" y="{28 + 20 * number}">{html.escape(name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


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
        *within(results),
        f"{statistics.fmean(best):.1%}".replace("%", " %") if best else "-",
        f"{statistics.fmean(result.exact for result in results):.0%}".replace("%", " %"),
        f"{statistics.fmean(result.nodes for result in results):,.0f}",
    ]


def rows(depths, measured):
    """Returns the rows of a file, by empty squares and depth, with totals if there are several numbers of empty
    squares."""
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
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample; default: %(default)s")
    parser.add_argument("--confidence", help="confidence in percent, as for `morello analyze`")
    parser.add_argument("--weights", type=pathlib.Path, help="a weights file; default: the built-in weights")
    parser.add_argument("--hash", type=int, default=16, help="table size in MiB; default: %(default)s")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="draw the stated errors, as SVG")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads; default: all cores")
    add_program(parser)
    options = parser.parse_args()
    # --depths also takes the files that follow it.
    depths = list(map(int, itertools.takewhile(str.isdecimal, options.depths)))
    files = options.depths[len(depths) :] + options.files
    if not depths or not files:
        parser.error("give depths, such as --depths 1 8 15, and files")

    common = ["--deterministic", "--hash", str(options.hash)]
    if options.confidence:
        common += ["--confidence", options.confidence]
    shown = [*common]
    if options.weights:
        common += ["--weights", str(options.weights)]
        shown += ["--weights", options.weights.name]
    described = version(options.program, options.revision)
    sets = [(name, path, read(path, options.sample, options.seed)) for name, path in map(named_file, files)]
    head = ["empties", "depth", "positions", "mean absolute error", "root mean square", "bias"]
    head += ["stated error", "within it", "best move", "exact", "nodes"]

    sections, series = [], []
    for name, path, lines in sets:
        measured = {}
        for depth in depths:
            arguments = ["--depth", str(depth), *common, "--threads", str(options.threads)]
            measured[depth] = measure(options.program, path, lines, arguments)
            cells = zip(head[1:], row("", depth, measured[depth])[1:])
            print(f"{name}:", ", ".join(f"{what} {cell}" for what, cell in cells), file=sys.stderr, flush=True)
        series.append((name, calibration(result for results in measured.values() for result in results)))
        sections.append(f"\n## {name}\n\n{table(head, rows(depths, measured), set())}")

    if options.plot:
        options.plot.write_text(plot(series))

    print("# Accuracy of scores\n")
    print("This page shows how much search scores differ from exact scores, in 8x8 Othello.", end=" ")
    print("`scripts/results/accuracy.py` writes\nit; all numbers are generated.\n")
    print(f"* Machine: {machine()}; times are not measured")
    print(f"* Program: {described}")
    print(f"* Date: {datetime.date.today().isoformat()}")
    command = f"morello analyze othello FILE --depth D {' '.join(shown)}"
    print(f"* Command: `{command}`, each position with empty transposition tables")
    if options.sample is not None:
        drawn = f"{options.sample} of each file at random (seed {options.seed})"
        print(f"* Positions: {drawn}, or all if there are fewer")
    print(f"\n{COLUMNS}")
    if options.plot:
        print(
            "\nEach point of the plot stands for scores with similar stated errors. On the line, 95 % of them are"
            " within the stated"
        )
        print(f"error; above it, fewer are.\n\n![stated and measured errors]({options.plot.name})")
    print("\n".join(sections))


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(str(error))
