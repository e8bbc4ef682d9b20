// Tests of whole games, saving, hints, the keyboard, the address and narrow windows.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  PHONE, address, at, choose, click, count, elements, evaluate, fragment, label, moves,
  play, playToTheEnd, randomPick, reads, review, says, shot, start, status, test, visit, visitAsPeople,
} from "./web-harness.mjs";

await test("a whole game of Othello against the engine", {}, async (page) => {
  await visit(page);
  await play(page, "white", "novice");
  const text = await playToTheEnd(page, randomPick(4));
  assert.match(text, /^(Black|White) wins by \d+ discs?\.$|^A draw\.$/);
  const played = await moves(page);
  assert.ok(played.length >= 9, `${played}`);
  assert.equal(await page.locator(".point.open").count(), 0);
  await page.locator("#result-review").click();
  // The whole review takes long in a debug build.
  const isBegun = () => document.querySelector(".graph-line")?.getAttribute("d").split("L").length > 8;
  await page.waitForFunction(isBegun, undefined, { timeout: 60000 });
  await shot(page, "othello-over");
  // A click on the graph goes to that move, also while the review runs.
  const box = await page.locator("#graph svg").boundingBox();
  // The scale takes 34 pixels on the left and 8 on the right.
  await page.mouse.click(box.x + 34 + (box.width - 42) / 2, box.y + 20);
  await page.waitForFunction(() => document.querySelectorAll("#moves button.undone").length > 0);
  const shown = Number(fragment(page).get("ply"));
  assert.ok(Math.abs(shown - played.length / 2) <= 1, `${shown} of ${played.length}`);
});

await test("a whole game of nine men's morris with captures", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris");
  // White closes a mill and removes a man; the rest of the game is random.
  await click(page, "d2", "a1", "d1", "a4", "d3");
  await says(page, /Mill! Choose a black man to remove\./);
  assert.match(await label(page, "a1"), /can be removed/);
  await shot(page, "morris-capture");
  await page.keyboard.press("Escape");
  await says(page, /White to move/);
  await click(page, "d3", "a1");
  await count(page, 5);
  assert.deepEqual((await moves(page)).at(-1), "d3xa1");
  assert.match(await label(page, "a1"), /empty/);
  const text = await playToTheEnd(page, randomPick(10));
  assert.match(text, /wins|draw/i);
  assert.ok((await moves(page)).some((move) => move.includes("-") && move.includes("x")), "a man that moved captured");
  await shot(page, "morris-over");
});

await test("morabaraba against the engine, with a cow shot", {}, async (page) => {
  await visit(page, "game=morabaraba");
  await play(page, "black", "novice");
  await playToTheEnd(page, randomPick(11));
  assert.ok((await moves(page)).some((move) => move.includes("x")));
  await visitAsPeople(page, "game=morabaraba&moves=d2.f4.d1.b4");
  await click(page, "d3");
  await says(page, /Mill! Choose a black cow to remove\./);
  await click(page, "b4");
  await count(page, 5);
});

await test("the keyboard, and the descriptions of points", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await at(page, "d3").focus();
  assert.equal(await label(page, "d3"), "d3, empty, legal move");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.point), "e4");
  await page.keyboard.press("Enter");
  await says(page, /is occupied/);
  for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await count(page, 1);
  assert.deepEqual(await moves(page), ["f5"]);
  await reads(page, "#announcer", /Black f5, 1 disc flipped\. White to move/);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.point), "f5");
  await visit(page, "game=nine-mens-morris");
  // The board of Othello, which has a point a2, is shown until the page has the new game.
  await at(page, "a2").waitFor({ state: "detached" });
  await at(page, "a7").focus();
  const seen = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "Home"]) {
    await page.keyboard.press(key);
    seen.push(await page.evaluate(() => document.activeElement.dataset.point));
  }
  assert.deepEqual(seen, ["d7", "g7", "g4", "f4", "f2", "f2"]);
});

await test("undo, redo, flip and automatic passes", {}, async (page) => {
  await visit(page, "game=othello");
  await play(page, "white", "novice");
  await click(page, "f5");
  await count(page, 2);
  const undone = (number) => elements(page, "#moves button.undone", number);
  await page.locator("#undo").click();
  await undone(2);
  await says(page, /Your move \(Black\)/);
  await page.locator("#redo").click();
  await undone(0);
  await says(page, /Your move \(Black\)/);
  const top = async () => (await at(page, "a1").boundingBox()).y;
  const before = await top();
  await page.locator("#flip").click();
  assert.ok(await top() > before);
  await page.locator("#flip").click();
  // After a1 White has no legal move, but the game is not over.
  await visitAsPeople(page, `game=othello&start=${encodeURIComponent(`-OX${"-".repeat(59)}OX X`)}`);
  await click(page, "a1");
  await says(page, /White has no legal move and passes/);
  await count(page, 2);
  assert.deepEqual(await moves(page), ["a1", "pass"]);
  await says(page, /Black to move/);
  await page.locator("#undo").click();
  await page.waitForFunction(() => location.hash.includes("ply=0"));
  await page.locator("#last").click();
  await click(page, "f8");
  await says(page, /Black wins by 64 discs/);
});

