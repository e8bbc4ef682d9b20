#!/usr/bin/env python3
"""Solves small sectors of mill games by forward search and compares them with `morello database stats`.

Usage: scripts/data/morris-forward.py GAME SECTOR ... [--check STATS.csv]
       morello database stats GAME --sectors 3-3,4-3 --format csv | scripts/data/morris-forward.py GAME 3-3 4-3 --check -

An independent derivation: its own boards, rules, symmetries and solver, in plain Python. Instead of going back from
the ends of games, it looks at the successors of every position again and again until no value changes. It prints the
wins, draws and losses of each sector and the plies of the longest win and loss, as `stats` does, and with --check
compares them. The exit code is 1 if a sector differs. Sectors on which others depend are solved first.

A sector is written OWN-OTHER[+OWN_HAND-OTHER_HAND]. All of six men's morris takes 15 minutes and 1.4 GB of memory.
"""

import argparse
import csv
import itertools
import sys
from collections import namedtuple

Game = namedtuple("Game", "lines men mill flying moves_with_hand blocked", defaults=["loses"])

# The lines of the boards, as drawn. Each three neighbors on a line are a mill.
SQUARES = ["a7 d7 g7", "g7 g4 g1", "g1 d1 a1", "a1 a4 a7", "b6 d6 f6", "f6 f4 f2", "f2 d2 b2", "b2 b4 b6"]
INNER = ["c5 d5 e5", "e5 e4 e3", "e3 d3 c3", "c3 c4 c5"]
SPOKES = ["d7 d6 d5", "g4 f4 e4", "d1 d2 d3", "a4 b4 c4"]
DIAGONALS = ["a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5"]
NINE = SQUARES + INNER + SPOKES
SEVEN = SQUARES + ["d7 d6 d4 d2 d1", "a4 b4 d4 f4 g4"]
SIX = SQUARES + ["d7 d6", "g4 f4", "d1 d2", "a4 b4"]
THREE = ["a3 b3 c3", "a2 b2 c2", "a1 b1 c1", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]

GAMES = {
    "nine-mens-morris": Game(NINE, 9, "captures", False, False),
    "nine-mens-morris-flying": Game(NINE, 9, "captures", True, False),
    "nine-mens-morris-protected": Game(NINE, 9, "outside mills", False, False),
    "nine-mens-morris-flying-protected": Game(NINE, 9, "outside mills", True, False),
    "nine-mens-morris-flying-unprotected": Game(NINE, 9, "captures any", True, False),
    "nine-mens-morris-flying-blocked-draw": Game(NINE, 9, "captures", True, False, "draws"),
    "morabaraba": Game(NINE + DIAGONALS, 12, "captures", True, False),
    "lasker-morris": Game(NINE, 10, "captures", True, True),
    "eleven-mens-morris": Game(NINE + DIAGONALS, 11, "captures", True, False),
    "seven-mens-morris": Game(SEVEN, 7, "captures", False, False),
    "six-mens-morris": Game(SIX, 6, "captures", False, False),
    "five-mens-morris": Game(SIX, 5, "captures", False, False),
    "three-mens-morris": Game(THREE, 3, "wins", False, False),
}

DRAW, LOST = 0, (-1, 0)


