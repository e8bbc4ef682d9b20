"""Checks that Edax and Egaroucid read our opening books: exports a book, lets them load it, and compares.

    python3 scripts/peers/book-peers.py --morello target/release/morello --edax ../edax/bin/edax \
        --egaroucid ../egaroucid/bin/Egaroucid

The programs must be built separately and keep their weights where they expect them; for Edax, `--substitute-weights`
writes weights of zeros, which suffice to read a book. A program that is not given is skipped. The exit code is 1 if
anything differs.
"""

import argparse
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time

# Lines whose positions are compared, if they are in the book.
LINES = [
    "f5",
    "f5d6",
    "f5f6",
    "f5d6c3",
    "f5d6c4",
    "f5d6c5",
    "f5f6e6",
    "f5d6c3d3",
    "f5d6c3d3c4",
    "f5f6e6f4",
    "f5f6e6f4e3",
    "f5d6c5f4e3",
]
# The header of Edax's weights, and the number of weights of each of its 61 plies.
EDAX_WEIGHTS = struct.pack("<IIiiid", 0x45444158, 0x4556414C, 3, 2, 5, 0.0)
# The time between two commands, in seconds.
PAUSE = 0.5
EDAX_PLIES, EDAX_WEIGHTS_PER_PLY = 61, 114364


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def talk(command, lines, folder):
    """Writes lines to a program one after the other; it ends at the end of its input, without regard to lines that it
    has not read."""
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder
    )
    shown = []
    reader = threading.Thread(target=lambda: shown.append(running.stdout.read()))
    reader.start()
    try:
        for line in lines:
            time.sleep(PAUSE)
            running.stdin.write(line + "\n")
            running.stdin.flush()
    except BrokenPipeError:
        pass
    code = running.wait()
    reader.join()
    return code, shown[0]


def morello_moves(options, line):
    """Returns the moves of a position with their scores; `None` if it is not in the book."""
    code, rows, error = run([*options.show, line, "--format", "jsonl"])
    if code == 1:
        return None
    if code != 0:
        sys.exit(error)
    rows = [json.loads(row) for row in rows.splitlines()]
    return {row["move"]: round(row["score"]) for row in rows if row["in_book"]}


def positions(options):
    code, rows, error = run(
        [str(options.morello), "book", "stats", "othello", "--format", "jsonl", *options.book_arguments]
    )
    if code != 0:
        sys.exit(error)
    return json.loads(rows.splitlines()[-1])["positions"]


def compare(name, line, own, theirs):
    """Compares the scores of moves to positions of the book. Symmetric moves may be listed once or several times."""
    missing = {m: score for m, score in own.items() if theirs.get(m) != score}
    print(
        f"{name}: {line or 'start'}: {len(own)} moves,"
        f" {'equal' if not missing else f'different: {missing} in {theirs}'}"
    )
    return not missing


def check_edax(options, folder):
    book = folder / "book.dat"
    code, _, error = run([*options.export, str(book)])
    if code != 0:
        sys.exit(error)
    program = options.edax.resolve()
    extra = []
    if options.substitute_weights:
        weights = folder / "eval.dat"
        weights.write_bytes(EDAX_WEIGHTS + bytes(2 * EDAX_PLIES * EDAX_WEIGHTS_PER_PLY))
        extra = ["-eval-file", str(weights)]
    command = [str(program), "-book-file", str(book), "-book-usage", "on", "-n", "1", "-h", "16", *extra]
    commands = ["book stats"]
    for line in LINES:
        commands += ["init", f"play {line}", "book show"]
    code, shown = talk(command, [*commands, "book fix", "quit"], program.parent)
    if code != 0:
        sys.exit(f"Edax ended with exit code {code}: {shown[-500:]}")
    good = True
    total = sum(int(count) for count in re.findall(r"^\s*\d+\s+(\d+)\s+\d+\s+\d+\s+\d+\s*$", shown, re.MULTILINE))
    print(f"Edax: {total} positions loaded, {positions(options)} in the book")
    good &= total >= positions(options)
    good &= not re.search(r"wrong|unvalid|illegal|not unique", shown)
    # Nothing has to be mended.
    fixed = re.search(r"Fixing book\.\.\.(\d+) done", shown)
    print(f"Edax: {fixed[1] if fixed else 'no'} positions fixed")
    good &= fixed is not None and fixed[1] == "0"
    parts = re.split(r"Moves:", shown)[1:]
    expected = [(line, own) for line in LINES if (own := morello_moves(options, line)) is not None]
    if len(parts) != len(expected):
        print(f"Edax: {len(parts)} of {len(expected)} positions shown")
        return False
    for (line, own), part in zip(expected, parts):
        theirs = {
            m.lower(): int(score)
            for m, score in re.findall(r"[\[<]([A-Ha-h][1-8]):([+-]\d+)[\]>]", part.split("\n\n")[0])
        }
        good &= compare("Edax", line, own, theirs)
    return good


def check_egaroucid(options, folder):
    book = folder / "book.egbk3"
    code, _, error = run([*options.export, str(book)])
    if code != 0:
        sys.exit(error)
    program = options.egaroucid.resolve()
    good, answers = True, 0
    expected = [(line, own) for line in LINES if (own := morello_moves(options, line))]
    for line, own in expected:
        # A program of its own for each, since a search with substitute weights may end it. The move played may be
        # another one, if a search of the moves that are not in the book finds a better one; what the book says is
        # logged before.
        _, shown = talk(
            [str(program), "-book", str(book), "-l", "1", "-t", "1", "-noise"],
            [f"play {line}", "go", "quit"],
            program.parent,
        )
        loaded = re.findall(r"(\d+) boards to read", shown)
        if line == expected[0][0]:
            print(f"Egaroucid: {loaded[0] if loaded else 0} positions loaded, {positions(options)} in the book")
        good &= loaded == [str(positions(options))]
        for score, m in re.findall(r"book found ([+-]?\d+) ([a-h][1-8])", shown):
            answers += 1
            good &= compare("Egaroucid", line, {m: own[m]} if m in own else own, {m: int(score)})
    print(f"Egaroucid: {answers} answers from the book for {len(expected)} positions")
    return good and answers == len(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--morello", type=pathlib.Path, required=True, help="our program")
    parser.add_argument("--book", type=pathlib.Path, help="the book; by default the one that is part of the program")
    parser.add_argument("--edax", type=pathlib.Path, help="the program Edax")
    parser.add_argument("--egaroucid", type=pathlib.Path, help="the console program of Egaroucid")
    parser.add_argument("--substitute-weights", action="store_true", help="give Edax weights of zeros")
    options = parser.parse_args()
    options.book_arguments = ["--book", str(options.book)] if options.book else []
    options.export = [str(options.morello), "book", "export", "othello", *options.book_arguments]
    options.show = [str(options.morello), "book", "show", "othello", *options.book_arguments]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if options.edax:
            good &= check_edax(options, folder)
        if options.egaroucid:
            good &= check_egaroucid(options, folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
