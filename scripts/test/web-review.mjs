// Tests of the review, the evaluation, the hints and the rules.

import assert from "node:assert/strict";
import {
  address, click, count, evaluate, fragment, label, moves, reads, review, says, shot, start, tab, test,
  visit, visitAsPeople,
} from "./web-harness.mjs";

/** A game with mistakes of both sides. */
const GAME = "d3.c5.e6.e3.d6.e7.f6.f5.d7.g5.f3.c4.g4.c3.b4.b5.f7.g7.a5.c6";
const reviewed = (page) => page.waitForFunction(() => document.querySelector("table.review")
  && document.getElementById("chart").textContent === "Review the game", undefined, { timeout: 120000 });

await test("a review shows losses, marks, accuracy and the next mistake", {}, async (page) => {
  await visitAsPeople(page, `game=othello&moves=${GAME}`);
  await review(page);
  await reviewed(page);
  // The graph has a point for each position, the first and the last among them.
  const line = await page.locator(".graph-line").first().getAttribute("d");
  assert.equal(line.split("L").length, GAME.split(".").length + 1);
  const marks = await page.locator("#moves .mark").allInnerTexts();
  assert.ok(marks.length > 0 && marks.every((mark) => ["?!", "?", "??"].includes(mark)), `${marks}`);
  const cells = await page.locator("table.review tbody tr").first().locator("td").allInnerTexts();
  assert.ok(cells.length === 2 && cells.every((cell) => /^\d+(\.\d+)? %$/.test(cell)), `${cells}`);
  // The counts of the table are those of the marks.
  const counts = await page.locator("table.review tbody tr").evaluateAll((rows) => rows.slice(3).map((row) => (
    [...row.querySelectorAll("td")].reduce((sum, cell) => sum + Number(cell.textContent), 0))));
  assert.deepEqual(counts, ["?!", "?", "??"].map((mark) => marks.filter((other) => other === mark).length));
  await page.locator("#first").click();
  await page.locator("#review-next").click();
  await page.waitForSelector("#moves [aria-current] .mark", { state: "attached" });
  assert.match(await page.locator("#moves [aria-current]").getAttribute("aria-label"), /mistake|blunder/);
  await reads(page, "#review-move", /lost [^]* Best was/);
  await tab(page, "analysis");
  // The score of a reviewed position is shown although the evaluation is off, and the best line can be played.
  assert.equal(await page.locator("#evaluate").getAttribute("aria-checked"), "false");
  assert.ok(await page.locator("#evaluation .score").innerText());
  const before = await moves(page);
  await page.locator("#evaluation .lost .pv").nth(1).click();
  await page.waitForFunction((before) => document.querySelectorAll("#moves button").length > before, before.length);
  assert.ok(await page.locator("#moves li.variation").count() >= 1);
  await shot(page, "review");
  // The review is kept with the game.
  const accuracy = await page.locator("table.review tbody tr").first().textContent();
  await page.reload();
  await page.locator("table.review").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("table.review tbody tr").first().textContent(), accuracy);
  assert.ok(await page.locator("#moves .mark").count() > 0);
});

await test("the graph has a scale and a tooltip, and draws no line without moves", {}, async (page) => {
  await visit(page, "game=othello");
  await tab(page, "review");
  assert.equal(await page.locator(".graph-now").count(), 0);
  assert.ok((await page.locator(".graph-number").allTextContents()).includes("+16"));
  await visitAsPeople(page, "game=othello-4x4&moves=b1.a1.a2.a3");
  await review(page);
  await reviewed(page);
  // Every position of this game is solved.
  await page.waitForSelector(".graph-line.exact", { state: "attached" });
  await page.locator("#graph svg").hover();
  assert.match(await page.locator("#graph .tip").innerText(), /· (White|Black) wins by \d+ discs/);
});

await test("hints stay on, and lines can be played", {}, async (page) => {
  await visitAsPeople(page, "game=othello-4x4&moves=b1.a1.a2");
  await page.locator("#hints").click();
  await page.waitForSelector(".value.exact");
  const point = await page.locator(".point.open").first().getAttribute("data-point");
  await click(page, point);
  await count(page, 4);
  await page.waitForSelector(".value.exact");
  assert.equal(await page.locator("#hints").getAttribute("aria-pressed"), "true");
  await page.locator("#hints").click();
  await evaluate(page);
  await page.locator("#lines").selectOption("3");
  await page.waitForFunction(() => document.querySelectorAll("#evaluation .line").length >= 2);
  // What says that the scores are exact comes above the lines, which move down.
  await page.locator("#evaluation .source").waitFor();
  await page.locator("#evaluation .line").nth(1).locator(".pv").first().click();
  await count(page, 5);
  assert.equal(fragment(page).get("moves").split(".").length, 5);
});

await test("in the mills arrows show the best moves, and labels stand beside the men", {}, async (page) => {
  await visitAsPeople(page, `game=nine-mens-morris-flying&start=${encodeURIComponent("0,0 a7,d7,g4 a1,b2,c3 W")}`);
  await page.locator("#hints").click();
  await page.waitForSelector(".arrow.best");
  assert.match(await label(page, "g4"), /value W1, exact/);
  await click(page, "g4");
  await reads(page, '[data-hint="g7"] .value', /W1$/);
  await click(page, "g7");
  await says(page, /Mill! Choose a black man to remove/);
  // A label does not cover the man that it belongs to.
  const gap = await page.evaluate(() => {
    const hint = document.querySelector('[data-hint="b2"]').getBoundingClientRect();
    const man = document.querySelector('[data-point="b2"] .piece').getBoundingClientRect();
    const overlap = (a0, a1, b0, b1) => Math.max(0, Math.min(a1, b1) - Math.max(a0, b0));
    return overlap(hint.left, hint.right, man.left, man.right) * overlap(hint.top, hint.bottom, man.top, man.bottom)
      / (man.width * man.height);
  });
  assert.ok(gap < 0.25, `${gap} of the man is covered`);
});

await test("the rules have pictures in every game", {}, async (page) => {
  await visit(page, "game=othello");
  const games = await (await fetch(`${address}api/games`)).json();
  for (const { game, rules } of games) {
    await start(page, { game });
    await page.waitForFunction((game) => new URLSearchParams(location.hash.slice(1)).get("game") === game, game);
    await page.locator("#rules").click();
    assert.equal(await page.locator("#rules-dialog section").count(), rules.length, game);
    assert.ok(await page.locator("#rules-dialog .picture svg").count() >= 2, game);
    assert.doesNotMatch(await page.locator("#rules-dialog").innerText(), /rule[A-Z]|\{|undefined/);
    await page.locator("#rules-dialog-close").click();
  }
});
