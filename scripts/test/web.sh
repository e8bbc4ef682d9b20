#!/usr/bin/env bash
# Tests the page in a real browser: `morello serve`, headless Chromium, and scripts/test/web*.mjs.
#
#   scripts/test/web.sh [--install] [--shots DIR] [--static DIR]
#
# Requires node with npm, and Chromium. --install installs Chromium with apt-get if it is missing, as root. The driver,
# playwright-core, and axe-core are installed into a temporary folder. Set MORELLO to the path of a program to skip the
# build. With --static, it tests the browser edition in a directory instead, served by Python's plain file server.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Version 1.x drives any Chromium over its DevTools protocol.
driver=playwright-core@1
# Finds barriers for people with disabilities. A new version may find more.
axe=axe-core@4.11.0
install=no shots= static=
while [ $# -gt 0 ]; do
    case $1 in
        --install) install=yes ;;
        --shots) mkdir -p "$2"; shots=$(cd "$2" && pwd); shift ;;
        --static) static=$(cd "$2" && pwd); shift ;;
        *) echo "usage: $0 [--install] [--shots DIR] [--static DIR]" >&2; exit 2 ;;
    esac
    shift
done

fail() {
    echo "web: $1" >&2
    exit 1
}

find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome || true; }

chromium=$(find_chromium)
if [ -z "$chromium" ] && [ $install = yes ]; then
    if [ "$(id -u)" != 0 ]; then fail "--install needs root"; fi
    apt-get update -q >&2 && apt-get install -qy --no-install-recommends chromium >&2
    chromium=$(find_chromium)
fi
if [ -z "$chromium" ]; then fail "Chromium not found (install it with --install)"; fi
if ! command -v npm > /dev/null; then fail "npm not found"; fi

if [ -z "${MORELLO:-}" ] && [ -z "$static" ]; then
    # The build of `cargo test`.
    cargo build --profile test --bin morello
    MORELLO=${CARGO_TARGET_DIR:-target}/debug/morello
fi

folder=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; fi
    rm -rf "$folder"
}
trap finish EXIT

npm install --prefix "$folder" --no-save --no-audit --no-fund --silent "$driver" "$axe" >&2 || fail "cannot install $driver and $axe"
cp scripts/test/web*.mjs "$folder"

if [ -n "$static" ]; then
    python3 -u -m http.server --bind 127.0.0.1 --directory "$static" 0 > "$folder/served" 2> /dev/null &
else
    "$MORELLO" serve --port 0 > "$folder/address" &
fi
server=$!
for _ in $(seq 100); do
    if [ -n "$static" ]; then sed -n 's/.*(\(http.*\)).*/\1/p' "$folder/served" > "$folder/address"; fi
    if [ -s "$folder/address" ]; then break; fi
    sleep 0.1
done
if [ -n "$static" ]; then
    node "$folder/web-static.mjs" "$(cat "$folder/address")" "$chromium" "$shots"
    echo "web: passed"
    exit
fi
# The scripts are copied next to the driver, so that they can import it.
run() { GROUP=$1 node "$folder/web.mjs" "$(cat "$folder/address")" "$chromium" "$shots"; }
run 0 > "$folder/first" &
first=$!
status=0
run 1 || status=1
wait "$first" || status=1
cat "$folder/first"
if [ $status != 0 ]; then exit 1; fi

# Ctrl-C shuts down cleanly.
kill -INT "$server"
wait "$server"
server=
echo "web: passed"
