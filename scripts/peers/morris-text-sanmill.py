#!/usr/bin/env python3
"""Adapts Sanmill's command-line engine for matches: translates between morello's morris-text and Sanmill's UCI.

Usage: as the command of an engine, with the path of Sanmill's program `tgf`, built from its sources (crates/tgf-cli):

    morello selfplay nine-mens-morris-flying --engine name=morello,time=100ms \\
      --engine 'name=sanmill,cmd="scripts/peers/morris-text-sanmill.py /path/to/tgf",protocol=morris-text,time=100ms'
      --no-progress 200

In Sanmill, a move with a capture is two actions; the adapter requests each with the same limit. It supports the games
that both programs know with the same rules: nine men's morris with and without flying, and the variants in which
mills capture any man or a blocked side draws; Lasker's morris; eleven and twelve men's morris; Morabaraba with both
rules for a full board. `sanmill_rules.py` compares the rules. Options of Sanmill follow the program as NAME=VALUE.
Needs only the Python standard library.
"""

import subprocess
import sys

MILLS = [
    set(line.split())
    for line in (
        "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
        "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
    )
]  # fmt: skip
DIAGONALS = [set(line.split()) for line in ("a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5")]
# The men of each side, and the options of the rules. Board full: 0 is a loss of the first player, who would have to
# move, and 4 a draw. Stalemate: 0 is a loss of the side without a move, and 4 a draw.
NINE = {
    "PiecesCount": "9",
    "HasDiagonalLines": "false",
    "MayMoveInPlacingPhase": "false",
    "MayFly": "true",
    "MayRemoveFromMillsAlways": "false",
    "RestrictRepeatedMillsFormation": "false",
    "StalemateAction": "0",
    "BoardFullAction": "0",
}
COWS = NINE | {"PiecesCount": "12", "HasDiagonalLines": "true"}
GAMES = {
    "nine-mens-morris": NINE | {"MayFly": "false"},
    "nine-mens-morris-flying": NINE,
    "nine-mens-morris-flying-unprotected": NINE | {"MayRemoveFromMillsAlways": "true"},
    "nine-mens-morris-flying-blocked-draw": NINE | {"StalemateAction": "4"},
    "lasker-morris": NINE | {"PiecesCount": "10", "MayMoveInPlacingPhase": "true"},
    "eleven-mens-morris": COWS | {"PiecesCount": "11"},
    "twelve-mens-morris": COWS | {"BoardFullAction": "4"},
    "morabaraba": COWS,
    "morabaraba-full-draw": COWS | {"BoardFullAction": "4"},
}
OPTIONS = {
    "SkillLevel": "30",
    "IDSEnabled": "true",
    "Hash": "16",
    # Draws are decided by the referee. With a lower limit, Sanmill would answer `draw` instead of a move, so use
    # --no-progress 200 or less.
    "NMoveRule": "200",
    "EndgameNMoveRule": "200",
    "ThreefoldRepetitionRule": "false",
    "DrawOnHumanExperience": "false",
}


class Sanmill:
    """The Sanmill process, which returns one action at a time."""

    def __init__(self, program, options):
        self.process = subprocess.Popen(
            [program, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.write("uci")
        self.wait_for("uciok")
        for name, value in options.items():
            self.write(f"setoption name {name} value {value}")
        self.ready()

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, word):
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("Sanmill has exited")
            if word in line:
                return line.strip()

    def ready(self):
        self.write("isready")
        self.wait_for("readyok")

    def action(self, tokens, go):
        """Returns the chosen action and the words of the answer."""
        self.write("position startpos" + (" moves " + " ".join(tokens) if tokens else ""))
        self.write(go)
        line = self.wait_for("bestmove")
        words = line.split()
        return words[words.index("bestmove") + 1], words


def tokens_of(moves):
    """Yields the tokens of moves in Sanmill's notation, where a capture is a separate token."""
    for move in moves:
        action, cross, captured = move.partition("x")
        yield action
        if cross:
            yield "x" + captured


def closes_mill(mills, tokens, action):
    """Returns whether an action of the side to move closes a mill."""
    men = [set(), set()]
    side = 0
    waiting = False
    for token in tokens:
        if token.startswith("x"):
            men[1 - side].discard(token[1:])
            side, waiting = 1 - side, False
            continue
        if waiting:
            # The mill captured nothing, because no man could be captured.
            side, waiting = 1 - side, False
        origin, _, target = token.rpartition("-")
        men[side].discard(origin)
        men[side].add(target)
        if any(target in mill and mill <= men[side] for mill in mills):
            waiting = True
        else:
            side = 1 - side
    origin, _, target = action.rpartition("-")
    own = (men[side] - {origin}) | {target}
    return any(target in mill and mill <= own for mill in mills)


def value_after(words, name):
    return words[words.index(name) + 1] if name in words[:-1] else None


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    options = OPTIONS | dict(option.split("=", 1) for option in sys.argv[2:])
    sanmill = Sanmill(sys.argv[1], options)
    tokens, rules = [], NINE
    for line in sys.stdin:
        words = line.split()
        answer = None
        match words[:1]:
            case ["morris"]:
                answer = "id name Sanmill\nok"
            case ["ping"]:
                answer = f"pong {words[1]}"
            case ["newgame"]:
                if words[1] not in GAMES:
                    answer = f"error Sanmill does not play {words[1]} here"
                else:
                    rules = GAMES[words[1]]
                    for name, value in rules.items():
                        sanmill.write(f"setoption name {name} value {value}")
                    sanmill.write("setoption name Clear Hash")
                    sanmill.ready()
            case ["position"]:
                start, _, moves = line[len("position") :].partition("moves")
                men = rules["PiecesCount"]
                if start.strip() not in ("start", f"{men},{men} - - W"):
                    answer = "error only games from the start position are supported"
                else:
                    tokens = list(tokens_of(moves.split()))
            case ["go"]:
                bound = line.strip()
                action, answer_words = sanmill.action(tokens, bound)
                captured = ""
                mills = MILLS + DIAGONALS if rules["HasDiagonalLines"] == "true" else MILLS
                if closes_mill(mills, tokens, action):
                    captured, _ = sanmill.action([*tokens, action], bound)
                    # If nothing can be captured, this is an action of the other side.
                    captured = captured if captured.startswith("x") else ""
                depth, nodes = value_after(answer_words, "depth") or 0, value_after(answer_words, "nodes") or 0
                answer = f"info depth {depth} nodes {nodes}\nbestmove {action}{captured}"
            case ["quit"]:
                break
        if answer:
            print(answer, flush=True)
    sanmill.process.kill()


if __name__ == "__main__":
    main()
