#!/usr/bin/env bash
# Compares the public interface of the library with the lists in data/api, so that nobody changes it unawares:
# scripts/test/api.sh. After a change that is meant, scripts/test/api.sh --accept writes the lists anew; the difference
# says what users of the library must change, and belongs in CHANGELOG.md. It installs cargo-public-api below the target
# folder if that is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${CARGO_TARGET_DIR:-target}/tools
if [ ! -x "$tools/bin/cargo-public-api" ]; then
    # Its speed does not matter.
    cargo install --quiet --locked --debug --root "$tools" cargo-public-api@0.52.0
fi
# The output of rustdoc for programs is unstable. The version of the tool must be one that reads that of the Rust release.
export RUSTC_BOOTSTRAP=1

changed=0
for crate in core files analysis play; do
    list=data/api/$crate.txt
    new=$(mktemp)
    "$tools/bin/cargo-public-api" public-api -sss --all-features -p "morello-$crate" > "$new"
    if [ "${1:-}" = --accept ]; then
        mkdir -p data/api
        cp "$new" "$list"
    elif ! diff --unified=0 "$list" "$new"; then
        changed=1
    fi
    rm "$new"
done
if [ $changed = 1 ]; then
    echo "the public interface has changed: if that is meant, run scripts/test/api.sh --accept" >&2
    exit 1
fi
