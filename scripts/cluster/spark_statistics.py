"""Sums up the statistics of the shards of `spark_analyze.py`.

The results equal those of `morello analyze --summary`: counts are added, and quantiles are computed from the counts
of distinct values. Some means by group (empty squares, player, opening and tournament) are weighted means of the
rounded means of the shards.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Iterable
from typing import Any


def points(thousandths: float) -> float:
    """Converts thousandths to points, rounded to thousandths, halves away from zero."""
    return math.copysign(math.floor(abs(thousandths) + 0.5), thousandths) / 1000 + 0.0


def quantile(counts: dict[int, int], share: float) -> int:
    """Returns the smallest value that is not exceeded by at least the given share of all values."""
    rank, seen = max(math.ceil(share * sum(counts.values())), 1), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= rank:
            return value
    raise ValueError("no values")


def bins_of_scores(counts: dict[int, int]) -> list[dict[str, float]]:
    """Returns at most 12 bins that cover the scores. Their width is a power of two for whole points, else 1, 2 or 5
    times a power of ten."""
    low, high, whole = min(counts), max(counts), all(score % 1000 == 0 for score in counts)
    power = 1000 if whole else 1
    while True:
        for width in (power,) if whole else (power, 2 * power, 5 * power):
            last = high // width if high == low or whole and width == 1000 else (high - 1) // width
            if last - low // width < 12:
                bins = {number: 0 for number in range(low // width, last + 1)}
                for score, count in counts.items():
                    bins[min(score // width, last)] += count
                return [
                    {"from": points(number * width), "to": points((number + 1) * width), "count": count}
                    for number, count in bins.items()
                ]
        power *= 2 if whole else 10


def add_counts(parts: Iterable[dict[str, int]]) -> dict[int, int]:
    """Adds counts whose keys are text, as in JSON."""
    sums: collections.Counter[int] = collections.Counter()
    for part in parts:
        sums.update({int(value): count for value, count in part.items()})
    return dict(sums)


def add_numbers(parts: list[dict[str, int]]) -> dict[str, int]:
    """Adds the numbers of objects with the same keys."""
    return {key: sum(part[key] for part in parts) for key in parts[0]}


def add_bins(parts: Iterable[list[dict[str, float]]]) -> list[dict[str, float]]:
    """Adds histograms with doubling bins. Empty bins in between are kept."""
    sums: dict[float, dict[str, float]] = {}
    for each in (each for part in parts for each in part):
        sums.setdefault(each["from"], {**each, "count": 0})["count"] += each["count"]
    if not sums:
        return []
    start, last = min(sums), max(sums)
    while start < last:
        sums.setdefault(start, {"from": start, "to": start * 2, "count": 0})
        start = sums[start]["to"]
    return [sums[at] for at in sorted(sums)]


def add_groups(
    parts: Iterable[list[dict[str, Any]]], key: str, weight: str, means: dict[str, int]
) -> list[dict[str, Any]]:
    """Adds the counts of groups, and combines the means by weight, rounded to the given digits."""
    groups: dict[Any, list[dict[str, Any]]] = collections.defaultdict(list)
    for each in (each for part in parts for each in part):
        groups[each[key]].append(each)
    summed = []
    for name in sorted(groups):
        members = groups[name]
        group: dict[str, Any] = {key: name}
        for field in (
            field for field in members[0] if field != key and field not in means and isinstance(members[0][field], int)
        ):
            group[field] = sum(member[field] for member in members)
        for field, digits in means.items():
            known = [member for member in members if member[field] is not None]
            total = sum(member[weight] for member in known)
            group[field] = (
                round(sum(member[field] * member[weight] for member in known) / total, digits) if total else None
            )
        summed.append(group)
    return summed


def distribution(counts: dict[int, int]) -> dict[str, Any] | None:
    """Returns the distribution of scores."""
    if not counts:
        return None
    total = sum(counts.values())
    mean = math.fsum(score * count for score, count in counts.items()) / total
    deviation = math.sqrt(math.fsum((score - mean) ** 2 * count for score, count in counts.items()) / total)
    shares = {"min": 0.0, "p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "max": 1.0}
    return {
        "mean": points(mean),
        "standard_deviation": points(deviation),
        **{name: points(quantile(counts, share)) for name, share in shares.items()},
        "histogram": bins_of_scores(counts),
    }


def of_moves(tally: list[int]) -> dict[str, Any]:
    """Returns the statistics of moves from their number, total loss in thousandths, and the numbers of accurate and
    agreeing moves."""
    moves, loss, accurate, agreeing = tally

    def share(part: int) -> float | None:
        percent = math.floor(part / moves * 1e4 + 0.5) / 100 if moves else None
        return min(percent, 99.99) if moves and part < moves else percent

    return {
        "moves": moves,
        "mean_loss": points(loss / moves) if moves else None,
        "accuracy": share(accurate),
        "agreement": share(agreeing),
    }


def sum_play(sidecars: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Sums up the statistics of played moves: exactly by ply and in total, and from rounded means for other groups."""
    parts = [sidecar["summary"]["play"] for sidecar in sidecars if sidecar["summary"]["play"]]
    if not parts:
        return None
    by_ply: dict[int, list[int]] = collections.defaultdict(lambda: [0, 0, 0, 0])
    for sidecar in sidecars:
        for ply, tally in sidecar["tally"]["losses"].items():
            by_ply[int(ply)] = [a + b for a, b in zip(by_ply[int(ply)], tally)]
    means = {"mean_loss": 3, "accuracy": 2, "agreement": 2}
    return {
        "games": sum(part["games"] for part in parts),
        **of_moves([sum(column) for column in zip(*by_ply.values())] or [0, 0, 0, 0]),
        "by_ply": [{"at": ply, **of_moves(by_ply[ply])} for ply in sorted(by_ply)],
        "by_empties": add_groups((part["by_empties"] for part in parts), "at", "moves", means),
        "by_player": add_groups((part["by_player"] for part in parts), "name", "moves", means),
        "by_opening": add_groups((part["by_opening"] for part in parts), "name", "moves", means),
        "by_tournament": add_groups((part["by_tournament"] for part in parts), "name", "moves", means),
    }


