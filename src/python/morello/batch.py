"""Functions on NumPy arrays of boards, on all cores and without the interpreter's lock.

A board is a row of three ``uint64`` values, a packed position of any game, so arrays have the shape (n, 3).

In Othello, the columns are the discs of the side to move, the discs of the opponent (bit s for square s: a1 is 0, b1 is
1, h8 is 63) and the side to move (0 Black, 1 White). Squares are numbered 8 * row + column on the smaller boards, too.

In the mill games, the first column has the men of the side to move in its lower 32 bits and the men of the opponent in
its upper 32 bits (bit p for point p of ``Position.point_names()``). The second column has the men in hand of both sides
(8 bits each) and the side to move (bit 16). The third column is 0 except in Morabaraba.

A move is a ``uint16``: in Othello the number of its square, or 64 for a pass. ``NO_MOVE`` means no move. ``move_texts``
and ``move_numbers`` convert moves; ``parse_boards`` and ``format_boards`` convert positions.

Every function checks its boards, and raises ``MorelloError`` with the index of the first board that is not a position
of the game.
"""

from ._morello import (
    NO_MOVE,
    canonical,
    evaluate,
    features,
    format_boards,
    legal_masks,
    legal_moves,
    move_numbers,
    move_texts,
    move_values,
    parse_boards,
    pattern_squares,
    perft,
    play,
    probe,
    random_boards,
    random_games,
    regret,
    replay,
    results,
    search,
    selfplay_games,
    start_boards,
    transform,
    transform_moves,
)

__all__ = [
    "NO_MOVE",
    "canonical",
    "evaluate",
    "features",
    "format_boards",
    "legal_masks",
    "legal_moves",
    "move_numbers",
    "move_texts",
    "move_values",
    "parse_boards",
    "pattern_squares",
    "perft",
    "play",
    "probe",
    "random_boards",
    "random_games",
    "regret",
    "replay",
    "results",
    "search",
    "selfplay_games",
    "start_boards",
    "transform",
    "transform_moves",
]
