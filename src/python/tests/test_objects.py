"""Copies, pickles, comparisons and plain forms of objects."""

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import morello
from morello import Engine, Game, IllegalMoveError, Limits, Line, MorelloError, ParseError, Position, Probe, Report, batch, play_match

ANNOTATED = """[Event "Club"]
[Site "Oslo"]
[Black "Ann"]
[White "Bob"]

1. f5?! {good} d6 (1... f6 {-2.5} 2. e6!) 2. c3 {+1.25} d3 *
"""
SOLVED = "XXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOO-O-OOOO- X"
GGF = "(;GM[Othello]PC[GGS]DT[2003.12.15_12:33:18.MST]PB[ann]PW[bob]RB[1523.37]RW[2700.1]TI[05:00//02:00]TY[8]RE[+4.000]" \
    "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5/1.37/0.61]W[d6//2.5]B[c3];)"


def copies(value):
    """All kinds of copies of an object."""
    yield from (pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1))
    yield from (copy.copy(value), copy.deepcopy(value))


def played(game):
    """A game of random moves."""
    moves, generator = Game(game=game), np.random.default_rng(3)
    while not moves.is_over and len(moves) < 60:
        moves.play(str(generator.choice(moves.position.legal_moves())))
    return moves


def test_games_have_equal_copies():
    games = [Game(), Game(ANNOTATED), Game(GGF), Game("f5d6", draws=False)]
    games += [Game(played(name), draws=draws) for name in morello.games() for draws in (False, True)]
    games.append(Game(Position("5,5 a7 d7 B", "nine-mens-morris")))
    for game in games:
        for other in [*copies(game), game.copy(), Game(game)]:
            assert other == game and other is not game, game
            assert (other.moves, other.tags, other.positions, repr(other)) == (game.moves, game.tags, game.positions, repr(game))
            assert [other.text(name) for name in writable(game)] == [game.text(name) for name in writable(game)]
    for first in range(4):
        assert all(games[first] != games[second] for second in range(4) if first != second)
    game = Game(ANNOTATED)
    other = game.copy()
    other.undo()
    assert len(game) == 4 and len(other) == 3


def test_games_are_shown_as_they_are_made():
    games = [Game(), Game(Position("5,5 a7 d7 B", "nine-mens-morris")), Game("f5d6", draws=False)]
    games += [Game(game=name, draws=draws) for name in morello.games() for draws in (False, True)]
    games += [Game(played(name)) for name in morello.games()]
    games.append(Game(Position("f5d6")))
    games.append(games[-1].copy())
    games[-1].play("c3")
    for game in games:
        assert eval(repr(game)) == game, repr(game)
    assert repr(Game()) == 'Game(game="othello")'


def writable(game):
    """The formats that can hold a game."""
    names = []
    for name in morello.formats(game.game):
        try:
            game.text(name)
            names.append(name)
        except MorelloError:
            pass
    return names


def test_draw_rules_are_copied_and_compared():
    moves = ["a7", "a4", "d7", "a1"]
    drawn, endless = Game(moves, "nine-mens-morris"), Game(moves, "nine-mens-morris", draws=False)
    assert drawn != endless and drawn.moves == endless.moves and eval(repr(endless)) == endless and eval(repr(drawn)) == drawn
    assert Game(drawn, draws=False) == endless and Game(endless, draws=True) == drawn and Game(endless) == endless
    start = Position("0,0 a7,d7,g4,b6 a1,d1,g1,f2 W", "nine-mens-morris")
    shuttle = ["b6-b4", "f2-f4", "b4-b6", "f4-f2"] * 2
    for draws in (True, False):
        game = Game(start, draws=draws)
        assert game.position == start and game.game == "nine-mens-morris"
        for move in shuttle:
            game.play(move)
        assert game.is_over == draws == next(copies(game)).is_over


def test_games_are_mutable_sequences_of_moves():
    game = Game(["f5", "d6", "c3", "d3", "c4"])
    assert game == Game("f5d6c3d3c4") and list(game) == game.moves and list(reversed(game)) == game.moves[::-1]
    assert (game[0], game[-1], game[1:3], game[::-2]) == ("f5", "c4", ["d6", "c3"], ["c4", "c3", "f5"])
    assert "d3" in game and "a1" not in game and game.positions[3].play(game[3]) == game.positions[4]
    with pytest.raises(IndexError):
        game[5]
    with pytest.raises(TypeError):
        game["f5"]
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
    assert (game == "f5d6c3d3c4") is False


