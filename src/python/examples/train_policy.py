#!/usr/bin/env python3
"""Trains a small Othello policy on games of the engine, rates it, and measures its exact regret. It requires NumPy alone.

Usage: src/python/examples/train_policy.py [--games N] [--epochs N] [--level N]

The network has one hidden layer. It learns the moves of games that the engine plays against itself in this script, in all
eight symmetries, and plays matches as a `BatchPlayer`: all games in progress are evaluated at once.
"""

from __future__ import annotations

import argparse

import numpy as np

import morello
from morello import BatchPlayer, batch

SQUARES = np.arange(64, dtype=np.uint64)
HIDDEN = 256


def planes(boards):
    """Own discs, discs of the opponent and legal moves: float32 (n, 192)."""
    words = np.stack([boards[:, 0], boards[:, 1], batch.legal_masks(boards)], axis=1)
    return ((words[:, :, None] >> SQUARES) & np.uint64(1)).reshape(len(boards), -1).astype(np.float32)


class Policy:
    """A network of one hidden layer, trained by Adam."""

    def __init__(self, seed=1):
        numbers = np.random.default_rng(seed)
        shapes = {"w1": (192, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, 64), "b2": (64,)}
        self.weights = {name: numbers.normal(0, 0.05, shape).astype(np.float32) for name, shape in shapes.items()}
        self.means = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.squares = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.steps = 0

    def logits(self, inputs):
        """Scores of squares; illegal ones are far below the others."""
        hidden = np.maximum(inputs @ self.weights["w1"] + self.weights["b1"], 0)
        return hidden, hidden @ self.weights["w2"] + self.weights["b2"] - 1e4 * (1 - inputs[:, 128:])

    def train(self, inputs, squares, rate=1e-3):
        """Makes a step towards the moves; returns the share of moves that the network had predicted."""
        hidden, logits = self.logits(inputs)
        predicted = logits.argmax(1) == squares
        errors = np.exp(logits - logits.max(1, keepdims=True))
        errors /= errors.sum(1, keepdims=True)
        errors[np.arange(len(squares)), squares] -= 1
        errors /= len(squares)
        back = (errors @ self.weights["w2"].T) * (hidden > 0)
        slopes = {"w1": inputs.T @ back, "b1": back.sum(0), "w2": hidden.T @ errors, "b2": errors.sum(0)}
        self.steps += 1
        for name, slope in slopes.items():
            self.means[name] += 0.1 * (slope - self.means[name])
            self.squares[name] += 0.001 * (slope**2 - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.steps)
            square = self.squares[name] / (1 - 0.999**self.steps)
            self.weights[name] -= rate * mean / (np.sqrt(square) + 1e-8)
        return predicted.mean()

    def choose(self, boards):
        """The best move on each board, a pass where there is none."""
        moves = self.logits(planes(boards))[1].argmax(1)
        return np.where(batch.legal_masks(boards) == 0, 64, moves)


def training_set(games, seed):
    """Positions and moves of games of the engine, without random moves and passes."""
    played = batch.selfplay_games(games, depth=2, random_plies=10, seed=seed)
    rows = batch.replay(played["moves"])
    chosen = (rows["ply"] >= 10) & (rows["move"] != 64)
    return rows["board"][chosen], rows["move"][chosen]


def regret(choose, count, seed):
    """The mean exact regret in discs, at 12 empty squares."""
    boards = batch.random_boards(count, plies=48, seed=seed)
    boards = boards[batch.legal_masks(boards) != 0]
    result = batch.regret(boards, choose(boards), exact=True)
    assert result["exact"].all()
    return result["regret"].mean()


def random_moves(boards, numbers=np.random.default_rng(7)):
    offsets, moves = batch.legal_moves(boards)
    return moves[offsets[:-1] + numbers.integers(np.diff(offsets))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=20_000, metavar="N", help="number of games to learn from [default: 20000]")
    parser.add_argument("--epochs", type=int, default=4, metavar="N", help="how often each position is seen [default: 4]")
    parser.add_argument("--level", type=int, default=1, metavar="N", help="level of the engine to play against [default: 1]")
    arguments = parser.parse_args()

    boards, moves = training_set(arguments.games, seed=1)
    print(f"{len(boards)} positions of {arguments.games} games")
    policy, numbers = Policy(), np.random.default_rng(2)
    for epoch in range(arguments.epochs):
        symmetries = numbers.integers(8, size=len(boards))
        images = planes(batch.transform(boards, symmetries))
        targets = batch.transform_moves(moves, symmetries)
        parts = np.array_split(numbers.permutation(len(boards)), max(1, len(boards) // 256))
        predicted = [policy.train(images[part], targets[part]) for part in parts]
        print(f"epoch {epoch + 1}: {np.mean(predicted[-len(predicted) // 4:]):.1%} of moves predicted")

    print(f"regret of the policy {regret(policy.choose, 200, seed=3):.2f}, of random moves {regret(random_moves, 200, seed=3):.2f} discs")
    player = BatchPlayer(policy.choose)
    tested = morello.play_match({"policy": player, "random": "random"}, games=2000, sprt=(0, 50))
    print(f"against random moves: {tested.verdict} after {len(tested.games)} games, Elo {tested.elo} ± {tested.elo_error}")
    rated = morello.play_match({"policy": player, "level": f"level={arguments.level},hash=1"}, games=200)
    print(f"against level {arguments.level}: {rated.score:.1%}, Elo {rated.elo} ± {rated.elo_error}")


if __name__ == "__main__":
    main()
