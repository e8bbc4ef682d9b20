#!/usr/bin/env bash
# Creates the images of the README and the guide: screenshots of the page of `morello serve` and of a report in
# headless Chromium, and the plot of a match.
#
#   scripts/data/guide-images.sh [FOLDER]
#
# The default folder is src/guide. Requires node with npm, and Chromium. Installs the driver, playwright-core, into a
# temporary folder. Set MORELLO to the path of a program to skip the build.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ -z "${MORELLO:-}" ]; then
    cargo build --release
    MORELLO=${CARGO_TARGET_DIR:-target}/release/morello
fi
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
images=$(realpath "${1:-src/guide}")

folder=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; fi
    rm -rf "$folder"
}
trap finish EXIT

npm install --prefix "$folder" --no-save --no-audit --no-fund --silent playwright-core@1
cat > "$folder/draw.mjs" <<'END'
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [address, executablePath, folder, images] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });

const open = async (url, width, height) => {
  const page = await (await browser.newContext({ viewport: { width, height } })).newPage();
  page.setDefaultTimeout(60000);
  await page.goto(url);
  return page;
};

const visit = async (fragment) => {
  const page = await open(`${address}#${fragment}`, 1000, 660);
  await page.waitForSelector("#board svg");
  await page.locator("#player-black").selectOption("person");
  await page.locator("#player-white").selectOption("person");
  return page;
};

/** Draws images beside each other. */
const join = async (name, shots, width, height) => {
  const page = await open("about:blank", width * shots.length, height);
  const image = (shot) => `<img src="data:image/png;base64,${shot.toString("base64")}" height="${height}">`;
  await page.setContent(`<body style="margin:0; display:flex; background:#ecebe5">${shots.map(image).join("")}`);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${images}/${name}`, quality: 80 });
};

const game = "c4e3f6e6f5b3f2g5d6c5h4c7c6f7e7f8d7f4c3h5a3d8g3g6f3h3g7b6e8b5g4b2c2b4a1h8a5f1d3d2a4c1c8h6a6b8b7"
  + "h2d1a8a7e1e2g2h7b1a2g8g1h1";
const review = await visit(`game=othello&moves=${game.match(/../g).join(".")}`);
await review.locator("#tab-review").click();
await review.locator("#chart").click();
await review.waitForFunction(() => document.querySelector("table.review"), undefined, { timeout: 300000 });
for (let mistake = 0; mistake < 12; mistake++) {
  await review.getByRole("button", { name: "Next mistake" }).click();
}
await review.waitForTimeout(1500);

const mill = await visit(`game=nine-mens-morris&start=${encodeURIComponent("0,0 a1,d1,d2,f4,g4 a7,b6,d7,e5 W")}`);
await mill.locator("#tab-analysis").click();
await mill.locator("#hints").click();
await mill.waitForTimeout(4000);
await join("page.jpg", [await review.screenshot(), await mill.screenshot()], 800, 528);

// A mill closes, and a man is chosen.
await mill.locator("#hints").click();
const board = () => mill.locator("#board").screenshot();
const shots = [await board()];
for (const point of ["g4", "g1"]) {
  await mill.locator(`#board [data-point="${point}"]`).first().click({ force: true });
}
await mill.waitForTimeout(1500);
shots.push(await board());
await mill.locator('#board [data-point="d7"]').first().click({ force: true });
await mill.waitForTimeout(1500);
shots.push(await board());
await join("mill.jpg", shots, 400, 400);

const start = await visit("game=othello");
const morris = await visit("game=nine-mens-morris-flying");
const boards = [start, morris].map((page) => page.locator("#board").screenshot());
await join("boards.jpg", await Promise.all(boards), 400, 400);

const report = await open(`file://${folder}/report.html`, 1000, 900);
await report.waitForTimeout(1000);
await report.screenshot({ path: `${images}/report.jpg`, quality: 80 });
await browser.close();
END

"$MORELLO" selfplay othello --engine name=anna,level=skilled --engine name=bob,level=amateur --games 8 --seed 22 \
    --deterministic --save-games "$folder/games.pgn" > /dev/null 2>&1
"$MORELLO" review othello "$folder/games.pgn" --player anna -o "$folder/report.html" > /dev/null
"$MORELLO" selfplay nine-mens-morris-flying --engine name=new,depth=4 --engine name=old,depth=2 --games 400 \
    --plot "$folder/match.svg" > /dev/null 2>&1
cp "$folder/match.svg" "$images/match.svg"

"$MORELLO" serve --port 0 --time 5s --no-database > "$folder/address" &
server=$!
for _ in $(seq 100); do
    if [ -s "$folder/address" ]; then break; fi
    sleep 0.1
done
node "$folder/draw.mjs" "$(cat "$folder/address")" "$chromium" "$folder" "$images"
ls -l "$images"/*.jpg "$images"/*.svg
