// Tests of the practice: endgames, puzzles, mistakes of one's own games, and files.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  PHONE, click, count, elements, fragment, reads, reload, review, says, shot, test, visit, visitAsPeople,
} from "./web-harness.mjs";

/** A game with mistakes of both sides. */
const GAME = "d3.c5.e6.e3.d6.e7.f6.f5.d7.g5.f3.c4.g4.c3.b4.b5.f7.g7.a5.c6";
const START = "-----OX--XO----- X";
const EXERCISE = {
  game: "othello-4x4", start: START, side: "black", best: ["b1"], values: { b1: 2, a2: -4 }, outcome: null,
};

/** Opens the dialog and begins with what is chosen. */
async function begin(page, choices = {}) {
  await page.locator("#practice").click();
  for (const [name, value] of Object.entries(choices)) {
    await page.locator(`#practice-dialog input[name="${name}"][value="${value}"]`).check({ force: true });
  }
  const [response] = await Promise.all([page.waitForResponse("**/api/view"), page.locator("#practice-do").click()]);
  // A hidden panel still has the text of the last exercise.
  await page.locator("#practice-panel").waitFor();
  await reads(page, "#practice-task", /^Find the /);
  return response;
}
const exercise = (page) => page.evaluate(() => import("./state.js").then(({ state }) => state.practice.exercise));
/** Waits until another exercise is on the board: `waitForFunction` takes any promise for true. */
async function another(page, start) {
  for (let tries = 0; (await exercise(page)).start === start; tries += 1) {
    assert.ok(tries < 400, "another exercise comes");
    await page.waitForTimeout(50);
  }
}
/** Waits until an element has the focus. */
const focused = (page, id) => page.waitForFunction((id) => document.activeElement?.id === id, id);
const ended = (page) => page.locator("#practice-panel").waitFor({ state: "hidden" });
/** Plays a move with the keyboard. */
async function type(page, move) {
  await page.locator("#practice-task").focus();
  await page.keyboard.type(move);
  if (await page.locator("#typed").isVisible()) await page.keyboard.press("Enter");
}

await test("practice: an endgame of a chosen size, and its solution", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5.d6");
  await begin(page, { empties: 6, difficulty: "medium" });
  await reads(page, "#practice-task", /^Find the best move\. (Black|White) to move, 6 empty squares\.$/);
  assert.equal(await page.locator("#practice-count, #practice-progress").count(), 0);
  await page.locator("#practice-solution").click();
  await reads(page, "#practice-text", /^The best move is/);
  await reads(page, "#practice-line", /^(White wins by|Black wins by|Draw\.)/);
  // The whole line is played, to the end of the game.
  await reads(page, "#status", /wins|draw/i);
  await reads(page, "#announcer", /^The best move is .*(wins by|Draw\.)/);
  await reads(page, "#practice-count", /0 of 1 solved/);
  await page.locator("#practice-next").click();
  await page.locator("#practice-line").waitFor({ state: "detached" });
  await page.locator("#practice-end").click();
  await count(page, 2);
  assert.equal(fragment(page).get("moves"), "f5.d6");
});

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

