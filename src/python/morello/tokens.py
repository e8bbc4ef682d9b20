"""Othello games as sequences of tokens, for sequence models.

The tokens are the same as in Othello-GPT (Li et al. 2023, arXiv 2210.13382): 0 is padding, and 1 to 60 are the squares
in the order a1, b1 to h8, without the four squares of the starting position. Othello-GPT omits passes; if they are
kept, a pass is 61.

    games = morello.batch.random_games(1_000_000, passes=False, width=60)
    tokens = morello.tokens.encode(games["moves"])                    # uint8 (1_000_000, 60)
    rows = morello.batch.replay(morello.tokens.decode(tokens))
    legal = morello.tokens.legal_tokens(rows["board"])                # bool (rows, 62)

The smaller boards have fewer squares, 32 and 12; their pass is the number after the last square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import batch
from ._morello import MorelloError

__all__ = ["PADDING", "decode", "encode", "legal_tokens", "pass_token", "squares"]

PADDING = 0
_PASS = 64


def squares(game: str = "othello") -> NDArray[np.uint16]:
    """Returns the squares of tokens 1, 2 and so on, as move numbers: uint16 (60,) for 8x8 Othello."""
    start = batch.start_boards(1, game)[0]
    if not game.startswith("othello"):
        raise MorelloError(f"{game} has no tokens; they are for Othello")
    size = {"othello": 8, "othello-6x6": 6, "othello-4x4": 4}[game]
    occupied = int(start[0]) | int(start[1])
    numbers = [8 * row + column for row in range(size) for column in range(size)]
    return np.array([number for number in numbers if not occupied >> number & 1], np.uint16)


def pass_token(game: str = "othello") -> int:
    """Returns the token of a pass: 61 for 8x8 Othello."""
    return len(squares(game)) + 1


def encode(
    moves: ArrayLike, game: str = "othello", *, passes: bool = False, width: int | None = None
) -> NDArray[np.uint8]:
    """Returns games as tokens: uint8 (n, width).

    Args:
        moves: integers (n, k), move numbers as returned by ``batch.random_games``; a game ends at its first
            ``batch.NO_MOVE`` or -1.
        passes: whether to keep passes.
        width: the number of columns; None for one column per square, or for the columns of ``moves`` if passes are
            kept.

    Raises:
        MorelloError: a number is not an Othello move, or a game is longer than the width.
    """
    numbers = np.asarray(moves)
    if numbers.size == 0:
        numbers = np.zeros((len(numbers), 0), np.uint16)
    if numbers.ndim != 2 or numbers.dtype.kind not in "iu":
        raise MorelloError(f"moves must be integers of the shape (n, k), not {numbers.dtype} {numbers.shape}")
    places = squares(game)
    other, end = _PASS + 1, _PASS + 2
    table = np.full(end + 1, 255, np.uint8)
    table[places] = np.arange(1, len(places) + 1)
    table[_PASS], table[end] = len(places) + 1, PADDING
    is_end = (numbers == batch.NO_MOVE) | (numbers == -1)
    known = np.where(is_end, end, np.where((numbers < 0) | (numbers > other), other, numbers)).astype(np.int64)
    if (wrong := table[known] == 255).any():
        row, column = np.argwhere(wrong)[0]
        raise MorelloError(f"moves[{row}, {column}] is not a move of {game}: {numbers[row, column]}")
    played = np.logical_and.accumulate(~is_end, axis=1)
    kept = played if passes else played & (known != _PASS)
    lengths = kept.sum(1)
    width = (numbers.shape[1] if passes else len(places)) if width is None else width
    if lengths.max(initial=0) > width:
        raise MorelloError(f"width must be at least {lengths.max()}, the length of the longest game, not {width}")
    tokens = np.full((len(numbers), width), PADDING, np.uint8)
    tokens[np.arange(width) < lengths[:, None]] = table[known[kept]]
    return tokens


def decode(tokens: ArrayLike, game: str = "othello") -> NDArray[np.uint16]:
    """Converts tokens to move numbers: uint16 of the same shape, ``batch.NO_MOVE`` for padding.

    Raises:
        MorelloError: a number is not a token.
    """
    numbers = np.asarray(tokens)
    table = np.concatenate([[batch.NO_MOVE], squares(game), [_PASS]]).astype(np.uint16)
    if numbers.dtype.kind not in "iu":
        raise MorelloError(f"tokens must be integers, not {numbers.dtype}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(table):
        raise MorelloError(f"tokens must be 0 to {len(table) - 1}, not {numbers.min()} to {numbers.max()}")
    moves: NDArray[np.uint16] = table[numbers]
    return moves


def legal_tokens(boards: ArrayLike, game: str = "othello") -> NDArray[np.bool_]:
    """Returns which tokens are legal on each board: bool (n, tokens), with one column per token from 0 to the pass.

    After the end of the game, only padding is legal.
    """
    places = squares(game).astype(np.uint64)
    masks = batch.legal_masks(boards, game)
    over, _ = batch.results(boards, game)
    legal = np.zeros((len(masks), len(places) + 2), np.bool_)
    legal[:, 1:-1] = (masks[:, None] >> places) & np.uint64(1)
    legal[:, PADDING] = over
    legal[:, -1] = (masks == 0) & ~over
    return legal
