"""What the pages of data/results have in common: the machine, the program, tables; for the scripts beside it."""

import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/morello"
# What the program is built from.
COMPILED = ["Cargo.lock", "Cargo.toml", "data/weights", "src"]


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def machine():
    """Describes the processor, the cores and the memory."""
    model = platform.processor() or platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = re.findall(r"^model name\s*:\s*(.*)$", cpuinfo.read_text(), re.MULTILINE)
        model = names[0] if names else model
    parts = [model, f"{len(os.sched_getaffinity(0))} logical cores"]
    meminfo = pathlib.Path("/proc/meminfo")
    if meminfo.exists():
        kib = int(re.search(r"^MemTotal:\s*(\d+)", meminfo.read_text(), re.MULTILINE)[1])
        parts.append(f"{kib / 2**20:.0f} GiB of memory")
    return ", ".join(parts)


def add_program(parser):
    """Adds the options that say which program is measured."""
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="default: target/release/morello")
    parser.add_argument("--revision", help="what the program was built from; default: what is checked out")


def version(path, revision):
    """Describes a program: what it says of itself, and what it was built from: what is checked out, unless it is given.

    Ends the script if there is no program, or one older than what is checked out.
    """
    if not path.exists():
        sys.exit(f"{path}: no such program; `cargo build --release` makes it")
    if revision is None:
        built = path.stat().st_mtime
        for file in output("git", "ls-files", "--", *COMPILED).splitlines():
            if (ROOT / file).exists() and (ROOT / file).stat().st_mtime > built:
                sys.exit(f"{path} is older than {file}: build it anew, or tell what it was built from by --revision")
        revision = output("git", "rev-parse", "--short", "HEAD")
        revision += ", changed" if output("git", "status", "--porcelain", "--", *COMPILED) else ""
    return f"{output(path.resolve(), '--version')}, revision {revision}"


def table(head, rows, words):
    """Writes a table in Markdown; the columns named in `words` hold text, the others numbers."""
    lines = [head, ["---" if name in words else "---:" for name in head], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
