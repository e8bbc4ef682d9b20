#!/usr/bin/env python3
"""Adapts Zebra, Gunnar Andersson's Othello program, which has no engine protocol, to NBoard.

Usage: scripts/peers/nboard-zebra.py [--exact N] [--wld N] [--coefficients FILE] ZEBRA [ARGUMENT ...]

ZEBRA is the interactive program `zebra` (not `scrzebra`), a path or a name in PATH. By default its weights,
`coeffs2.bin`, are expected in the same folder. ARGUMENTS are passed to Zebra: `-h 20` sets the table to 2^20 entries,
and `-n 1` limits solving to one thread.

Protocol: NBoard 2 on standard input and output (`nboard`, `set depth`, `set game`, `move`, `hint`, `go`, `ping`,
`learn`, `quit`); other lines are ignored. A `ping` or `quit` stops a running search, whose `go` or `hint` then gets no
answer; other commands wait for its end. `hint` always reports a single move.

Depth N means: Zebra searches N plies (with its own selective midgame search), proves the winner from N/2 + 14 empty
squares on, and the exact score from N/2 + 12 on: 8 is 8/16/18, 12 is 12/18/20, 16 is 16/20/22 and 20 is 20/22/24,
which are levels of its Android edition. --exact and --wld set these numbers of empty squares for all depths. Book,
learning, randomness, clock and pondering are off. Scores are discs for the side to move; `Win` and `Loss` without a
margin are reported as +2 and -2, the smallest possible margins.

Implementation: one Zebra process plays one side of one game and keeps its tables between moves. The opponent's move is
sent when `go` requests the next one. Anything else (another game, depth or side, a different move for Zebra, a pass)
starts a new process from the position, which takes some hundredths of a second. Zebra runs on a pseudo-terminal, since
it would buffer output to a pipe, and in a temporary folder, since it writes `current.gam`, `current.mov` and
`zebra.log` to the current one; so several instances can run at once. The board that Zebra shows after its move is
compared with ours.
"""

import argparse
import ctypes
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import termios
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "data"))
from othello import START, flips, moves, name, play, square_of

CELLS = {"*": "X", "X": "X", "x": "X", "O": "O", "o": "O", "-": "-", ".": "-"}
SIDES = {"*": "X", "X": "X", "x": "X", "O": "O", "o": "O"}

# `-->   8  -1.34           3364  d3 c5 e6 e3 c3     0.0 s  1687908 nps`; the nodes of a long search end in k, M or G.
STATUS = re.compile(r"^-->\s+(\d+)\s+(\S+(?: @ +\d+%)?)\s+(\d+)([kMG]?)\s+(?:[a-h-])", re.MULTILINE)
VARIATION = re.compile(r"^PV: (.*)$", re.MULTILINE)
ROW = re.compile(r"^ {6}[1-8]  ((?:[ *O] ){8})", re.MULTILINE)
FACTORS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


class ZebraError(Exception):
    """Unexpected output or exit of Zebra."""


class Interrupted(Exception):
    """The search was stopped by a command."""


def legal(position, move):
    """Returns whether a move is legal. A pass is legal only if no other move is."""
    return bool(flips(position, move)) if move is not None else not moves(position)


class Game:
    """A game: its positions from the start, and the moves between them."""

    def __init__(self, start=START):
        self.positions = [start]
        self.moves = []

    @classmethod
    def from_ggf(cls, text):
        """Parses a game in GGF, with its 8x8 board in `BO` and its moves in `B` and `W`."""
        fields = re.findall(r"([A-Z]+)\[([^\]]*)\]", text)
        boards = [value for tag, value in fields if tag == "BO"]
        if not boards:
            raise ValueError("the game has no board, BO[8 ...]")
        size, _, rest = boards[0].strip().partition(" ")
        marks = rest.replace(" ", "")
        if size != "8" or len(marks) != 65 or marks[64] not in SIDES or not CELLS.keys() >= set(marks[:64]):
            raise ValueError(f"not an 8x8 board with a side to move: `{boards[0]}`")
        game = cls("".join(CELLS[mark] for mark in marks[:64]) + " " + SIDES[marks[64]])
        for tag, value in fields:
            if tag in ("B", "W"):
                game.play(square_of(value.partition("/")[0]))
        return game

    def position(self):
        return self.positions[-1]

    def play(self, move):
        if not legal(self.position(), move):
            raise ValueError(f"illegal move: `{name(move)}`")
        self.positions.append(play(self.position(), move))
        self.moves.append(move)


