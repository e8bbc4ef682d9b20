"""Matches between engines, external engines and Python functions."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ._morello import Game, Position, run_match
from .types import MatchDict


class BatchPlayer:
    """A player of ``play_match`` whose function chooses the moves of many games at once, for neural networks.

        def choose(boards):
            return policy(boards).argmax(1)         # move numbers, as in ``morello.batch``

        morello.play_match({"network": BatchPlayer(choose), "level 3": "level=3,hash=1"}, games=1000, sprt=(0, 30))

    One call receives the boards of all games that wait for a move. Meanwhile, boards of other games accumulate for the
    next call.

    Args:
        function: a function of boards, uint64 (n, 3), that returns n moves as numbers, or a tuple of the moves and
            their scores in points for the side to move. An illegal move loses the game.
        games: the number of simultaneous games, 1 to 1024. The argument ``threads`` of ``play_match`` takes precedence.
            Against an engine with a time limit, one game per core is played, because each game has a thread.
    """

    def __init__(self, function: Callable[[NDArray[np.uint64]], Any], *, games: int = 64) -> None:
        if not 1 <= games <= 1024:
            raise ValueError(f"games must be 1 to 1024, not {games}")
        self.boards_function = function
        self.games = games


if TYPE_CHECKING:
    # A player: engine settings, or a function of the game, or of the game and its seed.
    Answer = str | tuple[str, float] | None
    Player = str | Callable[[Game], Answer] | Callable[..., Answer] | BatchPlayer


@dataclass(repr=False)
class MatchResult:
    """The result of ``play_match``, from the point of view of the first player.

    ``print(result)`` prints the same table as ``morello selfplay``; a notebook shows the plot.

    Attributes:
        summary: a dict, the object that ``morello selfplay --format jsonl`` writes: "elo", "elo_error" (half the width
            of its 95 % confidence interval), "los", "pentanomial", "sprt", "engines" and others.
        rows: the games as dicts, with the fields of ``morello selfplay --log``.
        games: the games as a list of Game, in the same order.
        svg: a plot of the Elo difference over the games, or of the ratings of a tournament; None without games.
        text: the table that ``morello selfplay`` prints.
        log: the games as JSON lines. Pass them to ``play_match`` as ``played``, or write them to a file for
            ``morello elo``.
    """

    summary: dict[str, Any]
    rows: list[dict[str, Any]]
    games: list[Game]
    svg: str | None
    text: str
    log: list[str]

    @property
    def wins(self) -> int | None:
        """The number of games that the first player won; None in a tournament."""
        return self.summary.get("wins")

    @property
    def draws(self) -> int | None:
        """The number of drawn games; None in a tournament."""
        return self.summary.get("draws")

    @property
    def losses(self) -> int | None:
        """The number of games that the first player lost; None in a tournament."""
        return self.summary.get("losses")

    @property
    def score(self) -> float | None:
        """The first player's mean score per game, from 0 to 1; None in a tournament."""
        return self.summary.get("score")

    @property
    def elo(self) -> float | None:
        """The Elo difference, positive if the first player is stronger; None if not finite, or in a tournament."""
        return self.summary.get("elo")

    @property
    def elo_error(self) -> float | None:
        """Half the width of the 95 % confidence interval of ``elo``, from the game pairs; None if unknown."""
        return self.summary.get("elo_error")

    @property
    def los(self) -> float | None:
        """The likelihood that the first player is stronger, from 0 to 1; None in a tournament."""
        return self.summary.get("los")

    @property
    def verdict(self) -> str | None:
        """"h0" or "h1", the hypothesis that the SPRT accepted; None if it is undecided, or without an SPRT."""
        return (self.summary["sprt"] or {}).get("verdict")

    @property
    def ratings(self) -> dict[str, tuple[float | None, float | None]]:
        """The Elo ratings in a tournament, with mean 0: {name: (Elo, half the width of its 95 % interval)}."""
        return {engine["name"]: (engine["rating"], engine["rating_error"]) for engine in self.summary["engines"]}

    def to_dict(self) -> MatchDict:
        """Returns {"summary": summary, "rows": rows}, which ``json.dumps`` accepts."""
        return {"summary": self.summary, "rows": self.rows}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        names = " and ".join(engine["name"] for engine in self.summary["engines"])
        return f"<MatchResult of {names}: {self.summary['games']} games>"

    def _repr_svg_(self) -> str | None:
        return self.svg


def _with_seed(function: Callable[..., Any]) -> Callable[[Game, int], Any]:
    """Returns a function of the game and its seed."""
    try:
        wants_seed = "seed" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        wants_seed = False
    return (lambda game, seed: function(game, seed=seed)) if wants_seed else (lambda game, seed: function(game))


