#!/usr/bin/env python3
"""Compares the results of endgame databases with published ones, sector by sector.

Usage: scripts/data/compare-databases.py [--markdown] [FOLDER]

FOLDER has GAME.csv, the output of `morello database stats GAME --format csv`, and published.csv with published
results; default: data/results/databases. Prints a row for each published sector, or with --markdown a table of the
sources. Empty fields of published.csv were not published. The exit code is 1 if a result differs. Needs only the
Python standard library.
"""

import argparse
import csv
import pathlib
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECTOR = ["own", "other", "own_hand", "other_hand"]
VALUES = ["wins", "draws", "losses", "longest_win", "longest_loss"]


def sector_name(row):
    name = f"{row['own']}-{row['other']}"
    hands = f"+{row['own_hand']}-{row['other_hand']}"
    return name if hands == "+0-0" else name + hands


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def compare(folder):
    """Returns each published row with the result of its comparison: same, not computed, or the differences."""
    computed = {}
    for path in sorted(folder.glob("*.csv")):
        rows = read(path)
        if rows and set(SECTOR + VALUES) <= set(rows[0]) and "source" not in rows[0]:
            computed[path.stem] = {tuple(row[name] for name in SECTOR): row for row in rows}
    compared = []
    for row in read(folder / "published.csv"):
        own = computed.get(row["game"], {}).get(tuple(row[name] for name in SECTOR))
        if own is None:
            compared.append((row, "not computed"))
            continue
        differences = [
            f"{name} {own[name] or 'none'} instead of {row[name]}"
            for name in VALUES
            if row[name] and row[name] != own[name]
        ]
        compared.append((row, "; ".join(differences) or "same"))
    return compared


def markdown(compared):
    """Returns a table with a row for each source and game."""
    totals = {}
    for row, result in compared:
        total = totals.setdefault((row["source"], row["game"]), Counter())
        total["sectors"] += 1
        total["same"] += result == "same"
        total["missing"] += result == "not computed"
        total["values"] += sum(row[name] != "" for name in VALUES)
        total["positions"] += sum(int(row[name] or 0) for name in VALUES[:3])
    lines = [
        "| source | game | sectors | positions | numbers compared | result |",
        "| --- | --- | ---: | ---: | ---: | --- |",
    ]
    for (source, game), total in totals.items():
        if total["missing"] == total["sectors"]:
            result = "not computed yet"
        elif total["same"] + total["missing"] == total["sectors"]:
            result = "all equal"
        else:
            result = f"{total['sectors'] - total['same'] - total['missing']} sectors differ"
        positions = f"{total['positions']:,}" if total["positions"] > 1 else "-"
        lines.append(f"| {source} | {game} | {total['sectors']} | {positions} | {total['values']} | {result} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "data/results/databases")
    parser.add_argument("--markdown", action="store_true", help="print a table of the sources")
    options = parser.parse_args()
    compared = compare(options.folder)
    if options.markdown:
        print(markdown(compared))
    else:
        for row, result in compared:
            print(f"{row['source']}: {row['game']} {sector_name(row)}: {result}")
    return 0 if all(result in ("same", "not computed") for _, result in compared) else 1


if __name__ == "__main__":
    sys.exit(main())
