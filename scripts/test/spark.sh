#!/usr/bin/env bash
# Tests the Python package with a real Spark: on local[2], and on a master with two workers, one of which is killed
# during the run. Takes some minutes; exits with 0 on success.
# Usage: [WHEEL=path] scripts/test/spark.sh [FOLDER for the virtual environment; default: a temporary folder]
#
# Installs PySpark and the package into a virtual environment, and a Java runtime with apt-get if there is none (as
# root). Builds the package unless WHEEL is set.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"

if [[ $# -gt 0 ]]; then
    mkdir -p "$1"
    work="$(cd "$1" && pwd)"
else
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
fi
if [[ -z "${JAVA_HOME:-}" ]] && ! command -v java >/dev/null; then
    if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
        echo "java not found: install a Java runtime (17 or 21)" >&2
        exit 1
    fi
    apt-get update -qq && apt-get install -y -qq --no-install-recommends default-jre-headless >"$work/apt.log"
fi
python="$work/venv/bin/python"
[[ -x "$python" ]] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet 'pyspark[sql]==4.0.1' pytest
"$work/venv/bin/pip" install --quiet --force-reinstall --no-deps "${WHEEL:-$root}"
"$work/venv/bin/pip" check
cd "$work"
"$python" -m pytest --durations=10 -p no:cacheprovider "$root/src/python/tests/test_spark.py"
