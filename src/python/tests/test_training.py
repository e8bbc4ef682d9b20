"""Training data: games, positions, policy targets, symmetries, tables and tokens, compared with positions one at a time."""

import numpy as np
import pytest

import morello
from morello import BatchPlayer, Database, IllegalMoveError, MorelloError, Position, batch, play_match, tokens

PASS = 64


def replayed(moves, game, start=None):
    """Plays moves one at a time, with the passes that they leave out; returns the positions and the moves."""
    position, rows = start or Position(game=game), []
    for text in moves:
        for move in (["pa"] if position.legal_moves() == ["pa"] != [text] else []) + [text]:
            rows.append((position, move))
            position = position.play(move)
    return rows, position


@pytest.mark.parametrize("game", ["othello", "othello-4x4", "nine-mens-morris-flying", "morabaraba"])
@pytest.mark.parametrize("passes", [True, False])
def test_replay_gives_every_position(game, passes):
    games = batch.random_games(30, game, seed=3, plies=70, passes=passes, width=70)
    assert games["moves"].shape == (30, 70)
    rows = batch.replay(games["moves"], game)
    expected = []
    for number in range(30):
        texts = batch.move_texts(games["moves"][number, : games["length"][number]], game)
        positions, end = replayed(texts, game)
        assert batch.parse_boards([str(end)], game).tolist() == [games["board"][number].tolist()]
        for ply, (position, move) in enumerate(positions):
            same_side = end.side_to_move == position.side_to_move
            outcome = 0 if not end.is_over else end.score if same_side else -end.score
            expected.append((number, ply, str(position), move, outcome))
    texts, moves = batch.format_boards(rows["board"], game), batch.move_texts(rows["move"], game)
    assert list(zip(rows["game"].tolist(), rows["ply"].tolist(), texts, moves, rows["outcome"].tolist())) == expected
    assert ("mask" in rows) == game.startswith("othello")
    assert "mask" not in rows or (rows["mask"] == batch.legal_masks(rows["board"], game)).all()
    if game == "othello":
        assert not passes or (rows["move"] == PASS).any()


def test_replay_starts_anywhere_and_refuses_illegal_moves():
    starts = batch.parse_boards(["f5d6", "f5f6"])
    rows = batch.replay([[18, batch.NO_MOVE]], starts=starts[:1])
    assert batch.format_boards(rows["board"]) == [str(Position("f5d6"))] and batch.move_texts(rows["move"]) == ["c3"]
    both = batch.replay(np.full((2, 0), batch.NO_MOVE), starts=starts)
    assert len(both["board"]) == 0
    with pytest.raises(IllegalMoveError, match=r"moves\[1, 1\] is illegal: 3"):
        batch.replay([[37, 45], [37, 3]])
    with pytest.raises(IllegalMoveError, match=r"moves\[0, 0\] is illegal: 100"):
        batch.replay([[100]])
    with pytest.raises(MorelloError, match="shape"):
        batch.replay([37, 45])
    for wrong in (70_000, -5):
        with pytest.raises(IllegalMoveError, match=rf"moves\[0, 1\] is illegal: {wrong}"):
            batch.replay([[37, wrong, 43]])
    assert batch.replay([[37, -1, 43]])["move"].tolist() == [37] and len(batch.replay([])["move"]) == 0
    with pytest.raises(MorelloError, match="moves has 3 games"):
        batch.replay(np.full((3, 1), batch.NO_MOVE), starts=starts)
    with pytest.raises(TypeError, match="moves must be integers"):
        batch.replay([["f5"]])


def test_games_of_morabaraba_end_after_ten_moves_without_a_capture():
    games = batch.random_games(200, "morabaraba", seed=7)
    drawn = 0
    for number in range(200):
        moves = batch.move_texts(games["moves"][number, : games["length"][number]], "morabaraba")
        game = morello.Game(moves, "morabaraba", draws=False)
        drawn += game.is_over and not game.position.is_over
        assert not game.is_over or (games["score"][number] == 0) == (game.points == 0)
    assert drawn > 5
    longer = np.column_stack([games["moves"], np.full(200, batch.NO_MOVE)])
    for number in range(200):
        position = Position(batch.format_boards(games["board"][number : number + 1], "morabaraba")[0], "morabaraba")
        if not position.is_over and games["length"][number] < 400:
            longer[number, games["length"][number]] = batch.legal_moves(games["board"][number : number + 1], "morabaraba")[1][0]
            with pytest.raises(IllegalMoveError, match=rf"moves\[0, {games['length'][number]}\]"):
                batch.replay(longer[number : number + 1], "morabaraba")


