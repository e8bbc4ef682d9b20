#!/usr/bin/env python3
"""Counts perft values of every game by the text of the rules, independently of the program, with plain lists and loops.

Usage: scripts/data/perft-reference.py count GAME DEPTH [POSITION [CONVENTION]]
       scripts/data/perft-reference.py check FILE [MAX_LEAVES]

`count` prints the counts of the depths 1 to DEPTH. `check` recounts the values of a file of src/core/data/perft that are at
most MAX_LEAVES (default 20000) and reports those that differ; the exit code is 1 if one does. The rules are those of
src/guide/rules.md.
"""

import os
import sys

CONVENTIONS = ("passes-count", "ended-once", "free-pass")


class Othello:
    """A position is the list of squares, row by row from a1, and the side to move."""

    def __init__(self, size):
        self.size = size

    def start(self):
        squares = ["-"] * (self.size * self.size)
        middle = self.size // 2
        for row, column, disc in [(-1, -1, "O"), (-1, 0, "X"), (0, -1, "X"), (0, 0, "O")]:
            squares[(middle + row) * self.size + middle + column] = disc
        return squares, "X"

    def read(self, text):
        squares, side = text.split(" ")
        assert len(squares) == self.size * self.size
        return list(squares), side

    def turned(self, position, square):
        """Returns the discs that a disc on an empty square turns."""
        squares, side = position
        found = []
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down == right == 0:
                    continue
                line = []
                row, column = square // self.size + down, square % self.size + right
                while 0 <= row < self.size and 0 <= column < self.size:
                    disc = squares[row * self.size + column]
                    if disc == "-":
                        break
                    if disc == side:
                        found += line
                        break
                    line.append(row * self.size + column)
                    row, column = row + down, column + right
        return found

    def placements(self, position):
        empty = [square for square, disc in enumerate(position[0]) if disc == "-"]
        return [square for square in empty if self.turned(position, square)]

    def moves(self, position):
        """Returns the squares; only `None`, a pass, if the side to move has none but the other side has one."""
        placements = self.placements(position)
        other = (position[0], other_disc(position[1]))
        return placements or ([None] if self.placements(other) else [])

    def play(self, position, move):
        squares, side = list(position[0]), position[1]
        if move is not None:
            for square in [move] + self.turned(position, move):
                squares[square] = side
        return squares, other_disc(side)


def other_disc(side):
    return "O" if side == "X" else "X"


class Mill:
    """A position is a dictionary of men by point, the men in hand by side, the side to move, and the banned steps by
    side."""

    def __init__(
        self,
        rows,
        columns,
        men,
        flying=False,
        protected=False,
        captures_any=False,
        moves_with_hand=False,
        mill_wins=False,
        no_return=False,
    ):
        self.lines = [line.split() for line in rows + columns]
        self.points = sorted({point for line in self.lines for point in line})
        self.mills = [line[i : i + 3] for line in self.lines for i in range(len(line) - 2)]
        self.neighbors = {point: [] for point in self.points}
        for line in self.lines:
            for one, next_one in zip(line, line[1:]):
                self.neighbors[one].append(next_one)
                self.neighbors[next_one].append(one)
        self.men = men
        self.flying = flying
        self.protected = protected
        self.captures_any = captures_any
        self.moves_with_hand = moves_with_hand
        self.mill_wins = mill_wins
        self.no_return = no_return

    def start(self):
        return {}, {"W": self.men, "B": self.men}, "W", {}

    def read(self, text):
        fields = text.split(" ")
        white, black = fields[0].split(",")
        men = {}
        for side, points in (("W", fields[1]), ("B", fields[2])):
            if points != "-":
                for point in points.split(","):
                    assert point in self.points and point not in men, point
                    men[point] = side
        bans = {}
        if len(fields) > 4:
            for side, step in zip("WB", fields[4][len("ban=") :].split(",")):
                if step != "-":
                    bans[side] = tuple(step.split("-"))
        return men, {"W": int(white), "B": int(black)}, fields[3], bans

    def in_mill(self, men, point):
        return any(point in mill and all(men.get(other) == men[point] for other in mill) for mill in self.mills)

    def is_lost(self, men, hands):
        for side in "WB":
            own = [point for point in men if men[point] == side]
            if self.mill_wins:
                if any(self.in_mill(men, point) for point in own):
                    return True
            elif len(own) + hands[side] < 3:
                return True
        return False

    def moves(self, position):
        """Returns the moves as (from or None, to, captured or None)."""
        men, hands, side, bans = position
        if self.is_lost(men, hands):
            return []
        own = [point for point in men if men[point] == side]
        theirs = [point for point in men if men[point] != side]
        empty = [point for point in self.points if point not in men]
        steps = []
        if hands[side] > 0:
            steps += [(None, point) for point in empty]
        if hands[side] == 0 or self.moves_with_hand:
            for start in own:
                if self.flying and hands[side] == 0 and len(own) == 3:
                    steps += [(start, point) for point in empty]
                else:
                    steps += [(start, point) for point in self.neighbors[start] if point in empty]
        moves = []
        for start, end in steps:
            if bans.get(side) == (start, end):
                continue
            after = dict(men)
            if start is not None:
                del after[start]
            after[end] = side
            victims = []
            if self.in_mill(after, end) and not self.mill_wins:
                victims = [point for point in theirs if not self.in_mill(men, point)]
                if self.captures_any or (not victims and not self.protected):
                    victims = theirs
            moves += [(start, end, victim) for victim in victims] or [(start, end, None)]
        return moves

    def play(self, position, move):
        men, hands, side, bans = dict(position[0]), dict(position[1]), position[2], dict(position[3])
        start, end, victim = move
        left_a_mill = start is not None and self.in_mill(men, start)
        if start is None:
            hands[side] -= 1
        else:
            del men[start]
        men[end] = side
        bans.pop(side, None)
        if self.no_return and left_a_mill and self.in_mill(men, end):
            bans[side] = (end, start)
        if victim is not None:
            del men[victim]
        # A ban matters on the next turn only, and the test of a step does the rest.
        return men, hands, "B" if side == "W" else "W", bans


