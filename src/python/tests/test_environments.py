"""Actions and environments."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

import morello
from morello.actions import Turns


@pytest.mark.parametrize("game", morello.games())
def test_every_move_is_reached_by_actions(game):
    numbers = random.Random(1)
    for _ in range(3):
        turns = Turns(game)
        while not turns.is_over and len(turns.game) < 150:
            before = turns.game.position
            assert (np.flatnonzero(turns.mask()) == turns.legal_actions()).all()
            reached, waiting = set(), [[action] for action in turns.legal_actions()]
            while waiting:
                actions = waiting.pop()
                trial = Turns(morello.Game(str(before), game))
                for action in actions:
                    trial.apply(action)
                if trial.must_capture:
                    assert trial.observation(before.side_to_move)[-1] == 1 and trial.game.position == before
                    waiting += [[*actions, action] for action in trial.legal_actions()]
                else:
                    reached.add(trial.game.position)
            assert reached == {before.play(move) for move in before.legal_moves()}
            own = [color for color in before.pieces.values() if color == before.side_to_move]
            assert (turns.observation(before.side_to_move)[: len(turns.points)] == 1).sum() == len(own)
            turns.apply(numbers.choice(turns.legal_actions()))
            while turns.must_capture:
                turns.apply(numbers.choice(turns.legal_actions()))
        with pytest.raises(ValueError, match="illegal action"):
            turns.apply(turns.action_count)


def test_passes_the_pettingzoo_test():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    import morello.pettingzoo

    for game in ["othello", "othello-4x4", "six-mens-morris", "morabaraba"]:
        api_test(morello.pettingzoo.env(game), num_cycles=300)


def test_passes_the_gymnasium_test():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import morello.gymnasium

    for game in ["othello", "nine-mens-morris"]:
        env = morello.gymnasium.GameEnv(game, level=1)
        check_env(env, skip_render_check=True)
        observation, _ = env.reset(seed=3)
        numbers, reward, over = random.Random(3), 0, False
        while not over:
            action = numbers.choice(list(np.flatnonzero(observation["action_mask"])))
            observation, reward, over, _, info = env.step(action)
        assert reward in (-1, 0, 1) and "illegal" not in info
    with pytest.raises(ValueError, match="side"):
        morello.gymnasium.GameEnv(side="red")


@pytest.mark.parametrize("game", ["othello", "nine-mens-morris-flying"])
def test_agrees_with_openspiel(game):
    pytest.importorskip("pyspiel")
    sys.path.insert(0, str(Path(__file__).parents[3] / "scripts/peers"))
    from openspiel_rules import compare

    actions, _, differences = compare(game, 20, seed=5)
    assert differences == [] and actions > 1000
