"""Runs other Othello solvers, which must be installed separately, on positions in OBF, and reads their results.

Each function takes the path of the program, a file of lines `BOARD X;`, the threads and the size of the table in MiB.
It returns a list of (score, nodes, seconds), one for each position. The programs run in their own folder, where they
find their weights.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile

# The bytes of an entry of the table.
ENTRY_BYTES = {"edax": 24, "egaroucid": 32}
NODES = {
    "morello": "morello counts each position it visits",
    "edax": "Edax also counts each move that it makes to order moves",
    "egaroucid": "Egaroucid counts each position it visits",
}


def table_bits(peer, mebibytes):
    """Returns the binary logarithm of the number of entries that fit."""
    return int(math.log2((mebibytes << 20) // ENTRY_BYTES[peer]))


def output(command, program):
    running = subprocess.run(command, cwd=program.resolve().parent, capture_output=True, text=True, check=False)
    if running.returncode != 0:
        sys.exit(f"{program} ended with exit code {running.returncode}: {running.stderr[-500:]}")
    return running.stdout


def seconds(text):
    """Reads `1:02.345` or `000:00:01.234`."""
    total = 0.0
    for part in text.split(":"):
        total = 60 * total + float(part)
    return total


def solve_with_edax(program, file, threads, mebibytes):
    bits = table_bits("edax", mebibytes)
    options = ["-l", "60", "-n", threads, "-h", bits, "-book-usage", "off", "-verbose", "1", "-width", "80"]
    found = output([program.resolve(), "-solve", file, *map(str, options)], program)
    rows = re.findall(r"^\s*\d+\|\s*\d+\s+[<>=]*([+-]?\d+)\s+([\d:.]+)\s+(\d+)", found, re.MULTILINE)
    return [(int(score), int(nodes), seconds(time)) for score, time, nodes in rows]


def solve_with_egaroucid(program, file, threads, mebibytes):
    bits = table_bits("egaroucid", mebibytes)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as own:
        # It reads the board and the side to move, and nothing else.
        own.writelines(f"{line[:66]}\n" for line in pathlib.Path(file).read_text().splitlines())
        own.flush()
        options = ["-l", "60", "-t", threads, "-hash", bits, "-nobook"]
        found = output([program.resolve(), "-solve", own.name, *map(str, options)], program)
    rows = re.findall(r"^\|\s*\d+\|\s*\d+@100%\|\s*\w+\|\s*([+-]\d+)\|\s*([\d:.]+)\|\s*(\d+)\|", found, re.MULTILINE)
    return [(int(score), int(nodes), seconds(time)) for score, time, nodes in rows]


SOLVERS = {"edax": ("Edax", solve_with_edax), "egaroucid": ("Egaroucid", solve_with_egaroucid)}
