#!/usr/bin/env bash
# Counts the known values of data/perft within reach, and compares: some minutes, then perft(15) and perft(16) of Othello, some
# ten minutes more on two cores.
# Usage: scripts/verify-perft.sh [MIB of memory, 7168 if left out]
#
# What it writes is a log: each command, its counts with their times, and what was verified. perft(16) goes on where it was interrupted.
set -euo pipefail
cd "$(dirname "$0")/.."

hash=${1:-7168}
cargo build --release
mkdir -p target/perft

run() { printf '\n$ morello perft %s\n' "$*"; target/release/morello perft "$@" --verify --hash "$hash" --format csv 2>&1; }
verify() { run "$@" --all; }

target/release/morello --version
verify othello 14
verify othello 14 --convention ended-once
verify othello 14 --convention free-pass
verify othello-6x6 14
for game in nine-mens-morris:8 nine-mens-morris-flying:6 morabaraba:7; do
    verify "${game%:*}" "${game#*:}"
done
# The values from other positions are few enough for the tests: cargo test --release --test suite -- --ignored known_values
run othello 15
run othello 16 --checkpoint "target/perft/othello-16-$hash"