def test_games_are_made_from_other_objects():
    position = Position("f5d6c3")
    assert Game(position).position == position and len(Game(position)) == 0
    assert Game(Position(game="morabaraba")).game == "morabaraba" and Game(Game(game="morabaraba")).game == "morabaraba"
    assert Game(("f5",)) == Game("f5") and Game([]) == Game()
    with pytest.raises(IllegalMoveError, match=r"moves\[2\]: illegal move `d6`"):
        Game(["f5", "d6", "d6"])
    for start in (position, Game(position)):
        with pytest.raises(MorelloError, match="start is of othello, but game is morabaraba"):
            Game(start, "morabaraba")
    with pytest.raises(ParseError):
        Game("f5d6d6")
    for wrong in (5, [5], b"f5"):
        with pytest.raises(TypeError, match="start must be a str, a Position, a Game or a list of moves"):
            Game(wrong)


def test_tags_are_set_and_removed():
    game = Game(ANNOTATED)
    assert game.tags == {"black": "Ann", "white": "Bob", "event": "Club", "others": {"Site": "Oslo"}}
    assert Game(GGF).tags["black_rating"] == 1523.37
    tags = {"black": "Cy", "black_rating": 1500.5, "white_rating": 1600, "date": "2020-01-02", "result": -4, "ending": "timeout"}
    tags |= {"theoretical": (22, -2), "others": {"Round": "3"}, "event": "Open", "white": "Di"}
    game.set_tags(**tags)
    assert game.tags == tags and all(other.tags == tags and other == game for other in copies(game))
    assert '[Black "Cy"]' in game.text("pgn") and '[Round "3"]' in game.text("pgn")
    game.set_tags(**dict.fromkeys(tags))
    assert game.tags == {}
    game.set_tags(black="Eve")
    for wrong, error, message in [
        ({"blak": "Eve"}, TypeError, "unknown tag `blak` .*black_rating"),
        ({"white": "Flo", "black": 5}, TypeError, "tag `black` must be a str or None, not 5"),
        ({"result": "won"}, TypeError, "tag `result` must be a number or None, not 'won'"),
        ({"result": float("nan")}, MorelloError, "tag `result` must be finite"),
        ({"result": float("-inf")}, MorelloError, "tag `result` must be finite"),
        ({"result": 65}, MorelloError, "tag `result`: the points of othello must be from -64 to 64, not 65"),
        ({"result": -64.5}, MorelloError, "tag `result`: the points of othello must be from -64 to 64, not -64.5"),
        ({"theoretical": (20, -65)}, MorelloError, "tag `theoretical`: .* must be from -64 to 64, not -65"),
        ({"ending": "rain"}, MorelloError, "tag `ending` must be one of resignation, .*not 'rain'"),
        ({"theoretical": 5}, TypeError, "empties, points"),
        ({"others": {"Round": 3}}, TypeError, "dict of str"),
    ]:
        with pytest.raises(error, match=message):
            game.set_tags(**wrong)
        assert game.tags == {"black": "Eve"}, "an error changes nothing"
    game.tags["white"] = "Gus"
    assert "white" not in game.tags, "the dict is a copy"


@pytest.mark.parametrize(
    ("game", "possible", "impossible"),
    [
        ("othello", (-64, 64, 2.5), (65, -65)),
        ("othello-6x6", (-36, 36), (37, -64)),
        ("nine-mens-morris", (-1, 0, 1), (2, -2, 0.5)),
    ],
)
def test_results_are_those_that_files_can_have(game, possible, impossible, tmp_path):
    for points in possible:
        played = Game(game=game)
        played.set_tags(result=points)
        morello.write([played], tmp_path / "a.pgn")
        assert next(morello.read(tmp_path / "a.pgn", game)).tags["result"] == points
    for points in impossible:
        with pytest.raises(ValueError, match=f"tag `result`: the points of {game} must be"):
            Game(game=game).set_tags(result=points)


