"""Action numbers for reinforcement learning, as in OpenSpiel.

In Othello an action is the number of a square, a1 is 0, b1 is 1, and n * n is a pass. In the mill games with n points, numbered in reading order
from the top left, actions 0 to n - 1 place or capture a man on a point, and n + from * n + to moves a man. A move that closes a mill takes two
actions of the same player: the move, then the capture.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ._morello import Game, Position


def _moves(position: Position) -> dict[str, tuple[str | None, str | None, str | None]]:
    """The legal moves as triples of points (from, to, captured), None where a move has no such point; a pass has none."""
    triples = {}
    for text in position.legal_moves():
        rest, _, captured = text.partition("x")
        start, _, to = rest.rpartition("-")
        triples[text] = (start or None, None if to == "pa" else to, captured or None)
    return triples


class Turns:
    """A game whose moves are taken as actions.

    Args:
        game: the name of the game, or a Game to continue.

    Attributes:
        game: the Game.
        points: the names of the points in the order of their numbers.
        action_count: the number of actions; all are below it.
    """

    def __init__(self, game: str | Game = "othello") -> None:
        self.game = Game(game=game) if isinstance(game, str) else game
        names = Position(game=self.game.game).point_names()
        self.is_othello = self.game.game.startswith("othello")
        if not self.is_othello:
            # The top row has the highest number.
            names.sort(key=lambda name: (-int(re.sub(r"\D", "", name)), name))
        self.points = names
        self._number = {name: number for number, name in enumerate(names)}
        self.action_count = len(names) + 1 if self.is_othello else len(names) * (len(names) + 1)
        self._started: int | None = None
        self._update()

    def _first(self, start: str | None, to: str | None) -> int:
        """The first action of a move."""
        if to is None:
            return len(self.points)
        if start is None:
            return self._number[to]
        return len(self.points) * (1 + self._number[start]) + self._number[to]

    def _update(self) -> None:
        """Finds the legal actions: {action: text of the move, or None if a capture follows}."""
        moves = {} if self.game.is_over else _moves(self.game.position)
        self._legal: dict[int, str | None] = {}
        for text, (start, to, captured) in moves.items():
            action = self._first(start, to)
            if self._started is None:
                self._legal[action] = text if captured is None else None
            elif action == self._started:
                self._legal[self._number[captured or ""]] = text

    @property
    def side_to_move(self) -> str:
        """"black" or "white"."""
        return self.game.position.side_to_move

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return not self._legal

    @property
    def must_capture(self) -> bool:
        """Whether the next action is the capture of a move that has closed a mill."""
        return self._started is not None

    def legal_actions(self) -> list[int]:
        """Returns the legal actions, sorted."""
        return sorted(self._legal)

    def mask(self) -> NDArray[np.int8]:
        """Returns the legal actions as a mask: int8 (action_count,)."""
        mask = np.zeros(self.action_count, np.int8)
        mask[list(self._legal)] = 1
        return mask

    def apply(self, action: int) -> None:
        """Applies an action.

        Raises:
            ValueError: it is not legal.
        """
        action = int(action)
        if action not in self._legal:
            raise ValueError(f"illegal action {action}")
        text = self._legal[action]
        if text is None:
            self._started = action
        else:
            self.game.play(text)
            self._started = None
        self._update()

    def play(self, move: str) -> None:
        """Plays a whole move given as text."""
        self.game.play(move)
        self._started = None
        self._update()

    def observation(self, side: str) -> NDArray[np.int8]:
        """Returns what a side sees: int8 (points + 3,).

        The points have 1 for own pieces and -1 for those of the opponent; then follow the own and the other men in hand, and whether a capture
        must be chosen, after a move that is already on the board.
        """
        position = self.game.position
        observation = np.zeros(len(self.points) + 3, np.int8)
        for name, color in position.pieces.items():
            observation[self._number[name]] = 1 if color == side else -1
        hands = list(position.in_hand or (0, 0))
        if self._started is not None:
            n, sign = len(self.points), 1 if side == position.side_to_move else -1
            start, to = divmod(self._started, n)
            observation[to] = sign
            if start:
                observation[start - 1] = 0
            else:
                hands[0 if position.side_to_move == "black" else 1] -= 1
            observation[n + 2] = 1
        own = 0 if side == "black" else 1
        observation[len(self.points)] = hands[own]
        observation[len(self.points) + 1] = hands[1 - own]
        return observation

    def score(self, side: str) -> int:
        """Returns 1 if a side has won, -1 if it has lost, 0 for a draw or an unfinished game."""
        points = self.game.points or 0
        return int(np.sign(points)) * (1 if side == "black" else -1)
