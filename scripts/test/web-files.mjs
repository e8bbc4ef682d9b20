// Tests of opening and saving files: lists to choose from, archives, WTHOR, links, and images.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  choose, click, count, fragment, moves, reads, says, test, visit, visitAsPeople,
} from "./web-harness.mjs";

const file = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });

/** A WTHOR file with one game for each list of moves. */
function wthor(games) {
  const bytes = Buffer.alloc(16 + 68 * games.length);
  bytes.set([20, 5, 12, 31]);
  bytes.writeUInt32LE(games.length, 4);
  bytes.writeUInt16LE(2005, 10);
  bytes[12] = 8;
  bytes[13] = 0;
  games.forEach((moves, number) => {
    const start = 16 + 68 * number;
    bytes[start + 6] = 40;
    bytes.set(moves.match(/../g).map(([column, row]) => 10 * Number(row) + "abcdefgh".indexOf(column) + 1), start + 8);
  });
  return bytes;
}

const openText = async (page, text) => {
  await choose(page, "load");
  await page.locator("#load-text").fill(text);
  await page.locator("#load-do").click();
};

await test("numbers, passes and links are understood", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await openText(page, "1. f5 d6 2. c3");
  await count(page, 3);
  await openText(page, "http://127.0.0.1:8080/#game=othello&moves=f5.d6.c3.d3&ply=2");
  await count(page, 4);
  assert.equal(fragment(page).get("ply"), "2");
  await page.goBack();
  await count(page, 3);
});

await test("one of several games is chosen from a list", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await choose(page, "load");
  const start = `${"-".repeat(27)}O*------*O${"-".repeat(27)}`;
  const game = (black, white, text) => (
    `(;GM[Othello]PC[Test]PB[${black}]PW[${white}]TY[8]BO[8 ${start} *]${text};)\n`);
  const text = `${game("Anna", "Bob", "B[f5]W[d6]")}${game("Carl", "Dora", "B[f5]W[f6]B[e6]")}nonsense\n`;
  await page.locator("#load-file").setInputFiles([file("a.ggf.gz", gzipSync(text))]);
  const entries = page.locator("#choose-list li");
  await entries.first().waitFor();
  assert.equal(await entries.count(), 3);
  await page.locator("#choose-filter").fill("dora");
  assert.equal(await entries.count(), 1);
  await entries.first().locator("button").click();
  await count(page, 3);
  assert.deepEqual(await moves(page), ["f5", "f6", "e6"]);
  // The names are kept for saving.
  await choose(page, "save");
  assert.equal(await page.locator("#save-black").inputValue(), "Carl");
});

await test("a dropped WTHOR file is read", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  const bytes = [...wthor(["f5d6c3d3c4f4f6f3e6e7", "f5f6e6f4"])];
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], "WTH_2005.wtb"));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, bytes);
  await page.locator("#choose-list li button").nth(1).click();
  await count(page, 4);
  assert.deepEqual(await moves(page), ["f5", "f6", "e6", "f4"]);
});

await test("the files of names give a WTHOR file the names of its players", {}, async (page) => {
  await visit(page, "game=othello");
  const names = Buffer.alloc(16 + 20);
  names.set([20, 5, 12, 31]);
  names.writeUInt16LE(1, 8);
  names.write("Anna", 16);
  await choose(page, "load");
  await page.locator("#load-file").setInputFiles([file("WTH_2005.wtb", wthor(["f5d6c3"])), file("WTH.JOU", names)]);
  await count(page, 3);
  await choose(page, "save");
  assert.equal(await page.locator("#save-white").inputValue(), "Anna");
});

await test("a text of another game is opened as that game", {}, async (page) => {
  await visit(page, "game=othello");
  await openText(page, "1. d6 f4 2. d2 b4");
  await count(page, 4);
  assert.equal(fragment(page).get("game"), "nine-mens-morris-flying");
  await openText(page, "f5d6c3");
  await count(page, 3);
  assert.equal(fragment(page).get("game"), "othello");
});

await test("a file without games reports an error and changes nothing", {}, async (page) => {
  await visit(page, "game=othello&moves=f5.d6");
  await choose(page, "load");
  await page.locator("#load-file").setInputFiles([file("a.txt", "hello\n")]);
  await reads(page, "#load-error", /Line 1, column 1/);
  await page.locator("#load-dialog-close").click();
  await count(page, 2);
});

