"""Gymnasium environments: a player against an opponent (requires gymnasium).

    import gymnasium
    import morello.gymnasium

    env = gymnasium.make("morello/Othello-v0", opponent=1)
    observation, info = env.reset(seed=1)
    many = gymnasium.make_vec("morello/NineMensMorris-v0", num_envs=1024, opponent=0)

Importing this module registers every game of ``morello.games()``: see ``environment_id``.
``gymnasium.make("morello.gymnasium:morello/Othello-v0")`` also imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._morello import Environments, games
from .spaces import RENDER_MODES, check_render_mode, observation_space, rendered

__all__ = ["GameEnv", "VectorGameEnv", "environment_id"]

# A function of observations (n, ...) and masks of legal actions (n, actions) that returns n actions.
Policy: TypeAlias = Callable[[NDArray[Any], NDArray[np.int8]], ArrayLike]


class _Games:
    """Environments, their spaces and their opponent."""

    def __init__(
        self,
        game: str,
        count: int,
        opponent: int | Policy,
        side: str | None,
        random_plies: int,
        observation: str,
        render_mode: str | None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        if not callable(opponent) and not isinstance(opponent, (int, np.integer)):
            raise TypeError(f"opponent must be a level or a function, not {opponent!r}")
        self.policy = opponent if callable(opponent) else None
        level = None if callable(opponent) else int(opponent)
        self.environments = Environments(game, count, level, side, random_plies, observation)
        actions = self.environments.action_count
        self.action_space = spaces.Discrete(actions)
        self.observation_space = observation_space(observation, self.environments.shape, actions)

    def reset(self, chosen: NDArray[np.bool_] | None, seed: int | None) -> None:
        self.environments.reset(chosen, seed)
        self._reply()

    def apply(self, actions: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Applies actions and replies; returns rewards, whether games ended, and whether by an illegal action."""
        self.environments.apply(actions)
        self._reply()
        return self.environments.outcomes()

    def observe(self, chosen: NDArray[np.bool_] | None = None) -> dict[str, NDArray[Any]]:
        observation, mask = self.environments.observe(chosen)
        return {"observation": observation, "action_mask": mask}

    def render(self, index: int) -> str:
        return rendered(self.environments.position(index), self.render_mode)

    def _reply(self) -> None:
        """Asks the opponent's policy for actions until no environment waits for it."""
        while self.policy is not None and (waiting := self.environments.waiting()) is not None:
            self.environments.reply(self.policy(*waiting))


class GameEnv(gymnasium.Env[Any, Any]):
    """A game against an opponent.

    The observation is a dict with "observation" (see ``morello.State.observation``) and "action_mask", int8
    (actions,). Actions are numbered as in ``morello.State``. The reward at the end is 1 for a win and -1 for a loss;
    otherwise it is 0. An illegal action loses the game; ``info`` then has "illegal".

    Args:
        game: the name of the game.
        opponent: the level of the opponent, 1 to 60; 0 for random moves; or a function that receives the opponent's
            observations and action masks, one row per waiting game, and returns one action per row.
        side: "black", "white", or None to draw the side at each reset.
        random_plies: the number of random plies at the start, so that games are different.
        observation: "points", "planes" or "tensor".
        render_mode: "ansi" for text, "svg" for a drawing, or None.
    """

    metadata = {"render_modes": RENDER_MODES}

    def __init__(
        self,
        game: str = "othello",
        *,
        opponent: int | Policy = 1,
        side: str | None = None,
        random_plies: int = 4,
        observation: str = "points",
        render_mode: str | None = None,
    ) -> None:
        self._games = _Games(game, 1, opponent, side, random_plies, observation, render_mode)
        self.render_mode = render_mode
        self.action_space = self._games.action_space
        self.observation_space = self._games.observation_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        # Only Gymnasium's random number generator is seeded.
        self._games.reset(None, int(self.np_random.integers(1 << 62)))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        rewards, over, illegal = self._games.apply(np.reshape(np.asarray(action), 1))
        info = self._info()
        if illegal[0]:
            info["illegal"] = True
        return self._observation(), float(rewards[0]), bool(over[0]), False, info

    def render(self) -> Any:
        return self._games.render(0)

    def _info(self) -> dict[str, Any]:
        return {"side": self._games.environments.side(0)}

    def _observation(self) -> dict[str, Any]:
        return {name: rows[0] for name, rows in self._games.observe().items()}


class VectorGameEnv(VectorEnv[Any, Any, Any]):
    """Many games at once, on all cores: a step of thousands of environments costs less than a microsecond each.

    Spaces, rewards and arguments are the same as in ``GameEnv``, with one row per environment. A finished game is
    replaced within the same step (``AutoresetMode.SAME_STEP``): the reward belongs to the finished game and the
    observation to the next one. ``info["final_obs"]`` has the last observation, a dict, where ``info["_final_obs"]`` is
    true. The argument ``options`` of ``reset`` is ignored.

    Args:
        num_envs: the number of environments.
    """

    metadata = {"render_modes": RENDER_MODES, "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str = "othello",
        *,
        num_envs: int = 1,
        opponent: int | Policy = 1,
        side: str | None = None,
        random_plies: int = 4,
        observation: str = "points",
        render_mode: str | None = None,
    ) -> None:
        self._games = _Games(game, num_envs, opponent, side, random_plies, observation, render_mode)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_action_space = self._games.action_space
        self.single_observation_space = self._games.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._none_truncated = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        if isinstance(seed, Sequence):
            raise ValueError("seed must be one number, from which every environment has its own")
        super().reset(seed=seed)
        self._games.reset(None, int(self.np_random.integers(1 << 62)))
        return self._games.observe(), {}

    def step(
        self, actions: Any
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        rewards, over, illegal = self._games.apply(actions)
        info: dict[str, Any] = {}
        if over.any():
            rows = self._games.observe(over)
            final = np.full(self.num_envs, None, object)
            final[over] = [dict(zip(rows, row)) for row in zip(*rows.values())]
            info = {
                "final_obs": final,
                "_final_obs": over,
                "final_info": {"illegal": illegal, "_illegal": over},
                "_final_info": over,
            }
            self._games.reset(over, None)
        return self._games.observe(), rewards, over, self._none_truncated.copy(), info

    def render(self) -> Any:
        return tuple(self._games.render(index) for index in range(self.num_envs))


def environment_id(game: str) -> str:
    """Returns the name of a game's environment: "morello/NineMensMorris-v0" for nine-mens-morris."""
    return f"morello/{''.join(part.capitalize() for part in game.split('-'))}-v0"


for _game in games():
    gymnasium.register(
        environment_id(_game),
        entry_point="morello.gymnasium:GameEnv",
        vector_entry_point="morello.gymnasium:VectorGameEnv",
        kwargs={"game": _game},
    )