await test("practice: the exercises of a file, and the one of a link", CLIPBOARD, async (page) => {
  await visitAsPeople(page, "game=othello-4x4");
  const open = async (text) => {
    await page.locator("#practice").click();
    await page.locator("#practice-dialog input[value=file]").check({ force: true });
    await page.locator("#practice-file").setInputFiles({
      name: "mistakes.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text),
    });
    await page.locator("#practice-do").click();
  };
  await open("no exercise\n");
  await says(page, /The file contains no exercises/);
  await open(`${JSON.stringify({ ...EXERCISE, played: "a2", source: "Ann – Bob, ply 4" })}\n`);
  await reads(page, "#practice-task", /Black to move, 12 empty squares/);
  await reads(page, "#practice-origin", /^Ann – Bob, ply 4$/);
  await reads(page, "#practice-played", /In the game, a2 was played and lost 6 discs/);
  assert.ok(await page.locator("#save").isDisabled());
  await page.locator("#share").click();
  await says(page, /^Link copied$/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await click(page, "a2");
  await reads(page, "#practice-text", /^a2 loses 6 discs\. Try again\.$/);
  await reads(page, "#practice-tries", /a2 \(−6\)/);
  await click(page, "b1");
  await reads(page, "#practice-text", /^Right!/);
  await reads(page, "#practice-count", /0 of 1 solved/);
  await page.locator("#practice-end").click();
  await ended(page);
  const fields = new URLSearchParams(new URL(link).hash.slice(1));
  assert.deepEqual(Object.fromEntries(fields), { game: "othello-4x4", start: START, exercise: "1" });
  await visit(page, fields);
  await reads(page, "#practice-task", /^Find the best move/);
});

await test("practice: openings are learned, and asked again the next day", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5.d6.c3.d3.c4");
  const choices = { kind: "openings", side: "black", from: "board" };
  await begin(page, choices);
  await reads(page, "#practice-task", /^Find the opening move\. Black to move\.$/);
  await reads(page, "#practice-origin", /^Tiger: f5 d6 c3 d3 c4 /);
  const { best } = await exercise(page);
  const open = await page.locator(".point.open").evaluateAll((points) => points.map((point) => point.dataset.point));
  await type(page, open.find((point) => !best.includes(point)));
  await reads(page, "#practice-text", /(loses \d+ discs?|is not as good)\. Try again\.$/);
  await reads(page, "#practice-why", /Then [a-h][1-8] /);
  await shot(page, "practice-openings");
  // The ten new positions of a day; the first is asked once more, because it was not known.
  let asked = 0;
  for (; asked < 20; asked += 1) {
    const { start, best: [move] } = await exercise(page);
    await type(page, move);
    await reads(page, "#practice-text", /^Right!/);
    await page.locator("#practice-next").click();
    const isDone = async () => /none due/.test(await page.locator("#status").innerText());
    for (let tries = 0; (await exercise(page)).start === start && !(await isDone()); tries += 1) {
      assert.ok(tries < 400, "another question comes, or the end");
      await page.waitForTimeout(50);
    }
    if (await isDone()) break;
  }
  assert.equal(asked, 10);
  await reads(page, "#practice-count", /10 of 11 solved/);
  await page.locator("#practice-end").click();
  await ended(page);
  await page.clock.setFixedTime(Date.now() + 24 * 3600e3);
  await begin(page, choices);
  const again = await exercise(page);
  assert.deepEqual([again.is_new, again.right[again.best[0]].box], [false, 2]);
  await page.locator("#practice").click();
  await page.locator("#practice-dialog input[value=openings]").check({ force: true });
  await page.locator("#practice-dialog input[value=board]").check({ force: true });
  await reads(page, "#openings-status", /10 of \d+ positions learned, 10 due\.$/);
  await shot(page, "practice-openings-dialog");
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#cards-save").click()]);
  const text = await readFile(await file.path(), "utf8");
  assert.match(text, /^\{"format":"morello cards","version":1\}\n\{"game":"othello",/);
  await page.locator("#practice-reset").click();
  await page.locator("#practice-dialog input[value=openings]").check({ force: true });
  await page.locator("#practice-dialog input[value=board]").check({ force: true });
  await reads(page, "#openings-status", /0 of \d+ positions learned, 0 due\.$/);
  await page.locator("#cards-file").setInputFiles({
    name: "cards.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text),
  });
  await reads(page, "#openings-status", /10 of \d+ positions learned, 10 due\.$/);
  await page.setViewportSize(PHONE.viewport);
  await shot(page, "practice-openings-dialog-phone");
});

await test("practice: puzzles of a mill game, counted by difficulty", {}, async (page) => {
  await visit(page, "game=nine-mens-morris-flying");
  await begin(page, { difficulty: "easy" });
  await reads(page, "#practice-task", /only move that (wins|draws)/);
  await type(page, (await exercise(page)).best[0]);
  await reads(page, "#practice-text", /^Right!/);
  await reads(page, "#practice-line", /^(White|Black) wins( in \d+ moves?)?\.|^Draw\./);
  await reads(page, "#practice-count", /1 of 1 solved/);
  await shot(page, "practice");
  await page.locator("#practice").click();
  const rated = page.locator("#practice-dialog label", { hasText: "Easy" });
  assert.match(await rated.innerText(), /1 of 1 solved/);
  await shot(page, "practice-dialog");
  await page.locator("#practice-reset").click();
  assert.doesNotMatch(await page.locator("#practice-dialog").innerText(), /solved/);
  await focused(page, "practice-do");
});

await test("practice: a reload continues, Back and Escape end, and a new game replaces it", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5.d6");
  await begin(page, { empties: 8 });
  const { start, best } = await exercise(page);
  await type(page, (await page.locator(".point.open").evaluateAll((points) => points.map((point) => point.dataset.point)))
    .find((point) => !best.includes(point)));
  await reads(page, "#practice-text", /Try again/);
  await page.reload();
  await reads(page, "#practice-text", /Try again/);
  assert.equal((await exercise(page)).start, start);
  await reads(page, "#practice-count", /0 of 1 solved/);
  const entries = await page.evaluate(() => history.length);
  await page.goBack();
  await ended(page);
  await count(page, 2);
  assert.equal(await page.evaluate(() => history.length), entries);
  await begin(page);
  await page.keyboard.press("Escape");
  await ended(page);
  assert.equal(fragment(page).get("moves"), "f5.d6");
  await begin(page);
  await page.locator("#new").click();
  await page.locator("#start-do").click();
  await ended(page);
  await count(page, 0);
  await page.locator("#undo").click();
  await count(page, 2);
  // It does not come back with its entry in the history.
  await begin(page);
  const id = await page.evaluate(() => history.state.id);
  await page.locator("#new").click();
  await page.locator("#start-do").click();
  // The practice shows no moves either.
  await page.waitForFunction((id) => !history.state.practice && history.state.id !== id, id);
  await count(page, 0);
  await page.goBack();
  await count(page, 2);
  await page.reload();
  await count(page, 2);
  assert.ok(await page.locator("#practice-panel").isHidden());
  assert.ok(!await page.evaluate(() => history.state.practice));
});

