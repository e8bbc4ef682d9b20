#!/bin/sh
# Fuzzes all targets, or those whose name contains FILTER, with random seeds until it is interrupted or
# an input fails.
#
#   scripts/test/fuzz.sh [INPUTS] [FILTER]     # inputs of the cheapest targets in a round (100000); fewer of the others
#
# A failure prints the input: add it to the seeds of its target. The total number of inputs is printed after each round.
set -eu
cd "$(dirname "$0")/../.."
inputs=${1:-100000}
filter=${2:-fuzz_}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
total=0
seed=$(date +%s)
while :; do
    if ! FUZZ_INPUTS=$inputs FUZZ_SEED=$seed cargo test --quiet -p morello -p morello-train --lib --bins --test suite "$filter" -- --nocapture >"$log" 2>&1; then
        cat "$log"
        exit 1
    fi
    round=$(sed -n 's/^.*target .*: \([0-9]*\) inputs$/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
    total=$((total + round))
    echo "seed $seed: $total inputs in all, none failed"
    seed=$((seed + 1))
done
