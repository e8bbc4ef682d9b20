#!/usr/bin/env python3
"""Checks a bill of materials: it is valid CycloneDX, and its crates are those that Cargo links and the lock file has.

    scripts/test/sbom.py FILE CRATE TARGET

CRATE is the crate of the package, such as `morello-wasm`. Requires cargo and cyclonedx-python-lib[json-validation].
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.spdx import is_expression
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parent.parent.parent
OTHERS = {"figtree", "lit-html", "rust-std", "zstd"}


def linked(crate, target):
    edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe"]
    command = ["cargo", "tree", "--locked", "--package", crate, "--target", target, *edges, "--format", "{p}"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return {tuple(line.replace(" v", " ").split()[:2]) for line in lines if line}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    file, crate, target = sys.argv[1:]
    text = Path(file).read_text()
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    assert problem is None, problem
    bill = json.loads(text)
    package, components = bill["metadata"]["component"], bill["components"]

    wanted = linked(crate, target)
    root = next(key for key in wanted if key[0] == crate)
    found = [(one["name"], one["version"]) for one in components if one["purl"].startswith("pkg:cargo/")]
    assert len(set(found)) == len(found), "a crate comes twice"
    differences = (wanted - {root}) ^ set(found)
    assert not differences, f"crates that only Cargo links or only {file} has: {differences}"
    assert package["version"] == root[1], package
    others = {one["name"] for one in components if not one["purl"].startswith("pkg:cargo/")}
    assert "rust-std" in others and others <= OTHERS, others
    # The library in C is there exactly with its crate.
    assert ("zstd" in others) == any(name == "zstd-sys" for name, _ in found), others

    lock = (ROOT / "Cargo.lock").read_text()
    for one in components:
        for each in one["licenses"]:
            assert is_expression(each["expression"]), each
        if one["purl"].startswith("pkg:cargo/"):
            entry = re.search(rf'name = "{re.escape(one["name"])}"\nversion = "{re.escape(one["version"])}"\n(?:[^\n]+\n)*', lock)[0]
            checksum = re.search('checksum = "(.*)"', entry)
            assert [each["content"] for each in one.get("hashes", [])] == ([checksum[1]] if checksum else []), one

    # Every component is used, directly or indirectly.
    uses = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    reached, waiting = set(), [package["bom-ref"]]
    while waiting:
        ref = waiting.pop()
        if ref not in reached:
            reached.add(ref)
            waiting += uses[ref]
    assert reached == {package["bom-ref"], *(one["bom-ref"] for one in components)}, "a component that nothing uses"
    print(f"{Path(file).name}: {len(found)} crates as in the lock file, and {', '.join(sorted(others))}")


main()