await test("an engine thinks, moves at once on request, and stops", {}, async (page) => {
  // A search of twenty plies takes far longer than the test.
  await visit(page, "game=lasker-morris");
  await start(page, { side: "second", opponent: "20" });
  await visit(page, "game=lasker-morris&moves=d2.f4");
  await page.locator("#resume").click();
  await says(page, /White \(level 20\) is thinking/);
  await page.waitForTimeout(700);
  await page.locator("#stop").click();
  await says(page, /White \(level 20\) to move/);
  await page.locator("#resume").click();
  await says(page, /is thinking/);
  await page.waitForTimeout(700);
  const clicked = Date.now();
  await page.locator("#now").click();
  await count(page, 3);
  assert.ok(Date.now() - clicked < 3000);
  // An endless solve moves at once as well, even if it has no move yet.
  await visit(page, "game=othello");
  await start(page, { side: "first", opponent: "60" });
  await click(page, "f5");
  await says(page, /is thinking/);
  const asked = Date.now();
  await page.locator("#now").click();
  await count(page, 2);
  assert.ok(Date.now() - asked < 5000);
});

await test("a link to an unknown game, and a cancelled set-up", {}, async (page) => {
  await visit(page, "game=chess");
  await says(page, /Could not open the link\. Unknown game chess\./);
  await choose(page, "arrange");
  for (const id of ["load", "save", "share"]) assert.ok(await page.locator(`#${id}`).isDisabled(), id);
  await page.locator("#setup-text").press("Escape");
  await page.locator("#setup").waitFor({ state: "hidden" });
  await page.waitForFunction(() => !document.getElementById("save").disabled);
});

await test("set up by clicking and by notation", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris");
  await choose(page, "arrange");
  await click(page, "a7", "d7", "g4");
  await page.locator("#setup .choices label", { hasText: "White" }).first().click();
  await click(page, "a1", "b2", "c3", "e3");
  await click(page, "e3");
  await page.locator("#setup input[type=number]").nth(0).fill("0");
  await page.locator("#setup input[type=number]").nth(1).fill("0");
  await page.locator("#setup .choices label", { hasText: "Black" }).nth(1).click();
  await shot(page, "set-up");
  await page.locator("#setup-done").click();
  await says(page, /Black to move/);
  assert.equal(fragment(page).get("start"), "0,0 a1,b2,c3 a7,d7,g4 B");
  await click(page, "g4", "g7", "b2");
  await says(page, /Black wins/);
  await choose(page, "arrange");
  await page.locator("#setup-text").fill("9,9 a1,a1 - W");
  await page.locator("#setup-read").click();
  await reads(page, "#setup .error", /given twice/);
  await page.locator("#setup-text").fill("8,9 d2 - B; f4 d6");
  await page.keyboard.press("Enter");
  await count(page, 2);
});

await test("a link survives a reload, and a bad link reports an error", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await click(page, "f5", "d6", "c3");
  await count(page, 3);
  await page.locator("#back").click();
  await page.waitForFunction(() => location.hash.includes("ply=2"));
  await choose(page, "share");
  await says(page, /^Moves copied\./);
  const link = page.url();
  await page.reload();
  await count(page, 3);
  assert.equal(await page.locator("#moves button.undone").count(), 1);
  assert.equal(page.url(), link);
  await page.goto(`${address}#game=othello&moves=f5.f5`);
  await says(page, /Could not open the link\..*f5/);
  await page.goto(`${address}#game=checkers&moves=x`);
  await page.waitForSelector("#board svg");
});

await test("save and load", {}, async (page) => {
  await visit(page, "game=othello&moves=f5.d6.c3");
  await choose(page, "save");
  await page.waitForFunction(() => /^1\. f5 d6 2\. c3/m.test(document.getElementById("save-text").value));
  await page.locator("#save-format").selectOption("transcript");
  await page.waitForFunction(() => document.getElementById("save-text").value === "f5d6c3\n");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-do").click()]);
  const path = await download.path();
  assert.equal(readFileSync(path, "utf8"), "f5d6c3\n");
  await page.locator("#save-dialog-close").click();
  await start(page);
  await count(page, 0);
  await choose(page, "load");
  await page.locator("#load-text").fill("f5d6d6");
  await page.locator("#load-do").click();
  await reads(page, "#load-error", /occupied/);
  const file = join(tmpdir(), `morello-test-${process.pid}.txt`);
  writeFileSync(file, readFileSync(path));
  await page.locator("#load-file").setInputFiles(file);
  await count(page, 3);
  assert.equal(await page.locator("dialog").count(), 0);
});

