#!/usr/bin/env bash
# Solves 6x6 Othello from the start and checks that White wins 20-16. Exits with 0 if so, otherwise with 1.
# Usage: scripts/data/solve-6x6.sh [MiB of the table, default 6144]
# The output row has the score for Black (-4), the nodes and the time. Less memory means more time.
set -euo pipefail
cd "$(dirname "$0")/../.."

cargo build --release
exec target/release/morello analyze othello-6x6 data/positions/othello-6x6-start.obf --exact --hash "${1:-6144}"
