// Tests of play: starting a game, the clock, moves in advance and ends of games. Nothing may give a game away or be
// lost.

import assert from "node:assert/strict";
import {
  at, bothHuman, click, count, elements, evaluate, fragment, moves, play, playToTheEnd, randomPick, reads,
  says, start, status, test, visit, visitAsPeople,
} from "./web-harness.mjs";

await test("a new visitor meets a beginner, and reads what this is", {}, async (page) => {
  await visit(page);
  assert.equal(await page.locator("#player-white").inputValue(), "beginner");
  assert.match(await page.locator(".welcome").innerText(), /review your games/);
  await click(page, "f5");
  await count(page, 2);
  assert.equal(await page.locator(".welcome").count(), 0);
});

await test("a game is started: which, against whom, as which side", {}, async (page) => {
  await visit(page);
  await start(page, { game: "nine-mens-morris-flying", opponent: "casual", side: "second", clock: "5+3" });
  // The engine begins, and the human is below.
  await count(page, 1);
  assert.equal(await page.locator("#player-white").inputValue(), "casual");
  assert.equal(await page.locator("#near select").getAttribute("data-side"), "black");
  assert.match(await page.locator("#clock-black").innerText(), /^(5:00|4:59)$/);
  // Which points are free depends on the engine's move.
  await page.locator(".point.open").first().click();
  await page.waitForFunction(() => document.getElementById("clock-black").textContent > "5:00");
  await page.reload();
  await page.waitForSelector("#clock-black");
  assert.equal(await page.locator("#player-black option:checked").innerText(), "You");
});

await test("nothing gives the game away to who plays it", {}, async (page) => {
  await visit(page);
  await start(page, { side: "first", opponent: "12" });
  await click(page, "f5");
  await page.waitForTimeout(300);
  const seen = async () => [
    await page.locator("#bar").isVisible(), await page.locator("#evaluation .score").count(),
    await page.locator("#book button").count(), await page.locator(".graph-line").count(),
  ];
  assert.deepEqual(await seen(), [false, 0, 0, 0]);
  await count(page, 2);
  assert.deepEqual(await seen(), [false, 0, 0, 0]);
  await evaluate(page);
  await page.waitForSelector("#evaluation .score");
  assert.ok(await page.locator("#bar").isVisible());
});

await test("a move in advance is played after the engine's", {}, async (page) => {
  await visit(page, "game=nine-mens-morris-flying");
  await start(page, { side: "first", opponent: "60" });
  await click(page, "d2");
  await says(page, /is thinking/);
  await click(page, "a1");
  await page.locator("#now").click();
  await count(page, 3);
  assert.equal((await moves(page)).at(-1), "a1");
  await page.locator("#now").click();
  await count(page, 4);
  // One that is no longer wanted is cancelled.
  await start(page, { side: "first", opponent: "60" });
  await click(page, "d2", "a1", "a1");
  await page.locator("#now").click();
  await count(page, 2);
  await page.waitForTimeout(200);
  assert.equal((await moves(page)).length, 2);
});

await test("a resigned game is lost, and a rematch changes sides", {}, async (page) => {
  await visit(page);
  await start(page, { opponent: "beginner", side: "first" });
  await click(page, "f5");
  await count(page, 2);
  await page.locator("#resign").click();
  await page.locator("#resign-do").click();
  await says(page, /White wins: Black resigned/);
  assert.equal(await page.locator("#result-dialog h2").innerText(), "You lose");
  await page.locator("#result-rematch").click();
  await count(page, 1);
  assert.equal(await page.locator("#player-white").inputValue(), "person");
  // The result is kept.
  await page.locator("#recent").click();
  assert.match(await page.locator("#recent-list").innerText(), /White wins/);
});

await test("a side without time loses", {}, async (page) => {
  await visit(page, "game=three-mens-morris");
  await start(page, { opponent: "beginner", side: "first", clock: "3+2" });
  await click(page, "b2");
  await count(page, 2);
  // The clock of the page is set on by three minutes.
  await page.evaluate(() => {
    const { now } = performance;
    performance.now = () => now.call(performance) + 200000;
  });
  await says(page, /Black wins: White ran out of time/);
  assert.equal(await page.locator("#result-dialog h2").innerText(), "You lose");
});

