"""States, actions and environments."""

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import morello
from morello import IllegalMoveError, MorelloError, State


@pytest.mark.parametrize("game", morello.games())
def test_every_move_is_reached_by_actions(game):
    numbers = random.Random(1)
    for _ in range(3):
        state = State(game)
        while not state.is_over and len(state.record()) < 150:
            before = state.position
            assert (np.flatnonzero(state.mask()) == state.legal_actions()).all()
            reached, waiting = set(), [[action] for action in state.legal_actions()]
            while waiting:
                actions = waiting.pop()
                trial = State(before)
                for action in actions:
                    trial.apply(action)
                if trial.must_capture:
                    assert trial.observation(before.side_to_move)[-1] == 1 and trial.position == before
                    waiting += [[*actions, action] for action in trial.legal_actions()]
                else:
                    reached.add(trial.position)
            assert reached == {before.play(move) for move in before.legal_moves()}
            whole = State(before)
            whole.play(before.legal_moves()[-1])
            assert whole.position == before.play(before.legal_moves()[-1])
            state.apply(numbers.choice(state.legal_actions()))
            while state.must_capture:
                state.apply(numbers.choice(state.legal_actions()))
        for action in (state.action_count, -1, 2**62):
            with pytest.raises(IllegalMoveError, match="illegal action"):
                state.apply(action)


@pytest.mark.parametrize("game", morello.games())
def test_observations_are_the_pieces(game):
    numbers, state = random.Random(2), State(game)
    while not state.is_over and len(state.record()) < 120:
        points, planes = state.observation(), state.observation(kind="planes")
        side, other = state.side_to_move, "white" if state.side_to_move == "black" else "black"
        pieces = state.position.pieces
        if not state.must_capture:
            expected = [{None: 0, side: 1, other: -1}[pieces.get(name)] for name in state.points]
            assert list(points[: len(expected)]) == expected
            hands = state.position.in_hand or (0, 0)
            assert list(points[-3:]) == [*(hands if side == "black" else hands[::-1]), 0]
        opposite = state.observation(other)
        assert (points[:-3] == -opposite[:-3]).all() and (points[-3:-1] == opposite[-3:-1][::-1]).all()
        own, theirs = planes[0], planes[1]
        assert (own.sum(), theirs.sum()) == ((points[:-3] == 1).sum(), (points[:-3] == -1).sum())
        assert (state.observation(other, "planes")[0] == theirs).all()
        actions = [action for action in state.legal_actions() if action != len(state.points) or not game.startswith("othello")]
        assert planes[2].sum() == len({action % len(state.points) for action in actions})
        tensor = state.observation(kind="tensor")
        assert tensor.dtype == np.float32 and tensor[:3].sum() == len(state.points)
        state.apply(numbers.choice(state.legal_actions()))


