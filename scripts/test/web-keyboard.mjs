// Tests of the page with the keyboard alone: the focus is never lost, and whole games are played.

import assert from "node:assert/strict";
import { PHONE, count, reads, says, start, test, visit, visitAsPeople } from "./web-harness.mjs";

/** What has the focus: an id, a point of the board, or another element. */
const focused = (page) => page.evaluate(() => {
  const { activeElement: element } = document;
  return element.id || element.dataset?.point || element.tagName.toLowerCase();
});
/** Presses a button with Enter. */
const press = async (page, selector) => {
  await page.locator(selector).focus();
  await page.keyboard.press("Enter");
};
const keeps = async (page, place) => {
  await page.waitForTimeout(60);
  assert.doesNotMatch(await focused(page), /^(body|html)$/, place);
};

await test("the focus is never lost", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5.d6.c3");
  const ids = "back back back next last first next undo redo redo redo hints flip".split(" ");
  for (const id of ids) {
    if (await page.locator(`#${id}`).isDisabled()) continue;
    await press(page, `#${id}`);
    await keeps(page, id);
  }
  while (!await page.locator("#undo").isDisabled()) {
    await press(page, "#undo");
    await keeps(page, "undo to the start");
  }
  await page.locator("#last").click();
  await press(page, "#moves button >> nth=1");
  await reads(page, "#moves [aria-current]", /^d6$/);
  await keeps(page, "a move of the list");
  await page.locator("#tab-moves").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(page), "tab-analysis");
  await press(page, "#evaluate");
  await keeps(page, "evaluate");
  await page.waitForSelector("#evaluation .score");
  await press(page, "#deeper");
  await keeps(page, "deeper");
  await press(page, "#evaluate");
  await page.locator("#tab-analysis").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(page), "tab-review");
  await press(page, "#chart");
  await keeps(page, "review begins");
  await page.locator("table.review").waitFor();
  await keeps(page, "review is finished");
  await start(page, { opponent: "beginner", side: "first" });
  await keeps(page, "a new game");
  await page.keyboard.type("f5");
  await count(page, 2);
  await press(page, "#resign");
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "resign");
  await press(page, "#resign");
  await press(page, "#resign-do");
  await page.locator("#result-dialog").waitFor();
  await page.keyboard.press("Escape");
  await keeps(page, "result");
  await press(page, "#arrange");
  await page.locator("#setup-text").focus();
  await page.keyboard.type("a");
  assert.match(await page.locator("#setup-text").inputValue(), /a/);
  await press(page, "#setup-cancel");
  await keeps(page, "set-up");
  await press(page, "#practice");
  await press(page, "#practice-do");
  await page.locator("#practice-text").waitFor();
  await keeps(page, "practice begins");
  await press(page, "#practice-end");
  await keeps(page, "practice ends");
});

for (const [name, options] of [["window", {}], ["phone", PHONE]]) {
  await test(`a closed dialog gives the focus back: ${name}`, options, async (page) => {
    await visit(page, "game=othello&moves=f5.d6.c3");
    const isPhone = name === "phone";
    for (const [id, dialog] of [
      ["new", "start"], ["rules", "rules"], ["load", "load"], ["save", "save"], ["practice", "practice"],
      ["recent", "recent"], ["settings", "settings"],
    ]) {
      for (const close of ["Escape", "button"]) {
        const isInMenu = isPhone && !["new", "rules"].includes(id);
        if (isInMenu) await press(page, "#more");
        await press(page, `#${id}`);
        await page.locator(`#${dialog}-dialog`).waitFor();
        if (close === "Escape") await page.keyboard.press("Escape");
        else await press(page, `#${dialog}-dialog-close`);
        await page.locator(`#${dialog}-dialog`).waitFor({ state: "detached" });
        assert.equal(await focused(page), isInMenu ? "more" : id, `${dialog} closed by ${close}`);
      }
    }
  });
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 100; presses += 1) {
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} is not reached, but ${await focused(page)}`);
}
const enter = async (page, selector) => {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
};
/** Chooses a value of a group of radio buttons, or of the list below them, with the arrows. */
async function pickValue(page, name, value) {
  const isButton = await page.locator(`input[name=${name}][value="${value}"]`).count() > 0;
  await tabTo(page, isButton ? `input[name=${name}]` : `#start-more-${name}`);
  const isChosen = () => page.evaluate((value) => document.activeElement.value === value, value);
  for (let presses = 0; presses < 20 && !await isChosen(); presses += 1) {
    await page.keyboard.press(isButton ? "ArrowRight" : "ArrowDown");
  }
  assert.ok(await isChosen(), `${name} ${value}`);
}
/** Begins a game: who plays, and what. */
async function begin(page, game, opponent) {
  await visit(page);
  const before = await page.evaluate(() => history.state.id);
  await enter(page, "#new");
  await pickValue(page, "game", game);
  await pickValue(page, "opponent", opponent);
  await enter(page, "#start-do");
  await page.waitForFunction((before) => history.state.id !== before, before);
}
/** Saves the game, and returns its text. */
async function saved(page) {
  await enter(page, "#save");
  await page.waitForFunction(() => document.getElementById("save-text")?.value);
  const text = await page.locator("#save-text").inputValue();
  const [file] = await Promise.all([page.waitForEvent("download"), enter(page, "#save-do")]);
  assert.match(file.suggestedFilename(), /^(Othello|Nine men.s morris, no flying) [\d-]+\.(pgn|sgf)$/);
  return text;
}

await test("a game of Othello with the keyboard alone", {}, async (page) => {
  await begin(page, "othello", "person");
  const moves = "e6f4e3f6g5d6e7f5c5".match(/../g);
  for (const move of moves) {
    await page.keyboard.type(move);
    await count(page, moves.indexOf(move) + 1);
  }
  await says(page, /Black wins by 64 discs/);
  await enter(page, "#tab-moves");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await enter(page, "#chart");
  await page.locator("table.review").waitFor({ timeout: 60000 });
  assert.match(await saved(page), /1\. e6 [^]* f4 [^]* c5 /);
});

await test("a game of nine men's morris with the keyboard alone", {}, async (page) => {
  await begin(page, "nine-mens-morris", "beginner");
  await tabTo(page, "[data-point]");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await count(page, 2);
  await enter(page, "#resign");
  await enter(page, "#resign-do");
  await enter(page, "#result-review");
  await page.locator("table.review").waitFor({ timeout: 60000 });
  assert.match(await saved(page), /[a-g]\d/);
});