await test("practice: keys, and the focus", {}, async (page) => {
  await visit(page, "game=othello");
  await begin(page, { empties: 6 });
  await focused(page, "practice-task");
  const first = await exercise(page);
  await type(page, first.best[0]);
  await reads(page, "#practice-text", /^Right!/);
  await focused(page, "practice-next");
  await page.keyboard.press("Enter");
  await reads(page, "#practice-text", /^$/);
  await focused(page, "practice-task");
  const second = await exercise(page);
  await page.keyboard.press("n");
  await another(page, second.start);
  await page.keyboard.press("s");
  await reads(page, "#practice-text", /^The best move is/);
  await focused(page, "practice-next");
  await page.keyboard.press("Escape");
  await ended(page);
  await focused(page, "practice");
});

await test("practice: the mistakes of a review, later and at once", {}, async (page) => {
  await visitAsPeople(page, `game=othello&moves=${GAME}`);
  await page.locator("#practice").click();
  assert.ok(await page.locator("#practice-dialog input[value=own]").isDisabled());
  await page.locator("#practice-dialog-close").click();
  await review(page);
  await page.waitForSelector("table.review", { timeout: 120000 });
  await page.waitForFunction(() => localStorage.getItem("morello mistakes"));
  const marks = (await page.locator("#moves .mark").allTextContents()).filter((mark) => mark !== "?!");
  // A mistake of the game on the board. At its end the game is there.
  const ply = await page.evaluate(async () => {
    const { state } = await import("./state.js");
    const { tryMistake } = await import("./practice-run.js");
    const node = state.review.line.find(({ isMistake }) => isMistake);
    await tryMistake(node);
    return node.ply;
  });
  await reads(page, "#practice-played", /In the game, .* was played and lost \d+ discs?\./);
  await reads(page, "#practice-origin", new RegExp(`Human – Human · .* · move ${ply}$`));
  await type(page, (await exercise(page)).best[0]);
  await reads(page, "#practice-text", /^Right!/);
  await page.locator("#practice-next").click();
  await ended(page);
  assert.equal(Number(fragment(page).get("ply")), ply);
  await elements(page, "#moves button", GAME.split(".").length);
  assert.ok(await page.locator("table.review").count());
  // Without the review: the solved one comes last.
  await visit(page, "game=othello");
  await reload(page);
  await page.locator("#practice").click();
  await page.locator("#practice-dialog input[value=own]").check({ force: true });
  await reads(page, "#practice-dialog", new RegExp(`${marks.length} mistakes? from reviewed games, ${marks.length - 1} not`));
  await page.locator("#practice-dialog-close").click();
  await begin(page, { kind: "own" });
  const asked = await exercise(page);
  assert.notEqual(asked.ply, ply);
  // A move that the review did not evaluate is evaluated now.
  const open = await page.locator(".point.open").evaluateAll((points) => points.map((point) => point.dataset.point));
  await click(page, open.find((point) => !(point in asked.values)));
  await reads(page, "#practice-text", /^Right!|Try again/);
});

/** Opens the dialog and begins with a file of exercises. */
async function openFile(page, ...exercises) {
  await page.locator("#practice").click();
  await page.locator("#practice-dialog input[value=file]").check({ force: true });
  const buffer = Buffer.from(exercises.map((exercise) => JSON.stringify(exercise)).join("\n"));
  await page.locator("#practice-file").setInputFiles({ name: "a.jsonl", mimeType: "application/jsonl", buffer });
  await page.locator("#practice-do").click();
}

