"""A PettingZoo AEC environment of two players (requires pettingzoo).

    import morello.pettingzoo

    env = morello.pettingzoo.env("othello")
"""

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .actions import Turns


def env(game="othello", *, render_mode=None):
    """Returns the environment of a game."""
    return GameEnv(game, render_mode=render_mode)


class GameEnv(AECEnv):
    """A game of two agents, "black" and "white".

    Observations and actions are those of ``morello.actions.Turns``; a player who closes a mill acts twice. The rewards at the end are 1 for a win,
    -1 for a loss and 0 for a draw. An illegal action loses the game.

    Args:
        game: the name of the game.
    """

    metadata = {"name": "morello_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, game="othello", *, render_mode=None):
        super().__init__()
        turns = Turns(game)
        self.game, self.render_mode = game, render_mode
        self.possible_agents = ["black", "white"]
        action_space = spaces.Discrete(turns.action_count)
        observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-1, 127, (len(turns.points) + 3,), np.int8),
                "action_mask": spaces.Box(0, 1, (turns.action_count,), np.int8),
            }
        )
        self.action_spaces = {agent: action_space for agent in self.possible_agents}
        self.observation_spaces = {agent: observation_space for agent in self.possible_agents}

    def action_space(self, agent):
        return self.action_spaces[agent]

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def reset(self, seed=None, options=None):
        self.turns = Turns(self.game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.turns.side_to_move

    def observe(self, agent):
        mask = self.turns.mask()
        if agent != self.turns.side_to_move:
            mask[:] = 0
        return {"observation": self.turns.observation(agent), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        try:
            self.turns.apply(action)
            scores = {side: self.turns.score(side) for side in self.possible_agents} if self.turns.is_over else None
        except ValueError:
            scores = {side: -1 if side == agent else 1 for side in self.possible_agents}
            self.infos[agent] = {"illegal": True}
        if scores is not None:
            self.rewards = {side: scores[side] for side in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = "white" if agent == "black" else "black"
        else:
            self.agent_selection = self.turns.side_to_move
        self._accumulate_rewards()

    def render(self):
        if self.render_mode == "svg":
            return self.turns.game.position.svg()
        return str(self.turns.game.position)

    def close(self):
        pass
