"""Othello and mill games: rules, search, exact solver, endgame databases.

One position at a time::

    import morello

    position = morello.Position("f5d6c3")
    position.legal_moves()
    engine = morello.Engine()
    engine.search(position, depth=12).best_move

Many positions at a time, as NumPy arrays (see ``morello.batch``)::

    boards = morello.batch.random_boards(100_000, plies=20)
    morello.batch.legal_masks(boards)
    morello.batch.regret(boards, moves, depth=10)

Files and data frames::

    for game in morello.read("games.ggf"): ...
    morello.write(games, "games.pgn")
    morello.analyze("games.ggf", depth=10).to_pandas()
    morello.read_wthor("WTH_2001.wtb")["moves"]    # an array

Opening books::

    morello.Book().probe("f5d6c3").best_move

Matches between engines, external engines and Python functions::

    morello.play_match([my_player, "depth=4"], games=200).elo

Scores are in points for the side to move: discs in Othello; in the mill games, 1 is a win, -1 is a loss, and estimates
lie in between. Times are in seconds. Moves are text in the notation of the game; arrays store them as numbers.

``morello.games()`` lists the games. Environments for reinforcement learning are in ``morello.pettingzoo`` and
``morello.gymnasium``, which require the packages of the same names. ``morello.spark`` analyzes Spark DataFrames.
``morello.types`` has the types of dicts. ``python -m morello`` runs the program.
"""

from . import batch, tokens
from ._morello import (
    Book,
    BookEntry,
    BookMove,
    Database,
    Engine,
    Game,
    IllegalMoveError,
    Limits,
    Line,
    MorelloError,
    ParseError,
    Position,
    Probe,
    Records,
    Report,
    Reports,
    State,
    __version__,
    about,
    formats,
    games,
    opening_names,
    read_wthor,
)
from .frames import Analysis, analyze, analyze_stream, read, regret, write
from .matches import BatchPlayer, MatchResult, play_match

__all__ = [
    "Analysis",
    "BatchPlayer",
    "Book",
    "BookEntry",
    "BookMove",
    "Database",
    "Engine",
    "Game",
    "IllegalMoveError",
    "Limits",
    "Line",
    "MatchResult",
    "MorelloError",
    "ParseError",
    "Position",
    "Probe",
    "Records",
    "Report",
    "Reports",
    "State",
    "__version__",
    "about",
    "analyze",
    "analyze_stream",
    "batch",
    "formats",
    "games",
    "opening_names",
    "play_match",
    "read",
    "read_wthor",
    "regret",
    "tokens",
    "write",
]
