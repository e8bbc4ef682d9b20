#!/usr/bin/env python3
"""Plays matches with `morello selfplay` and prints the page of data/results about them.

Usage: scripts/results/matches.py --log LOG [MATCHES] [--match LINE ...] > data/results/matches.md
       scripts/results/matches.py --log LOG --from-log > data/results/matches.md

MATCHES is a text file. `[Equal depth]` starts a section of the page, `#` a comment; every other line is a match:

    opponent and its setting | our settings | the opponent's | games | options of selfplay, which may be left out
    NTest (JA weights), depth 8 | depth=8 | cmd="/opt/ntest",protocol=nboard,depth=8 | 400 | --opening-plies 8..12

Settings are those of `morello selfplay --engine`. The option `--game GAME` sets a game other than Othello. --match
adds such a line, after those of the file. The page shows only the first field of opponents, so include their version
and weights there. It shows no command lines, and weights files without folders.

`time=equal` in our settings is for opponents that cannot be limited to a time: before the match, games from other
openings find the time limit with which we use the same mean time for a move as the opponent, within some percent. The
page shows that limit, and both means.

Each finished match is appended to LOG, and matches in LOG are not played again. So after an interruption, the same
command continues with the interrupted match. --from-log plays nothing and prints the page of all matches in LOG. LOG
includes the command lines. Times of moves are meaningful only if nothing else runs. Needs only the Python standard
library.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys

from page import add_program, machine, table, version

# The fields that identify a match.
KEY = ("section", "opponent", "ours", "theirs", "games", "seed", "options", "game")
WORDS = {"opponent", "morello", "revision"}
INTERRUPTED = 130

# `time=equal`: the games of a trial, the most trials, the difference of the mean times that is accepted, and the
# first limit in milliseconds.
TRIAL_GAMES = 20
MAX_TRIALS = 8
TRIAL_TOLERANCE = 0.03
FIRST_LIMIT = 5.0


def read_matches(lines, place, threads, seed):
    """Parses matches into dictionaries with the fields of `KEY`, and `threads`.

    `threads` and `seed` are for those whose options have none.
    """
    selfplay = argparse.ArgumentParser(prog=f"options of a match in {place}", add_help=False, allow_abbrev=False)
    selfplay.add_argument("--threads", type=int, default=threads)
    selfplay.add_argument("--seed", type=int, default=seed)
    selfplay.add_argument("--game", default="othello")
    section, matches = "", []
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
            continue
        fields = [field.strip() for field in line.split("|")]
        if len(fields) not in (4, 5) or not all(fields[:4]) or not fields[3].isdecimal():
            expected = "opponent | ours | theirs | games | options"
            sys.exit(f"{place}, line {number}: expected `{expected}`, found `{line}`")
        if "cmd" in dict(settings(fields[1])):
            sys.exit(
                f"{place}, line {number}: the first engine is morello; remove cmd= and give settings such as depth=8"
            )
        own, options = selfplay.parse_known_args(shlex.split(fields[4]) if len(fields) == 5 else [])
        values = [section, *fields[:3], int(fields[3]), own.seed, shlex.join(options), own.game]
        matches.append({**dict(zip(KEY, values)), "threads": own.threads})
    return matches


def settings(spec):
    """Splits the spec of an engine into settings and values; the value is empty if there is none."""
    return [field.partition("=")[::2] for field in re.findall(r'(?:[^,"]|"[^"]*")+', spec)]


def named(spec, name):
    return spec if "name" in dict(settings(spec)) else f"name={name},{spec}"


def shown(spec):
    """Formats our settings for the page: without a name, and weights files without folders."""
    parts = []
    for name, value in settings(spec):
        if name == "weights":
            value = pathlib.Path(value.strip('"')).name
        if name != "name":
            parts.append(f"{name}={value}" if value else name)
    return f"`{','.join(parts)}`"


def key_of(match):
    # Older logs have Othello matches only.
    return tuple({"game": "othello", **match}[field] for field in KEY)


def replaced(spec, name, value):
    """Replaces the value of a setting."""
    return ",".join(f"{key}={value if key == name else old}" if old else key for key, old in settings(spec))


def resolved(match, program):
    """Returns our settings for a match, with a time limit for `time=equal`."""
    if dict(settings(match["ours"])).get("time") != "equal":
        return match["ours"]
    limit, tried = FIRST_LIMIT, []
    for _ in range(MAX_TRIALS):
        ours = replaced(match["ours"], "time", f"{limit:.0f}ms" if limit >= 100 else f"{limit:.3g}ms")
        # Other openings than those of the match.
        trial = {**match, "ours": ours, "games": TRIAL_GAMES, "seed": match["seed"] + 1_000_000}
        means = [engine["time_per_move_ms"] for engine in play(trial, program)["engines"]]
        if None in means or 0 in means:
            sys.exit(f"no times of moves in the trial against `{match['opponent']}`; the messages above may say why")
        print(
            f"trial with {ours}: {means[0]:.3f} ms a move, the opponent {means[1]:.3f} ms", file=sys.stderr, flush=True
        )
        tried.append((abs(means[0] / means[1] - 1), ours))
        if tried[-1][0] <= TRIAL_TOLERANCE:
            break
        limit *= means[1] / means[0]
    return min(tried)[1]


def read_log(path):
    """Returns the matches of a log; the last of equal ones. A truncated line is skipped."""
    done = {}
    if path.exists():
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                match = json.loads(line)
                done[key_of(match)] = match
    return done


def append(path, match):
    """Appends a line to a log, replacing a truncated one."""
    with path.open("ab+") as log:
        log.seek(0)
        log.truncate(log.read().rfind(b"\n") + 1)
        log.write(json.dumps(match).encode() + b"\n")
        log.flush()
        os.fsync(log.fileno())


def play(match, program):
    """Plays a match and returns its result."""
    command = [program, "selfplay", match.get("game", "othello"), "--format", "jsonl", *shlex.split(match["options"])]
    for number in ("games", "seed", "threads"):
        command += [f"--{number}", str(match[number])]
    command += ["--engine", named(match["ours"], "morello"), "--engine", named(match["theirs"], "opponent")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            printed = running.communicate()[0]
        except KeyboardInterrupt:
            # The terminal sends Ctrl-C to the match too, which ends after its current games.
            running.wait()
            raise
        except SystemExit:
            running.terminate()
            running.wait()
            raise
    if running.returncode == INTERRUPTED:
        raise KeyboardInterrupt
    if running.returncode != 0:
        sys.exit(f"the match against `{match['opponent']}` ended with exit code {running.returncode}")
    return json.loads(printed)


def play_missing(missing, done, options):
    """Plays matches and adds them to `done` and to the log."""
    if not missing:
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Check now that the log is writable, not after the first match.
    options.log.open("ab").close()
    described = version(options.program, options.revision)
    built = options.program.stat().st_mtime_ns
    for number, match in enumerate(missing, 1):
        print(f"match {number} of {len(missing)}: {match['opponent']}, {match['ours']}", file=sys.stderr, flush=True)
        if options.program.stat().st_mtime_ns != built:
            sys.exit(
                f"{options.program} has changed since the first match; run the same command again to continue with the"
                " new one"
            )
        circumstances = {"machine": machine(), "program": described, "date": datetime.date.today().isoformat()}
        try:
            played = resolved(match, options.program)
            result = play({**match, "ours": played}, options.program)
        except KeyboardInterrupt:
            note = (
                f"interrupted; the finished matches are in {options.log}, run the same command again to play the others"
            )
            print(note, file=sys.stderr)
            sys.exit(INTERRUPTED)
        done[key_of(match)] = {**match, "played": played, **circumstances, "result": result}
        append(options.log, done[key_of(match)])
        tally = f"W {result['wins']} D {result['draws']} L {result['losses']}"
        print(tally, file=sys.stderr, flush=True)


def distinct(values):
    return list(dict.fromkeys(values))


def milliseconds(number):
    if number is None:
        return "-"
    return f"{number:,.{2 if number < 10 else 1 if number < 100 else 0}f}"


def estimate(value, error, digits):
    if value is None:
        return "-"
    return f"{value:+,.{digits}f}" + ("" if error is None else f" ± {error:,.{digits}f}")


def openings(result):
    """Describes the openings of a match."""
    of = result["openings"]
    least, most = of["min_plies"], of["max_plies"]
    plies = f"{least} to {most} random plies" if least < most else f"{least} random {'ply' if least == 1 else 'plies'}"
    if of["depth"] == 0:
        return plies
    unit = "discs" if result["game"].startswith("othello") else "of a win"
    return f"{plies}, none above {of['most_points']:g} {unit} for a side at depth {of['depth']}"


def has_discs(matches):
    return any(match["result"]["mean_discs"] is not None for match in matches)


def row(match, with_discs, with_revision):
    result = match["result"]
    ours, theirs = result["engines"]
    cells = [
        match["opponent"],
        shown(our_settings(match)),
        f"{result['games']:,}",
        f"{result['wins']} / {result['draws']} / {result['losses']}",
        f"{result['score']:.1%}".replace("%", " %"),
        *([estimate(result["mean_discs"], result["mean_discs_standard_error"], 2)] if with_discs else []),
        estimate(result["elo"], result["elo_error"], 0),
        milliseconds(ours["time_per_move_ms"]),
        milliseconds(theirs["time_per_move_ms"]),
        result["seed"],
    ]
    return cells + [revision(match)] * with_revision


def our_settings(match):
    # Older logs have no settings that depend on trials.
    return match.get("played", match["ours"])


def revision(match):
    return match["program"].partition("revision ")[2]


def remarks(match):
    """Returns remarks on a row."""
    result = match["result"]
    found = []
    if result["distinct_games"] < result["games"]:
        found.append(f"{result['distinct_games']} distinct games of {result['games']}")
    for engine, whose in zip(result["engines"], ("morello", "the opponent")):
        if engine["forfeits"]:
            found.append(f"{whose} forfeited {engine['forfeits']}")
    reasons = {reason: count for reason, count in result["end_reasons"].items() if reason != "rules"}
    if reasons:
        listed = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in reasons.items())
        found.append(f"games that did not end by the rules: {listed}")
    return f"* {match['opponent']}, {shown(our_settings(match))}: {'; '.join(found)}." if found else None


def bullet(name, matches, describe):
    """Formats a property of all matches, grouped by its value if it differs."""
    values = distinct(map(describe, matches))
    if len(values) == 1:
        return f"* {name}: {values[0]}"
    lines = [f"* {name}:"]
    for value in values:
        whose = distinct(match["opponent"] for match in matches if describe(match) == value)
        lines.append(f"  * {value}: {'; '.join(whose)}")
    return "\n".join(lines)


def page(matches, notes_on_all):
    dates = sorted({match["date"] for match in matches})
    revisions = distinct(map(revision, matches))
    print("# Matches against other programs\n")
    *others, last = distinct(match.get("game", "othello") for match in matches)
    games = ", ".join(others) + (" and " if others else "") + last
    print(f"This page has the results of matches against external engines in {games}.")
    print(
        "Each opening is played twice with the colors swapped. `scripts/results/matches.py` writes this page."
        " All numbers are"
    )
    print("generated; only the names and settings of the opponents are typed in.\n")
    print(bullet("Machine", matches, lambda match: match["machine"]))
    print(bullet("Program", matches, lambda match: match["program"]))
    print(f"* Date: {dates[0]}" + (f" to {dates[-1]}" if len(dates) > 1 else ""))
    print(bullet("Simultaneous games", matches, lambda match: match["threads"]))
    print(bullet("Openings", matches, lambda match: openings(match["result"])))
    print("* Command: `morello selfplay GAME --engine MORELLO --engine OPPONENT --games N --seed S --threads T`:")
    print(
        "  MORELLO is the second column, OPPONENT the engine in the first column, and T the number of simultaneous"
        " games"
    )
    if has_discs(matches):
        print("* Discs: the mean disc difference per game for morello, ± its standard error")
    print(
        "* Won, drawn, lost, score and Elo are for morello. In Elo, ± is half the 95 % confidence interval. Errors are"
        " computed"
    )
    print("  from pairs of games. A missing value means that the results do not determine it")
    print(
        "* The time per move is the mean over all moves after the opening, in wall-clock time, including exact"
        " solving"
    )
    if any(our_settings(match) != match["ours"] for match in matches):
        print(
            "* If an opponent has a level or a depth and morello has a time, trial games from other openings determined"
            " the time so"
        )
        print("  that both use the same mean time per move")
    for note in notes_on_all:
        print(f"* {note}")
    for section in distinct(match["section"] for match in matches):
        inside = [match for match in matches if match["section"] == section]
        if section:
            print(f"\n## {section}")
        head = ["opponent", "morello", "games", "won / drawn / lost", "score"] + ["discs"] * has_discs(inside) + ["Elo"]
        head += ["ms per move", "opponent's ms per move", "seed"] + ["revision"] * (len(revisions) > 1)
        print("\n" + table(head, [row(match, has_discs(inside), len(revisions) > 1) for match in inside], WORDS))
        notes = list(filter(None, map(remarks, inside)))
        if notes:
            print("\n" + "\n".join(notes))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("matches", nargs="?", type=pathlib.Path, metavar="MATCHES", help="a file of matches")
    parser.add_argument(
        "--match", action="append", default=[], metavar="LINE", help="a line as in MATCHES; may be repeated"
    )
    parser.add_argument("--log", required=True, type=pathlib.Path, help="the log of finished matches")
    parser.add_argument(
        "--note", action="append", default=[], help="a remark for the list at the top of the page; may be repeated"
    )
    parser.add_argument(
        "--from-log", action="store_true", help="play nothing; print the page of all matches in the log"
    )
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--threads", type=int, default=cores, help="games at a time; default: all cores")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings; default: %(default)s")
    add_program(parser)
    options = parser.parse_args()
    if options.from_log == bool(options.matches or options.match):
        parser.error("give either matches (MATCHES or --match), or --from-log")

    done = read_log(options.log)
    if options.from_log:
        matches = list(done.values())
        if not matches:
            sys.exit(f"{options.log} has no finished match")
    else:
        lines = options.matches.read_text().splitlines() if options.matches else []
        defaults = (options.threads, options.seed)
        matches = read_matches(lines, options.matches, *defaults) + read_matches(options.match, "--match", *defaults)
        play_missing([match for match in matches if key_of(match) not in done], done, options)
        matches = [done[key_of(match)] for match in matches]
    page(matches, options.note)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(str(error))
