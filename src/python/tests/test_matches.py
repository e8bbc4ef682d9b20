"""Matches and tournaments."""

import json
import random
import subprocess
import sys

import pytest

from morello import Game, MorelloError, Position, play_match


def first(game):
    """The first legal move."""
    return game.position.legal_moves()[0]


def test_equals_the_match_of_the_program():
    engines = ["name=a,depth=2,hash=1", "name=b,nodes=60,hash=1"]
    command = ["selfplay", "othello", "--engine", engines[0], "--engine", engines[1], "--games", "10", "--opening-depth", "1"]
    command += ["--seed", "4", "--format", "jsonl"]
    program = subprocess.run([sys.executable, "-m", "morello", *command], capture_output=True, text=True, check=True)
    theirs = json.loads(program.stdout)
    ours = play_match(engines, games=10, seed=4, opening_depth=1, threads=2)
    for key in ("wins", "draws", "losses", "pentanomial", "elo", "elo_error", "los", "mean_discs", "openings", "end_reasons"):
        assert ours.summary[key] == theirs[key], key
    assert (ours.wins, ours.draws, ours.losses) == (theirs["wins"], theirs["draws"], theirs["losses"])
    assert "pairs      LL " in str(ours) and ours.svg.startswith("<svg") and "a and b" in repr(ours)


def test_functions_play_with_the_history_and_the_seed_of_the_game():
    seen = []

    def chance(game, seed):
        assert isinstance(game, Game) and not game.is_over
        seen.append((seed, len(game)))
        return random.Random(seed + len(game)).choice(game.position.legal_moves())

    results = [play_match({"chance": chance, "first": first}, games=6, openings=["f5d6", "f5f6", Position("f5f4")], threads=n) for n in (1, 3)]
    assert [row["moves"] for row in results[0].rows] == [row["moves"] for row in results[1].rows]
    assert len({seed for seed, _ in seen}) == 6, "a seed for each game"
    result = results[0]
    assert [row["black"] for row in result.rows] == ["chance", "first"] * 3
    assert [game.tags["black"] for game in result.games] == ["chance", "first"] * 3
    for game, row in zip(result.games, result.rows):
        assert game.is_over and game.points == row["score"]
        own = [ply for ply in range(2, len(game)) if row[game.positions[ply].side_to_move] == "first"]
        assert len(own) > 10
        assert all(game.moves[ply] == game.positions[ply].legal_moves()[0] for ply in own)
    assert result.wins + result.draws + result.losses == 6 and result.summary["engines"][0]["settings"] == "a Python function"


def test_scores_resignations_and_illegal_moves():
    scored = play_match([lambda game: (first(game), 1.5), "random"], games=2, opening_plies=4, opening_depth=0)
    assert all(1.5 in row["scores"] for row in scored.rows)
    resigns = play_match({"a": lambda game: None, "b": first}, games=2)
    assert resigns.losses == 2 and resigns.summary["end_reasons"] == {"resignation": 2}
    illegal = play_match({"a": first, "b": lambda game: "a9"}, "six-mens-morris", games=2)
    assert illegal.wins == 2 and illegal.summary["end_reasons"] == {"illegal_move": 2} and "a9" in illegal.rows[0]["problem"]


def test_an_exception_ends_the_match_and_keeps_its_games():
    calls = []

    def fails(game):
        calls.append(len(game))
        if len(calls) > 80:
            raise KeyError("broken")
        return first(game)

    with pytest.raises(KeyError, match="broken") as error:
        play_match([fails, "random"], games=100, threads=1)
    assert 0 < len(error.value.result.games) < 10
    with pytest.raises(MorelloError, match="expected a move"):
        play_match([lambda game: 5, "random"], games=2)


def test_progress_stops_a_match():
    steps = []

    def progress(done, total, text):
        steps.append((done, total, text))
        return done < 5

    result = play_match(["random,name=a", "random,name=b"], games=100_000, threads=1, progress=progress)
    assert 5 <= len(result.games) < 100_000
    assert steps[0][1] == 100_000 and steps[-1][2].startswith("W ")