def _participants(players: Iterable[Player] | Mapping[str, Player]) -> list[Any]:
    """Returns the players as ``run_match`` expects them: settings, or pairs of a name and a function."""
    named: Iterable[tuple[str | None, Player]] = ((None, player) for player in players)
    if isinstance(players, Mapping):
        named = cast("Mapping[str, Player]", players).items()
    participants: list[Any] = []
    for name, player in named:
        if isinstance(player, str):
            participants.append(player if name is None else f"name={name},{player}")
        elif isinstance(player, BatchPlayer):
            participants.append((name or getattr(player.boards_function, "__name__", "BatchPlayer"), player))
        elif callable(player):
            name = name or getattr(player, "__name__", type(player).__name__)
            participants.append((name, _with_seed(player)))
        else:
            raise TypeError(f"a player is a text of settings or a function, not {player!r}")
    return participants


def play_match(
    players: Iterable[Player] | Mapping[str, Player],
    game: str = "othello",
    *,
    games: int = 100,
    seed: int = 1,
    threads: int | None = None,
    sprt: str | tuple[float, float] | None = None,
    tournament: str = "round-robin",
    openings: str | os.PathLike[str] | Sequence[str | Position | Game] | None = None,
    opening_plies: int | tuple[int, int] | None = None,
    opening_score: float | None = None,
    opening_depth: int | None = None,
    database: str | os.PathLike[str] | None = None,
    move_limit: float = 600.0,
    progress: Callable[[int, int, str], object] | None = None,
    shard: tuple[int, int] | None = None,
    played: Iterable[str] = (),
) -> MatchResult:
    """Plays a match between two players, or a tournament between more, as ``morello selfplay`` does: every opening is
    played twice, with colors swapped.

    A player is a string of engine settings as on the command line, a function, or a ``BatchPlayer``. Examples of
    settings are "depth=6", "level=8,name=old", "time=50ms", "random" and 'cmd="./engine",protocol=gtp'; ``morello
    selfplay --help`` lists all of them. A function receives the Game and returns a move, or a move and its score in
    points for the side to move, or None to resign. If it has an argument ``seed``, it also receives the seed of the
    game, an int, from which it should draw its random numbers::

        def greedy(game):
            return max(game.position.legal_moves(), key=lambda move: -len(game.position.play(move).legal_moves()))

        result = morello.play_match([greedy, "depth=1"], games=200)
        result.elo, result.elo_error

    Functions are called from all threads, one call at a time unless they release the interpreter's lock. An illegal
    move loses the game. An exception ends the match.

    Args:
        players: a list of players, or a dict from names to players. In a list, functions have the name of their
            definition.
        game: the name of the game, one of ``games()``.
        games: the maximum number of games in total.
        seed: determines the openings and the players' seeds. Engines with depth or node limits give the same result
            with any number of threads.
        threads: the number of simultaneous games; None for all cores, or the number of a ``BatchPlayer``.
        sprt: ends the match of two players when this test is decided: (elo0, elo1), or settings such as
            "elo0=0,elo1=5,model=normalized".
        tournament: "round-robin", or "gauntlet" (the first player against each of the others).
        openings: a file, or a list of texts, positions or games; None for random openings.
        opening_plies: the number of random plies, or (minimum, maximum); with ``openings``, the maximum number of plies
            used from each opening.
        opening_score, opening_depth: random openings, and openings from a file, score at most this many points for
            either side in a search of this depth.
        database: the directory of the game's endgame database.
        move_limit: the time per move in seconds; a player that exceeds it loses the game. Functions are not
            interrupted. The time of a ``BatchPlayer`` includes waiting for a running call for other boards.
        progress: a function that receives the number of games done, the total number and a text with the result so
            far. If it returns False, the running games are aborted and the match ends.
        shard: (k, n) plays the k-th of n parts of the match, k from 1, like ``morello selfplay --shard k/n``: game
            pairs are assigned to the parts in turn; None for all games.
        played: the ``MatchResult.log`` lines of games of the same match with the same arguments, from an interrupted
            match or from shards. These games are counted and not played again.

    Returns:
        a MatchResult.

    Raises:
        MorelloError: a setting is wrong, an engine cannot play, or a line of ``played`` belongs to another match.
        Exception: any exception from a function, or KeyboardInterrupt. Its attribute ``result`` is the MatchResult of
            the games so far.
    """
    if isinstance(sprt, (tuple, list)):
        elo0, elo1 = sprt
        sprt = f"elo0={elo0},elo1={elo1}"
    arguments = dict(
        players=_participants(players),
        game=game,
        games=games,
        seed=seed,
        threads=threads,
        sprt=sprt,
        tournament=tournament,
        openings=openings,
        opening_plies=opening_plies,
        opening_score=opening_score,
        opening_depth=opening_depth,
        database=database,
        move_limit=move_limit,
        progress=progress,
        shard=shard,
        played=list(played),
    )
    match = run_match(arguments)
    error, log = match["error"], match["rows"]
    rows = [{key: value for key, value in json.loads(row).items() if key != "match"} for row in log]
    result = MatchResult(json.loads(match["summary"]), rows, match["games"], match["svg"], match["text"], log)
    if error is not None:
        error.result = result
        raise error
    return result
