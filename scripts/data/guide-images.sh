#!/usr/bin/env bash
# Creates the image of the README, src/guide/page.jpg: a screenshot of the page of `morello serve` in headless Chromium.
#
#   scripts/data/guide-images.sh
#
# Requires node with npm, and Chromium. Installs the driver, playwright-core, into a temporary folder. Set MORELLO to
# the path of a program to skip the build.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ -z "${MORELLO:-}" ]; then
    cargo build --release
    MORELLO=${CARGO_TARGET_DIR:-target}/release/morello
fi
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

folder=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; fi
    rm -rf "$folder"
}
trap finish EXIT

npm install --prefix "$folder" --no-save --no-audit --no-fund --silent playwright-core@1
cat > "$folder/draw.mjs" <<'END'
import { chromium } from "playwright-core";

const [address, executablePath, image] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1200, height: 760 } })).newPage();
page.setDefaultTimeout(60000);
await page.goto(`${address}#game=nine-mens-morris-flying&moves=d2.f4.d6.b4.f2.b2.f6.b6xd2.d2.c4.d5.e4`);
await page.waitForSelector("#board svg");
await page.locator("#player-black").selectOption("person");
await page.locator("#player-white").selectOption("person");
await page.locator("#tab-review").click();
await page.locator("#chart").click();
await page.waitForFunction(() => document.querySelector("table.review"), undefined, { timeout: 300000 });
await page.locator("#hints").click();
await page.waitForTimeout(10000);
await page.screenshot({ path: image, quality: 80 });
await browser.close();
END

"$MORELLO" serve --port 0 --time 5s --no-database > "$folder/address" &
server=$!
for _ in $(seq 100); do
    if [ -s "$folder/address" ]; then break; fi
    sleep 0.1
done
node "$folder/draw.mjs" "$(cat "$folder/address")" "$chromium" "$PWD/src/guide/page.jpg"
ls -l src/guide/page.jpg
