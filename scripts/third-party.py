#!/usr/bin/env python3
"""Prints what a package holds beside morello's own code: the licenses with their texts, or a bill of materials.

    scripts/third-party.py licenses|sbom PACKAGE [TARGET]

PACKAGE is a key of `PACKAGES`, such as `morello`; TARGET is a target of Rust (default: this machine). The list has
all linked crates, but no build scripts and procedural macros. The bill of materials (SBOM) is CycloneDX 1.6 and also has
morello's own crates; its timestamp is the date of the revision. Requires cargo, which downloads the sources of the
crates.
"""

import html
import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "src/web/page"
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)([-._]|$)", re.IGNORECASE)
LINE = "-" * 80
STANDARD_LICENSE = "MIT OR Apache-2.0"
# The crate of each package, its address as a package URL, and whether the package has the files of the page.
PACKAGES = {
    "morello": ("morello", "pkg:cargo/morello", True),
    "python": ("morello-python", "pkg:pypi/morello", True),
    "npm": ("morello-wasm", "pkg:npm/morello", False),
    "page": ("morello-wasm", "pkg:generic/morello-page", True),
}


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def linked(package, target):
    """Returns the crates that are linked, as (name, version), with those that each uses; the package is the first."""
    edges = ["--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", " {p}"]
    place = ["--target", target] if target else []
    used, path = {}, []
    for line in output("cargo", "tree", "--locked", "--package", package, *place, *edges).splitlines():
        depth, name, version, *_ = line.split()
        path[int(depth):] = [(name, version.removeprefix("v"))]
        # A crate that comes again is without what it uses.
        used.setdefault(path[-1], set())
        if len(path) > 1:
            used[path[-2]].add(path[-1])
    return used


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


def page_works():
    """Returns the third-party works in the page: name, title, version, license and text."""
    script = (PAGE / "lit-html.js").read_text()
    version = re.search(r'litHtmlVersions[^"]*push\("([^"]+)"\)', script)[1]
    yield "figtree", "Figtree, the font of the page", None, "OFL-1.1", (PAGE / "figtree.LICENSE.txt").read_text()
    yield "lit-html", "lit-html, a script of the page", version, "BSD-3-Clause", (PAGE / "lit-html.LICENSE.txt").read_text()


def print_licenses(crates, has_page, release):
    # Name, license, address and texts of each work.
    works = [(title, license, "", [text]) for _, title, _, license, text in page_works()] if has_page else []
    works.append((f"Rust's standard library {release}", STANDARD_LICENSE, "", standard_library()))
    for crate in crates:
        # The crates of this workspace have no source.
        if crate["source"]:
            name = f"{crate['name']} {crate['version']}"
            found = texts(Path(crate["manifest_path"]).parent)
            if not found:
                sys.exit(f"third-party: {name} ({crate['license']}) has no text of its license")
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


def component(name, version, license, address):
    """Returns a component of a bill of materials. `address` is its package URL without the version."""
    # A `+` in a version would be a space.
    address = f"{address}@{version.replace('+', '%2B')}" if version else address
    versioned = {"version": version} if version else {}
    # Older crates separate their licenses with a slash.
    licenses = [{"expression": license.replace("/", " OR ")}]
    return {"type": "library", "bom-ref": address, "name": name, **versioned, "licenses": licenses, "purl": address}


def checksums():
    """Returns the SHA-256 of each crate of the lock file."""
    crate = r'name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"'
    return {(name, version): checksum for name, version, checksum in re.findall(crate, (ROOT / "Cargo.lock").read_text())}


def print_sbom(crates, used, address, has_page, release):
    sums = checksums()
    components, refs = {}, {}
    for each in crates:
        key = each["name"], each["version"]
        one = component(*key, each["license"] or "LicenseRef-see-its-text", f"pkg:cargo/{each['name']}")
        if key in sums:
            one["hashes"] = [{"alg": "SHA-256", "content": sums[key]}]
        if each["repository"]:
            one["externalReferences"] = [{"type": "vcs", "url": each["repository"]}]
        components[key], refs[key] = one, one["bom-ref"]
    root = next(iter(used))
    main = components.pop(root)
    main |= component("morello", root[1], main["licenses"][0]["expression"], address) | {"type": "application"}
    refs[root] = main["bom-ref"]
    depends = {refs[key]: {refs[other] for other in others} for key, others in used.items()}

    def add(work, parent):
        components[work["bom-ref"]] = work
        depends[parent].add(work["bom-ref"])
        depends[work["bom-ref"]] = set()

    add(component("rust-std", release, STANDARD_LICENSE, "pkg:generic/rust-std"), refs[root])
    for each in crates:
        # A crate with a library in C has its name and version after its own one, such as 2.1.2+zstd.1.5.7. The only one is zstd.
        library = re.fullmatch(r".*\+([a-z]+)\.([\d.]+)", each["version"])
        if each["links"] and library:
            add(component(*library.groups(), "BSD-3-Clause", f"pkg:generic/{library[1]}"), refs[each["name"], each["version"]])
    for name, _, version, license, _ in page_works() if has_page else ():
        add(component(name, version, license, f"pkg:{'npm' if version else 'generic'}/{name}"), refs[root])
    time = datetime.fromtimestamp(int(output("git", "log", "-1", "--format=%ct")), timezone.utc)
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "lifecycles": [{"phase": "build"}], "component": main},
        "components": sorted(components.values(), key=lambda one: one["bom-ref"]),
        "dependencies": [{"ref": ref, "dependsOn": sorted(depends[ref])} for ref in sorted(depends)],
    }
    # Equal bills have the same number.
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill))}"
    print(json.dumps(bill, indent=1))


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("licenses", "sbom") or sys.argv[2] not in PACKAGES:
        sys.exit(__doc__)
    kind, package, target = [*sys.argv[1:], None][:3]
    crate, address, has_page = PACKAGES[package]
    used = linked(crate, target)
    packages = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked"))["packages"]
    crates = [each for each in packages if (each["name"], each["version"]) in used]
    crates.sort(key=lambda each: (each["name"], each["version"]))
    # The page may have another compiler.
    release = output(os.environ.get("RUSTC", "rustc"), "--version").split()[1]
    if kind == "licenses":
        print_licenses(crates, has_page, release)
    else:
        print_sbom(crates, used, address, has_page, release)


main()
