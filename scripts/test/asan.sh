#!/bin/sh
# Runs the tests of the core library (search, tables, databases, formats) with AddressSanitizer, on nightly Rust.
#
# C code is compiled without it: the sanitizers of gcc and LLVM do not understand each other's marks. ThreadSanitizer needs a
# standard library that was compiled with it; scripts/test/loom.sh checks the threads of the search instead.
set -eu
cd "$(dirname "$0")/../.."
wrapper=$(mktemp)
trap 'rm -f "$wrapper"' EXIT
cat >"$wrapper" <<'END'
#!/bin/bash
arguments=()
for argument; do [[ $argument == -fsanitize* ]] || arguments+=("$argument"); done
exec cc "${arguments[@]}"
END
chmod +x "$wrapper"
target=$(rustc -vV | sed -n 's/^host: //p')
CC=$wrapper RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan ASAN_OPTIONS=detect_leaks=0 \
    cargo +nightly test -p morello-core --lib --target "$target" "$@"