await test("the clock stands still where nobody is to move", {}, async (page) => {
  const stands = async (side) => {
    const read = () => page.evaluate((side) => import("./state.js").then(({ state }) => state.clock.time(side)), side);
    const before = await read();
    await page.waitForTimeout(250);
    return (await read()) === before;
  };
  await visit(page);
  await start(page, { side: "first", opponent: "40", clock: "3+2" });
  await click(page, "f5");
  await says(page, /is thinking/);
  await page.locator("#stop").click();
  assert.ok(await stands("white"), "of an engine that was stopped");
  await page.locator("#undo").click();
  await says(page, /Your move/);
  assert.ok(await stands("white") && await stands("black"), "after a move was taken back");
  await start(page, { game: "othello-4x4", opponent: "beginner", side: "first", clock: "3+2" });
  await click(page, "b1");
  await count(page, 2);
  assert.ok(!await stands("black"), "it runs for the side to move");
  await page.locator("#arrange").click();
  assert.ok(await stands("black"), "during a set-up");
  await page.locator("#setup-cancel").click();
  assert.ok(!await stands("black"), "after a set-up that was given up");
  await playToTheEnd(page, randomPick(2));
  assert.ok(await stands("black") && await stands("white"), "after the end");
  await page.locator("#result-dialog-close").click();
});

await test("the end of a game offers its review", {}, async (page) => {
  await visit(page);
  await start(page, { game: "othello-4x4", opponent: "beginner", side: "first" });
  await playToTheEnd(page, randomPick(2));
  await page.locator("#result-review").click();
  await page.waitForSelector("table.review", { timeout: 60000 });
});

await test("moves that are taken back against an engine become variations", {}, async (page) => {
  await visit(page);
  await play(page, "white", "novice");
  await click(page, "f5");
  await count(page, 2);
  await page.locator("#undo").click();
  await elements(page, "#moves button.undone", 2);
  await click(page, "d3");
  await count(page, 4);
  const main = await page.locator("#moves li:not(.variation) button").allInnerTexts();
  assert.deepEqual([main.length, main[0]], [2, "d3"]);
});

await test("fast steps add up", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5.d6.c3.d3.c4.f4.f6.g5.e6.d7.e3.c5.f3.e7");
  await page.evaluate(() => {
    for (let step = 0; step < 10; step += 1) document.getElementById("back").click();
  });
  await page.waitForFunction(() => location.hash.includes("ply=4"));
  await page.waitForTimeout(100);
  assert.equal(fragment(page).get("ply"), "4");
});

await test("two tabs with the same game keep the moves of both", {}, async (page) => {
  await visit(page);
  await bothHuman(page);
  await click(page, "f5");
  await count(page, 1);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await count(other, 1);
  await bothHuman(other);
  await click(other, "f6");
  await count(other, 2);
  await click(other, "e6");
  await count(other, 3);
  // The first tab learns of them at once.
  await count(page, 3);
  await other.close();
  await page.locator("#moves button").first().click();
  await click(page, "d6");
  await count(page, 4);
  await page.reload();
  await count(page, 4);
});

await test("Back works after a reload, and deleted moves come back", {}, async (page) => {
  await visit(page);
  await bothHuman(page);
  await click(page, "f5");
  await count(page, 1);
  await click(page, "d6");
  await count(page, 2);
  await page.reload();
  await count(page, 2);
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes("ply=1") || location.hash.endsWith("moves=f5"));
  await says(page, /White to move/);
  await page.goForward();
  await page.waitForFunction(() => location.hash.endsWith("moves=f5.d6"));
  await page.locator("#moves button").first().click();
  await page.locator("#delete").click();
  await count(page, 0);
  await page.reload();
  await page.locator("#undo:enabled").click();
  await count(page, 2);
});

await test("a link with an illegal move opens as far as it is legal", {}, async (page) => {
  await visit(page, "game=othello&moves=f5.d6.a1.c3");
  await says(page, /Could not open the link\. .*a1/);
  assert.deepEqual(await moves(page), ["f5", "d6"]);
  assert.match(await status(page), /a1/);
});

await test("a game from a file shows its players, and no engine plays", {}, async (page) => {
  await visit(page);
  await page.locator("#load").click();
  const board = `8 ${"-".repeat(27)}O*------*O${"-".repeat(27)} *`;
  await page.locator("#load-text").fill(`(;GM[Othello]PB[Ann Lee]PW[Bo]BO[${board}]B[f5]W[d6];)`);
  await page.locator("#load-do").click();
  await reads(page, "#player-black option:checked", /Ann Lee/);
  await reads(page, "#player-white option:checked", /Bo/);
  assert.ok(await at(page, "c3").isVisible());
});