def test_played_games_forget_comments():
    game = Game(ANNOTATED)
    assert "{good}" in game.text("pgn")
    game.undo()
    assert "good" not in game.text("pgn") and "d3" not in game.text("pgn")
    assert Game(game.text("pgn")).moves == game.moves == ["f5", "d6", "c3"]
    game = Game(ANNOTATED)
    game.play("c4")
    assert Game(game.text("pgn")).moves == game.moves and len(game) == 5


def test_results_have_copies_and_plain_forms():
    engine = Engine()
    reports = [engine.search("f5d6", depth=4, lines=3), engine.search(SOLVED, exact=True)]
    reports.append(Engine("nine-mens-morris-flying").search("0,0 c5,d7,g7 a7,f4,f6 W", exact=True))
    probes = [Probe(result="win", plies=5, drawn_by_rule=False), Probe(result="draw", plies=None, drawn_by_rule=True)]
    limits = [Limits(), Limits(depth=3, time=0.5, confidence=95), Limits(level=20, exact=True, nodes=10**12)]
    for value in [*reports, *(line for report in reports for line in report.lines), *probes, *limits]:
        plain = json.loads(json.dumps(value.to_dict()))
        assert plain == value.to_dict()
        for other in [*copies(value), type(value)(**plain)]:
            assert other == value and repr(other) == repr(value) and other.to_dict() == plain
    report = reports[0]
    assert report.to_dict()["lines"][0] == report.lines[0].to_dict() and report.to_dict()["nodes"] == report.nodes
    assert report != reports[1] and report.lines[0] != report.lines[1] and probes[0] != probes[1] and limits[0] != limits[1]
    assert len({*probes, Probe(**probes[0].to_dict())}) == 2
    assert repr(limits[1]) == "Limits(depth=3, time=0.5, confidence=95)" and eval(repr(limits[2])) == limits[2]
    for wrong in [{}, {"score": 1.0}, {**report.lines[0].to_dict(), "score": "high"}]:
        with pytest.raises(TypeError, match="score"):
            Line(**wrong)
    with pytest.raises(TypeError, match="lines"):
        Report(**{**report.to_dict(), "lines": [5]})


def test_match_results_have_copies_and_a_plain_form():
    result = play_match(["random,name=a", "random,name=b"], "othello-6x6", games=4)
    for other in [*copies(result), result]:
        assert other == result and str(other) == str(result) and other.games == result.games
    assert result != play_match(["random,name=a", "random,name=b"], "othello-6x6", games=4, seed=2)
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain == {"summary": result.summary, "rows": result.rows}


def test_positions_are_boards():
    for name in morello.games():
        boards = batch.random_boards(20, 7, name, seed=5)
        for text, row in zip(batch.format_boards(boards, name), boards):
            position = Position(text, name)
            assert position.board.dtype == np.uint64 and (position.board == row).all()
            for form in (row, row.tolist(), tuple(row), row.astype(np.int64)):
                assert Position.from_board(form, name) == position
            array = position.to_array()
            assert array.dtype == np.int8 and len(array) == len(position.point_names())
            own = {point for point, color in position.pieces.items() if color == position.side_to_move}
            assert own == {point for point, number in zip(position.point_names(), array) if number == 1}
            assert np.count_nonzero(array) == len(position.pieces)
    full = Position.from_board([1 << 63, 1, 1])
    assert full.pieces == {"h8": "white", "a1": "black"} and Position.from_board(full.board.view(np.int64)) == full
    with pytest.raises(MorelloError, match=r"board is not a position of othello: \[1, 1, 0\]"):
        Position.from_board([1, 1, 0])
    for wrong in ([1, 2], [1.5, 2, 0], "abc", [1 << 64, 0, 0]):
        with pytest.raises(TypeError, match="board must be three integers"):
            Position.from_board(wrong)


def test_positions_are_read_in_any_notation():
    for name in morello.games():
        game = played(name)
        for position in game.positions:
            assert Position(str(position), name) == Game(str(position), name).position == position
    game = Game("f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2")
    for text in [game.text(), " ".join(game), str(game.position) + "\n", *map(game.text, ("ggf", "sgf", "pgn"))]:
        assert Position(text) == game.position, text
    with pytest.raises(ParseError, match="left out: `Perpendicular`"):
        Position("f5d6c3 Perpendicular")


