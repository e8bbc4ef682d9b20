#!/usr/bin/env python3
"""Compares the rules of morello with those of OpenSpiel on random games of Othello and nine men's morris.

Usage: scripts/peers/openspiel_rules.py [--games N] [--seed N] [GAME...]

    pip install . open_spiel
    scripts/peers/openspiel_rules.py --games 10000

Both programs play the same random actions. After each action, the side to move, the legal actions, the observation
tensors and the end must be the same, and after each game the result. The actions of both have the same numbers. GAME is othello or
nine-mens-morris-flying, the variant that OpenSpiel has.

In nine men's morris, OpenSpiel draws a game after 200 turns, and has no draw by repetition. So morello plays without
its additional draw rules here, and such games are counted as cut.

Exit codes: 0 no differences, 1 differences, 2 a package is missing.
"""

from __future__ import annotations

import argparse
import random
import sys

NAMES = {"othello": "othello", "nine-mens-morris-flying": "nine_mens_morris"}
# OpenSpiel's limit of turns in nine men's morris; a move and its capture are one turn.
MOST_TURNS = 200


def compare(game, count, seed, progress=lambda done: None):
    """Plays random games; returns the number of actions, the number of games cut, and a list of differences as text."""
    import pyspiel

    from morello import State

    numbers = random.Random(f"{game} {seed}")
    load = pyspiel.load_game(NAMES[game])
    actions = cut = 0
    differences = []
    for number in range(count):
        theirs, ours, turns, history = load.new_initial_state(), State(game, draws=False), 0, []
        # OpenSpiel numbers the players from 0 in the order of their first moves.
        players = (ours.side_to_move, "white" if ours.side_to_move == "black" else "black")
        while True:
            is_cut = game != "othello" and turns >= MOST_TURNS and not ours.is_over
            over = ours.is_over or is_cut
            different = None
            if theirs.is_terminal() != over:
                different = f"over: {theirs.is_terminal()} and {over}"
            elif not over and theirs.current_player() != players.index(ours.side_to_move):
                different = f"to move: {theirs.current_player()} and {ours.side_to_move}"
            elif not over and theirs.legal_actions() != ours.legal_actions():
                different = f"actions: {theirs.legal_actions()} and {ours.legal_actions()}"
            elif over and theirs.returns()[0] != (0 if is_cut else ours.score(players[0])):
                different = f"results: {theirs.returns()[0]} and {ours.score(players[0])}"
            elif any(ours.observation(side, "tensor").ravel().tolist() != theirs.observation_tensor(player)
                     for player, side in enumerate(players)):
                different = "observation tensors"
            if different:
                differences.append(
                    f"{game}, game {number}, after the actions {history}: OpenSpiel and morello differ: {different}"
                )
            if different or over:
                cut += is_cut
                break
            action = numbers.choice(ours.legal_actions())
            history.append(action)
            theirs.apply_action(action)
            ours.apply(action)
            turns += not ours.must_capture
            actions += 1
        progress(number + 1)
    return actions, cut, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", metavar="GAME", nargs="*", help=f"{' or '.join(NAMES)} [default: both]")
    parser.add_argument(
        "--games", type=int, default=10_000, metavar="N", help="number of games of each [default: 10000]"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the games [default: 1]")
    arguments = parser.parse_args()
    for game in arguments.names:
        if game not in NAMES:
            parser.error(f"unknown game {game} (known: {', '.join(NAMES)})")
    try:
        import pyspiel  # noqa: F401

        import morello  # noqa: F401
    except ImportError as error:
        print(f"error: {error.name} not found: pip install . open_spiel", file=sys.stderr)
        return 2

    def progress(done):
        if sys.stderr.isatty():
            print(f"\r{done} of {arguments.games} games", end="", file=sys.stderr, flush=True)

    failed = False
    for game in arguments.names or NAMES:
        actions, cut, differences = compare(game, arguments.games, arguments.seed, progress)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        print(
            f"{game}: {arguments.games} games, {actions} actions, {cut} cut after {MOST_TURNS} turns,"
            f" {len(differences)} differences"
        )
        for text in differences[:10]:
            print(text)
        failed |= bool(differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
