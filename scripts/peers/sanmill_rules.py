#!/usr/bin/env python3
"""Compares the rules of morello and Sanmill in the states of random mill games.

Usage: scripts/peers/sanmill_rules.py [--states N] [--seed N] [--morello PATH] TGF [GAME...]

    scripts/peers/sanmill_rules.py /path/to/tgf
    scripts/peers/sanmill_rules.py --states 100 /path/to/tgf lasker-morris morabaraba

TGF is Sanmill's program, built from its sources (crates/tgf-cli). It plays random games; in two of three, the sides
prefer captures, or avoid them and try to block each other, so that all kinds of ends occur. For each state of a game,
the side to move, the end and the result must be the same in both programs. The legal moves are compared for ten
random states of each game, and for all states with a ban. A move with a capture is two actions in Sanmill. Sanmill
has no perft command.

Sanmill draws a game after 200 plies without a capture. Such games are cut, and their last state is not compared.
Morabaraba's ten-move draw is Sanmill's limit of 20 plies in an endgame with three men.

In the no-return games, one difference is known and counted separately: if the opponent's capture breaks one of the
two mills, the reverse move is legal in Sanmill, while morello bans it for one turn.

Sanmill cannot express these games: the protected ones, because in Sanmill a mill captures a man in a mill if there is
no other; and seven, six, five and three men's morris, because Sanmill has only the board of 24 points and 9 to 12 men.

Needs only the Python standard library. Exit codes: 0 no differences, 1 differences, 2 a program is missing.
"""

import argparse
import collections
import importlib
import json
import random
import shutil
import subprocess
import sys

adapter = importlib.import_module("morris-text-sanmill")

NO_RETURN = {"RestrictRepeatedMillsFormation": "true"}
GAMES = adapter.GAMES | {
    "nine-mens-morris-flying-no-return": adapter.NINE | NO_RETURN,
    "morabaraba-no-return": adapter.COWS | NO_RETURN,
}
STATES_PER_GAME = 10
STYLES = ("random", "capture", "block")


class Sanmill(adapter.Sanmill):
    """Sanmill as a referee."""

    def state(self, tokens):
        """Returns the state after these actions."""
        self.write("position startpos" + (" moves " + " ".join(tokens) if tokens else ""))
        self.write("statejson")
        return json.loads(self.wait_for("sanmill_state").partition("sanmill_state")[2])

    def moves(self, tokens, state):
        """Returns the legal moves in a state, each with the number of replies to it, or with 0 if it captures."""
        moves = {}
        for action in state["legal_actions"]:
            self.write(f"position startpos moves {' '.join(tokens)} {action}")
            self.write("moves")
            following = self.wait_for("moves").split()[1:]
            if following and following[0].startswith("x"):
                moves |= {action + capture: 0 for capture in following}
            else:
                moves[action] = len(following)
        return moves

    def play(self, numbers, style):
        """Plays a random game; returns its moves, and each state with its legal moves."""
        tokens, played, states = [], [], []
        while True:
            state = self.state(tokens)
            if state["action_token_count"] != len(tokens):
                sys.exit(f"error: Sanmill rejects its own moves {tokens}")
            moves = {} if state["terminal"] else self.moves(tokens, state)
            states.append((state, moves))
            if not moves:
                return played, states
            # Sanmill shuffles the captures.
            names = sorted(moves)
            if style == "capture":
                names = [name for name in names if "x" in name] or names
            elif style == "block":
                names = [name for name in names if "x" not in name] or names
                fewest = min(moves[name] for name in names)
                names = [name for name in names if moves[name] == fewest]
            played.append(numbers.choice(names))
            tokens += adapter.tokens_of(played[-1:])


class Morello:
    """The rules of a game in morello."""

    def __init__(self, program, game):
        self.program, self.game = program, game

    def run(self, command, *arguments):
        return subprocess.run([self.program, command, self.game, *arguments], stdout=subprocess.PIPE, text=True).stdout

    def rows(self, moves):
        """Returns the state before and after each move."""
        lines = self.run("referee", "--format=jsonl", "--moves", " ".join(moves)).splitlines()
        return [json.loads(line) for line in lines]

    def moves(self, moves):
        """Returns the legal moves after these moves."""
        position = ["--position", " ".join(moves)] if moves else []
        lines = self.run("perft", "1", "--divide", "--hash=0", "--threads=1", "--format=jsonl", *position).splitlines()
        return {row["move"] for row in map(json.loads, lines) if row["move"]}


def result(state):
    """Returns the result of Sanmill's state, or None if the game continues."""
    return (state["winner"] or "draw") if state["terminal"] else None