class Solver:
    def __init__(self, game):
        self.game = game
        lines = [line.split() for line in game.lines]
        names = sorted({name for line in lines for name in line})
        number = {name: i for i, name in enumerate(names)}
        self.points = len(names)
        rows = [line[i : i + 3] for line in lines for i in range(len(line) - 2)]
        self.mills = [sum(1 << number[name] for name in row) for row in rows]
        self.through = [[mill for mill in self.mills if mill >> point & 1] for point in range(self.points)]
        self.near = [set() for _ in names]
        for line in lines:
            for one, other in zip(line, line[1:]):
                self.near[number[one]].add(number[other])
                self.near[number[other]].add(number[one])
        self.symmetries = self.find_symmetries()
        half = (self.points + 1) // 2
        self.half, self.low_bits = half, (1 << half) - 1
        self.images = [self.image_tables(permutation) for permutation in self.symmetries]
        self.solved = {}

    def find_symmetries(self):
        """Returns all permutations of the points that keep neighbors and mills, by trying the images of one point
        after another."""
        mills, found = set(self.mills), []

        def extend(images):
            point = len(images)
            if point == self.points:
                mapped = {sum(1 << images[p] for p in range(self.points) if mill >> p & 1) for mill in mills}
                if mapped == mills:
                    found.append(tuple(images))
                return
            for image in range(self.points):
                if image not in images and all(
                    (q in self.near[point]) == (images[q] in self.near[image]) for q in range(point)
                ):
                    extend(images + [image])

        extend([])
        return found

    def image_tables(self, permutation):
        """Returns the images of all sets of the lower and of the upper half of the points."""
        tables = []
        for first, count in ((0, self.half), (self.half, self.points - self.half)):
            table = [0]
            for point in range(first, first + count):
                table += [image | 1 << permutation[point] for image in table]
            tables.append(table)
        return tables

    def canonical(self, own, other):
        low, half = self.low_bits, self.half
        own_low, own_high, other_low, other_high = own & low, own >> half, other & low, other >> half
        return min(
            (lower[own_low] | upper[own_high], lower[other_low] | upper[other_high]) for lower, upper in self.images
        )

    def members(self, men):
        return [point for point in range(self.points) if men >> point & 1]

    def moves(self, own, other, hand, other_hand):
        """Returns the positions after the moves, seen by the other side: its men, ours, its hand, ours. `None` is a
        win."""
        taken, game = own | other, self.game
        empty = [point for point in range(self.points) if not taken >> point & 1]
        steps = [(None, to) for to in empty] if hand else []
        if not hand or game.moves_with_hand:
            flies = game.flying and not hand and own.bit_count() == 3
            steps += [(start, to) for start in self.members(own) for to in empty if flies or to in self.near[start]]
        after = []
        for start, to in steps:
            rest = own if start is None else own ^ 1 << start
            men, left = rest | 1 << to, hand - (start is None)
            if not any(mill & men == mill for mill in self.through[to]):
                after.append((other, men, other_hand, left))
            elif game.mill == "wins":
                after.append(None)
            else:
                in_mills = 0
                for mill in self.mills:
                    if mill & other == mill:
                        in_mills |= mill
                victims = other & ~in_mills
                if game.mill == "captures any" or not victims and game.mill == "captures":
                    victims = other
                taken_men = [1 << point for point in self.members(victims)] or [0]
                after += [(other ^ man, men, other_hand, left) for man in taken_men]
        return after

    def result_by_men(self, own, other, hand, other_hand):
        """Returns the result of a position that is over by the number of men: 1 or -1 for the side to move, or
        `None`."""
        if self.game.mill != "wins":
            if own.bit_count() + hand < 3:
                return -1
            if other.bit_count() + other_hand < 3:
                return 1
            return None
        # The side that has just moved may have a mill.
        if any(mill & other == mill for mill in self.mills):
            return -1
        return 1 if any(mill & own == mill for mill in self.mills) else None

    def solve(self, sector):
        """Solves a sector together with that of the other side, after those that captures and placements lead to."""
        if sector in self.solved:
            return
        own, other, hand, other_hand = sector
        unit = [sector] if sector == (other, own, other_hand, hand) else [sector, (other, own, other_hand, hand)]
        index, positions, over = {}, [], []
        for sector_of in unit:
            for own_men in itertools.combinations(range(self.points), sector_of[0]):
                set_own = sum(1 << point for point in own_men)
                # The smallest image of one's own men comes first.
                if self.canonical(set_own, 0)[0] != set_own:
                    continue
                free = [point for point in range(self.points) if not set_own >> point & 1]
                for other_men in itertools.combinations(free, sector_of[1]):
                    set_other = sum(1 << point for point in other_men)
                    key = (*self.canonical(set_own, set_other), *sector_of[2:])
                    if key not in index:
                        index[key] = len(positions)
                        positions.append(key)
        values = [None] * len(positions)
        # The successors in the unit, and the values of the others.
        inside, outside = [()] * len(positions), [()] * len(positions)
        for number, key in enumerate(positions):
            result = self.result_by_men(*key)
            if result is not None:
                values[number] = (result, 0)
                continue
            near, far = [], []
            for after in self.moves(*key):
                if after is None:
                    far.append(LOST)
                    continue
                after = (*self.canonical(*after[:2]), *after[2:])
                if after in index:
                    near.append(index[after])
                else:
                    far.append(self.value(after))
            if not near and not far:
                values[number] = LOST if self.game.blocked == "loses" else DRAW
            inside[number], outside[number] = near, far
        last = max((value[1] for far in outside for value in far if value != DRAW), default=0)
        undecided = [number for number, value in enumerate(values) if value is None]
        plies, changed = 0, True
        while changed or plies <= last + 1:
            plies += 1
            decided = []
            for number in undecided:
                reached = [values[near] for near in inside[number]] + outside[number]
                if any(value not in (None, DRAW) and value[0] < 0 and value[1] == plies - 1 for value in reached):
                    decided.append((number, (1, plies)))
                elif all(value not in (None, DRAW) and value[0] > 0 and value[1] < plies for value in reached):
                    decided.append((number, (-1, plies)))
            for number, value in decided:
                values[number] = value
            changed = bool(decided)
            undecided = [number for number in undecided if values[number] is None]
        for number in undecided:
            values[number] = DRAW
        for sector_of in unit:
            self.solved[sector_of] = {}
        for key, value in zip(positions, values):
            self.solved[key[0].bit_count(), key[1].bit_count(), key[2], key[3]][key[:2]] = value

    def value(self, key):
        """Returns the value of a canonical position in a sector that is solved first."""
        result = self.result_by_men(*key)
        if result is not None:
            return result, 0
        sector = key[0].bit_count(), key[1].bit_count(), key[2], key[3]
        if sector not in self.solved:
            self.solve(sector)
        return self.solved[sector][key[:2]]

    def row(self, sector):
        self.solve(sector)
        values = list(self.solved[sector].values())
        wins = [value[1] for value in values if value != DRAW and value[0] > 0]
        losses = [value[1] for value in values if value != DRAW and value[0] < 0]
        counts = [len(wins), len(values) - len(wins) - len(losses), len(losses)]
        return [*sector, *counts, max(wins, default=""), max(losses, default="")]


