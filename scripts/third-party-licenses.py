#!/usr/bin/env python3
"""Prints what a package holds beside morello's own code, with the licenses and their texts.

    scripts/third-party-licenses.py PACKAGE [TARGET]

PACKAGE is a package of the workspace, such as `morello`; TARGET is a target of Rust (default: this machine). The list has
all linked crates, but no build scripts and procedural macros. Requires cargo, and the sources of the
crates, which cargo downloads.
"""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "src/web/page"
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)([-._]|$)", re.IGNORECASE)
LINE = "-" * 80


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def linked(package, target):
    """Returns the crates that are linked, as (name, version)."""
    edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe", "--format", "{p}"]
    place = ["--target", target] if target else []
    lines = output("cargo", "tree", "--locked", "--package", package, *place, *edges).splitlines()
    return {(name, version.removeprefix("v")) for name, version, *_ in (line.split() for line in lines if line)}


def texts(folder):
    """Returns the license texts of a crate and of the C code in its subfolders."""
    files = [path for path in sorted(folder.rglob("*")) if NAMES.match(path.name) and path.is_file()]
    found = [path.read_text(encoding="utf-8", errors="replace") for path in files if path.suffix not in (".rs", ".h", ".c")]
    # zstd offers a choice of BSD and GPL; this program uses it under BSD.
    return [text for text in found if "GPLv2" not in text and "GNU GENERAL PUBLIC LICENSE" not in text]


def standard_library():
    """Returns the texts of Rust's standard library, from the page that comes with the compiler."""
    page = Path(output("rustc", "--print", "sysroot").strip(), "share/doc/rust/COPYRIGHT-library.html")
    blocks = re.findall(r"<pre>(.*?)</pre>", page.read_text(), re.DOTALL) if page.is_file() else []
    return [html.unescape(block) for block in blocks]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    crates = linked(*sys.argv[1:], *[None] * (3 - len(sys.argv)))
    metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked"))
    release = output("rustc", "--version").split()[1]
    # Name, license, address and texts of each work.
    works = [
        ("Figtree, the font of the page", "OFL-1.1", "", [(PAGE / "figtree.LICENSE.txt").read_text()]),
        ("lit-html, a script of the page", "BSD-3-Clause", "", [(PAGE / "lit-html.LICENSE.txt").read_text()]),
        (f"Rust's standard library {release}", "MIT OR Apache-2.0", "", standard_library()),
    ]
    for crate in sorted(metadata["packages"], key=lambda crate: (crate["name"], crate["version"])):
        # The crates of this workspace have no source.
        if crate["source"] and (crate["name"], crate["version"]) in crates:
            name = f"{crate['name']} {crate['version']}"
            found = texts(Path(crate["manifest_path"]).parent)
            if not found:
                sys.exit(f"third-party-licenses: {name} ({crate['license']}) has no text of its license")
            works.append((name, crate["license"] or "see its text", crate["repository"] or "", found))
    print("morello includes the following works, without changes to their source. Where their licenses offer a choice, any of")
    print("them may be chosen. The texts follow; equal ones are printed once.\n")
    for name, license, address, _ in works:
        print(" ".join(filter(None, [f"* {name}: {license}", address])))
    groups = {}
    for name, _, _, found in works:
        for text in found:
            _, names = groups.setdefault("".join(text.split()), (text, []))
            names.extend([name] if name not in names else [])
    for text, names in groups.values():
        print(f"\n{LINE}\n{', '.join(names)}\n{LINE}\n\n{text.strip()}")


main()
