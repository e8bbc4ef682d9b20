"""A PettingZoo AEC environment for two players (requires pettingzoo).

    import morello.pettingzoo

    env = morello.pettingzoo.env("othello")
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from ._morello import IllegalMoveError, State
from .spaces import RENDER_MODES, check_render_mode, observation_space, rendered


def env(game: str = "othello", *, observation: str = "points", render_mode: str | None = None) -> GameEnv:
    """Returns the environment of a game."""
    return GameEnv(game, observation=observation, render_mode=render_mode)


class GameEnv(AECEnv[str, Any, Any]):  # type: ignore[misc, unused-ignore]
    """A game between two agents, "black" and "white".

    Actions and observations are the same as in ``morello.State``; a player who closes a mill acts twice. The rewards at
    the end are 1 for a win, -1 for a loss and 0 for a draw. An illegal action loses the game.

    Args:
        game: the name of the game.
        observation: "points", "planes" or "tensor".
        render_mode: "ansi" for text, "svg" for a drawing, or None.
    """

    metadata = {"name": "morello_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(self, game: str = "othello", *, observation: str = "points", render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.state = State(game)
        self.game, self.observation, self.render_mode = game, observation, render_mode
        self.possible_agents = ["black", "white"]
        actions = self.state.action_count
        space = observation_space(observation, self.state.observation(kind=observation).shape, actions)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.state = State(self.game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.state.side_to_move

    def observe(self, agent: str) -> dict[str, Any]:
        state = self.state
        mask = state.mask()
        if agent != state.side_to_move:
            mask[:] = 0
        return {"observation": state.observation(agent, self.observation), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent, state = self.agent_selection, self.state
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            state.apply(action)
        except IllegalMoveError:
            self.infos[agent] = {"illegal": True}
            self._end({side: -1 if side == agent else 1 for side in self.agents})
            return
        # All rewards are 0 until the end.
        if state.is_over:
            self._end({side: state.score(side) for side in self.agents})
        else:
            self.agent_selection = state.side_to_move

    def render(self) -> str:
        return rendered(self.state.position, self.render_mode)

    def close(self) -> None:
        pass

    def _end(self, rewards: dict[str, int]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = "white" if self.agent_selection == "black" else "black"
