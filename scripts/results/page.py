"""Shared code for the scripts that write pages of data/results: the machine, the program, tables."""

import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/morello"
# The sources of the program.
COMPILED = ["Cargo.lock", "Cargo.toml", "src"]


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def machine():
    """Returns a description of the processor, the cores and the memory."""
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
    """Adds the options that select the program to measure."""
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="default: target/release/morello")
    parser.add_argument("--revision", help="the revision that the program was built from; default: the checked out one")


def version(path, revision):
    """Returns the version of a program and the revision it was built from; by default the checked out one.

    Exits if the program does not exist, or is older than the checked out sources.
    """
    if not path.exists():
        sys.exit(f"{path}: no such program; build it with `cargo build --release`")
    if revision is None:
        built = path.stat().st_mtime
        for file in output("git", "ls-files", "--", *COMPILED).splitlines():
            if (ROOT / file).exists() and (ROOT / file).stat().st_mtime > built:
                sys.exit(f"{path} is older than {file}: rebuild it, or give its revision with --revision")
        revision = output("git", "rev-parse", "--short", "HEAD")
        revision += ", changed" if output("git", "status", "--porcelain", "--", *COMPILED) else ""
    return f"{output(path.resolve(), '--version')}, revision {revision}"


def table(head, rows, words):
    """Formats a table in Markdown. The columns named in `words` are aligned left, the others right."""
    lines = [head, ["---" if name in words else "---:" for name in head], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