def is_banned(row):
    """Returns whether the side to move of morello's state has a ban."""
    _, _, bans = row["position"].partition(" ban=")
    return bool(bans) and bans.split(",")[row["side_to_move"] == "black"] != "-"


def is_known(game, ours, theirs, played):
    """Returns whether the moves that differ are the reverse of a move one of whose mills a capture has broken."""
    if "no-return" not in game or len(played) < 2 or not ours <= theirs:
        return False
    step, captured = played[-2].partition("x")[0].split("-"), played[-1].partition("x")[2]
    mills = adapter.MILLS + (adapter.DIAGONALS if GAMES[game]["HasDiagonalLines"] == "true" else [])
    is_broken = any({captured, point} <= mill for point in step for mill in mills)
    return is_broken and all(move.partition("x")[0] == "-".join(step[::-1]) for move in theirs - ours)


def compare(sanmill, program, game, count, seed):
    """Compares this many states; returns counts of what was compared, and a list of differences as text."""
    numbers = random.Random(f"{game} {seed}")
    limit = {"EndgameNMoveRule": "20" if game.startswith("morabaraba") else "200"}
    for name, value in (GAMES[game] | limit).items():
        sanmill.write(f"setoption name {name} value {value}")
    morello, counts, ends, differences = Morello(program, game), collections.Counter(), collections.Counter(), []
    while counts["states"] < count:
        played, states = sanmill.play(numbers, STYLES[counts["games"] % len(STYLES)])
        counts["games"] += 1
        rows = morello.rows(played)
        # The last state has no moves.
        sample = set(numbers.sample(range(len(played)), min(STATES_PER_GAME, len(played))))
        last = None
        for ply, ((state, _), row) in enumerate(zip(states, rows, strict=True)):
            if state["outcome_reason_code"] == "draw_fifty_move":
                counts["cut"] += 1
                break
            differs = not row["legal"] or row["over"] != state["terminal"] or row["outcome"] != result(state)
            differs |= not row["over"] and row["side_to_move"] != state["side_to_move"]
            if state["terminal"]:
                ends[state["outcome_reason_code"]] += 1
            # If morello rejected the last move, compare the moves before it, unless that was done.
            before = ply if row["legal"] else ply - 1
            if (ply in sample or differs or is_banned(row)) and before != last:
                last = before
                ours, theirs = morello.moves(played[:before]), set(states[before][1])
                counts["states"] += 1
                counts["bans"] += is_banned(row)
                men = row["position"].split()[1 + (row["side_to_move"] == "black")].count(",") + 1
                counts["three men" if state["phase"] == "moving" and men == 3 else state["phase"]] += 1
                if ours != theirs and is_known(game, ours, theirs, played[:before]):
                    counts["known"] += 1
                elif differs or ours != theirs:
                    differences.append(
                        f"{game} after {' '.join(played[:ply]) or 'no moves'}: only morello {sorted(ours - theirs)},"
                        f" only Sanmill {sorted(theirs - ours)}; morello {row['side_to_move']}, {row['outcome']};"
                        f" Sanmill {state['side_to_move']}, {state['outcome_reason_code']}, {result(state)}"
                    )
            if differs:
                break
    return counts, ends, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="TGF", help="Sanmill's program")
    parser.add_argument("names", metavar="GAME", nargs="*", help="games [default: all that Sanmill knows]")
    parser.add_argument(
        "--states", type=int, default=1000, metavar="N", help="number of states of each game [default: 1000]"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the games [default: 1]")
    parser.add_argument("--morello", default="morello", metavar="PATH", help="morello's program [default: morello]")
    arguments = parser.parse_args()
    for game in arguments.names:
        if game not in GAMES:
            parser.error(f"unknown game {game} (known: {', '.join(GAMES)})")
    for program in arguments.program, arguments.morello:
        if not shutil.which(program):
            print(f"error: {program} not found", file=sys.stderr)
            return 2
    sanmill = Sanmill(arguments.program, adapter.OPTIONS)
    failed = False
    for game in arguments.names or GAMES:
        counts, ends, differences = compare(sanmill, arguments.morello, game, arguments.states, arguments.seed)
        kinds = ", ".join(f"{counts[kind]} {kind}" for kind in ("placing", "moving", "three men", "bans"))
        print(
            f"{game}: {counts['games']} games, {counts['cut']} cut, {counts['states']} states ({kinds}),"
            f" {len(differences)} differences, {counts['known']} known; {dict(ends)}",
            flush=True,
        )
        for text in differences[:10]:
            print(text)
        failed |= bool(differences)
    sanmill.process.kill()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
