#!/usr/bin/env python3
"""Writes the balanced starts of eight moves that `xot:1`, `xot:2`, .. name: src/files/data/xot.txt.

Usage: scripts/data/xot.py [--depth N] [--margin DISCS] > src/files/data/xot.txt

    pip install .
    scripts/data/xot.py > src/files/data/xot.txt

Tournaments of XOT (extended Othello) begin after eight moves that are drawn from a list of even positions. This list is
our own: of all positions after eight moves, symmetric ones counted once, those whose score at --depth (default 18) is
at most --margin discs (default 1) for either side. A search of depth 10 first drops those beyond four discs more. Each
position has one line of moves, the first in order that reaches it and begins with f5.

A line of the file has the number of moves that are the same as in the line before, and the other moves.
"""

import argparse
import sys

import numpy as np

from morello import Position, batch

PLIES = 8
FIRST_DEPTH = 10
FIRST_MARGIN = 4


def lines_of_positions():
    """Returns the positions after eight moves up to symmetry, uint64 (n, 3), with a line of moves to each."""
    first = Position().play("f5")
    boards, lines = batch.parse_boards([str(first)]), ["f5"]
    for _ in range(PLIES - 1):
        offsets, moves = batch.legal_moves(boards)
        parents = np.repeat(np.arange(len(boards)), np.diff(offsets))
        names = batch.move_texts(moves)
        lines = [lines[parent] + name for parent, name in zip(parents, names)]
        boards = batch.play(boards[parents], moves)
        order = np.argsort(np.array(lines))
        _, chosen = np.unique(batch.canonical(boards)[order], axis=0, return_index=True)
        chosen = order[np.sort(chosen)]
        boards, lines = boards[chosen], [lines[index] for index in chosen]
    return boards, lines


def even(boards, lines, depth, margin):
    """Returns the positions with a score of at most so many discs, and their lines."""
    keep = np.zeros(len(boards), bool)
    step = 500
    for at in range(0, len(boards), step):
        keep[at : at + step] = np.abs(batch.search(boards[at : at + step], depth=depth)["score"]) <= margin
        if sys.stderr.isatty():
            print(f"depth {depth}: {min(at + step, len(boards))} of {len(boards)}", file=sys.stderr)
    return boards[keep], [line for line, is_kept in zip(lines, keep) if is_kept]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--depth", type=int, default=18, metavar="N", help="depth of the search [default: 18]")
    parser.add_argument("--margin", type=float, default=1, metavar="DISCS", help="largest score [default: 1]")
    arguments = parser.parse_args()
    boards, lines = lines_of_positions()
    boards, lines = even(boards, lines, FIRST_DEPTH, arguments.margin + FIRST_MARGIN)
    _, lines = even(boards, lines, arguments.depth, arguments.margin)
    before = []
    for line in sorted(lines):
        moves = [line[at : at + 2] for at in range(0, len(line), 2)]
        same = next((at for at, (a, b) in enumerate(zip(before, moves)) if a != b), 0)
        print(f"{same}{''.join(moves[same:])}")
        before = moves


if __name__ == "__main__":
    main()
