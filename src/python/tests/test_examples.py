"""The example programs."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *arguments):
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_policy_learns_to_beat_random_moves():
    output = run("train_policy.py", "--games", "800", "--epochs", "3")
    policy, chance = map(float, re.search(r"policy ([\d.]+), of random moves ([\d.]+)", output).groups())
    assert policy < 0.8 * chance and "against random moves: h1" in output, output


def test_a_sequence_model_is_probed():
    output = run("sequence_legality.py", "--games", "20000")
    learned, chance = (float(re.search(pattern, output)[1]) for pattern in (r"games: ([\d.]+)%", r"chance: ([\d.]+)%"))
    assert 2 * chance < learned < 100, output
