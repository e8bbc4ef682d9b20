"""Types for annotations: the dicts that functions return, and the keyword arguments of searching functions.

    from morello.types import ReportDict

The documentation of each function describes the keys.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._morello import Limits

Path = Union[str, "os.PathLike[str]"]


class LimitsDict(TypedDict, total=False):
    """The keyword arguments and the dict of ``Limits``."""

    depth: int | None
    nodes: int | None
    time: float | None
    level: int | None
    exact: bool
    confidence: int | None


class SearchLimits(LimitsDict, total=False):
    """The keyword arguments of ``Engine.search``."""

    limits: Limits


class SearchOptions(SearchLimits, total=False):
    """The keyword arguments of ``batch.search``."""

    hash_mib: int
    threads: int | None
    database: Path | None
    progress: Callable[..., object] | None


class LineDict(TypedDict):
    """The dict of a ``Line``."""

    move: str | None
    score: float
    bound: str
    plies: int | None
    pv: list[str]


class ReportDict(TypedDict):
    """The dict of a ``Report``."""

    lines: list[LineDict]
    lower: int | None
    upper: int | None
    depth: int
    confidence: int
    nodes: int
    time: float
    score_error: float | None
    note: str | None
    source: str


class ProbeDict(TypedDict):
    """The dict of a ``Probe``."""

    result: str
    plies: int | None
    drawn_by_rule: bool


class BookMoveDict(TypedDict):
    """The dict of a ``BookMove``."""

    move: str | None
    symmetric: str | None
    score: float
    bound: str
    plies: int | None
    lower: float | None
    upper: float | None
    depth: int
    confidence: int
    source: str
    in_book: bool | None
    games: int
    wins: int
    draws: int
    losses: int
    opening: str | None


class BookEntryDict(TypedDict):
    """The dict of a ``BookEntry``."""

    moves: list[BookMoveDict]
    others: BookMoveDict | None
    score: float | None
    bound: str | None
    games: int
    wins: int
    draws: int
    losses: int


class MatchDict(TypedDict):
    """The dict of a ``MatchResult``."""

    summary: dict[str, Any]
    rows: list[dict[str, Any]]


class Tags(TypedDict, total=False):
    """The tags of a ``Game``."""

    black: str
    white: str
    black_rating: float
    white_rating: float
    event: str
    date: str
    result: float
    ending: str
    theoretical: tuple[int, int]
    others: dict[str, str]


class TagChanges(TypedDict, total=False):
    """The keyword arguments of ``Game.set_tags``."""

    black: str | None
    white: str | None
    black_rating: float | None
    white_rating: float | None
    event: str | None
    date: str | None
    result: float | None
    ending: str | None
    theoretical: tuple[int, int] | None
    others: dict[str, str] | None


class OpeningDict(TypedDict):
    """A named opening."""

    name: str
    other_names: list[str]
    moves: list[str]
    source: str


class SearchArrays(TypedDict):
    """The result of ``batch.search``."""

    score: NDArray[np.float64]
    exact: NDArray[np.bool_]
    error: NDArray[np.float64]
    move: NDArray[np.uint16]
    depth: NDArray[np.uint32]
    nodes: NDArray[np.uint64]


class RegretArrays(TypedDict):
    """The result of ``batch.regret``."""

    regret: NDArray[np.float64]
    exact: NDArray[np.bool_]
    error: NDArray[np.float64]
    best: NDArray[np.uint16]


class MoveValueArrays(TypedDict):
    """The result of ``batch.move_values``."""

    offsets: NDArray[np.int64]
    move: NDArray[np.uint16]
    score: NDArray[np.float64]
    exact: NDArray[np.bool_]


class ProbeArrays(TypedDict):
    """The result of ``batch.probe``."""

    known: NDArray[np.bool_]
    result: NDArray[np.int8]
    plies: NDArray[np.int32]
    drawn_by_rule: NDArray[np.bool_]


class _ReplayArrays(TypedDict):
    game: NDArray[np.int64]
    ply: NDArray[np.int32]
    board: NDArray[np.uint64]
    move: NDArray[np.uint16]
    outcome: NDArray[np.int8]


class ReplayArrays(_ReplayArrays, total=False):
    """The result of ``batch.replay``; the last key only for Othello."""

    mask: NDArray[np.uint64]


class _WthorArrays(TypedDict):
    moves: NDArray[np.uint16]
    length: NDArray[np.uint32]
    black: NDArray[np.uint16]
    white: NDArray[np.uint16]
    tournament: NDArray[np.uint16]
    year: NDArray[np.uint16]
    discs: NDArray[np.uint8]
    theoretical: NDArray[np.uint8]
    depth: NDArray[np.uint8]
    players: list[str]
    tournaments: list[str]


class WthorArrays(_WthorArrays, total=False):
    """The result of ``read_wthor``; the last two keys only with ``replay=True``."""

    score: NDArray[np.int8]
    board: NDArray[np.uint64]


class GameArrays(TypedDict):
    """The result of ``batch.random_games``."""

    moves: NDArray[np.uint16]
    length: NDArray[np.uint32]
    score: NDArray[np.int8]
    board: NDArray[np.uint64]


class _SelfPlayArrays(GameArrays):
    start: NDArray[np.uint64]
    scores: NDArray[np.float32]


class SelfPlayArrays(_SelfPlayArrays, total=False):
    """The result of ``batch.selfplay_games``; the last three keys only with ``values=True``."""

    value_offsets: NDArray[np.int64]
    value_moves: NDArray[np.uint16]
    value_scores: NDArray[np.float32]
