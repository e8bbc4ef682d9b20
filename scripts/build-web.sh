#!/usr/bin/env bash
# Builds the browser edition, a folder of static files for any web server, and the npm package.
#
#   scripts/build-web.sh [--output DIR]
#
# DIR (target/web) gets `page`, the static files, and `npm`, the package. Requires Rust with the sources of its standard
# library (`rustup component add rust-src`, which is tried first unless RUSTUP_AUTO_INSTALL=0, or Debian's rustc-web, cargo-web and rust-web-src), the
# LLVM linker (lld), clang, and wasm-opt (Debian: binaryen). The standard library is compiled, because the one that Rust
# ships has no threads in browsers.
set -euo pipefail
cd "$(dirname "$0")/.."

output=target/web
while [ $# -gt 0 ]; do
    case $1 in
        --output) output=$2; shift ;;
        *) echo "usage: $0 [--output DIR]" >&2; exit 2 ;;
    esac
    shift
done

fail() {
    echo "build-web: $1" >&2
    exit 1
}
newest() { for name in "$@"; do if command -v "$name"; then return; fi; done; }

if [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ] && rustup component add rust-src > /dev/null 2>&1; then
    cargo=(cargo)
elif [ -d /usr/lib/rustlib/src/rust/library ]; then
    export RUSTC=/usr/bin/rustc
    cargo=(/usr/bin/cargo)
else
    fail "no sources of Rust's standard library: rustup component add rust-src, or apt-get install rustc-web cargo-web rust-web-src"
fi
linker=$(newest wasm-ld wasm-ld-{21,20,19,18,17,16})
compiler=$(newest clang clang-{21,20,19,18,17,16})
archiver=$(newest llvm-ar llvm-ar-{21,20,19,18,17,16})
optimizer=$(newest wasm-opt)
for tool in "$linker wasm-ld" "$compiler clang" "$archiver llvm-ar" "$optimizer wasm-opt"; do
    case $tool in " "*) fail "$tool not found: apt-get install lld clang llvm binaryen" ;; esac
done
# The compiler has options that are stable only in a new version of Cargo.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
export CC_wasm32_unknown_unknown=$compiler AR_wasm32_unknown_unknown=$archiver
target=${CARGO_TARGET_DIR:-target}

# No path of this machine is part of the engine.
paths="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src= --remap-path-prefix=$PWD=morello"

# Builds the engine: build NAME FLAGS.. These levels of optimization make it a tenth smaller than those of the program, and as fast; the lowest one for
# all would save as much again, and searches would be six times as slow.
build() {
    local name=$1
    shift
    CARGO_TARGET_DIR=$target/$name CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_STRIP=symbols RUSTFLAGS="$paths $*" "${cargo[@]}" build --release --locked \
        -p morello-wasm --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size \
        --config 'profile.release.package.morello-core.opt-level=2' --config 'profile.release.package.morello-files.opt-level="s"'
    mkdir -p "$output/engine"
    "$optimizer" -O3 --all-features --disable-gc --strip-debug --strip-producers "$target/$name/wasm32-unknown-unknown/release/morello_wasm.wasm" \
        -o "$output/engine/$name.wasm"
}

rm -rf "$output"
mkdir -p "$output/engine"
build engine -C target-feature=+simd128
threads=(-C link-arg=--shared-memory -C link-arg=--import-memory -C link-arg=--initial-memory=33554432 -C link-arg=--max-memory=1610612736)
for symbol in __wasm_init_tls __tls_size __tls_align __stack_pointer; do threads+=(-C "link-arg=--export=$symbol"); done
build engine-threads -C target-feature=+simd128,+atomics "${threads[@]}"

cp src/wasm/js/{pool,worker}.js "$output/engine"
for folder in core/data/weights core/data/databases files/data/books; do
    mkdir -p "$output/engine/${folder##*/}"
    find "src/$folder" -type f ! -name README.md -exec cp {} "$output/engine/${folder##*/}" \;
done

# The static page: the page of the server, with requests answered in workers.
mkdir "$output/page"
find src/web/page -maxdepth 1 -type f ! -name '*.rs' ! -name '*.d.ts' ! -name '*.json' -exec cp {} "$output/page" \;
cp src/wasm/js/transport.js "$output/page"
cp -r "$output/engine" "$output/page"
node scripts/data/kept-files.mjs "$output/page"

# The npm package, with the version of the programs.
mkdir "$output/npm"
cp src/wasm/npm/* LICENSE "$output/npm"
mv "$output/engine" "$output/npm"
(cd "$output/npm" && npm pkg set version="$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' "$OLDPWD/Cargo.toml")")
