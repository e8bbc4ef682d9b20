// Tests the browser edition on a plain file server: node web-static.mjs ADDRESS CHROMIUM [SCREENSHOT FOLDER]

import assert from "node:assert/strict";
import {
  PHONE, browser, choose, click, count, evaluate, failed, reads, review, shot, test, visit, visitAsPeople,
} from "./web-harness.mjs";

const GAME = "d3.c5.e6.e3.d6.e7.f6.f5.d7.g5.f3.c4.g4.c3.b4.b5.f7.g7.a5.c6";

/** Waits until the service worker controls the page. */
const controlled = async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForSelector("#board svg");
  await page.waitForFunction(() => navigator.serviceWorker.controller);
};

await test("every game: the engine moves, and evaluates the position", {}, async (page) => {
  await visit(page);
  const games = await page.evaluate(async () => {
    const { ask } = await import("./api.js");
    return (await ask("games")).map(({ game }) => game);
  });
  assert.ok(games.length >= 13);
  for (const game of games) {
    await visit(page, `game=${game}`);
    const [line] = await page.evaluate(async (game) => {
      const { askLines } = await import("./api.js");
      const thoughts = [];
      await askLines("choose", { game, moves: [], level: 3 }, undefined, ({ thought }) => thought && thoughts.push(thought));
      return thoughts.at(-1).lines;
    }, game);
    assert.ok(line.moves.length > 0, game);
  }
});

await test("a mill game loads no network of Othello", {}, async (page) => {
  const loaded = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await visit(page, "game=nine-mens-morris");
  await evaluate(page);
  await page.waitForSelector("#evaluation .lines");
  assert.ok(loaded.some((path) => path.endsWith("nine-mens-morris.weights")), `${loaded}`);
  assert.deepEqual(loaded.filter((path) => /othello/.test(path)), []);
});

await test("a search ends at once when another position is shown, and the page stays smooth", {}, async (page) => {
  await visit(page, "game=othello&moves=f5");
  await evaluate(page);
  await page.waitForSelector("#evaluation .lines");
  const longest = await page.evaluate(async () => {
    let [last, longest] = [performance.now(), 0];
    for (const end = last + 1500; last < end;) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      [longest, last] = [Math.max(longest, now - last), now];
    }
    return longest;
  });
  assert.ok(longest < 400, `${longest} ms without a picture`);
  const [took, ends] = await page.evaluate(async () => {
    const { askLines } = await import("./api.js");
    const body = { game: "othello", moves: ["f5"] };
    // There are more of these searches, of ten seconds each, than workers.
    const work = new AbortController();
    const searches = Array.from({ length: 8 }, () => askLines("analyze", body, work.signal, () => {}).catch(({ name }) => name));
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
    work.abort();
    const started = performance.now();
    await askLines("analyze", { ...body, time_ms: 100 }, undefined, () => {});
    return [performance.now() - started, await Promise.all(searches)];
  });
  assert.ok(took < 5000, `${took} ms`);
  assert.deepEqual(new Set(ends), new Set(["AbortError"]));
});

for (const [name, options] of [["desktop", {}], ["tablet", { viewport: { width: 820, height: 1180 } }], ["phone", PHONE]]) {
  await test(`without a network: play, review and practice on a ${name}`, { ...options, serviceWorkers: "allow" }, async (page) => {
    await visit(page);
    await controlled(page);
    assert.ok(await page.evaluate(() => crossOriginIsolated), "the service worker isolates the page");
    // What a game needs is kept when it is used.
    await visit(page, "game=nine-mens-morris&moves=d2");
    await evaluate(page);
    await page.waitForSelector("#evaluation .lines");
    await visitAsPeople(page, `game=othello&moves=${GAME}`);
    await page.waitForSelector("#evaluation .lines");
    await page.context().setOffline(true);
    await page.reload();
    await count(page, 20);
    await review(page);
    await page.waitForFunction(() => document.querySelector("table.review")
      && document.getElementById("chart").textContent === "Review the game", undefined, { timeout: 120000 });
    await visit(page, "game=nine-mens-morris&moves=d2.f4");
    await click(page, "b4");
    await count(page, 3);
    await page.waitForSelector("#evaluation .lines", { state: "attached" });
    await visit(page, "game=othello");
    await choose(page, "practice");
    await page.locator("#practice-do").click();
    await reads(page, "#practice-task", /^Find the /);
    await shot(page, `static-${name}-offline`);
    await page.context().setOffline(false);
  });
}

await browser.close();
process.exit(failed ? 1 : 0);