def test_numbers_that_are_no_moves_are_refused():
    for game, number in [("othello", 65), ("othello", 5000), ("nine-mens-morris", 5000)]:
        for call in (lambda: batch.move_texts([number], game), lambda: batch.transform_moves([number], 1, game)):
            with pytest.raises(MorelloError, match=rf"moves\[0\] is not a move of {game}: {number}"):
                call()


def test_moves_have_the_width_that_is_asked_for():
    games = [batch.random_games(500, seed=seed, passes=False, width=60) for seed in (1, 2)]
    assert all(one["moves"].shape == (500, 60) and (one["moves"] != PASS).all() for one in games)
    with_passes = batch.random_games(500, seed=1)
    assert (with_passes["score"] == games[0]["score"]).all()
    kept = [row[(row != PASS)][:60] for row in with_passes["moves"]]
    assert all((row[: len(moves)] == moves).all() for row, moves in zip(kept, games[0]["moves"]) if len(row) == 60)
    with pytest.raises(MorelloError, match="width must be at least"):
        batch.random_games(10, width=40)


@pytest.mark.parametrize("game", ["othello", "six-mens-morris"])
def test_move_values_are_those_of_the_engine(game):
    boards = np.concatenate([batch.random_boards(4, plies, game, seed=plies) for plies in (8, 20, 54)])
    result = batch.move_values(boards, game, depth=3, threads=1)
    offsets, moves = batch.legal_moves(boards, game)
    assert (result["offsets"] == offsets).all() and (result["move"] == moves).all()
    engine = morello.Engine(game)
    for row, text in enumerate(batch.format_boards(boards, game)):
        part = slice(offsets[row], offsets[row + 1])
        engine.clear()
        values = engine.move_values(text, depth=3)
        names = batch.move_texts(moves[part], game)
        assert dict(zip(names, result["score"][part])) == pytest.approx(values, abs=0.5 if game == "othello" else 0.01)
    solved = batch.move_values(batch.random_boards(4, 54, seed=9), exact=True)
    assert solved["exact"].all()


@pytest.mark.parametrize("game", morello.games())
def test_transforms_are_those_of_positions(game):
    boards = np.concatenate([batch.random_boards(5, plies, game, seed=plies) for plies in (3, 12, 30)])
    boards = boards[~batch.results(boards, game)[0]]
    count = Position(game=game).symmetry_count
    for k in range(count):
        images = batch.format_boards(batch.transform(boards, k, game), game)
        assert images == [str(Position(text, game).transform(k)) for text in batch.format_boards(boards, game)]
    offsets, moves = batch.legal_moves(boards, game)
    each = np.arange(len(boards)) % count
    first = moves[offsets[:-1]]
    there = batch.play(batch.transform(boards, each, game), batch.transform_moves(first, each, game), game)
    assert (there == batch.transform(batch.play(boards, first, game), each, game)).all()
    assert batch.transform_moves([batch.NO_MOVE], 1, game) == [batch.NO_MOVE]
    for wrong in (count, -1, [0, count]):
        with pytest.raises(MorelloError, match="k must be 0 to|values of k"):
            batch.transform(boards, wrong, game)


def test_selfplay_has_scores_values_and_starts():
    starts = batch.random_boards(3, 6, seed=4)
    games = batch.selfplay_games(7, depth=2, random_plies=2, seed=1, starts=starts, values=True, threads=2, width=70)
    assert (games["start"] == starts[np.arange(7) % 3]).all()
    rows = batch.replay(games["moves"], starts=games["start"])
    assert (batch.replay(games["moves"][:, :2], starts=games["start"])["ply"] < 2).all()
    offsets = games["value_offsets"]
    assert len(offsets) == len(rows["move"]) + 1 and offsets[-1] == len(games["value_moves"])
    legal, moves = batch.legal_moves(rows["board"])
    scores = games["scores"][np.arange(70) < games["length"][:, None]]
    assert np.isnan(games["scores"][np.arange(70) >= games["length"][:, None]]).all()
    for row in range(len(rows["move"])):
        part = slice(offsets[row], offsets[row + 1])
        if rows["ply"][row] < 2:
            assert part.start == part.stop and np.isnan(scores[row])
            continue
        assert set(games["value_moves"][part]) == set(moves[legal[row] : legal[row + 1]])
        best = games["value_moves"][part][games["value_scores"][part].argmax()]
        assert scores[row] == games["value_scores"][part].max() and rows["move"][row] == best
    again = batch.selfplay_games(7, depth=2, random_plies=2, seed=1, starts=starts, threads=1, width=70)
    assert (again["start"] == games["start"]).all() and "value_moves" not in again
    with pytest.raises(MorelloError, match="starts is empty"):
        batch.selfplay_games(1, depth=1, starts=starts[:0])


