#!/usr/bin/env python3
"""Writes positions of games in WTHOR files with their exact scores, as OBF.

Usage: scripts/wthor-positions.py [--sample N] [--seed S] FILE.wtb ... > positions.obf

WTHOR, the games of the Federation Francaise d'Othello, holds beside each game the score that perfect play would have
come to from a number of empty squares on, given in the head of the file (24 in all known ones). Each line is the
position of a game with that many empty squares and this score, `<board> <side>; +12;`: disc difference for the side to
move, the empty squares given to the winner. The score stands alone, since the best move is not known.

Passes are not recorded; where only the opponent can play the recorded move, or any, the side to move has passed. Left
out, and counted on the standard error: games that end before those empty squares or are not played to their end, games
with an illegal move, and those whose final score is not the recorded one. A position of several games is written once;
where their scores differ, none is. --sample draws N positions by way of games in random order; without it all are
written, in the order of the files. Python's standard library is enough.
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
    """A game that is left out, with the reason."""


def read(path):
    """Returns the empty squares of the theoretical scores, and the records of a file."""
    data = pathlib.Path(path).read_bytes()
    if len(data) < HEAD:
        sys.exit(f"{path}: {len(data)} bytes are no WTHOR file")
    games, size, kind, depth = struct.unpack_from("<4xIxxxxBBB", data)
    if len(data) != HEAD + RECORD * games:
        sys.exit(f"{path}: {games} games take {HEAD + RECORD * games} bytes, and there are {len(data)}")
    if size not in (0, 8) or kind != 0:
        sys.exit(f"{path}: not a file of games on 8x8 squares")
    return depth, [data[at : at + RECORD] for at in range(HEAD, len(data), RECORD)]


def to_move(position):
    """Returns the position with a side to move that can move, if there is one."""
    if moves(position):
        return position
    other = play(position, None)
    return other if moves(other) else position


def replay(record, depth):
    """Returns the position of a game with so many empty squares and its score for the side to move.

    Raises GameError for a game that is left out.
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
            # A pass, if there is no other move.
            if moves(position):
                raise GameError("illegal move")
            position = play(position, None)
            if not flips(position, square):
                raise GameError("illegal move")
        position = play(position, square)
    if moves(to_move(position)):
        raise GameError("not played to its end")
    black, white, empty = (position[:64].count(disc) for disc in "XO-")
    black += empty if black > white else empty // 2 if black == white else 0
    if black != final:
        raise GameError("final score is not the recorded one")
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
    parser.add_argument("--sample", type=int, help="how many positions; default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample; default: %(default)s")
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
    print(f"%   scripts/wthor-positions.py{drawn} {names}")
    print("% Disc differences for the side to move, the empty squares given to the winner; the best move is not known.")
    for position, score in scores.items():
        if score is not None:
            print(f"{position}; {score:+};")
    for reason, count in sorted(left_out.items()):
        print(f"left out, {reason}: {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
