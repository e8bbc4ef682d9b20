#!/usr/bin/env python3
"""Kills runs that can be continued, again and again at random moments, until each of them is complete.

Each command first runs without interruption. Then it is started again and again, and killed after a random time by
SIGKILL or, one time in three, by SIGINT, until it ends by itself. Its files must be the same as after the first run. Requires no network; ends after --kills kills.

  scripts/test/kills.py --programs target/release --kills 1000
  scripts/test/kills.py --only cache --seed 7
"""

import argparse
import csv
import hashlib
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Of each run: the command, which makes and continues it, the files whose contents count, and a command that makes them
# of what the first one has left. `{n}` is a folder.
RUNS = {
    "csv": ("morello analyze othello in.txt --depth 9 --deterministic --resume -o {n}/x.csv", ["x.csv"]),
    "jsonl": (
        "morello analyze othello in.txt --depth 9 --deterministic --resume -o {n}/x.jsonl --game-rows {n}/g.csv",
        ["x.jsonl", "g.csv"],
    ),
    "parquet": ("morello analyze othello in.txt --depth 9 --deterministic --resume -o {n}/x.parquet", ["x.parquet"]),
    "cache": (
        "morello analyze othello in.txt --depth 9 --deterministic --cache {n}/x.cache -o {n}/x.csv --force",
        ["x.csv"],
    ),
    "perft": (
        "morello perft othello 10 --threads 1 --hash 16 --checkpoint {n}/x.perft -o {n}/x.csv --force",
        ["x.csv"],
    ),
    "selfplay": (
        "morello selfplay othello-6x6 --engine name=a,depth=5 --engine name=b,depth=4 --games 300 --resume"
        " --log {n}/x.log --save-games {n}/x.txt --force",
        ["x.txt"],
    ),
    "database": ("morello database build six-mens-morris --max-men 7 --database {n}", ["*/*"]),
    "book": (
        "morello book build othello-6x6 {n}/x.book --max-plies 5 --best-plies 5 --level 9 --max-loss 64 --no-openings",
        ["x.csv"],
        "morello book export othello-6x6 {n}/x.csv --book {n}/x.book",
    ),
    "generate": ("morello-train generate --games 400 --depth 4 --seed 3 -o {n}/x.games", ["x.games"]),
    "label": ("morello-train label --data t.games --depth 6 -o {n}/x.labels", ["x.labels"]),
}
# The most kills of a round, so that each run has its share.
PER_ROUND = 15
# Once, before all runs.
SETUP = [
    "morello-train generate --games 60 --depth 2 --seed 5 -o t.games",
]


def lasting(file: Path) -> bytes:
    """Returns the content of a file without the times of the last run, and without the choice of equal moves."""
    if file.suffix != ".csv":
        return file.read_bytes()
    rows = list(csv.reader(file.read_text().splitlines()))
    kept = [at for at, name in enumerate(rows[0]) if name not in ("time_ms", "move")]
    return "\n".join(",".join(row[at] for at in kept) for row in rows).encode()


def digest(folder: Path, names: list[str]) -> dict:
    """Returns the checksums of the files of a run."""
    files = [file for name in names for file in sorted(folder.glob(name)) if file.is_file()]
    assert files, f"no {names} in {folder}"
    return {str(file.relative_to(folder)): hashlib.sha256(lasting(file)).hexdigest() for file in files}


class Kills:
    """A folder with the inputs, and the numbers so far."""

    def __init__(self, programs: Path, folder: Path, seed: int):
        self.programs, self.folder, self.random = programs, folder, random.Random(seed)
        self.kills, self.rounds = 0, 0
        game = random.Random(9)
        openings = ["f5d6c3d3c4f4", "f5f6e6f4g6c5", "f5d6c4d3c3f4", "f5d6c5f4e3c6", "f5f4e3f6d3c5"]
        lines = [openings[game.randrange(len(openings))] for _ in range(40)]
        (folder / "in.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
        for command in SETUP:
            subprocess.run(self.words(command), cwd=folder, check=True, capture_output=True)

    def words(self, command: str) -> list[str]:
        """Returns the words of a command, with the path of the program."""
        program, *words = shlex.split(command)
        return [str(self.programs / program), *words]

    def start(self, command: str, number: str) -> subprocess.Popen:
        """Starts a run whose files are in a folder."""
        (self.folder / number).mkdir(exist_ok=True)
        words = self.words(command.format(n=number))
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def round(self, name: str, most: int) -> None:
        """Makes a run once in peace and once with kills, and compares them."""
        command, files, *last = RUNS[name]
        self.rounds += 1
        peace, war = f"{name}-peace", f"{name}-{self.rounds}"
        begun = time.monotonic()
        if not (self.folder / peace).exists():
            run = self.start(command, peace)
            error = run.communicate()[1]
            assert run.returncode == 0, f"{name}: {error.decode()}"
            (self.folder / peace / "seconds").write_text(str(time.monotonic() - begun), encoding="ascii")
        before = self.kills
        seconds = float((self.folder / peace / "seconds").read_text(encoding="ascii"))
        while True:
            run = self.start(command, war)
            is_over = self.kills >= most or self.kills - before >= PER_ROUND
            try:
                error = run.communicate(timeout=None if is_over else self.random.uniform(0.005, 0.7 * seconds))[1]
            except subprocess.TimeoutExpired:
                by = self.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT])
                run.send_signal(by)
                error = run.communicate(timeout=20)[1]
                if run.returncode in (-by, 130):
                    self.kills += 1
                    continue
            # Killed after its last step.
            is_complete = run.returncode == 2 and (b"after a complete run" in error or b"exists; use another" in error)
            problem = f"exit code {run.returncode}: {error.decode()}"
            assert run.returncode == 0 or is_complete, f"{name}, round {self.rounds}: {problem}"
            break
        for folder in (peace, war):
            if last and not (self.folder / folder / files[0]).exists():
                assert self.start(last[0], folder).wait() == 0, last
        expected, found = (digest(self.folder / folder, files) for folder in (peace, war))
        assert found == expected, f"{name}, round {self.rounds}: {found} instead of {expected}"


def main() -> int:
    """Runs the test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=Path("target/release"), help="the folder of the programs")
    parser.add_argument("--kills", type=int, default=1000, help="the number of kills")
    parser.add_argument("--only", choices=RUNS, help="a single run")
    parser.add_argument("--seed", type=int, default=1, help="seed of the times")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(options.programs.resolve(), Path(folder), options.seed)
        counts = dict.fromkeys([options.only] if options.only else RUNS, 0)
        while kills.kills < options.kills:
            for name in counts:
                before = kills.kills
                kills.round(name, options.kills)
                counts[name] += kills.kills - before
                print(f"{name}: {counts[name]} kills; {kills.kills} in {kills.rounds} rounds", flush=True)
    print(f"{kills.kills} kills in {kills.rounds} rounds: all files are the same as without kills")
    return 0


if __name__ == "__main__":
    sys.exit(main())
