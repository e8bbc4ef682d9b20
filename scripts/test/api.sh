#!/usr/bin/env bash
# Compares the public interface of the library with the lists in data/api, so that nobody changes it unawares:
# scripts/test/api.sh. After a change that is meant, scripts/test/api.sh --accept writes the lists anew; the difference
# says what users of the library must change, and belongs in CHANGELOG.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${CARGO_TARGET_DIR:-target}
crates=(core files analysis play)
# The output of rustdoc for programs is unstable. Only rustdoc may know, or everything would be built anew for it.
mkdir -p "$target/api"
rustdoc=$(realpath "$target")/api/rustdoc
printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc -Z unstable-options --output-format json "$@"\n' > "$rustdoc"
chmod +x "$rustdoc"
RUSTDOC=$rustdoc cargo doc --quiet --no-deps --lib --all-features --target-dir "$target" "${crates[@]/#/--package=morello-}"
cargo build --quiet --locked --manifest-path tests/api/Cargo.toml --target-dir "$target/api"

changed=0
for crate in "${crates[@]}"; do
    list=data/api/$crate.txt
    new=$target/api/$crate.txt
    "$target/api/debug/api" "$target/doc/morello_$crate.json" > "$new"
    if [ "${1:-}" = --accept ]; then
        mkdir -p data/api
        cp "$new" "$list"
    elif ! diff --unified=0 "$list" "$new"; then
        changed=1
    fi
done
if [ $changed = 1 ]; then
    echo "the public interface has changed: if that is meant, run scripts/test/api.sh --accept" >&2
    exit 1
fi
