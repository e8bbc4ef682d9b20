"""A Gymnasium environment: one player against an engine (requires gymnasium).

    import morello.gymnasium

    env = morello.gymnasium.GameEnv("othello", level=1)
    observation, info = env.reset(seed=1)
"""

import gymnasium
import numpy as np
from gymnasium import spaces

from ._morello import Engine
from .actions import Turns


class GameEnv(gymnasium.Env):
    """A game against an engine.

    The observation is a dict of "observation", int8 (points + 3,), see ``Turns.observation``, and "action_mask", int8 (actions,). The
    reward is 1 for a win and -1 for a loss at the end, else 0. An illegal action loses the game.

    Args:
        game: the name of the game.
        level: the level of the opponent, 1 to 60; 0 plays random moves.
        side: "black", "white", or None to draw the side at each reset.
        random_plies: the number of random plies at the start, so that games differ.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(self, game="othello", *, level=1, side=None, random_plies=4, render_mode=None):
        turns = Turns(game)
        if side not in (None, "black", "white"):
            raise ValueError(f"side must be 'black', 'white' or None, not {side!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be 'ansi' or 'svg', not {render_mode!r}")
        self.game, self.level, self.random_plies, self.render_mode = game, level, random_plies, render_mode
        self._fixed_side = side
        self._engine = Engine(game, hash_mib=4) if level else None
        points = len(turns.points)
        self.action_space = spaces.Discrete(turns.action_count)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-1, 127, (points + 3,), np.int8),
                "action_mask": spaces.Box(0, 1, (turns.action_count,), np.int8),
            }
        )
        self.turns = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.side = self._fixed_side or ("black", "white")[int(self.np_random.integers(2))]
        while True:
            self.turns = Turns(self.game)
            for _ in range(self.random_plies):
                self._random_move()
            self._reply()
            if not self.turns.is_over:
                break
        if self._engine is not None:
            self._engine.clear()
        return self._observation(), {"side": self.side}

    def step(self, action):
        info = {"side": self.side}
        try:
            self.turns.apply(action)
        except ValueError:
            return self._observation(), -1.0, True, False, {**info, "illegal": True}
        self._reply()
        over = self.turns.is_over
        return self._observation(), float(self.turns.score(self.side)) if over else 0.0, over, False, info

    def render(self):
        if self.render_mode == "svg":
            return self.turns.game.position.svg()
        return str(self.turns.game.position)

    def _random_move(self):
        moves = self.turns.game.position.legal_moves()
        if moves and not self.turns.is_over:
            self.turns.play(moves[int(self.np_random.integers(len(moves)))])

    def _reply(self):
        """Plays the opponent's moves, and passes of the player."""
        while not self.turns.is_over and not self.turns.must_capture:
            moves = self.turns.game.position.legal_moves()
            if self.turns.side_to_move == self.side:
                if moves != ["pa"]:
                    return
                self.turns.play("pa")
            elif self._engine is None:
                self._random_move()
            else:
                self.turns.play(self._engine.search(self.turns.game, level=self.level).best_move)

    def _observation(self):
        return {"observation": self.turns.observation(self.side), "action_mask": self.turns.mask()}
