#!/usr/bin/env python3
"""Measures how often a sequence model proposes a legal move, by ply. It requires NumPy alone.

Usage: src/python/examples/sequence_legality.py [--games N]

The model stands for a trained transformer: it counts which token follows the last two. Replace `Bigrams.propose` by your
model; the rest is the same.
"""

from __future__ import annotations

import argparse

import numpy as np

from morello import batch, tokens


class Bigrams:
    """Proposes the most frequent token after the last two."""

    def __init__(self, games):
        self.counts = np.zeros((62, 62, 62), np.int32)
        before, last, following = games[:, :-2].ravel(), games[:, 1:-1].ravel(), games[:, 2:].ravel()
        known = following != tokens.PADDING
        np.add.at(self.counts, (before[known], last[known], following[known]), 1)

    def propose(self, games):
        """Returns the token after each prefix of two or more tokens: (n, k - 2)."""
        return self.counts[games[:, :-2], games[:, 1:-1]].argmax(-1)


def legality(model, games):
    """Returns the share of legal proposals by ply, from the third on."""
    rows = batch.replay(tokens.decode(games))
    rows = {name: rows[name][rows["move"] != 64] for name in ("game", "board")}
    # Without passes, the ply of a row is its place among those of its game.
    first = np.flatnonzero(np.diff(rows["game"], prepend=-1))
    ply = np.arange(len(rows["game"])) - first[np.cumsum(np.diff(rows["game"], prepend=-1) > 0) - 1]
    legal = tokens.legal_tokens(rows["board"])
    proposed = np.full(games.shape, tokens.PADDING)
    proposed[:, 2:] = model.propose(games)
    is_legal = legal[np.arange(len(legal)), proposed[rows["game"], ply]]
    return np.array([is_legal[ply == number].mean() for number in range(2, 60)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200_000, metavar="N", help="number of random games to learn from [default: 200000]")
    arguments = parser.parse_args()
    training, test = (
        tokens.encode(batch.random_games(count, seed=seed, passes=False)["moves"]) for count, seed in ((arguments.games, 1), (2_000, 2))
    )
    shares = legality(Bigrams(training), test)
    print(f"{arguments.games} games: {shares.mean():.1%} of proposals are legal, {shares[:10].mean():.1%} in plies 3 to 12")
    print(f"chance: {tokens.legal_tokens(batch.replay(tokens.decode(test))['board'])[:, 1:61].mean():.1%} of the tokens are legal")


if __name__ == "__main__":
    main()
