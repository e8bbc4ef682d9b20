#!/usr/bin/env bash
# Tests that a wheel of the Python package runs on old processors: its results under an emulated one without AVX are
# those of this processor.
#
#   scripts/test/wheel.sh [WHEEL]
#
# Requires qemu-user (Debian: apt-get install qemu-user) on x86-64. Without WHEEL, it builds one.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v qemu-x86_64 > /dev/null || { echo "qemu-x86_64 not found: apt-get install qemu-user" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-python3}" -m venv "$work/venv"
wheel=${1:-}
if [ -z "$wheel" ]; then
    "$work/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$work" .
    wheel=$(ls "$work"/*.whl)
fi
"$work/venv/bin/pip" install --quiet "$wheel"
cat > "$work/results.py" <<'PYTHON'
import subprocess, sys
import morello
from morello import batch

boards = batch.random_boards(300, 40, seed=9)
result = batch.search(boards[:8], depth=4, threads=1)
print(result["nodes"].sum(), result["score"].sum(), batch.legal_masks(boards).sum(), batch.evaluate(boards).sum())
print(batch.search(batch.random_boards(3, 54, seed=1), exact=True, threads=1)["score"])
print(morello.Position().perft(6), batch.random_games(50, "nine-mens-morris", seed=1)["length"].sum())
print(morello.Engine("nine-mens-morris").search(morello.Position(game="nine-mens-morris"), depth=3).nodes)
PYTHON
python=$(readlink -f "$work/venv/bin/python")
export PYTHONPATH
PYTHONPATH=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" "$work/results.py" > "$work/here"
# Nehalem is the oldest processor for which NumPy is built (x86-64-v2).
qemu-x86_64 -cpu Nehalem "$python" "$work/results.py" > "$work/old"
cat "$work/old"
cmp "$work/here" "$work/old"
# The program shows which instructions it uses.
qemu-x86_64 -cpu Nehalem "$python" -m morello --version | tee "$work/version"
grep -q portable "$work/version"
echo "OK: $(basename "$wheel") gives the same results on a processor without AVX"
