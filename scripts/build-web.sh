#!/usr/bin/env bash
# Builds the browser edition, a folder of static files for any web server, and the npm package.
#
#   scripts/build-web.sh [--output DIR]
#
# DIR (target/web) gets the folders `page`, the static files, and `npm`, the package. Requires Rust with the sources of its standard
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
paths=("--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=" "--remap-path-prefix=$PWD=morello")
# Joins flags for Cargo, which may have spaces in them.
join_flags() { local IFS=$'\x1f'; echo "$*"; }

# Builds the engine: build NAME FLAGS.. These levels of optimization make it a tenth smaller than those of the program, and as fast; the lowest one for
# all would save as much again, and searches would be six times as slow.
build() {
    local name=$1
    shift
    CARGO_TARGET_DIR=$target/$name CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_ENCODED_RUSTFLAGS=$(join_flags "${paths[@]}" "$@") \
        "${cargo[@]}" build --release --locked \
        -p morello-wasm --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size \
        --config 'profile.release.package.morello-core.opt-level=2' --config 'profile.release.package.morello-files.opt-level="s"'
    "$optimizer" -O3 --all-features --disable-gc --strip-debug --strip-producers "$target/$name/wasm32-unknown-unknown/release/morello_wasm.wasm" \
        -o "$work/engine/$name.wasm"
}

# What is there stays until all is built.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/engine"
build engine -C target-feature=+simd128
threads=(-C link-arg=--shared-memory -C link-arg=--import-memory -C link-arg=--initial-memory=33554432 -C link-arg=--max-memory=1610612736)
for symbol in __wasm_init_tls __tls_size __tls_align __stack_pointer; do threads+=(-C "link-arg=--export=$symbol"); done
build engine-threads -C target-feature=+simd128,+atomics "${threads[@]}"

cp src/wasm/js/{pool,worker}.js "$work/engine"
for folder in core/data/weights core/data/databases files/data/books; do
    mkdir "$work/engine/${folder##*/}"
    find "src/$folder" -type f ! -name README.md -exec cp {} "$work/engine/${folder##*/}" \;
done

# The static page: the page of the server, with requests answered in workers. The name of the folder of the engine changes with its files, so that
# browsers never mix those of two versions.
mkdir "$work/page"
find src/web/page -maxdepth 1 -type f ! -name '*.rs' ! -name '*.d.ts' ! -name '*.json' -exec cp {} "$work/page" \;
engine=engine-$(cd "$work/engine" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-12)
cp -r "$work/engine" "$work/page/$engine"
sed "s#\./engine/#./$engine/#" src/wasm/js/transport.js > "$work/page/transport.js"
cp LICENSE "$work/page"
scripts/third-party.py licenses page wasm32-unknown-unknown > "$work/page/THIRD-PARTY-LICENSES.txt"
node scripts/data/kept-files.mjs "$work/page"
# Browsers do not keep this file.
scripts/third-party.py sbom page wasm32-unknown-unknown > "$work/page/morello.cdx.json"

# The npm package, with the version of the programs.
mkdir "$work/npm"
cp src/wasm/npm/* LICENSE "$work/npm"
scripts/third-party.py licenses npm wasm32-unknown-unknown > "$work/npm/THIRD-PARTY-LICENSES.txt"
scripts/third-party.py sbom npm wasm32-unknown-unknown > "$work/npm/morello.cdx.json"
cp -r "$work/engine" "$work/npm"
(cd "$work/npm" && npm pkg set version="$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' "$OLDPWD/Cargo.toml")")

mkdir -p "$output"
for part in page npm; do
    rm -rf "${output:?}/$part"
    mv "$work/$part" "$output"
done
