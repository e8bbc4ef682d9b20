"""A fake Othello engine for tests: it uses NBoard, plays the first legal move, and fails on request.

nboard.py [--fail HOW] [--after N] [--style slash] [--child FILE]

HOW: start (exits at once), deaf (ignores pings), stubborn (goes on after the end of its input), mortal (dies on Ctrl-C),
and at the N-th `go` (from 0) of the process: crash, illegal, silent, chatty (prints status lines forever), flood (many
more), slow, other-side (a move of the other side), closed (closes its output), garbage.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--fail")
parser.add_argument("--after", type=int, default=0)
parser.add_argument("--style", default="blank")
parser.add_argument("--child")
options = parser.parse_args()


FLOOD = "status status status status status\n" * 10_000


def say(line):
    print(line, flush=True)


def flips(board, size, side, square):
    """Returns the squares that a disc on `square` flips."""
    found = []
    if board[square] != "-":
        return found
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            line = []
            x, y = square % size + dx, square // size + dy
            while 0 <= x < size and 0 <= y < size and board[y * size + x] not in ("-", side):
                line.append(y * size + x)
                x, y = x + dx, y + dy
            if (dx or dy) and 0 <= x < size and 0 <= y < size and board[y * size + x] == side:
                found += line
    return found


def name(size, square):
    return "ABCDEFGH"[square % size] + str(square // size + 1)


class Game:
    """The board after the moves of a GGF game."""

    def __init__(self, text):
        size, squares, side = re.search(r"BO\[(\d) ([-*O]+) ([*O])\]", text).groups()
        self.size, self.board, self.side = int(size), list(squares), side
        for color, move in re.findall(r"\]?([BW])\[(\w\w)\]", text[text.index("BO[") :]):
            assert {"B": "*", "W": "O"}[color] == self.side, "the sides take turns"
            self.play(move)

    def moves(self):
        found = [name(self.size, s) for s in range(self.size**2) if flips(self.board, self.size, self.side, s)]
        return found or ["PA"]

    def play(self, move):
        assert move in self.moves(), "an illegal move in the game"
        if move != "PA":
            square = next(s for s in range(self.size**2) if name(self.size, s) == move)
            for s in flips(self.board, self.size, self.side, square) + [square]:
                self.board[s] = self.side
        self.side = "O" if self.side == "*" else "*"


if options.fail == "start":
    print("no book", file=sys.stderr, flush=True)
    sys.exit(3)
if options.fail == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if options.fail == "mortal":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
if options.child:
    child = subprocess.Popen(["sleep", "1000"])
    with open(options.child, "w") as file:
        file.write(str(child.pid))

game, answered = None, 0
say("set myname Fake")
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "ping" and options.fail != "deaf":
        say("pong " + rest)
    elif command == "set" and rest.startswith("game "):
        game = Game(rest)
    elif command == "go":
        say("status thinking")
        if answered == options.after and options.fail == "crash":
            print("out of cheese", file=sys.stderr, flush=True)
            sys.exit(3)
        if answered == options.after and options.fail == "silent":
            time.sleep(1000)
        while answered == options.after and options.fail == "chatty":
            say("status still thinking")
        while answered == options.after and options.fail == "flood":
            sys.stdout.write(FLOOD)
        if answered == options.after and options.fail == "closed":
            os.close(1)
            time.sleep(1000)
        if answered >= options.after and options.fail == "slow":
            time.sleep(0.4)
        if answered == options.after and options.fail == "other-side":
            game.side = "O" if game.side == "*" else "*"
        answered += 1
        move = "A9" if options.fail == "illegal" and answered > options.after else game.moves()[0]
        if options.fail == "garbage" and answered > options.after:
            move = "\x01\x02 out of cheese %s"
        say("nodestats 7 0.01")
        say(f"=== {move}/1.50/0.01" if options.style == "slash" else f"=== {move.lower()} 1.50 0.0")
if options.fail == "stubborn":
    time.sleep(1000)
