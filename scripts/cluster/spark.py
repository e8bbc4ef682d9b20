#!/usr/bin/env python3
"""Analyzes files or plays a match on Apache Spark, by the functions of the Python module morello.spark.

    spark-submit --master URL spark.py analyze othello games.ggf.gz --shards 200 --out run \\
      --set exact=True 'empties=(18, 20)' deterministic=True
    spark-submit --master URL spark.py selfplay othello name=new,depth=6 name=old,depth=5 --shards 200 --out run \\
      --set games=10000 --log match.jsonl

Exit codes: 0 success, 1 success with bad records, 2 failure.
"""

import argparse
import ast
import pathlib
import sys

import morello.spark
from pyspark.sql import SparkSession


def argument(text):
    """Returns the name and the value of an argument: a Python literal, or else a text."""
    name, _, value = text.partition("=")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def main():
    """Runs the script, and returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("analyze", "selfplay"))
    parser.add_argument("game", help="name of the game")
    parser.add_argument("items", metavar="FILE|PLAYER", nargs="+", help="files to analyze, or settings of engines")
    parser.add_argument("--shards", metavar="N", type=int, required=True, help="number of tasks")
    parser.add_argument("--out", metavar="DIR", required=True, help="folder for the rows of each shard, as Parquet")
    parser.add_argument("--log", metavar="FILE", type=pathlib.Path, help="file for the games of a match")
    parser.add_argument("--set", metavar="NAME=VALUE", nargs="+", type=argument, default=[],
                        help="arguments of morello.analyze or morello.play_match")  # fmt: skip
    given = parser.parse_args()
    spark = SparkSession.builder.appName(f"morello {given.task}").getOrCreate()
    arguments = {"out": given.out, **dict(given.set)}
    if given.task == "selfplay":
        result = morello.spark.selfplay(spark, given.items, given.shards, given.game, **arguments)
        if given.log:
            given.log.write_text("".join(f"{line}\n" for line in result.log))
        print(result)
        return 0
    rows = morello.spark.analyze_files(spark, given.items, given.shards, given.game, **arguments)
    sums = morello.spark.statistics(rows).first()
    print(*(f"{name:<18} {value}" for name, value in sums.asDict().items()), sep="\n")
    return 1 if sums["bad_lines"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (morello.MorelloError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