await test("hints and the evaluation", {}, async (page) => {
  // This position is small enough to solve every move.
  await visitAsPeople(page, "game=othello-4x4&moves=b1.c1.d1");
  await page.locator("#hints").click();
  await page.waitForFunction(() => {
    const [open, exact] = [".point.open", ".value.exact"].map((what) => document.querySelectorAll(what).length);
    return open > 0 && open === exact;
  });
  const point = await page.locator(".point.open").first().getAttribute("data-point");
  assert.match(await label(page, point), /value [+−]?\d+, exact/);
  await page.locator("#hints").click();
  await evaluate(page);
  await reads(page, "#evaluation .source", /Proved/);
  assert.ok(Number(await page.locator("#bar").getAttribute("aria-valuenow")) >= 0);
  await visitAsPeople(page, `game=nine-mens-morris-flying&start=${encodeURIComponent("0,0 a7,d7,g4 a1,b2,c3 W")}`);
  // The evaluation is still on from the previous position.
  await reads(page, "#evaluation .score", /^White wins in 1 move$/);
  await page.locator("#hints").click();
  await page.waitForSelector(".arrow.best");
  await click(page, "g4");
  await reads(page, '[data-hint="g7"] .value', /W1$/);
  await shot(page, "values");
});

await test("the list of games marks the rules of nine men's morris", {}, async (page) => {
  await visit(page, "game=nine-mens-morris");
  await page.locator("#new").click();
  const titles = async (selector) => (await page.locator(`#start-dialog ${selector}`).allInnerTexts())
    .filter((title) => title.startsWith("Nine"));
  assert.deepEqual(await titles(".boards span"), ["Nine men’s morris, flying"]);
  assert.deepEqual(await titles("#start-more-game option"), [
    "Nine men’s morris, no flying", "Nine men’s morris, flying, protected", "Nine men’s morris, no flying, protected",
    "Nine men’s morris, flying, unprotected", "Nine men’s morris, flying, blocked draw",
    "Nine men’s morris, flying, no return",
  ]);
  assert.equal(await page.locator("#start-more-game").inputValue(), "nine-mens-morris");
  assert.equal(await page.locator("#rules").innerText(), "Nine men’s morris, no flying");
});

for (const [name, options, link] of [
  ["othello", {}, "game=othello&moves=f5.d6.c3.d3.c4.f4.f6.g5.e6.d7.e3.c5.f3.e7"],
  ["othello-dark", { colorScheme: "dark" }, "game=othello&moves=f5.d6.c3.d3.c4.f4.f6.g5.e6.d7.e3.c5.f3.e7"],
  ["morris", {}, "game=nine-mens-morris&moves=d2.f4.d6.b4.f2.b2.f6.b6xd2.d2.c4.d5.e4"],
  ["morabaraba-dark", { colorScheme: "dark" }, "game=morabaraba&moves=d2.f4.d6.b4.f2.b2.f6.b6xd2"],
  ["othello-phone", PHONE, "game=othello&moves=f5.d6.c3.d3.c4.f4.f6.g5.e6.d7.e3.c5.f3.e7"],
  ["morris-phone-dark", { ...PHONE, colorScheme: "dark" }, "game=nine-mens-morris&moves=d2.f4.d6.b4.f2.b2.f6"],
  ["three-phone", PHONE, "game=three-mens-morris&moves=b2"],
  ["othello-320", { ...PHONE, viewport: { width: 320, height: 640 } }, "game=othello&moves=f5.d6.c3"],
  // A window of 1440 x 900 at a zoom of 400 %.
  ["morris-zoomed", { ...PHONE, viewport: { width: 360, height: 225 } }, "game=nine-mens-morris&moves=d2.f4"],
  ["othello-large", { viewport: { width: 2560, height: 1440 } }, "game=othello&moves=f5.d6.c3"],
  ["othello-phone-landscape", { ...PHONE, viewport: { width: 844, height: 390 } }, "game=othello&moves=f5.d6.c3"],
  [
    "morris-small-landscape", { ...PHONE, viewport: { width: 667, height: 375 } },
    "game=nine-mens-morris&moves=d2.f4.d6",
  ],
]) {
  await test(`looks: ${name}`, options, async (page) => {
    await visit(page, link);
    const [inner, content] = await page.evaluate(() => (
      ["clientWidth", "scrollWidth"].map((width) => document.documentElement[width])));
    assert.ok(content <= inner, `the page is ${content} wide, the window ${inner}`);
    const [board, height] = await page.evaluate(() => [document.getElementById("board").offsetHeight, innerHeight]);
    assert.ok(board <= height, `the board is ${board} high, the window ${height}`);
    await evaluate(page);
    await page.waitForSelector("#evaluation .score");
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = options.colorScheme === "dark";
    assert.equal(Number(ground.match(/\d+/)[0]) < 80, dark, ground);
    await page.waitForTimeout(400);
    await shot(page, name, true);
  });
}

await test("reduced motion shows no animations", { reducedMotion: "reduce" }, async (page) => {
  await visitAsPeople(page, "game=othello");
  await click(page, "f5");
  await count(page, 1);
  const times = await page.evaluate(() => document.getAnimations().map(({ effect }) => effect.getTiming().duration));
  assert.deepEqual(times.filter((time) => time > 1), []);
});