await test("the board and the game are saved as images", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris&moves=d2.f4.d6");
  await choose(page, "save");
  const save = async (id) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`#${id}`).click()]);
    return readFileSync(await download.path());
  };
  const svg = (await save("image-svg")).toString();
  assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.equal([...svg.matchAll(/<use href="#\w+_(black|white)"/g)].length, 3, "three men");
  assert.ok(svg.length < 20000, `${svg.length} bytes`);
  const png = await save("image-png");
  assert.deepEqual([...png.subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
  const gif = await save("image-gif");
  assert.equal(gif.subarray(0, 6).toString(), "GIF89a");
  // The browser decodes every frame: the start and three moves.
  const frames = await page.evaluate(async (bytes) => {
    const decoder = new ImageDecoder({ type: "image/gif", data: new Uint8Array(bytes) });
    await decoder.tracks.ready;
    const colors = [];
    for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      // The point d2 is in the middle column, two rows below the middle of the 8.12 that the image is high.
      const [x, y] = [0.5, 0.5 + 2 / 8.12].map((share) => Math.round(share * canvas.width));
      colors.push(context.getImageData(x, y, 1, 1).data[2] > 180);
    }
    return colors;
  }, [...gif]);
  assert.deepEqual(frames, [false, true, true, true]);
  await page.locator("#image-sheet").click();
  await page.locator("#sheet-dialog .sheet-board svg").waitFor();
  assert.match(await page.locator("#sheet-dialog .sheet-moves").innerText(), /1\.\s+d2\s+f4\s+2\.\s+d6/);
});

await test("a game is saved with all that is known of it, and opened again", {}, async (page) => {
  await visit(page, "game=othello");
  const pgn = "[Black \"Anna\"]\n[White \"Bob\"]\n\n{start} 1. f5 {[%csl Ge5] good} d6 (1... f6 2. e6) (1... a1) 2. c3 *\n";
  await openText(page, pgn);
  await says(page, /a1/);
  await count(page, 5);
  assert.equal(await page.locator("#moves .variation").count(), 1);
  await choose(page, "save");
  await page.locator("#save-event").fill("Cup");
  await page.locator("#save-date").fill("2024-05-01");
  await page.locator("#save-date").blur();
  await page.waitForFunction(() => document.querySelector("#save-text").value.includes("[Date \"2024.05.01\"]"));
  const text = await page.locator("#save-text").inputValue();
  assert.match(text, /\[Event "Cup"\][^]*\{start\} 1\. f5 \{\[%csl Ge5\] good\} d6 \(1\.\.\. f6 2\. e6\) 2\. c3 \*\n$/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-do").click()]);
  assert.equal(saved.suggestedFilename(), "Anna - Bob 2024-05-01.pgn");
  await page.locator("#save-format").selectOption("ggf");
  await reads(page, "#save-lost", /variations.*comments/);
  await page.locator("#save-dialog-close").click();
  await openText(page, text);
  await count(page, 5);
  assert.equal(await page.locator("#moves .variation").count(), 1);
});

await test("the page prints as the board with its moves", {}, async (page) => {
  await visit(page, "game=othello&moves=f5.d6");
  await page.locator("#tab-analysis").click();
  await page.emulateMedia({ media: "print" });
  for (const id of ["board", "panel-moves"]) assert.ok(await page.locator(`#${id}`).isVisible(), id);
  for (const id of ["save", "tab-moves", "first"]) assert.ok(!await page.locator(`#${id}`).isVisible(), id);
});

await test("a file of many games opens in parts", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await choose(page, "load");
  await page.locator("#load-file").setInputFiles([file("many.txt", "f5d6\n".repeat(501) + "f5f6\n")]);
  await page.locator("#choose-more").click();
  await page.waitForFunction(() => document.querySelectorAll("#choose-list li").length === 502);
  await page.locator("#choose-list li button").last().click();
  await count(page, 2);
  assert.deepEqual(await moves(page), ["f5", "f6"]);
  await click(page, "e6");
  await says(page, /White to move/);
});