OUTER = ["a1 a4 a7", "a1 d1 g1", "a7 d7 g7", "g1 g4 g7"]
MIDDLE = ["b2 b4 b6", "b2 d2 f2", "b6 d6 f6", "f2 f4 f6"]
INNER = ["c3 c4 c5", "c3 d3 e3", "c5 d5 e5", "e3 e4 e5"]
SPOKES = ["a4 b4 c4", "d1 d2 d3", "d5 d6 d7", "e4 f4 g4"]
DIAGONALS = ["a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5"]
NINE = OUTER + MIDDLE + INNER

GAMES = {
    "othello": Othello(8),
    "othello-6x6": Othello(6),
    "othello-4x4": Othello(4),
    "nine-mens-morris": Mill(NINE, SPOKES, 9),
    "nine-mens-morris-flying": Mill(NINE, SPOKES, 9, flying=True),
    "nine-mens-morris-protected": Mill(NINE, SPOKES, 9, protected=True),
    "nine-mens-morris-flying-protected": Mill(NINE, SPOKES, 9, flying=True, protected=True),
    "nine-mens-morris-flying-unprotected": Mill(NINE, SPOKES, 9, flying=True, captures_any=True),
    # Counts do not depend on the result of a blocked side.
    "nine-mens-morris-flying-blocked-draw": Mill(NINE, SPOKES, 9, flying=True),
    "nine-mens-morris-flying-no-return": Mill(NINE, SPOKES, 9, flying=True, no_return=True),
    "morabaraba": Mill(NINE, SPOKES + DIAGONALS, 12, flying=True),
    # Counts do not depend on the result of a full board.
    "morabaraba-full-draw": Mill(NINE, SPOKES + DIAGONALS, 12, flying=True),
    "morabaraba-no-return": Mill(NINE, SPOKES + DIAGONALS, 12, flying=True, no_return=True),
    "lasker-morris": Mill(NINE, SPOKES, 10, flying=True, moves_with_hand=True),
    "twelve-mens-morris": Mill(NINE, SPOKES + DIAGONALS, 12, flying=True),
    "eleven-mens-morris": Mill(NINE, SPOKES + DIAGONALS, 11, flying=True),
    "seven-mens-morris": Mill(OUTER + MIDDLE, ["a4 b4 d4 f4 g4", "d1 d2 d4 d6 d7"], 7),
    "six-mens-morris": Mill(OUTER + MIDDLE, ["a4 b4", "d1 d2", "d6 d7", "f4 g4"], 6),
    "five-mens-morris": Mill(OUTER + MIDDLE, ["a4 b4", "d1 d2", "d6 d7", "f4 g4"], 5),
    "three-mens-morris": Mill(
        ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3"],
        ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"],
        3,
        mill_wins=True,
    ),
}


def perft(game, position, depth, convention="passes-count"):
    """Counts the leaves."""
    if depth == 0:
        return 1
    moves = game.moves(position)
    if not moves:
        return 0 if convention == "passes-count" else 1
    leaves = 0
    for move in moves:
        is_free = move is None and convention == "free-pass"
        leaves += perft(game, game.play(position, move), depth if is_free else depth - 1, convention)
    return leaves


def check(path, max_leaves):
    game = GAMES[os.path.basename(path).removesuffix(".perft")]
    position, convention, counted, different = game.start(), CONVENTIONS[0], 0, 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            word, _, rest = line.strip().partition(" ")
            if word == "position":
                position = game.start() if rest == "start" else game.read(rest)
            elif word == "convention":
                assert rest in CONVENTIONS, rest
                convention = rest
            elif word == "perft":
                depth, expected = map(int, rest.split())
                if expected <= max_leaves:
                    leaves = perft(game, position, depth, convention)
                    counted += 1
                    if leaves != expected:
                        different += 1
                        print(f"{path}, line {number}: expected {expected}, found {leaves}")
    print(f"{path}: {counted} counts, {different} different")
    return different == 0


def main(arguments):
    match arguments:
        case ["count", name, depth, *rest] if len(rest) <= 2:
            game = GAMES[name]
            position = game.read(rest[0]) if rest and rest[0] != "start" else game.start()
            for plies in range(1, int(depth) + 1):
                print(f"perft {plies} {perft(game, position, plies, *rest[1:])}")
        case ["check", path, *rest] if len(rest) <= 1:
            sys.exit(0 if check(path, int(rest[0]) if rest else 20_000) else 1)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
