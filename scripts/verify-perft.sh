#!/usr/bin/env bash
# Counts every known value of data/perft within reach of some minutes, and compares.
# Usage: scripts/verify-perft.sh [MIB of the table, 4096 if left out]
set -euo pipefail
cd "$(dirname "$0")/.."

hash=${1:-4096}
cargo build --release
verify() { printf '%s\n' "$*"; target/release/morello perft "$@" --all --verify --hash "$hash" --format csv >/dev/null; }

for convention in passes-count ended-once free-pass; do
    verify othello 14 --convention "$convention"
done
verify othello-6x6 14
for game in nine-mens-morris:8 nine-mens-morris-flying:6 morabaraba:7; do
    verify "${game%:*}" "${game#*:}"
done
# The values from other positions are few enough for the tests: cargo test --release --test suite -- --ignored known_values