def test_sprt_and_tournaments():
    tested = play_match(["depth=3", "random"], games=400, sprt=(0, 100), threads=2)
    assert tested.verdict == "h1" and len(tested.games) < 400 and tested.elo_error != 0
    three = play_match(["depth=2", "depth=1", "random"], "othello-6x6", games=12, tournament="gauntlet")
    assert set(three.ratings) == {"depth=2", "depth=1", "random"} and three.wins is None
    assert sum(elo for elo, _ in three.ratings.values()) == pytest.approx(0, abs=0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT")
def test_ctrl_c_keeps_the_games():
    code = (
        "import morello, os, signal\n"
        "def progress(done, total, text):\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "try:\n    morello.play_match(['random,name=a', 'random,name=b'], games=10**7, progress=progress)\n"
        "except KeyboardInterrupt as error:\n    print('stopped', len(error.result.games) > 0)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.stdout == "stopped True\n", result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["depth=1"],), "at least two"),
        ((["depth=1", "depth=1"],), "different names"),
        ((["dept=1", "random"],), "unknown setting `dept`"),
        ((["depth=1", "random"], "checkers"), "checkers"),
        ((["depth=1,exact=3", "random"], "morabaraba"), "exact"),
    ],
)
def test_rejects_wrong_players(arguments, message):
    with pytest.raises(MorelloError, match=message):
        play_match(*arguments, games=2)


def test_rejects_wrong_arguments():
    players = ["depth=1", "random"]
    for arguments, message in [
        ({"sprt": "elo0=5,elo1=0"}, "elo"),
        ({"games": 0}, "games"),
        ({"tournament": "swiss"}, "gauntlet"),
        ({"openings": []}, "empty"),
        ({"openings": ["f5f5"]}, "f5"),
        ({"openings": ["f5"], "opening_depth": 3}, "openings"),
        ({"opening_plies": (5, 3)}, "opening_plies"),
        ({"move_limit": -1}, "seconds"),
    ]:
        with pytest.raises(MorelloError, match=message):
            play_match(players, **arguments)
    with pytest.raises(OSError, match="missing"):
        play_match(players, openings="missing")
    with pytest.raises(TypeError, match="settings or a function"):
        play_match([players, 5])


def without_times(row):
    return {key: value for key, value in row.items() if key not in ("engines", "seconds", "date", "checksum")}


def test_shards_are_parts_of_the_match():
    players = ["depth=1,hash=1", "random"]
    whole = play_match(players, games=11, seed=3)
    parts = [play_match(players, games=11, seed=3, shard=(k, 3)) for k in (1, 2, 3)]
    assert [[row["game"] for row in part.rows] for part in parts] == [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10]]
    joined = play_match(players, games=11, seed=3, played=parts[2].log + parts[0].log + parts[1].log)
    assert list(map(without_times, joined.rows)) == list(map(without_times, whole.rows))
    assert sorted(joined.log) == sorted(line for part in parts for line in part.log)
    assert (joined.elo, joined.wins, joined.losses) == (whole.elo, whole.wins, whole.losses)


def test_a_match_goes_on_after_games():
    players = ["depth=1,hash=1", "random"]
    first = play_match(players, games=4)
    on = play_match(players, games=8, played=first.log)
    assert on.log[:4] == first.log and len(on.games) == 8
    with pytest.raises(MorelloError, match="played: line 2 is not a line of a game log"):
        play_match(players, games=8, played=[first.log[0], "{}"])
    with pytest.raises(MorelloError, match="sprt needs all games of the match; remove it, or the shards"):
        play_match(players, games=8, shard=(1, 2), sprt=(0, 5))
    with pytest.raises(MorelloError, match=r"shard must be \(k, n\)"):
        play_match(players, games=8, shard=(3, 2))
