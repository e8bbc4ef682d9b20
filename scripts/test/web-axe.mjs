// Tests the accessibility of the page with axe-core in all its states, and its width, for both kinds of games, English
// and German, light and dark, in four windows. Every two of kind, language and colour meet.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { choose, click, count, play, start, tab, test, visit } from "./web-harness.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"], preload: false,
};
/** The link of a game, the points of a variation of its last move, and a file of two games. */
const GAMES = {
  othello: { first: "f5", link: "moves=f5.d6.c3", other: ["c4"], file: "f5d6c3\nf5f6\n" },
  "nine-mens-morris": { first: "d2", link: "moves=d2.f4.d6", other: ["b4"], file: "d2 f4 d6\n\nb4 d6\n" },
};
/** The last is a window of 1280x1024 at a zoom of 400 %. */
const WINDOWS = [[1280, 860], [844, 390], [390, 844], [320, 256]];
const EXERCISE = {
  game: "othello-4x4", start: "-----OX--XO----- X", side: "black", best: ["b1"], values: { b1: 2, a2: -4 }, outcome: null,
};

let checked = 0;

/**
 * Returns what is wrong with the page as it is now: what axe finds, controls below 24 pixels, and whether it is wider
 * than the window.
 */
async function check(page, name) {
  const found = await page.evaluate(async (rules) => {
    // At the end of the page, what is fixed at the bottom covers nothing.
    scrollTo(0, document.documentElement.scrollHeight);
    const { violations } = await axe.run(document, rules);
    const controls = [...document.querySelectorAll("button, select, input:not([type=radio], [type=checkbox])")];
    const small = controls.filter((control) => {
      const { width, height } = control.getBoundingClientRect();
      return control.checkVisibility() && Math.min(width, height) < 24;
    });
    const width = document.documentElement.scrollWidth;
    return [
      ...violations.flatMap(({ id, nodes }) => (
        nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ""}`))),
      ...small.map((control) => `${control.outerHTML.slice(0, 80)} is small`),
      ...width > innerWidth ? [`the document is ${width} wide, the window ${innerWidth}`] : [],
    ];
  }, RULES);
  checked += 1;
  return found.map((text) => `${name}: ${text}`);
}

/** Goes through the states of the page and returns what is wrong in them. */
async function walk(page, game) {
  const problems = [];
  const note = async (name) => problems.push(...await check(page, name));
  /** Opens a dialog, checks it, and closes it. */
  const dialog = async (id, open) => {
    await open();
    await page.locator(`#${id}-dialog`).waitFor();
    await note(id);
    await page.keyboard.press("Escape");
    await page.locator(`#${id}-dialog`).waitFor({ state: "detached" });
  };
  /** Presses a button wherever it is. */
  const press = (id) => page.evaluate((id) => document.getElementById(id).click(), id);
  const { first, link, other, file } = GAMES[game];
  const button = (id) => () => choose(page, id);
  await visit(page, `game=${game}`);
  await note("start");
  if (await page.locator("#more").isVisible()) {
    await page.locator("#more").click();
    await note("menu");
    await page.keyboard.press("Escape");
  }
  await dialog("start", button("new"));
  for (const id of ["load", "practice", "rules", "settings"]) await dialog(id, button(id));
  await dialog("keys", () => page.keyboard.press("?"));
  await start(page, { opponent: "beginner", side: "first", clock: "5+3" });
  await click(page, first);
  await count(page, 2);
  await note("clock");
  await dialog("resign", button("resign"));
  await page.locator("#resign").click();
  await page.locator("#resign-do").click();
  await page.locator("#result-dialog").waitFor();
  await note("result");
  await page.keyboard.press("Escape");

  // Before the next game, so that no engine moves there.
  for (const side of ["black", "white"]) await play(page, side, "person");
  await visit(page, `game=${game}&${link}`);
  await page.locator("#back").click();
  await page.locator("#moves button.undone").waitFor();
  await click(page, ...other);
  await page.locator(".variation").waitFor();
  await note("moves");
  await dialog("save", button("save"));
  await press("save");
  await dialog("sheet", () => page.locator("#image-sheet").click());
  await dialog("recent", button("recent"));
  await press("hints");
  await page.waitForSelector("#board .value");
  await note("hints");
  await tab(page, "analysis");
  await page.locator("#lines").selectOption("3");
  await page.locator("#evaluate").click();
  await page.waitForSelector(".line:nth-child(3)");
  await note("analysis");
  await page.locator("#evaluate").click();
  await press("hints");
  await tab(page, "review");
  await note("review before");
  await page.locator("#chart").click();
  await page.locator("table.review").waitFor();
  await note("review");
  await choose(page, "arrange");
  await note("set-up");
  await page.locator("#setup-cancel").click();
  await choose(page, "load");
  const asFile = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator("#load-file").setInputFiles(asFile("two.txt", file));
  await dialog("choose", () => {});
  await choose(page, "practice");
  await page.locator('#practice-dialog input[value="openings"]').check({ force: true });
  await page.locator("#openings-status", { hasText: /learned|gelernt/ }).waitFor();
  await note("openings");
  await page.locator('#practice-dialog input[value="file"]').check({ force: true });
  await page.locator("#practice-file").setInputFiles(asFile("one.jsonl", JSON.stringify(EXERCISE)));
  await page.locator("#practice-do").click();
  await page.locator("#practice-text").waitFor();
  await note("practice");
  await page.route("**/api/games", (route) => route.abort());
  await page.reload();
  await page.locator("#retry").waitFor();
  await note("without the server");
  return problems;
}

/** Tests the page in the window with this index. */
function walkInWindow(at) {
  const [width, height] = WINDOWS[at];
  const game = Object.keys(GAMES)[at & 1];
  const locale = ["en-US", "de-DE"][(at >> 1) ^ (at & 1)];
  const colorScheme = ["light", "dark"][at >> 1];
  const options = {
    viewport: { width, height }, locale, colorScheme, hasTouch: width < 1000, reducedMotion: "reduce",
  };
  return test(`accessible: ${game}, ${locale}, ${colorScheme}, ${width}x${height}`, options, async (page) => {
    await page.context().addInitScript({ path: AXE });
    assert.deepEqual(await walk(page, game), []);
  });
}

// Two at once, which takes little longer than one.
await Promise.all([0, 1].map(walkInWindow));
await Promise.all([2, 3].map(walkInWindow));
console.log(`      ${checked} states checked`);
