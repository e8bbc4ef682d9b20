// Tests of the analysis: critical moments, comments, drawings, lines that are played out, and the places of hints.

import assert from "node:assert/strict";
import {
  at, click, count, elements, evaluate, label, reads, reload, review, says, shot, tab, test, visit, visitAsPeople,
} from "./web-harness.mjs";

const GAME = "d3.c5.e6.e3.d6.e7.f6.f5.d7.g5.f3.c4.g4.c3.b4.b5.f7.g7.a5.c6";
const MILLS = "f6.d7.g4.e5.d2.f4.b2.d5.d6.c5xd6.d6.b6.f2xf4.f4.e3.a7.g7.d1.b2-b4.e5-e4.b4-b2xf4.e4-e5xd6.e3-e4.b6-d6xe4"
  + ".b2-b4.d6-b6.f6-d6.c5-c4.b4-b2xc4.a7-a4.f2-f4.d7-a7.f4-f2xd1.a4-b4";

await test("critical moments have reasons, lead to the move and can be tried again", {}, async (page) => {
  await visitAsPeople(page, `game=othello&moves=${GAME}`);
  await review(page);
  await page.locator(".moments li").first().waitFor({ timeout: 60000 });
  const moments = await page.locator(".moments button.plain").allInnerTexts();
  assert.ok(moments.length > 1 && moments.every((text) => /^\d+\. [a-h][1-8]\?/.test(text)), `${moments}`);
  const numbers = moments.map((text) => Number.parseInt(text, 10));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await page.locator(".moments button.plain").first().click();
  const move = moments[0].match(/\. (\w\d)/)[1];
  await page.waitForFunction((move) => (
    document.querySelector("#moves [aria-current]")?.textContent.startsWith(move)), move);
  await page.locator(".moments .try").first().click();
  await page.locator("#practice-panel:not([hidden])").waitFor();
  await page.locator("#practice-next").click();
  await page.locator(".moments").waitFor();
});

await test("comments and drawings are kept with the game", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5.d6.c3");
  await page.locator("#annotate").click();
  await page.locator("#comment").fill("A {good} move");
  await page.keyboard.press("Tab");
  await reads(page, "#moves .comment", /^A \(good\) move$/);
  const draw = async (from, to, keys = []) => {
    for (const key of keys) await page.keyboard.down(key);
    await at(page, from).hover();
    await page.mouse.down({ button: "right" });
    await at(page, to).hover();
    await page.mouse.up({ button: "right" });
    for (const key of keys) await page.keyboard.up(key);
  };
  await draw("c4", "g7");
  await draw("a1", "a1", ["Shift"]);
  await elements(page, ".shapes .shape", 2);
  assert.match(await label(page, "c4"), /, arrow to g7$/);
  assert.match(await label(page, "a1"), /, marked$/);
  // Another button does not end a shape, and what the browser interrupts is none.
  await at(page, "h1").hover();
  await page.mouse.down({ button: "right" });
  await page.locator("#board").dispatchEvent("pointerup", { button: 0 });
  await elements(page, ".shapes .shape", 3);
  await page.locator("#board").dispatchEvent("pointercancel");
  await page.mouse.up({ button: "right" });
  await elements(page, ".shapes .shape", 2);
  assert.equal(await page.locator(".shapes .shape-R.ring-shape").count(), 1);
  await shot(page, "notes");
  await page.locator("#back").click();
  await elements(page, ".shapes .shape", 0);
  assert.equal(await page.locator("#comment").inputValue(), "");
  await reload(page);
  await page.locator("#last").click();
  await elements(page, ".shapes .shape", 2);
  await reads(page, "#moves .comment", /good/);
  await draw("c4", "g7");
  await elements(page, ".shapes .shape", 1);
  await page.locator("#clear-shapes").click();
  await elements(page, ".shapes .shape", 0);
});