class Commands:
    """Reads lines from standard input without buffering in Python, so that `select` shows whether more are
    available."""

    def __init__(self):
        self.buffer = b""
        self.ended = False

    def waiting(self):
        return b"\n" in self.buffer

    def stop(self):
        """Returns whether one of the buffered lines stops a search."""
        return re.search(rb"^(ping\b.*|quit\s*)\n", self.buffer, re.MULTILINE) is not None

    def fill(self):
        chunk = os.read(0, 65536)
        self.ended = not chunk
        # The last line may lack a line feed.
        self.buffer += chunk or (b"\n" if self.buffer and not self.waiting() else b"")

    def next(self):
        """Returns the next line; `None` at the end."""
        while not self.waiting() and not self.ended:
            self.fill()
        if not self.waiting():
            return None
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode(errors="replace").strip()


def die_with_parent():
    """Requests that this process is killed when its parent ends. Zebra has its own session and would otherwise keep
    running.

    Supported only on Linux.
    """
    if sys.platform == "linux":
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Zebra:
    """A Zebra process that plays one side of a game."""

    def __init__(self, options, folder, levels, start):
        self.levels, self.side = levels, start[65]
        self.position = None  # where it waits for a move of the opponent
        # 64 squares and the word for the side to move, which is the side that thinks.
        side = "Black" if self.side == "X" else "White"
        pathlib.Path(folder, "start").write_text(f"{start[:64]}\n{side}\n", encoding="ascii")
        ours = [str(level) for level in levels]
        players = [*ours, "0"] if self.side == "X" else ["0", *ours]
        settings = "-b 0 -e 1 -p 1 -r 0 -slack 0 -w 0 -keepdraw -g start -l".split()
        command = [str(options.zebra), *settings, *players, *options.arguments]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            try:
                die_with_parent()
                os.chdir(folder)
                attributes = termios.tcgetattr(1)
                attributes[1] &= ~termios.OPOST
                attributes[3] &= ~termios.ECHO
                termios.tcsetattr(1, termios.TCSANOW, attributes)
                os.execv(command[0], command)
            finally:
                os._exit(127)

    def tell(self, move):
        os.write(self.terminal, name(move).encode() + b"\n")

    def answer(self, commands):
        """Waits until Zebra has moved and returns its output up to then.

        Raises Interrupted if it is to stop before.
        """
        printed = b""
        while True:
            # Zebra prints `White move: ` and waits, reports that the opponent must pass, or ends the game.
            if re.search(rb"(Black|White) move: $|please press Enter|Total time:", printed):
                return printed.decode(errors="replace")
            if commands.stop():
                raise Interrupted
            readable = select.select([self.terminal] + ([] if commands.ended else [0]), [], [])[0]
            if 0 in readable:
                commands.fill()
            if self.terminal in readable:
                try:
                    chunk = os.read(self.terminal, 65536)
                except OSError:  # what a terminal says when its other end is closed
                    chunk = b""
                if not chunk:
                    raise ZebraError("Zebra exited: " + printed.decode(errors="replace").strip()[-300:])
                printed += chunk

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