def test_probes_are_those_of_the_database(tmp_path):
    from subprocess import run
    from sys import executable

    run([executable, "-m", "morello", "database", "build", "three-mens-morris", "--all-sectors", "--database", str(tmp_path)], check=True, capture_output=True)
    database = Database("three-mens-morris", tmp_path)
    total = 0
    for sector in database.sectors:
        boards = database.boards(sector)
        values = batch.probe(boards, database)
        assert values["known"].all()
        total += len(boards)
        for row in range(0, len(boards), 7):
            probe = database.probe(Position(batch.format_boards(boards[row : row + 1], "three-mens-morris")[0], "three-mens-morris"))
            assert {1: "win", 0: "draw", -1: "loss"}[int(values["result"][row])] == probe.result
            assert (probe.plies if probe.plies is not None else -1) == values["plies"][row]
    assert total > 800
    empty = tmp_path / "empty"
    empty.mkdir()
    none = batch.probe(batch.start_boards(2, "nine-mens-morris"), Database("nine-mens-morris", empty), clock=[0, 3])
    assert not none["known"].any() and (none["plies"] == -1).all()
    with pytest.raises(MorelloError, match="no table of the sector 5-5"):
        database.boards("5-5")
    with pytest.raises(MorelloError, match="clock"):
        batch.probe(boards, database, clock=-1)


@pytest.mark.parametrize("game", ["othello", "othello-6x6", "othello-4x4"])
@pytest.mark.parametrize("passes", [True, False])
def test_tokens_stand_for_moves(game, passes):
    games = batch.random_games(200, game, seed=6, passes=passes)
    encoded = tokens.encode(games["moves"], game, passes=passes)
    assert encoded.dtype == np.uint8 and encoded.max() <= tokens.pass_token(game)
    decoded = tokens.decode(encoded, game)
    width = games["moves"].shape[1]
    assert (decoded[:, :width] == games["moves"]).all() and (decoded[:, width:] == batch.NO_MOVE).all()
    rows = batch.replay(decoded, game)
    legal = tokens.legal_tokens(rows["board"], game)
    offsets, moves = batch.legal_moves(rows["board"], game)
    assert (legal[:, 1:].sum(1) == np.diff(offsets)).all()
    numbers = tokens.encode(moves[:, None], game, passes=True)[:, 0]
    assert legal[np.repeat(np.arange(len(legal)), np.diff(offsets)), numbers].all()
    assert (tokens.legal_tokens(games["board"], game)[:, 0]).all()


def test_tokens_are_numbered_as_in_othello_gpt():
    assert tokens.encode([[37, 45, batch.NO_MOVE]])[0, :3].tolist() == [34, 42, 0]  # f5 and d6, without d4, e4, d5 and e5
    assert len(tokens.squares()) == 60 and tokens.pass_token() == 61
    dropped = tokens.encode([[19, PASS, 18]])
    assert dropped[0, :3].tolist() == [20, 19, 0] and dropped.shape == (1, 60)
    for wrong in ([[27]], [[65]], [[70_000]], [[-7]]):
        with pytest.raises(MorelloError, match=r"moves\[0, 0\] is not a move"):
            tokens.encode(wrong)
    with pytest.raises(MorelloError, match="width must be at least 2"):
        tokens.encode([[19, 18]], width=1)
    with pytest.raises(MorelloError, match="tokens must be 0 to 61"):
        tokens.decode([[62]])
    with pytest.raises(MorelloError, match="for Othello"):
        tokens.squares("morabaraba")


def test_a_batch_player_is_asked_for_many_games_at_once():
    sizes = []

    def first(boards):
        sizes.append(len(boards))
        offsets, moves = batch.legal_moves(boards)
        return moves[offsets[:-1]], np.full(len(boards), 0.5)

    result = play_match({"first": BatchPlayer(first, games=16), "random": "random"}, games=64, opening_plies=4, opening_depth=0)
    assert len(result.games) == 64 and max(sizes) > 4 and result.summary["engines"][0]["settings"] == "a Python function of batches"
    one_at_a_time = play_match(
        {"first": lambda game: game.position.legal_moves()[0], "random": "random"}, games=64, opening_plies=4, opening_depth=0
    )
    assert [row["moves"] for row in result.rows] == [row["moves"] for row in one_at_a_time.rows]
    assert any(0.5 in row["scores"] for row in result.rows)
    illegal = play_match({"a": BatchPlayer(lambda boards: np.zeros(len(boards), int)), "b": "random"}, games=4)
    assert illegal.losses == 4 and illegal.summary["end_reasons"] == {"illegal_move": 4}
    with pytest.raises(MorelloError, match="returned 0 moves for"):
        play_match({"a": BatchPlayer(lambda boards: []), "b": "random"}, games=4)
    with pytest.raises(ZeroDivisionError):
        play_match({"a": BatchPlayer(lambda boards: 1 / 0), "b": BatchPlayer(first)}, games=100)