await test("a comment stays with its move, and outlives the undo of a deletion", {}, async (page) => {
  await visitAsPeople(page, "game=othello-4x4&moves=b1.a1.a2.a3");
  await page.locator("#annotate").click();
  await page.locator("#comment").click();
  await page.keyboard.type("end");
  await visit(page, "game=othello-4x4&moves=b1.a1.a2.a3&ply=2");
  await reads(page, "#moves .comment", /^end$/);
  await page.locator("#delete").click();
  await count(page, 1);
  await page.locator("#comment").fill("first");
  await page.locator("#undo").click();
  await count(page, 4);
  assert.deepEqual(await page.locator("#moves .comment").allInnerTexts(), ["first", "end"]);
  await page.locator("#redo").click();
  await count(page, 1);
  await page.reload();
  await count(page, 1);
});

await test("a line is played out move by move, until something else is done", {}, async (page) => {
  await visitAsPeople(page, "game=othello-4x4&moves=b1.a1");
  await evaluate(page);
  await page.locator("#evaluation .pv").nth(4).waitFor();
  await page.locator("#evaluation .pv").nth(4).hover();
  await page.locator("#preview svg").waitFor();
  await page.locator("#board").hover();
  await page.locator("#preview").waitFor({ state: "hidden" });
  await page.evaluate(() => {
    window.seen = new Set();
    const note = () => window.seen.add(document.querySelectorAll("#moves button:not(.undone)").length);
    new MutationObserver(note).observe(document.getElementById("moves"), { subtree: true, attributes: true });
  });
  await page.locator("#evaluation .pv").nth(4).click();
  await page.waitForFunction(() => location.hash.split(".").length >= 7 && !location.hash.includes("ply"));
  assert.deepEqual(await page.evaluate(() => [3, 4, 5, 6, 7].map((plies) => window.seen.has(plies))), Array(5).fill(true));
  await page.locator("#first").click();
  await page.locator("#evaluation .pv").nth(4).click();
  await page.locator("#first").click();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("#back").isDisabled(), true);
  // A line that the server does not answer is not played.
  const before = await page.locator("#moves button").count();
  await page.route("**/api/line", (route) => route.abort());
  await page.locator("#evaluation .pv").nth(4).waitFor();
  await page.locator("#evaluation .pv").last().click();
  await says(page, /The server does not respond/);
  await page.locator("#flip").click();
  await count(page, before);
});

/** The rectangles of the hints and of the coordinates. */
const boxes = (page) => page.evaluate(() => {
  const of = (selector) => [...document.querySelectorAll(selector)].map((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left, right, top, bottom, text: element.textContent };
  });
  return { hints: of(".hint rect"), coordinates: of("#board text.label"), board: of("#board svg") };
});
const overlaps = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

await test("hints cover neither coordinates nor each other", {}, async (page) => {
  const line = MILLS.split(".");
  const games = [`game=othello&moves=${GAME}`, "game=othello-10x10", "game=morabaraba&moves=d2.d6", "game=lasker-morris&moves=d2.d6.a1",
    ...[4, 9, 18, 22, 25, 29, 32, 34].map((plies) => (
      `game=nine-mens-morris-flying&moves=${line.slice(0, plies).join(".")}`)),
    `game=nine-mens-morris-flying&start=${encodeURIComponent("0,0 a7,d7,g4 a1,b2,c3 W")}`];
  for (const game of games) {
    await visitAsPeople(page, game);
    if (await page.locator("#hints").getAttribute("aria-pressed") === "false") await page.locator("#hints").click();
    await page.locator(".hint").first().waitFor();
    await page.waitForTimeout(600);
    const { hints, coordinates, board } = await boxes(page);
    assert.ok(coordinates.length >= 6 && hints.length, game);
    // There men are placed and moved: each empty point and the man have a value.
    if (game.includes("lasker")) assert.equal(hints.length, 22);
    for (const [at, hint] of hints.entries()) {
      assert.ok(!coordinates.some((other) => overlaps(hint, other)), `a coordinate is covered: ${game}`);
      assert.ok(!hints.slice(at + 1).some((other) => overlaps(hint, other)), `hints cover each other: ${game}`);
      assert.ok(hint.left >= board[0].left && hint.right <= board[0].right, `outside of the board: ${game}`);
    }
  }
});