def test_positions_have_no_order():
    with pytest.raises(TypeError):
        Position() < Position("f5")
    assert Position() != "othello"


def test_illegal_moves_have_reasons():
    for position, move, reason in [
        (Position(), "zz", "expected a move such as `d3`"),
        (Position(), "", "expected a move such as"),
        (Position(), "a1", "flips"),
        (Position(game="nine-mens-morris"), "zz", "expected a move such as `"),
        (Position("0,0 a7,d7,g7 a1,b2 B", "nine-mens-morris"), "zz", "over"),
    ]:
        with pytest.raises(IllegalMoveError, match=reason):
            position.play(move)


def test_databases_need_their_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match="cannot read the directory.*missing.*database build"):
        morello.Database("nine-mens-morris", tmp_path / "missing")


def shown(*arguments):
    """The rows of `morello book show`."""
    command = [sys.executable, "-m", "morello", "book", "show", *arguments, "--format", "jsonl"]
    return [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]


BOUNDS = {"exact": "exact", "at-least": "lower", "at-most": "upper", "estimate": "estimate"}


@pytest.mark.parametrize("game", ["othello", "nine-mens-morris", "six-mens-morris"])
def test_books_show_what_the_program_shows(game):
    book = morello.Book(game)
    assert book.game == game and book.file is None and game in repr(book)
    position = Position(game=game)
    for _ in range(5):
        entry = book.probe(position)
        moves = entry.moves + ([entry.others] if entry.others else [])
        rows = shown(game, str(position))
        assert len(rows) == len(moves) > 0
        for row, move in zip(rows, moves):
            fields = {**move.to_dict(), "move": move.move or "others"}
            assert fields.pop("bound") == BOUNDS[row.pop("certainty")]
            assert fields == row
        assert entry.best_move == entry.moves[0].move and entry.score == entry.moves[0].score
        for other in [*copies(entry), morello.BookEntry(**json.loads(json.dumps(entry.to_dict())))]:
            assert other == entry and repr(other) == repr(entry)
        assert all(other == moves[-1] and repr(other) == repr(moves[-1]) for other in copies(moves[-1]))
        for image in position.symmetries():
            assert image in book and book.probe(image).score == entry.score
        position = position.play(entry.best_move)


def test_books_are_collections_of_positions():
    book = morello.Book()
    positions = list(book)
    assert len(positions) == len(book) == len(set(positions)) > 1000
    assert all(position in book and position.canonical() == position for position in positions[::500])
    assert "f5d6" in book and Game("f5d6") in book and Position(SOLVED) not in book and book.probe(SOLVED) is None
    with pytest.raises(MorelloError, match="morabaraba.*othello"):
        book.probe(Position(game="morabaraba"))


def test_books_choose_moves():
    book = morello.Book()
    position = Position("f5d6c3")
    losses = {move.move: book.probe(position).score - move.score for move in book.probe(position).moves}
    chosen = [book.choose(position, variety=4, seed=seed) for seed in range(50)]
    assert len(set(chosen)) > 1 and all(losses[move] <= 4 for move in chosen)
    assert chosen == [book.choose(position, variety=4, seed=seed) for seed in range(50)]
    assert losses[book.choose(position)] == 0 and book.choose(SOLVED) is None
    with pytest.raises(MorelloError, match="variety"):
        book.choose(position, variety=-1)


def test_books_are_files(tmp_path):
    path = tmp_path / "mine.book"
    build = ["book", "build", "othello-6x6", str(path), "--level", "1", "--max-plies", "2"]
    subprocess.run([sys.executable, "-m", "morello", *build], check=True, capture_output=True)
    book = morello.Book("othello-6x6", path)
    assert book.file == path and len(book) > 1 and str(path) in repr(book)
    start = Position(game="othello-6x6")
    assert start in book and start.is_legal(book.probe(start).best_move)
    with pytest.raises(MorelloError, match="no built-in book.*morello book build"):
        morello.Book("othello-6x6")
    with pytest.raises(OSError, match="othello"):
        morello.Book("othello", path)
    with pytest.raises(OSError, match="missing"):
        morello.Book("othello", tmp_path / "missing")
