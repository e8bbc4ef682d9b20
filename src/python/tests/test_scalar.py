"""Positions, games, engines and databases, one at a time."""

import pickle
import os
import subprocess
import sys
import threading

import pytest

import morello
from morello import Engine, Game, IllegalMoveError, MorelloError, ParseError, Position

SOLVED = "XXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOO-O-OOOO- X"


def negamax(position):
    """The final score by plain search."""
    if position.is_over:
        return position.score
    return max(-negamax(position.play(move)) for move in position.legal_moves())


def test_every_game_starts_and_has_moves():
    assert "othello" in morello.games() and "nine-mens-morris" in morello.games()
    for name in morello.games():
        position = Position(game=name)
        assert position.legal_moves() and not position.is_over and position.score is None
        assert morello.about(name)
        assert Position(str(position), name) == position
        assert position.perft(2) == sum(len(position.play(move).legal_moves()) for move in position.legal_moves())
        assert len(position.symmetries()) == position.symmetry_count
        assert {image.canonical() for image in position.symmetries()} == {position.canonical()}
        assert position._repr_svg_().startswith("<svg ")
    with pytest.raises(MorelloError, match="checkers"):
        Position(game="checkers")


def test_openings_have_names():
    assert Game("f5d6c3d3c4b3").openings == [None, None, *["Perpendicular"] * 3, "Tiger", "Aubrey"]
    assert Position("f5d6c3d3c4").opening == "Tiger" and Position("f5d6c3d3").opening is None
    openings = morello.opening_names()
    assert len(openings) >= 100 and len({opening["name"] for opening in openings}) == len(openings)
    for opening in openings:
        reached = Position("".join(opening["moves"]))
        assert all(image.opening == opening["name"] for image in reached.symmetries())
    assert morello.opening_names("morabaraba") == [] and Game("d2", "nine-mens-morris").openings == [None, None]


def test_positions_are_values():
    position = Position("f5d6c3")
    assert position.side_to_move == "white" and position.empties == 57
    assert position == Position("f5 d6 c3") and hash(position) == hash(Position("f5d6c3")) and position != Position()
    assert pickle.loads(pickle.dumps(position)) == position
    assert eval(repr(position)) == position
    assert position.pieces["f5"] == "black"
    assert Position("7,8 d2,d6 f4 B", "nine-mens-morris").in_hand == (8, 7)


def test_errors_have_a_place_and_a_reason():
    with pytest.raises(ParseError) as error:
        Position("f5d6d6")
    assert (error.value.line, error.value.column, error.value.file) == (1, 5, None)
    with pytest.raises(IllegalMoveError, match="a1"):
        Position().play("a1")
    assert issubclass(ParseError, ValueError) and issubclass(IllegalMoveError, MorelloError)


def test_known_perft_values():
    assert Position().perft(0) == 1
    assert Position().perft(8) == 390_216
    assert sum(Position().divide(6).values()) == 8_200
    assert Position(game="nine-mens-morris").perft(3) == 24 * 23 * 22
    with pytest.raises(MorelloError, match="free-pass"):
        Position().perft(1, convention="other")


def test_games_record_moves_and_ends():
    game = Game()
    for move in ["f5", "d6", "c3"]:
        game.play(move)
    assert game.moves == ["f5", "d6", "c3"] and len(game) == 3 and game.position == Position("f5d6c3")
    assert game.undo() == "c3" and len(game.positions) == 3
    with pytest.raises(IllegalMoveError):
        game.play("a1")
    assert len(game) == 2, "an illegal move changes nothing"
    ggf = Game("f5d6c3").text("ggf")
    assert Game(ggf).moves == ["f5", "d6", "c3"]
    with pytest.raises(MorelloError, match="ggf"):
        game.text("other")
    over = Game("0,0 a7,d7,g7 a1,b2 B", "nine-mens-morris")
    assert over.is_over and "three" in over.end and over.points == -1
    with pytest.raises(IllegalMoveError, match="over"):
        over.play("a1-a4")