await test("practice: a server that does not respond", {}, async (page) => {
  await visit(page, "game=othello-4x4");
  await openFile(page, { ...EXERCISE, values: { b1: 2 } });
  await reads(page, "#practice-task", /12 empty squares/);
  await page.route("**/api/exercise", (route) => route.abort());
  await click(page, "a2");
  await says(page, /The server does not respond/);
  await reads(page, "#practice-text", /^$/);
  await page.waitForSelector('.point.open[data-point="b1"]');
  // The moves of the solution cannot be played.
  await page.route("**/api/move", (route) => route.abort());
  await page.locator("#practice-solution").click();
  await says(page, /The server does not respond/);
  await page.waitForSelector("#practice-solution:enabled");
  await page.unroute("**/api/move");
  await page.locator("#practice-solution").click();
  await page.waitForSelector('[data-point="b1"] .piece');
});

await test("practice: exercises that arrive too late", {}, async (page) => {
  await visit(page, "game=othello-4x4");
  await openFile(page, EXERCISE);
  await reads(page, "#practice-task", /12 empty squares/);
  const late = [];
  let isHeld = true;
  await page.route("**/api/view", (route) => (isHeld ? late.push(route) : route.continue()));
  const arrives = (route) => (
    Promise.all([page.waitForResponse("**/api/view"), route.continue()]).then(() => page.waitForTimeout(100)));
  await page.locator("#practice-next").dblclick();
  while (late.length < 2) await page.waitForTimeout(20);
  await arrives(late.shift());
  await click(page, "a2");
  await reads(page, "#practice-text", /^a2 loses/);
  await arrives(late.shift());
  await reads(page, "#practice-text", /^a2 loses/);
  await page.locator("#practice-end").click();
  await ended(page);
  // Another game is begun before the exercise is there.
  await openFile(page, EXERCISE);
  while (late.length < 1) await page.waitForTimeout(20);
  isHeld = false;
  await page.locator("#new").click();
  await page.locator("#start-dialog input[value=othello]").check({ force: true });
  await page.locator("#start-do").click();
  await elements(page, ".point", 64);
  await arrives(late.shift());
  await elements(page, ".point", 64);
  assert.ok(await page.locator("#practice-panel").isHidden());
});

await test("practice: a file that does not fit into the storage of the browser", {}, async (page) => {
  await visit(page, "game=othello-4x4");
  await openFile(page, EXERCISE);
  await reads(page, "#practice-task", /12 empty squares/);
  await page.locator("#practice-end").click();
  await ended(page);
  await openFile(page, { ...EXERCISE, source: "large ".repeat(1e6) }, EXERCISE);
  await reads(page, "#practice-origin", /^large/);
  await page.locator("#practice-next").click();
  await page.locator("#practice-origin").waitFor({ state: "detached" });
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /practice/.test(key))), []);
  await page.reload();
  await page.waitForFunction(() => history.state && !history.state.practice);
  assert.ok(await page.locator("#practice-panel").isHidden());
});

await test("practice: a theme, which is explained after the answer", {}, async (page) => {
  for (const [game, theme, why] of [
    ["othello", "parity", /^Parity: /],
    ["six-mens-morris", "double-mill", /^Double mill: /],
  ]) {
    await visitAsPeople(page, `game=${game}`);
    await begin(page, { theme });
    assert.ok((await exercise(page)).themes.includes(theme));
    assert.equal(await page.locator("#practice-theme").count(), 0);
    await page.locator("#practice-solution").click();
    await reads(page, "#practice-theme", why);
    await page.locator("#practice-end").click();
    await ended(page);
  }
  // A theme of another game is not kept.
  await visitAsPeople(page, "game=othello");
  await page.locator("#practice").click();
  assert.equal(await page.locator('#practice-dialog input[name="theme"]:checked').inputValue(), "");
  await shot(page, "practice-themes");
});

await test("practice: a proved result that a search does not see", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris");
  const start = "0,0 a1,c3,c4,d3,d7,e4,f4 a4,b2,b4,b6,c5,d5,g4,g7 W";
  await openFile(page, { game: "nine-mens-morris", start, side: "white", best: ["f4-f2"], values: {}, outcome: "win" });
  await reads(page, "#practice-task", /the only move that wins/);
  await page.locator("#practice-solution").click();
  await reads(page, "#practice-line", /^White wins\. f4-f2$/);
});
