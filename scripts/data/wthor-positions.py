#!/usr/bin/env python3
"""Writes positions of WTHOR games with their exact scores, as OBF.

Usage: scripts/data/wthor-positions.py [--sample N] [--seed S] FILE.wtb ... > positions.obf

WTHOR, the game database of the Federation Francaise d'Othello, has the theoretical score of each game: the result of
perfect play from a number of empty squares on, which the header of the file gives (24 in all known files). Each output
line is the position of a game with that many empty squares and this score, `<board> <side>; +12;`: the disc difference
for the side to move, with empty squares counted for the winner. The best move is unknown and left out.

Passes are not recorded in WTHOR; they are inferred where the side to move has no move. Games are
skipped, and counted on standard error, if they end before those empty squares, are incomplete, contain an illegal
move, or have another final score than recorded. A position of several games is written once, or not at all if their
scores differ. --sample takes N positions from games in random order; by default all are written, in the order of the
files. Needs only the Python standard library.
"""

import argparse
import collections
import pathlib
import random
import struct
import sys

from othello import START, flips, moves, play

HEAD, RECORD = 16, 68


class GameError(Exception):
    """The reason for skipping a game."""


def read(path):
    """Returns the number of empty squares of the theoretical scores, and the records of a file."""
    data = pathlib.Path(path).read_bytes()
    if len(data) < HEAD:
        sys.exit(f"{path}: not a WTHOR file: only {len(data)} bytes")
    games, size, kind, depth = struct.unpack_from("<4xIxxxxBBB", data)
    if len(data) != HEAD + RECORD * games:
        sys.exit(f"{path}: expected {HEAD + RECORD * games} bytes for {games} games, found {len(data)}")
    if size not in (0, 8) or kind != 0:
        sys.exit(f"{path}: not a file of games on 8x8 boards")
    return depth, [data[at : at + RECORD] for at in range(HEAD, len(data), RECORD)]


def to_move(position):
    """Returns the position with the side to move that has a move, if there is one."""
    if moves(position):
        return position
    other = play(position, None)
    return other if moves(other) else position


def replay(record, depth):
    """Returns the position of a game with `depth` empty squares, and its score for the side to move.

    Raises GameError for a game that is skipped.
    """
    final, theoretical = record[6], record[7]
    position, found = START, None
    for code in record[8:]:
        if position.count("-") == depth:
            found = position
        if code == 0:
            break
        row, column = divmod(code, 10)
        if not (1 <= row <= 8 and 1 <= column <= 8):
            raise GameError("illegal move")
        square = 8 * (row - 1) + column - 1
        if not flips(position, square):
            # The side to move passed, if it had no move.
            if moves(position):
                raise GameError("illegal move")
            position = play(position, None)
            if not flips(position, square):
                raise GameError("illegal move")
        position = play(position, square)
    if moves(to_move(position)):
        raise GameError("incomplete game")
    black, white, empty = (position[:64].count(disc) for disc in "XO-")
    black += empty if black > white else empty // 2 if black == white else 0
    if black != final:
        raise GameError("final score differs from the recorded one")
    found = found and to_move(found)
    if found is None or not moves(found):
        raise GameError(f"over before {depth} empty squares")
    if theoretical > 64:
        raise GameError("theoretical score above 64")
    difference = 2 * theoretical - 64
    return found, difference if found[65] == "X" else -difference


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE.wtb")
    parser.add_argument("--sample", type=int, help="number of positions; default: all")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample; default: %(default)s")
    options = parser.parse_args()

    games = [(depth, record) for depth, records in map(read, options.files) for record in records]
    if options.sample is not None:
        random.Random(options.seed).shuffle(games)
    scores, left_out = {}, collections.Counter()
    for depth, record in games:
        if options.sample is not None and len(scores) - left_out["two scores"] >= options.sample:
            break
        try:
            position, score = replay(record, depth)
        except GameError as error:
            left_out[str(error)] += 1
            continue
        # `None` marks a position whose games disagree.
        if scores.setdefault(position, score) not in (score, None):
            scores[position] = None
            left_out["two scores"] += 1

    names = " ".join(pathlib.Path(file).name for file in options.files)
    drawn = "" if options.sample is None else f" --sample {options.sample} --seed {options.seed}"
    depths = ", ".join(str(depth) for depth in sorted({depth for depth, _ in games}))
    print(f"% Positions of tournament games with {depths} empty squares and their exact scores, by WTHOR:")
    print(f"%   scripts/data/wthor-positions.py{drawn} {names}")
    print(
        "% Disc differences for the side to move, the empty squares counted for the winner; the best move is not known."
    )
    for position, score in scores.items():
        if score is not None:
            print(f"{position}; {score:+};")
    for reason, count in sorted(left_out.items()):
        print(f"left out, {reason}: {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