def test_states_copy_and_continue_games():
    game = morello.Game("f5d6c3")
    state = State(game)
    copies = [state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    state.play("d3")
    assert state.record().moves == ["f5", "d6", "c3", "d3"] and all(other.record().moves == game.moves for other in copies)
    assert State("nine-mens-morris", draws=False).game == "nine-mens-morris"
    for wrong in ("zz", "f5"):
        with pytest.raises(IllegalMoveError, match=wrong):
            state.play(wrong)
    with pytest.raises(MorelloError, match="side"):
        state.score("red")
    with pytest.raises(MorelloError, match="planes"):
        state.observation(kind="pixels")
    mill = State(morello.Position("0,0 a1,a4,d6,f4 g1,g7,d2,b4 W", "nine-mens-morris"), draws=False)
    rng = random.Random(4)
    while not mill.must_capture:
        mill.apply(rng.choice(mill.legal_actions()))
    again = pickle.loads(pickle.dumps(mill))
    assert again.must_capture and again.legal_actions() == mill.legal_actions() and again.record() == mill.record()
    # The third repetition of a position is a draw.
    shuffle = State(morello.Position("0,0 a1,a4,d6,f4 g1,g7,d2,b4 W", "nine-mens-morris"))
    plies = 0
    while not shuffle.is_over:
        shuffle.play(["a4-a7", "g7-d7", "a7-a4", "d7-g7"][plies % 4])
        plies += 1
    assert plies == 8 and shuffle.score("black") == 0 and shuffle.legal_actions() == []


def test_passes_the_pettingzoo_test():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    import morello.pettingzoo

    for game, observation in [("othello", "planes"), ("othello-4x4", "points"), ("six-mens-morris", "tensor"), ("morabaraba", "points")]:
        api_test(morello.pettingzoo.env(game, observation=observation), num_cycles=300)
    env = morello.pettingzoo.env()
    env.reset()
    env.step(0)
    assert env.terminations == {"black": True, "white": True} and env.rewards == {"black": -1, "white": 1}
    assert env.infos["black"] == {"illegal": True}


def test_passes_the_gymnasium_test():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import morello.gymnasium

    for game in ["othello", "nine-mens-morris"]:
        env = gymnasium.make(morello.gymnasium.environment_id(game), opponent=1).unwrapped
        check_env(env, skip_render_check=True)
        observation, _ = env.reset(seed=3)
        numbers, reward, over, info = random.Random(3), 0, False, {}
        while not over:
            action = numbers.choice(list(np.flatnonzero(observation["action_mask"])))
            observation, reward, over, _, info = env.step(action)
        assert reward in (-1, 0, 1) and "illegal" not in info
    drawn = morello.gymnasium.GameEnv(opponent=0, side="white", random_plies=0, render_mode="svg")
    _, info = drawn.reset(seed=1)
    assert info == {"side": "white"} and drawn.render().startswith("<svg")
    _, reward, over, _, info = drawn.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    for wrong, message in [({"side": "red"}, "side"), ({"random_plies": 500}, "random_plies"), ({"opponent": 61}, "level")]:
        with pytest.raises(MorelloError, match=message):
            morello.gymnasium.GameEnv(**wrong).reset()


def test_every_game_is_registered_with_its_vector_environment():
    gymnasium = pytest.importorskip("gymnasium")
    from morello.gymnasium import GameEnv, VectorGameEnv, environment_id

    code = "import gymnasium; gymnasium.make('morello.gymnasium:morello/Othello-v0', opponent=0).reset()"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert environment_id("othello") == "morello/Othello-v0" and environment_id("othello-6x6") == "morello/Othello6x6-v0"
    for game in morello.games():
        assert isinstance(gymnasium.make(environment_id(game)).unwrapped, GameEnv)
        many = gymnasium.make_vec(environment_id(game), num_envs=3, opponent=0, observation="planes")
        assert isinstance(many.unwrapped, VectorGameEnv)
        observations, _ = many.reset(seed=1)
        assert many.observation_space.contains(observations)


def lowest(observations, masks):
    """A policy that chooses the first legal action."""
    return masks.argmax(1)


@pytest.mark.parametrize("game", ["othello", "othello-4x4", "nine-mens-morris-flying", "morabaraba"])
def test_vector_environments_play_as_states_do(game):
    """Each environment is compared with a game played one action at a time."""
    pytest.importorskip("gymnasium")
    from morello.gymnasium import VectorGameEnv

    count, numbers = 150, np.random.default_rng(5)
    env = VectorGameEnv(game, num_envs=count, opponent=lowest, side="white", random_plies=0)

    def advance(state):
        while not state.is_over and (state.side_to_move == "black" or state.position.legal_moves() == ["pa"]):
            state.apply(state.legal_actions()[0])
        return state

    states = [advance(State(game)) for _ in range(count)]
    observations, _ = env.reset(seed=1)
    ended = 0
    for _ in range(90):
        for row, state in enumerate(states):
            assert (observations["observation"][row] == state.observation("white")).all()
            assert (observations["action_mask"][row] == state.mask()).all()
        actions = (numbers.random(observations["action_mask"].shape) * observations["action_mask"]).argmax(1)
        observations, rewards, over, truncated, info = env.step(actions)
        for row, state in enumerate(states):
            state.apply(actions[row])
            advance(state)
            assert (rewards[row], over[row], truncated[row]) == (state.score("white"), state.is_over, False)
            if state.is_over:
                assert (info["final_obs"][row]["observation"] == state.observation("white")).all() and info["_final_obs"][row]
                states[row] = advance(State(game))
                ended += 1
    assert ended > 100


def test_vector_environments_depend_on_the_seed_alone():
    pytest.importorskip("gymnasium")
    from morello.gymnasium import VectorGameEnv

    def play(seed, opponent):
        env = VectorGameEnv("othello", num_envs=80, opponent=opponent, observation="planes")
        observations, _ = env.reset(seed=seed)
        seen = [observations["observation"]]
        for _ in range(40):
            observations, rewards, *_ = env.step(observations["action_mask"].argmax(1))
            seen.append(observations["observation"])
        return np.stack(seen)

    for opponent in (0, 2):
        assert (play(1, opponent) == play(1, opponent)).all() and (play(1, opponent) != play(2, opponent)).any()


def test_vector_environments_refuse_wrong_actions():
    pytest.importorskip("gymnasium")
    from morello.gymnasium import VectorGameEnv

    env = VectorGameEnv(num_envs=2, opponent=0, random_plies=0, side="black")
    env.reset(seed=1)
    with pytest.raises(MorelloError, match="3 actions for 2"):
        env.step([1, 2, 3])
    with pytest.raises(TypeError, match="actions must be integers"):
        env.step([0.5, 1.0])
    _, rewards, over, _, info = env.step([19, 0])
    assert list(rewards) == [0, -1] and list(over) == [False, True] and list(info["final_info"]["illegal"]) == [False, True]
    with pytest.raises(MorelloError, match="opponent's action 64 is illegal"):
        VectorGameEnv(num_envs=2, opponent=lambda observations, masks: np.full(len(masks), 64), side="white", random_plies=0).reset()
    with pytest.raises(TypeError, match="opponent must be"):
        VectorGameEnv(opponent=None)
    with pytest.raises(MemoryError, match="environments"):
        VectorGameEnv(num_envs=10**12)


def test_environments_must_be_reset_after_an_end_or_an_exception():
    pytest.importorskip("gymnasium")
    from morello.gymnasium import GameEnv

    fails = [False]

    def opponent(observations, masks):
        if fails[0]:
            raise RuntimeError("broken")
        return masks.argmax(1)

    env = GameEnv(opponent=opponent, side="black", random_plies=0)
    observation, _ = env.reset(seed=1)
    fails[0] = True
    with pytest.raises(RuntimeError, match="broken"):
        env.step(observation["action_mask"].argmax())
    with pytest.raises(MorelloError, match="call reset"):
        env.step(0)
    fails[0] = False
    observation, _ = env.reset(seed=1)
    *_, over, _, _ = env.step(0)
    assert over
    with pytest.raises(MorelloError, match="call reset"):
        env.step(19)


@pytest.mark.parametrize("game", ["othello", "nine-mens-morris-flying"])
def test_agrees_with_openspiel(game):
    pytest.importorskip("pyspiel")
    sys.path.insert(0, str(Path(__file__).parents[3] / "scripts/peers"))
    from openspiel_rules import compare

    actions, _, differences = compare(game, 20, seed=5)
    assert differences == [] and actions > 1000