def test_searches():
    engine = Engine()
    report = engine.search("f5d6", depth=8)
    assert report.best_move in Position("f5d6").legal_moves() and report.depth >= 8 and report.nodes > 0
    assert not report.exact and report.score_error > 0 and report.lines[0].pv == report.pv
    values = engine.move_values("f5d6", depth=6)
    assert set(values) == set(Position("f5d6").legal_moves())
    assert engine.solve(SOLVED) == negamax(Position(SOLVED)) == 50
    assert engine.search(SOLVED, exact=True).lower == 50
    assert engine.search(Game("f5d6"), level=3).best_move
    limits = morello.Limits(depth=3, confidence=95)
    assert (limits.depth, limits.nodes, limits.exact, limits.confidence) == (3, None, False, 95)
    assert engine.search("f5d6", limits=limits, lines=0).lines[1:] and engine.move_values("f5d6", limits=limits)
    for wrong in ({}, {"limits": limits, "nodes": 5}):
        with pytest.raises(MorelloError, match="limit"):
            engine.search("f5d6", **wrong)
    with pytest.raises(TypeError, match="dept"):
        engine.search("f5d6", dept=3)
    with pytest.raises(MorelloError, match="100"):
        engine.search("f5d6", depth=3, confidence=50)
    with pytest.raises(MorelloError, match="othello"):
        engine.search(Position(game="morabaraba"), depth=1)
    mills = Engine("nine-mens-morris-flying")
    win = mills.search("0,0 c5,d7,g7 a7,f4,f6 W", exact=True)
    assert win.exact and win.plies


def test_several_threads_search_as_one():
    assert Engine(threads=4).search(SOLVED, exact=True).score == 50


def test_streams_reports():
    depths = [report.depth for report in Engine().reports("f5d6", depth=8)]
    assert depths == sorted(depths) and len(depths) > 3 and depths[-1] >= 8
    engine = Engine()
    reports = engine.reports("f5d6", depth=60)
    next(reports)
    del reports
    # It waits for the search before it, which would not end by itself.
    assert engine.search("f5d6", depth=1).best_move
    reports = Engine().reports("f5d6", depth=60)
    threading.Timer(0.2, reports.stop).start()
    assert list(reports)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT")
def test_ctrl_c_stops_a_search():
    code = (
        "import morello, os, signal, threading\n"
        "threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    morello.Engine().search('f5d6', depth=60)\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.stdout == "stopped\n", result.stderr


# Engines that searched, that search, and whose reports are read, when the process is forked.
FORK = """
import os, sys, threading, time, warnings
import morello
warnings.simplefilter("ignore")
idle, busy = morello.Engine(), morello.Engine()
score = idle.search("f5d6", depth=4).score
reports = busy.reports("f5d6", time=20.0)
next(reports)
child = os.fork()
if child == 0:
    for use in [
        lambda: busy.search("f5", depth=1),
        lambda: busy.solve("f5"),
        lambda: busy.move_values("f5", depth=1),
        lambda: busy.reports("f5", depth=1),
        lambda: busy.clear(),
        lambda: next(reports),
    ]:
        for _ in range(2):
            try:
                use()
                sys.exit(1)
            except RuntimeError as error:
                print(error)
    idle.clear()
    assert idle.search("f5d6", depth=4).score == score
    assert [*idle.reports("f5d6", depth=4)][-1].score == score
    del reports, busy
    sys.stdout.flush()
    os._exit(7)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
reports.stop()
busy.search("f5", depth=1)
sys.exit(status)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_fork_does_not_wait_for_searches_of_its_parent():
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (7, "")
    ended = "runs in the process that started it, not in its forks: start one in this process"
    assert done.stdout.splitlines() == [f"the engine {ended}"] * 10 + [f"the search {ended}"] * 2


def test_probes_tables(tmp_path):
    build = ["database", "build", "three-mens-morris", "--all-sectors", "--database", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "morello", *build], check=True, capture_output=True)
    tables = morello.Database("three-mens-morris", tmp_path)
    start = Position(game="three-mens-morris")
    assert (tables.probe(start).result, tables.probe(start).plies) == ("win", 9)
    moves = tables.probe_moves(start)
    assert {move for move, _ in moves} == set(start.legal_moves()) and moves[0][1].result == "win"
    with pytest.raises(MorelloError):
        tables.probe(Position())
    with pytest.raises(MorelloError, match="mill"):
        morello.Database("othello", tmp_path)


def test_the_program_runs():
    run = lambda *arguments: subprocess.run([sys.executable, "-m", "morello", *arguments], capture_output=True, text=True)
    assert run("perft", "othello", "5").stdout.count("1396") == 1
    assert run("--version").stdout.startswith("morello ")
    wrong = run("perft", "checkers", "5")
    assert wrong.returncode == 2 and "checkers" in wrong.stderr
