#!/usr/bin/env bash
# Looks for known weaknesses in what the project uses from others: crates, packages of npm and packages of Python.
#
#   scripts/test/audit.sh [crates|npm|python]...
#
# `crates` also checks licenses, sources and versions, by deny.toml. Requires cargo-deny (`cargo install cargo-deny --locked`),
# npm with node, and pip-audit (`pip install pip-audit`), and a network, with the databases of RustSec, npm and PyPI.
# The exit code is 1 if something was found and 2 if a tool is missing. A database out of reach is only reported.
set -euo pipefail
cd "$(dirname "$0")/../.."

found=no missing=no unchecked=no
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has() {
    if command -v "$1" > /dev/null; then return; fi
    echo "audit: $1 not found: $2" >&2
    missing=yes
    return 1
}
unreachable() {
    echo "audit: $1; check the network" >&2
    unchecked=yes
}

# Checks the programs, and the programs of the tests with lock files of their own, which nobody gets.
check_crates() {
    has cargo-deny "cargo install cargo-deny --locked" || return 0
    local manifest checks=(bans sources advisories)
    if ! cargo deny fetch db 2> /dev/null; then
        checks=(bans sources)
        unreachable "the database of RustSec cannot be fetched, so crates were not checked for weaknesses"
    fi
    check() { cargo deny --config deny.toml --manifest-path "$1" check --hide-inclusion-graph "${@:2}" || found=yes; }
    check Cargo.toml licenses "${checks[@]}"
    for manifest in tests/*/Cargo.toml; do check "$manifest" "${checks[@]}"; done
}

# The npm package uses no other; the tests use what their scripts name.
check_npm() {
    has npm "apt-get install nodejs npm" || return 0
    local tools
    mapfile -t tools < <(sed -n 's/^\(driver\|axe\)=//p' scripts/test/web.sh; grep -o 'typescript@[0-9.]*' .ci/run)
    [ ${#tools[@]} = 3 ] || { echo "audit: scripts/test/web.sh and .ci/run name other packages than three" >&2; exit 1; }
    cp src/wasm/npm/package.json "$work"
    if ! npm install --prefix "$work" --package-lock-only --no-audit --no-fund --silent "${tools[@]}"; then
        unreachable "npm cannot be reached, so its packages were not checked"
        return
    fi
    # It fails for findings and for an audit that cannot be had.
    npm audit --prefix "$work" --json > "$work/npm.json" 2> /dev/null || true
    case $(node -p 'JSON.parse(require("fs").readFileSync(0)).metadata.vulnerabilities.total' < "$work/npm.json" 2> /dev/null || true) in
        '') unreachable "npm answers no audit, so its packages were not checked" ;;
        0) echo "npm: nothing found" ;;
        *)
            npm audit --prefix "$work" || true
            found=yes
            ;;
    esac
}

# Checks what the Python package requires, with all extras, and what makes the packages.
check_python() {
    has pip-audit "pip install pip-audit" || return 0
    python3 - > "$work/requirements.txt" <<'PYTHON'
import re
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib

settings = tomllib.loads(Path("pyproject.toml").read_text())
project = settings["project"]
extras = [name for extra in project["optional-dependencies"].values() for name in extra]
tools = re.search(r"^TOOLS=\((.*)\)$", Path("scripts/package.sh").read_text(), re.MULTILINE)[1].split()
print("\n".join([*project["dependencies"], *extras, *tools]))
PYTHON
    local status=0
    pip-audit --requirement "$work/requirements.txt" --progress-spinner off --format json > "$work/python.json" 2> "$work/log" || status=$?
    python3 - "$work/python.json" $status <<'PYTHON' || case $? in 1) found=yes ;; *) unreachable "not all packages of Python were checked" ;; esac
import json
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
packages = json.loads(text)["dependencies"] if text else []
for package in packages:
    for weakness in package.get("vulns", []):
        fixed = ", ".join(weakness["fix_versions"]) or "no version"
        print(f"{package['name']} {package['version']}: {weakness['id']}, fixed in {fixed}")
checked = [package for package in packages if "skip_reason" not in package]
print(f"python: {len(checked)} of {len(packages)} packages checked")
if any(package["vulns"] for package in checked):
    sys.exit(1)
sys.exit(3 if len(checked) < len(packages) or not packages else 0)
PYTHON
}

for part in "$@"; do
    case $part in
        crates | npm | python) ;;
        *) echo "usage: $0 [crates|npm|python]..." >&2; exit 2 ;;
    esac
done
[ $# -gt 0 ] || set -- crates npm python
for part in "$@"; do "check_$part"; done
if [ $found = yes ]; then echo "audit: something was found, see above" >&2; exit 1; fi
if [ $missing = yes ]; then exit 2; fi
if [ $unchecked = yes ]; then echo "audit: nothing found in what was checked"; else echo "audit: passed"; fi