FIELDS = ["own", "other", "own_hand", "other_hand", "wins", "draws", "losses", "longest_win", "longest_loss"]


def parse_sector(text):
    try:
        board, _, hand = text.partition("+")
        own, other = map(int, board.split("-"))
        own_hand, other_hand = map(int, hand.split("-")) if hand else (0, 0)
        return own, other, own_hand, other_hand
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a sector such as 4-3 or 3-3+1-0, found `{text}`") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("sectors", nargs="+", type=parse_sector, metavar="SECTOR")
    parser.add_argument(
        "--check",
        type=argparse.FileType(),
        metavar="FILE",
        help="rows of `morello database stats --format csv`; - is standard input",
    )
    options = parser.parse_args()
    solver, printed, expected = Solver(GAMES[options.game]), csv.writer(sys.stdout, lineterminator="\n"), {}
    if options.check:
        for row in csv.DictReader(options.check):
            expected[tuple(int(row[name]) for name in FIELDS[:4])] = [row[name] for name in FIELDS]
    printed.writerow(FIELDS + ["check"] * bool(options.check))
    differs = False
    for sector in options.sectors:
        row = [str(value) for value in solver.row(sector)]
        found = expected.get(sector)
        check = "missing" if found is None else "same" if found == row else f"differs: {','.join(found)}"
        differs |= check != "same"
        printed.writerow(row + [check] * bool(options.check))
        sys.stdout.flush()
    return 1 if options.check and differs else 0


if __name__ == "__main__":
    sys.exit(main())
