"""Shared code of the Gymnasium and PettingZoo environments (requires gymnasium)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium import spaces

from ._morello import Position

RENDER_MODES = ["ansi", "svg"]


def check_render_mode(mode: str | None) -> None:
    """Raises ValueError for an unknown mode."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode must be 'ansi' or 'svg', not {mode!r}")


def rendered(position: Position, mode: str | None) -> str:
    """Returns a position as SVG or as text."""
    return position.svg() if mode == "svg" else str(position)


def observation_space(observation: str, shape: Sequence[int], actions: int) -> spaces.Dict:
    """Returns the space of a kind of observations, with the action mask."""
    is_tensor, shape = observation == "tensor", tuple(shape)
    box = spaces.Box(0, 1, shape, np.float32) if is_tensor else spaces.Box(-1, 127, shape, np.int8)
    return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
