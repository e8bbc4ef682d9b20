#!/usr/bin/env bash
# Builds and tests the library for other systems.
#
#   scripts/test/targets.sh arm|wasm|windows|mac
#
# | | | requires |
# | --- | --- | --- |
# | arm | tests of rules, kernels, perft and solver for aarch64 Linux in an emulator | gcc-aarch64-linux-gnu, qemu-user-static |
# | wasm | the kernels of the browser's engine against their definitions, and a solve | Node |
# | windows | `cargo check` of the programs for Windows (GNU) | gcc-mingw-w64 |
# | mac | `cargo check` of the programs for Apple silicon | pkg-config |
#
# rustup adds the standard library of the target, unless RUSTUP_AUTO_INSTALL=0. Without rustup's downloads, Debian's compiler builds it from source
# (rustc-web, cargo-web, rust-web-src; for wasm also lld-19).
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# cargo_for TARGET PARTS COMMAND ...: runs cargo for a target. PARTS are the parts of the standard library to build.
cargo_for() {
    local target=$1 parts=$2 command=$3
    shift 3
    if [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ] && rustup target add "$target"; then
        cargo "$command" --target "$target" "$@"
    else
        RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 \
            /usr/bin/cargo "$command" -Zbuild-std="$parts" --target "$target" "$@"
    fi
}

case ${1:-} in
    arm)
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64-static -L /usr/aarch64-linux-gnu'
        cargo_for aarch64-unknown-linux-gnu std,panic_unwind,test test -p morello-core --lib -- \
            instructions:: othello:: morris::tests perft::
        ;;
    wasm)
        export RUSTFLAGS='-C target-feature=+simd128'
        cargo_for wasm32-unknown-unknown std,panic_abort build --manifest-path tests/kernels/Cargo.toml
        node --input-type=module - "$CARGO_TARGET_DIR/wasm32-unknown-unknown/debug/kernels.wasm" <<'END'
import { readFileSync } from "node:fs";

let file;
const bytes = (at, length) => new Uint8Array(instance.exports.memory.buffer, at, length);
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {
    morello: {
        now: () => performance.now(),
        load_file: (name, length) => (file = readFileSync(`src/core/data/${Buffer.from(bytes(name, length))}`)).length,
        copy_file: (to) => bytes(to, file.length).set(file),
    },
});
instance.exports.check();
END
        ;;
    windows) cargo_for x86_64-pc-windows-gnu std,panic_unwind check -p morello -p morello-train ;;
    mac)
        # Without a compiler for this system, the C library zstd counts as installed: a check links nothing.
        printf 'Name: zstd\nDescription: zstd\nVersion: 1.5.7\n' > "$temporary/libzstd.pc"
        export ZSTD_SYS_USE_PKG_CONFIG=1 PKG_CONFIG_ALLOW_CROSS=1 PKG_CONFIG_PATH=$temporary
        cargo_for aarch64-apple-darwin std,panic_unwind check -p morello -p morello-train
        ;;
    *) echo "usage: $0 arm|wasm|windows|mac" >&2; exit 2 ;;
esac
