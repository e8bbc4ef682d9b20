// Helpers of the tests of the page: they run a test on a new page, and act on it as a user does.

import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const [address, executablePath, shots] = process.argv.slice(2);
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-software-rasterizer", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-first-run",
];
const DEFAULTS = {
  viewport: { width: 1280, height: 860 }, acceptDownloads: true, permissions: ["clipboard-write"],
  serviceWorkers: "block",
};
/** Errors that the browser logs although they are expected: rejected moves, and requests that a test aborts. */
const EXPECTED = /the server responded with a status of 422|net::ERR_(FAILED|INTERNET_DISCONNECTED)/;
export const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true };

export const browser = await chromium.launch({ executablePath, args: FLAGS });
export let failed = 0;

/** The context of all tests without options, one after another. A new one would compile the scripts of the page anew. */
let shared;

/** Opens an empty page in a context that remembers nothing. */
async function emptyPage(options) {
  const isShared = Object.keys(options).length === 0;
  if (isShared) shared ??= await browser.newContext(DEFAULTS);
  const page = await (isShared ? shared : await browser.newContext({ ...DEFAULTS, ...options })).newPage();
  if (isShared) {
    const client = await page.context().newCDPSession(page);
    await client.send("Storage.clearDataForOrigin", { origin: new URL(address).origin, storageTypes: "all" });
    await client.detach();
  }
  return page;
}

async function close(page) {
  const context = page.context();
  await (context === shared ? Promise.all(context.pages().map((open) => open.close())) : context.close());
}

/**
 * Runs a test on a new page. Errors of the page fail the test. With the environment variable ONLY, only tests whose
 * names contain it run.
 */
export async function test(name, options, work) {
  if (!name.includes(process.env.ONLY ?? "")) return;
  const page = await emptyPage(options);
  page.setDefaultTimeout(20000);
  const errors = [];
  const failures = new Set();
  page.on("pageerror", (error) => errors.push(error.stack));
  page.on("response", (response) => response.status() >= 400 && failures.add(response.status()));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) errors.push(message.text());
  });
  const started = Date.now();
  try {
    await work(page);
    assert.deepEqual(errors, []);
    assert.deepEqual([...failures].filter((status) => status !== 422), []);
    console.log(`ok    ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack}\n${errors.join("\n")}`);
    if (shots) await page.screenshot({ path: join(shots, `failed-${failed}.png`), fullPage: true });
  }
  await close(page);
}

export const shot = (page, name, fullPage = false) => (
  shots && page.screenshot({ path: join(shots, `${name}.png`), fullPage }));
export const visit = async (page, fragment = "") => {
  await page.goto(`${address}#${fragment}`);
  // A visit of the page that is open changes the game without loading the page again.
  await ready(page);
};
/** Visits a game between two people, in which no engine moves before the test does. */
export const visitAsPeople = async (page, fragment) => {
  const key = `morello players ${new URLSearchParams(fragment).get("game")}`;
  const people = JSON.stringify({ black: "person", white: "person" });
  if (page.url().startsWith(address)) {
    await page.evaluate(([key, people]) => { localStorage[key] = people; }, [key, people]);
  } else {
    // It runs at each load, and players that the test has chosen remain.
    await page.addInitScript(([key, people]) => { localStorage[key] ??= people; }, [key, people]);
  }
  await visit(page, fragment);
};
/** Waits until the page shows a game: then the entry in the history names it. */
export const ready = async (page) => {
  await page.waitForSelector("#board svg");
  await page.waitForFunction(() => Boolean(history.state?.id));
};
export const reload = async (page) => {
  await page.reload();
  await ready(page);
};
export const at = (page, point) => page.locator(`[data-point="${point}"]`);
export const label = (page, point) => at(page, point).getAttribute("aria-label");
export const status = (page) => page.locator("#status").innerText();
/** Waits until the text of an element matches. */
export const reads = (page, selector, { source, flags }) => page.waitForFunction(([selector, source, flags]) => (
  new RegExp(source, flags).test(document.querySelector(selector)?.textContent ?? "")), [selector, source, flags]);
export const says = (page, pattern) => reads(page, "#status", pattern);
export const moves = (page) => page.locator("#moves button").allInnerTexts();
export const play = (page, side, who) => page.locator(`#player-${side}`).selectOption(who);
/** Starts a game with the dialog; what is not named stays as it was chosen last. */
export async function start(page, choices = {}) {
  const before = await page.evaluate(() => history.state.id);
  await page.locator("#new").click();
  for (const [name, value] of Object.entries(choices)) {
    const button = page.locator(`#start-dialog input[name="${name}"][value="${value}"]`);
    if (await button.count()) await button.check({ force: true });
    else await page.locator(`#start-more-${name}`).selectOption(value);
  }
  await page.locator("#start-do").click();
  await page.locator("#start-dialog").waitFor({ state: "detached" });
  await page.waitForFunction((before) => history.state.id !== before, before);
}
/** Clicks a button of the header, which is in a menu where the window is narrow. */
export async function choose(page, id) {
  if (!await page.locator(`#${id}`).isVisible()) await page.locator("#more").click();
  await page.locator(`#${id}`).click();
}
export const tab = (page, name) => page.locator(`#tab-${name}`).click();
export const evaluate = async (page) => {
  await tab(page, "analysis");
  await page.locator("#evaluate").click();
};
export const review = async (page) => {
  await tab(page, "review");
  await page.locator("#chart").click();
};
/** Chooses a language in the settings. */
export const speak = async (page, language) => {
  await choose(page, "settings");
  await page.locator("#language").selectOption(language);
};
export const fragment = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
export const bothHuman = async (page) => {
  await play(page, "black", "person");
  await play(page, "white", "person");
};
export const click = async (page, ...points) => {
  for (const point of points) await at(page, point).click();
};
/** Waits until a number of elements match. */
export const elements = (page, selector, number) => page.waitForFunction(([selector, number]) => (
  document.querySelectorAll(selector).length === number), [selector, number]);
export const count = (page, plies) => elements(page, "#moves button", plies);

/** What the status and the board show, or whether that differs from what they showed before. */
const shown = (before) => {
  const parts = [...document.querySelectorAll("#status, .point, .point *")];
  const now = parts.map((part) => (part.id ? part.textContent : part.getAttribute("class"))).join();
  return before === undefined ? now : now !== before;
};

/** Plays by clicking until the game is over. `pick` chooses among the points that can be selected. */
export async function playToTheEnd(page, pick) {
  // Of 12 random games of nine men's morris, the longest took 694 clicks.
  for (let clicks = 0; clicks < 5000; clicks += 1) {
    await page.waitForFunction(() => /over|wins|draw/.test(document.getElementById("status").textContent.toLowerCase())
      || document.querySelector(".point.open"));
    const text = await status(page);
    if (/wins|draw/i.test(text)) return text;
    const open = await page.locator(".point.open").evaluateAll((points) => points.map((point) => point.dataset.point));
    if (!open.length) continue;
    const before = await page.evaluate(shown);
    await at(page, pick(open, clicks)).click({ timeout: 3000 }).catch(() => {});
    await page.waitForFunction(shown, before, { timeout: 3000 }).catch(() => {});
  }
  throw new Error("the game is not over after 5000 clicks");
}

/** A reproducible random choice. */
export const randomPick = (seed) => (open) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return open[Math.floor((seed / 2147483648) * open.length)];
};
