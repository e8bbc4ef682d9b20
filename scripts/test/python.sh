#!/usr/bin/env bash
# Builds the Python package, installs it with its extras into a new virtual environment, and runs its tests.
#
#   scripts/test/python.sh [--release]
#
# Requires Python 3.10 or later. PYTHON chooses the interpreter. pip installs maturin, NumPy and the packages of the
# extras from its index. Without --release, the build is that of the Rust tests: after `cargo test --workspace
# --no-run` it only takes seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Cargo shares a build only if the features of all dependencies are the same, including those that the dependencies of
# the tests add.
profile=(--config-settings=build-args="--profile dev --features as-in-tests")
case ${1:-} in
    --release) profile=() ;;
    '') ;;
    *) echo "usage: $0 [--release]" >&2; exit 2 ;;
esac

environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
"${PYTHON:-python3}" -m venv "$environment"
# Most modules of the packages are never imported: compiling all of them takes as long as installing them.
"$environment/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "${profile[@]}" '.[arrow,environments,pandas,polars,test]'
"$environment/bin/python" -m pytest -q -p no:cacheprovider
