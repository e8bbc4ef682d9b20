"""The rules of 8x8 Othello in plain Python, for the other scripts. Not optimized for speed.

A position is a board of 64 characters, a1 to h8 (`X` Black, `O` White, `-` empty), a blank, and the side to move, as in
OBF. A move is a square, 0 (a1) to 63 (h8), or `None` for a pass.
"""

START = "---------------------------OX------XO--------------------------- X"
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def flips(position, square):
    """Returns the squares of the discs flipped by a disc on an empty square; none if the move is illegal."""
    cells, side = position[:64], position[65]
    turned = []
    if cells[square] != "-":
        return turned
    for rows, columns in DIRECTIONS:
        row, column = square // 8 + rows, square % 8 + columns
        line = []
        while 0 <= row < 8 and 0 <= column < 8 and cells[8 * row + column] not in ("-", side):
            line.append(8 * row + column)
            row, column = row + rows, column + columns
        if 0 <= row < 8 and 0 <= column < 8 and cells[8 * row + column] == side:
            turned += line
    return turned


def moves(position):
    """Returns the squares where the side to move can place a disc."""
    return [square for square in range(64) if flips(position, square)]


def play(position, square):
    """Plays on a square, or passes on `None`. Does not check that the move is legal."""
    cells, side = list(position[:64]), position[65]
    if square is not None:
        for other in [square, *flips(position, square)]:
            cells[other] = side
    return "".join(cells) + " " + ("O" if side == "X" else "X")


def name(square):
    return "pa" if square is None else "abcdefgh"[square % 8] + str(square // 8 + 1)


def square_of(text):
    """Parses a square such as `f5`, or `pa` for a pass. Case is ignored.

    Raises ValueError on anything else.
    """
    low = text.strip().lower()
    if low in ("pa", "pass"):
        return None
    if len(low) != 2 or low[0] not in "abcdefgh" or low[1] not in "12345678":
        raise ValueError(f"not a move: `{text}`")
    return "abcdefgh".index(low[0]) + 8 * (int(low[1]) - 1)