class Engine:
    """Executes the commands."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.commands = Commands()
        self.game = Game()
        self.depth = 8
        self.zebra = None

    def levels(self):
        """Returns the depth of the midgame search, and the empty squares from which the score and the winner are
        proved."""
        exact = self.depth // 2 + 12 if self.options.exact is None else self.options.exact
        wld = max(exact, self.depth // 2 + 14 if self.options.wld is None else self.options.wld)
        return self.depth, exact, wld

    def close(self):
        if self.zebra is not None:
            self.zebra.close()
            self.zebra = None

    def follow(self):
        """Sends the opponent's move to the running process. Returns whether this process now searches the current
        position."""
        zebra, game = self.zebra, self.game
        if zebra is None or zebra.side != game.position()[65] or zebra.levels != self.levels():
            return False
        if zebra.position not in game.positions:
            return False
        since = game.moves[game.positions.index(zebra.position) :]
        if len(since) != 1:
            return False
        zebra.tell(since[0])
        return True

    def think(self):
        """Lets Zebra search the current position; returns the score, the depth, the nodes and the principal
        variation."""
        position = self.game.position()
        if not self.follow():
            self.close()
            self.zebra = Zebra(self.options, self.folder, self.levels(), position)
        try:
            result = self.read(self.zebra.answer(self.commands), position)
        except Interrupted:
            self.close()
            raise
        # If the opponent must pass, Zebra may or may not wait for Enter, depending on earlier input.
        if not moves(self.zebra.position):
            self.close()
        return result

    def read(self, printed, position):
        """Parses Zebra's output about its move, and updates the position where it waits."""
        searches, variations = STATUS.findall(printed), VARIATION.findall(printed)
        if not searches or not variations:
            raise ZebraError("no search in the output of Zebra: " + printed.strip()[-300:])
        variation = [None if text == "--" else square_of(text) for text in variations[-1].split()]
        if not variation or not legal(position, variation[0]):
            raise ZebraError(f"`{variations[-1]}` does not begin with a legal move of {position}")
        after = play(position, variation[0])
        rows = ROW.findall(printed)
        if printed.endswith("move: "):
            shown = "".join(row[::2] for row in rows[-8:]).translate(str.maketrans(" *", "-X"))
            if shown != after[:64]:
                raise ZebraError(f"after {name(variation[0])} Zebra's board is {shown}, not {after[:64]}")
        self.zebra.position = after
        # The nodes of a solve include the preceding midgame search.
        depth, score, count, unit = searches[-1]
        return points(score), int(depth), int(count) * FACTORS[unit], variation

    def search(self, answer):
        """Executes `go`, or `hint` if `answer` is false."""
        if not moves(self.game.position()):
            if answer:
                say("=== PA")
            return
        say("status Thinking")
        began = time.perf_counter()
        try:
            score, depth, nodes, variation = self.think()
        except Interrupted:
            say("status")
            return
        seconds = time.perf_counter() - began
        say(f"nodestats {nodes} {seconds:.3f}")
        say(f"search {''.join(name(step).upper() for step in variation)} {score:.2f} 0 {depth}")
        say("status")
        if answer:
            say(f"=== {name(variation[0]).upper()}/{score:.2f}/{seconds:.3f}")

    def obey(self, line):
        """Executes a line; returns whether to continue."""
        command, _, rest = line.partition(" ")
        if command == "quit":
            return False
        if command == "set":
            what, _, value = rest.strip().partition(" ")
            if what == "depth":
                # From 60 plies on, Zebra would use its clock.
                self.depth = max(1, min(59, int(value)))
                say(f"set myname Zebra{self.depth}")
            elif what == "game":
                self.game = Game.from_ggf(value)
        elif command == "move":
            self.game.play(square_of(rest.partition("/")[0]))
        elif command == "go":
            self.search(answer=True)
        elif command == "hint":
            self.search(answer=False)
        elif command == "ping":
            say(f"pong {rest.strip()}")
        elif command == "learn":
            say("learned")
        return True

    def run(self):
        while (line := self.commands.next()) is not None:
            try:
                if not self.obey(line):
                    return
            except ValueError as error:
                say(f"status {error}, in `{line}`")


def points(score):
    """Parses a score of Zebra: discs, or `Win`, `Draw` or `Loss`, possibly with a confidence."""
    word = score.partition(" ")[0]
    named = {"Win": 2.0, "Draw": 0.0, "Loss": -2.0}
    try:
        return named[word] if word in named else float(word)
    except ValueError as error:
        raise ZebraError(f"not a score: `{score}`") from error


def say(line):
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zebra", type=pathlib.Path, help="the program `zebra`: a path, or a name in PATH")
    parser.add_argument(
        "--coefficients", type=pathlib.Path, help="its weights; default: coeffs2.bin in the same folder"
    )
    parser.add_argument("--exact", type=int, help="empty squares from which it proves the score; default: depth/2 + 12")
    parser.add_argument("--wld", type=int, help="empty squares from which it proves who wins; default: depth/2 + 14")
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="arguments for Zebra, such as `-n 1`"
    )
    options = parser.parse_args()
    options.zebra = pathlib.Path(shutil.which(options.zebra) or options.zebra).resolve()
    coefficients = (options.coefficients or options.zebra.parent / "coeffs2.bin").resolve()
    for file in (options.zebra, coefficients):
        if not file.is_file():
            sys.exit(f"{file}: no such file")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="nboard-zebra-")
    try:
        os.symlink(coefficients, os.path.join(folder, "coeffs2.bin"))
        engine = Engine(options, folder)
        try:
            engine.run()
        finally:
            engine.close()
    except (BrokenPipeError, KeyboardInterrupt):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except ZebraError as error:
        sys.exit(f"nboard-zebra: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