def sum_statistics(sidecars: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums up the statistics of the shards."""
    parts = [sidecar["summary"] for sidecar in sidecars]
    tallies = [sidecar["tally"] for sidecar in sidecars]
    counts = ("positions", "bad_lines", "exact", "bounds", "heuristic", "nodes")
    statistics: dict[str, Any] = {
        "game": parts[0]["game"],
        **{name: sum(part[name] for part in parts) for name in counts},
    }
    for name in ("exact_outcomes", "bound_outcomes", "heuristic_signs"):
        statistics[name] = add_numbers([part[name] for part in parts])
    # Rows do not distinguish bounds from estimates. With bounds, the distribution would be wrong.
    bounded = statistics["bounds"] > 0
    statistics["scores"] = None if bounded else distribution(add_counts(tally["scores"] for tally in tallies))
    depths = add_counts(tally["depths"] for tally in tallies)
    shares = {"min": 0.0, "median": 0.5, "max": 1.0}
    statistics["depths"] = {name: quantile(depths, share) for name, share in shares.items()} if depths else None
    statistics["nodes_histogram"] = add_bins(part["nodes_histogram"] for part in parts)
    by_empties = (part["by_empties"] for part in parts)
    statistics["by_empties"] = add_groups(by_empties, "empties", "positions", {"mean_nodes": 0, "mean_ms": 3})
    statistics["timing"] = statistics["agreement"] = None
    timings = [part["timing"] for part in parts if part["timing"]]
    if timings:
        elapsed = sum(timing["elapsed_s"] for timing in timings)
        statistics["timing"] = {
            "elapsed_s": round(elapsed, 3),
            "nodes_per_second": int(statistics["nodes"] / max(elapsed, 1e-9)),
            "max_ms": max(timing["max_ms"] for timing in timings),
            "histogram": add_bins(timing["histogram"] for timing in timings),
        }
    agreements = [part["agreement"] for part in parts if part["agreement"]]
    if agreements:
        errors, error_sum = (sum(tally[name] for tally in tallies) for name in ("errors", "error_sum"))
        agreement = [{key: value for key, value in part.items() if key != "mean_absolute_error"} for part in agreements]
        mean = points(error_sum / errors) if errors and not bounded else None
        statistics["agreement"] = {**add_numbers(agreement), "mean_absolute_error": mean}
    statistics["play"] = sum_play(sidecars)
    return statistics
