#!/usr/bin/env bash
# Verifies the known perft values that are quick enough to count: some minutes, and then about ten minutes on two
# cores for perft(15) and perft(16) of Othello.
# Usage: scripts/data/verify-perft.sh [MiB of memory, default 7168]
#
# The output is a log of the commands, the counts with their times, and the verification results. An interrupted
# perft(16) is resumed.
set -euo pipefail
cd "$(dirname "$0")/../.."

hash=${1:-7168}
cargo build --release
mkdir -p target/perft

run() {
    printf '\n$ morello perft %s\n' "$*"
    target/release/morello perft "$@" --verify --hash "$hash" --format csv 2>&1
}
verify() { run "$@" --all-depths; }

target/release/morello --version
verify othello 14
verify othello 14 --convention ended-once
verify othello 14 --convention free-pass
verify othello-6x6 14
for game in nine-mens-morris:8 nine-mens-morris-flying:6 morabaraba:7; do
    verify "${game%:*}" "${game#*:}"
done
# The values from other positions are checked by tests: cargo test --release --test suite -- --ignored known_values
run othello 15
run othello 16 --checkpoint "target/perft/othello-16-$hash"
