#!/usr/bin/env python3
"""Plays matches or generates training games on a cluster: Apache Spark distributes shards, morello plays each.

Usage: scripts/cluster/spark_selfplay.py match|training GAME --games N --output DIR [--shards N] [--morello PATH] [--master
URL] [-- OPTIONS]

    scripts/cluster/spark_selfplay.py match othello --games 10000 --output run --master spark://host:7077 --shards 200 \\
      -- --engine name=new,depth=6 --engine name=old,depth=5 --deterministic
    scripts/cluster/spark_selfplay.py training othello --games 1000000 --seed 1 --output run --shards 200 -- --depth 4

A match is that of `morello selfplay GAME OPTIONS --games N`: each shard plays every 200th pair of games (`--shard
1/200`), and the results of engines that are bounded by depth or nodes are those of one machine, times aside; with
--deterministic the logs are equal to the byte. DIR then has match.jsonl, the log of the whole match in the order of
the games, and result.json, its result, which is also printed. To plot or to save the games, run the same `morello
selfplay` with `--log DIR/match.jsonl --resume`.

Training games are those of `morello-train generate OPTIONS`: shard K generates its part of the games with the seed
--seed + K - 1, so that the shards differ, and each equals the file that one machine generates with this seed. DIR
then has part-00001.games, part-00002.games and so on, which `morello-train` reads together, and manifest.json with
the seed and the number of games of each.

DIR must have the same path on all machines, as must the files that OPTIONS name, for example on NFS. The tasks run
the Python package morello of their interpreter if this script's interpreter has it, and otherwise the program;
--morello gives its path. Training games need the program morello-train, whose path --morello then gives.

A shard is written to a temporary file and renamed when it is complete, then its sidecar, part-00001.json. Spark
retries failures and the tasks of lost machines. After an interruption, run the same command again: it skips complete
shards. Each task uses as many threads as Spark gives it cores (`--conf spark.task.cpus=4`; default 1).

Exit codes: 0 success, 2 failure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import uuid
from typing import Any

from spark_rows import RunError, allow_open_files
from spark_shards import (
    add_cluster_options,
    claim_output,
    command_parser,
    digest,
    do_all,
    find_program,
    number_of_shards,
    parse_with_options,
    read_sidecars,
    remove_leftovers,
    run_program,
    stamp,
    start_spark,
    valid_sidecar,
    words_of,
    write_json,
)

# The entries of run.json that determine the games.
KEYS = ("version", "kind", "game", "games", "seed", "options", "shards", "option_files")
# Options that this script sets itself, and options that need all games together.
SET_BY_SCRIPT = {
    "match": {"--games", "--shard", "--log", "--resume", "--threads", "--format", "--progress"},
    "training": {"--games", "--seed", "--output", "-o", "--threads", "--progress"},
}
NEEDS_ALL_GAMES = {"match": {"--sprt", "--save-games", "--plot"}, "training": {"--time"}}
EXTENSION = {"match": "jsonl", "training": "games"}
# The program that plays the games.
PROGRAMS = {"match": "morello", "training": "morello-train"}


# Worker code.


def games_of(run: dict[str, Any], shard: int) -> int:
    """Returns the number of training games of a shard, counted from 1."""
    return run["games"] // run["shards"] + (shard <= run["games"] % run["shards"])


def play_shard(run: dict[str, Any], shard: int, attempt: int) -> dict[str, Any]:
    """Plays a shard unless it is already done; returns its number and whether it was skipped."""
    is_match = run["kind"] == "match"
    data = os.path.join(run["output"], f"part-{shard:05}.{'jsonl' if is_match else 'games'}")
    sidecar = os.path.join(run["output"], f"part-{shard:05}.json")
    if valid_sidecar(data, sidecar, run["fingerprint"]):
        return {"number": shard, "skipped": True}
    # An attempt that Spark has given up may still be writing, so each uses its own name.
    temporary = f"{data}.{uuid.uuid4().hex[:8]}.tmp"
    start = time.time()
    if is_match:
        command = [
            "selfplay",
            run["game"],
            *run["options"],
            "--games",
            str(run["games"]),
            "--shard",
            f"{shard}/{run['shards']}",
        ]
        command += ["--log", temporary, "--format", "jsonl", "--progress", "never"]
        seed = None
    else:
        seed = run["seed"] + shard - 1
        command = ["generate", *run["options"], "--games", str(games_of(run, shard)), "--seed", str(seed)]
        command += ["--output", temporary, "--progress", "never"]
    try:
        run_program(run, [*command, "--threads", str(run["threads"])], f"shard {shard}")
        if is_match:
            # Games end in any order.
            with open(temporary, "rb") as file:
                lines = sorted(file, key=lambda line: json.loads(line)["game"])
            with open(temporary, "wb") as file:
                file.writelines(lines)
        games = len(lines) if is_match else games_of(run, shard)
        size, sha = digest(temporary)
        os.replace(temporary, data)
    finally:
        pathlib.Path(temporary).unlink(missing_ok=True)
    content = {
        "fingerprint": run["fingerprint"],
        "shard": shard,
        "games": games,
        "seed": seed,
        "bytes": size,
        "sha256": sha,
        "seconds": round(time.time() - start, 3),
        "host": socket.gethostname(),
        "attempt": attempt,
    }
    write_json(sidecar, content)
    return {"number": shard, "skipped": False}


# Driver code.


def parse_arguments() -> argparse.Namespace:
    """Parses the command line. Options after `--` are passed to morello."""
    parser = command_parser(__doc__)
    parser.add_argument("kind", choices=("match", "training"), help="what to play")
    parser.add_argument("game", metavar="GAME", help="the game, as for `morello selfplay`; othello for training games")
    parser.add_argument("--games", metavar="N", type=int, required=True, help="number of games in total")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=None, help="with training: seed of the first shard [default: 1]"
    )
    add_cluster_options(parser)
    parsed = parse_with_options(parser)
    for option in parsed.options:
        name = option.split("=", 1)[0]
        if name in SET_BY_SCRIPT[parsed.kind]:
            parser.error(
                f"{name} is set by this script: give it before `--` (for threads, use --conf spark.task.cpus=N)"
            )
        if name in NEEDS_ALL_GAMES[parsed.kind]:
            parser.error(f"{name} is not supported: it needs all games together")
    if parsed.kind == "match" and parsed.seed is not None:
        parser.error("--seed: give the seed of a match after `--`")
    if parsed.kind == "training" and parsed.game != "othello":
        parser.error("training games exist for othello only")
    parsed.seed = 1 if parsed.seed is None else parsed.seed
    if parsed.games < 1 or parsed.seed < 0:
        parser.error("--games must be 1 or more, and --seed 0 or more")
    if parsed.shards is not None and not 1 <= parsed.shards <= min(99999, most_shards(parsed)):
        parser.error(
            f"--shards: expected a number from 1 to {min(99999, most_shards(parsed))}, the number of games or of pairs"
            " of a match"
        )
    return parsed


def most_shards(arguments: argparse.Namespace) -> int:
    """Returns the greatest number of shards of which none is empty."""
    return (arguments.games + 1) // 2 if arguments.kind == "match" else arguments.games


def plan(arguments: argparse.Namespace, shards: int) -> dict[str, Any]:
    """Returns everything the workers need, with the fingerprint of all that determines the games."""
    program, version = find_program(arguments.morello, PROGRAMS[arguments.kind])
    values = [option.split("=", 1)[-1] for option in arguments.options]
    asked = {
        "version": version.split()[:2],
        "kind": arguments.kind,
        "game": arguments.game,
        "games": arguments.games,
        "seed": arguments.seed,
        "options": arguments.options,
        "shards": shards,
        "option_files": sorted(stamp(value) for value in {*arguments.options, *values} if os.path.isfile(value)),
    }
    return {
        **asked,
        "fingerprint": hashlib.sha256(json.dumps(asked).encode()).hexdigest(),
        "version": version,
        "morello": program,
        "folder": os.getcwd(),
        "output": os.path.abspath(arguments.output),
    }


def write_match(run: dict[str, Any]) -> None:
    """Joins the logs of the shards, and writes and prints the result of the match."""
    paths = [os.path.join(run["output"], f"part-{shard:05}.jsonl") for shard in range(1, run["shards"] + 1)]
    allow_open_files(len(paths) + 64)
    log = os.path.join(run["output"], "match.jsonl")
    files = [open(path, "rb") for path in paths]
    try:
        with open(f"{log}.tmp", "wb") as merged:
            # Pairs of games were dealt to the shards in turn.
            for game in range(run["games"]):
                merged.write(files[game // 2 % run["shards"]].readline())
    finally:
        for file in files:
            file.close()
    os.replace(f"{log}.tmp", log)
    command = [
        *words_of(run),
        "selfplay",
        run["game"],
        *run["options"],
        "--games",
        str(run["games"]),
        "--log",
        log,
        "--resume",
    ]
    for form in ("json", "table"):
        done = subprocess.run(
            [*command, "--format", form, "--progress", "never"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RunError(f"cannot sum up the match: {done.stderr.strip()}")
        if form == "json":
            write_json(os.path.join(run["output"], "result.json"), json.loads(done.stdout))
        else:
            print(done.stdout, end="")


def finish(run: dict[str, Any]) -> None:
    """Writes the manifest, and the result of a match."""
    kept = ("shard", "games", "seed", "bytes", "sha256", "seconds", "host", "attempt")
    extension = EXTENSION[run["kind"]]
    sidecars = read_sidecars(run, extension)
    manifest = {name: run[name] for name in ("fingerprint", *KEYS)}
    manifest["shards"] = [
        {"file": f"part-{sidecar['shard']:05}.{extension}", **{name: sidecar[name] for name in kept}}
        for sidecar in sidecars
    ]
    if run["kind"] == "match":
        write_match(run)
    else:
        print(
            f"{sum(sidecar['games'] for sidecar in sidecars)} games in {run['shards']} files,"
            f" {run['output']}/part-*.games"
        )
    write_json(os.path.join(run["output"], "manifest.json"), manifest)
    remove_leftovers(run, (f"part-*.{extension}.????????.tmp*", "part-*.json.????????.tmp"))


def play(arguments: argparse.Namespace) -> None:
    """Plays the whole match, or generates all games."""
    # Check everything that does not need Spark first.
    find_program(arguments.morello, PROGRAMS[arguments.kind])
    if arguments.shards:
        claim_output(plan(arguments, arguments.shards), KEYS)
    spark = start_spark(f"morello {arguments.kind}", arguments.master, arguments.conf)
    try:
        shards = arguments.shards or min(number_of_shards(spark, arguments.output), most_shards(arguments))
        run = {**plan(arguments, shards), "threads": int(spark.conf.get("spark.task.cpus", "1"))}
        claim_output(run, KEYS)
        skipped = do_all(spark, run, play_shard, list(range(1, shards + 1)))
        print(f"{shards} shards, {skipped} already done")
        finish(run)
    finally:
        spark.stop()


def main() -> int:
    """Runs the script and prints errors."""
    try:
        play(parse_arguments())
        return 0
    except (RunError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; run the same command again to resume", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
