#!/bin/sh
# Runs the pool of helpers of the parallel search in all orders in which its threads can run, with loom.
set -eu
cd "$(dirname "$0")/../../tests/loom"
cargo test
