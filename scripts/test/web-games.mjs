// Tests that no game is lost: variations, recent games, undo, the history of the browser, set-up and messages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  PHONE, address, at, bothHuman, choose, click, count, elements, evaluate, fragment, label, moves, play,
  reads, says, speak, start, status, test, visit, visitAsPeople,
} from "./web-harness.mjs";

const OPENING = "f5.d6.c3.d3.c4.f4.f6.g5.e6.d7.e3.c5.f3.e7";
const shownPly = (page, ply) => page.waitForFunction((ply) => {
  const fields = new URLSearchParams(location.hash.slice(1));
  return Number(fields.get("ply") ?? (fields.get("moves") ?? "").split(".").filter(Boolean).length) === ply;
}, ply);
const contrast = (page, one, other) => page.evaluate(([one, other]) => {
  const style = (selector, name) => getComputedStyle(document.querySelector(selector)).getPropertyValue(name);
  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const linear = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = color.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  // The first color may be translucent, above the other one.
  const ground = parts(style(...other)).slice(0, 3);
  const [red, green, blue, opacity = 1] = parts(style(...one));
  const above = [red, green, blue].map((part, at) => part * opacity + ground[at] * (1 - opacity));
  const [light, dark] = [luminance(above), luminance(ground)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}, [one, other]);

await test("save writes the whole game from any position of it", {}, async (page) => {
  await visit(page, `game=othello&moves=${OPENING}&ply=10`);
  await choose(page, "save");
  await page.locator("#save-format").selectOption("transcript");
  const text = `${OPENING.replaceAll(".", "")}\n`;
  await page.waitForFunction((text) => document.getElementById("save-text").value === text, text);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-do").click()]);
  assert.equal(readFileSync(await saved.path(), "utf8"), text);
});

await test("a move in the middle of a game begins a variation", {}, async (page) => {
  await visitAsPeople(page, `game=othello&moves=${OPENING}&ply=2`);
  await click(page, "c4");
  await count(page, 15);
  assert.deepEqual(await page.locator("#moves li.variation button").allInnerTexts(), ["c4"]);
  assert.equal(fragment(page).get("moves"), "f5.d6.c4");
  // The old line is still there.
  await page.locator("#moves button", { hasText: "e7" }).click();
  await shownPly(page, 14);
  assert.equal(fragment(page).get("moves"), OPENING);
  await page.locator("#moves li.variation button").click();
  await shownPly(page, 3);
  await page.locator("#promote").click();
  assert.deepEqual((await page.locator("#moves li.variation button").allInnerTexts()).slice(0, 2), ["c3", "d3"]);
  await page.locator("#undo").click();
  await elements(page, "#moves li.variation button", 1);
  // A deleted line comes back.
  await page.locator("#delete").click();
  await count(page, 14);
  await says(page, /Deleted 1 move/);
  await page.locator("#undo").click();
  await count(page, 15);
  await page.reload();
  await count(page, 15);
});

await test("a new game and another game keep the old one", {}, async (page) => {
  await visitAsPeople(page, `game=othello&moves=${OPENING}`);
  await start(page);
  await count(page, 0);
  await page.locator("#undo").click();
  await count(page, 14);
  await start(page, { game: "three-mens-morris" });
  await at(page, "b2").waitFor();
  await bothHuman(page);
  await click(page, "b2");
  await count(page, 1);
  await choose(page, "recent");
  const entries = page.locator("#recent-list li");
  assert.equal(await entries.count(), 2);
  const text = await entries.nth(1).innerText();
  assert.match(text, /^Othello: .* – .*\n.*14 plies/s);
  await entries.nth(1).locator(".delete").click();
  assert.equal(await entries.count(), 1);
  await page.locator("#recent-undo").click();
  assert.equal(await entries.count(), 2);
  await entries.filter({ hasText: "Othello" }).locator("button").first().click();
  await count(page, 14);
});

await test("the browser goes back and forward", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await click(page, "f5");
  await count(page, 1);
  await click(page, "d6");
  await count(page, 2);
  await page.goBack();
  await shownPly(page, 1);
  await page.goForward();
  await shownPly(page, 2);
  await start(page);
  await count(page, 0);
  await page.goBack();
  await count(page, 2);
  assert.equal(fragment(page).get("moves"), "f5.d6");
});

await test("a mill waits for the man to remove", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris&moves=d2.a1.d1.a4");
  await click(page, "d3", "g7");
  await says(page, /First choose a black man to remove/);
  assert.match(await label(page, "d3"), /selected/);
  await click(page, "a4");
  await count(page, 5);
});

await test("the empty squares of a finished game are explained", {}, async (page) => {
  // After a1 neither side can move to d1.
  await visitAsPeople(page, `game=othello-4x4&start=${encodeURIComponent("-OX-XXXXXXXXXOXX X")}`);
  await click(page, "a1");
  await says(page, /Black wins 15–1: 1 empty square to the winner\./);
});

await test("set-up updates the notation and the counts, and rejects an empty board", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5");
  await evaluate(page);
  await page.waitForSelector("#evaluation .score");
  await choose(page, "arrange");
  assert.equal(await page.locator("#evaluation .score").count(), 0);
  await click(page, "a1");
  await page.waitForFunction(() => document.getElementById("setup-text").value.startsWith("X"));
  assert.equal(await page.locator("#count-black").innerText(), "5");
  await page.locator("#setup-clear").click();
  await reads(page, "#setup .error", /board is empty/);
  await page.locator("#setup-done").click();
  await reads(page, "#setup .error", /board is empty/);
  await page.locator("#setup-start").click();
  await page.locator("#setup-done").click();
  await says(page, /Black to move/);
  await page.locator("#undo").click();
  await count(page, 1);
});

await test("on a phone the brushes of a set-up stay beside the board", PHONE, async (page) => {
  await visit(page, "game=nine-mens-morris");
  await choose(page, "arrange");
  const inside = await page.evaluate(() => ["#board", "#setup .brushes"].map((selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return box.top >= -1 && box.bottom <= innerHeight + 1;
  }));
  assert.deepEqual(inside, [true, true]);
});

for (const theme of ["classic", "slate", "light"]) {
  await test(`men, marks, lines and coordinates stand out: ${theme}`, {}, async (page) => {
    await visit(page, "game=othello");
    await page.evaluate((theme) => { document.documentElement.dataset.board = theme; }, theme);
    // White men of the light theme stand out by their edges.
    const white = theme === "light" ? [[".rim-white", "stroke"]]
      : [[".stop-white", "stop-color"], [".stop-white-low", "stop-color"]];
    const men = [[".stop-black", "stop-color"], [".stop-black-low", "stop-color"], ...white];
    const check = async (marks) => {
      for (const mark of marks) {
        const ratio = await contrast(page, mark, [".ground", "fill"]);
        assert.ok(ratio >= 3, `${mark}: ${ratio}`);
      }
      assert.ok(await contrast(page, [".label", "fill"], [".frame", "fill"]) >= 4.5);
    };
    await check([...men, [".target", "fill"], [".grid", "stroke"], [".star", "fill"]]);
    await visit(page, "game=nine-mens-morris");
    await page.locator(".crossings .target").first().waitFor();
    await check([...men, [".target", "fill"], [".edge", "stroke"], [".dot", "fill"]]);
  });
}

const MOVING = `game=nine-mens-morris&start=${encodeURIComponent("0,0 a7,d7,g4,f2,d5 a1,b2,c3,f4,d1 W")}`;
/** The center of a point on the screen. */
const center = async (page, point) => {
  const { x, y, width, height } = await at(page, point).locator(".cell").boundingBox();
  return [x + width / 2, y + height / 2];
};
const drag = async (page, from, to) => {
  await page.mouse.move(...await center(page, from));
  await page.mouse.down();
  await page.mouse.move(...await center(page, to), { steps: 5 });
};
/** How many marks of a kind there are. */
const marks = (page, kind) => page.locator(`#board [data-mark="${kind}"]`).count();

await test("men are dragged with a mouse", {}, async (page) => {
  await visitAsPeople(page, MOVING);
  // While a man is held, its targets are shown and the one below it is marked.
  await drag(page, "g4", "g7");
  await page.locator(".dragged").waitFor();
  assert.equal(await marks(page, "target"), 2);
  assert.equal(await page.locator(".point.over").getAttribute("data-point"), "g7");
  await page.mouse.up();
  await says(page, /Mill! Choose a black man to remove/);
  // The dropped man is there, does not slide again, and cannot be dragged any more.
  assert.equal(await page.locator(".moving .piece").count(), 0);
  assert.equal(await at(page, "g7").locator(".piece.white").count(), 1);
  assert.equal(await page.locator(".point.movable").count(), 0);
  await click(page, "f4");
  await count(page, 1);
  assert.deepEqual(await moves(page), ["g4-g7xf4"]);
  // A point that is no target, the room beside the board and Escape cancel.
  const cancelled = async () => {
    await elements(page, ".away", 0);
    assert.equal(await page.locator('#board [aria-selected="true"]').count(), 0);
    assert.equal(await page.locator(".moving .piece").count(), 0);
  };
  await drag(page, "b2", "c4");
  await page.mouse.up();
  await cancelled();
  await drag(page, "b2", "b4");
  await page.mouse.move(2, 2);
  await page.mouse.up();
  await cancelled();
  await drag(page, "b2", "b4");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await cancelled();
  assert.equal((await moves(page)).length, 1);
  // A click with an unsteady hand selects.
  const [x, y] = await center(page, "b2");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 7, y + 2, { steps: 3 });
  await page.mouse.up();
  await page.locator('[data-point="b2"][aria-selected="true"]').waitFor();
  await drag(page, "b2", "b4");
  await page.mouse.up();
  await count(page, 2);
});

await test("men are dragged with a finger, and the page scrolls beside them", PHONE, async (page) => {
  await visitAsPeople(page, MOVING);
  await page.locator("#board").scrollIntoViewIfNeeded();
  const client = await page.context().newCDPSession(page);
  const touch = async (type, points) => client.send("Input.dispatchTouchEvent", {
    type, touchPoints: points.map(([x, y]) => ({ x, y, id: 1 })),
  });
  const swipe = async ([x, y], [toX, toY]) => {
    await touch("touchStart", [[x, y]]);
    for (let step = 1; step <= 6; step += 1) {
      await touch("touchMove", [[x + ((toX - x) * step) / 6, y + ((toY - y) * step) / 6]]);
    }
  };
  const scrolled = () => page.evaluate(() => scrollY);
  const before = await scrolled();
  await swipe(await center(page, "g4"), await center(page, "g7"));
  await page.locator(".dragged").waitFor();
  await touch("touchEnd", []);
  await says(page, /Mill! Choose a black man to remove/);
  assert.equal(await scrolled(), before);
  await at(page, "f4").tap();
  await count(page, 1);
  // A tap selects, and another one moves.
  await at(page, "b2").tap();
  await page.locator('[data-point="b2"][aria-selected="true"]').waitFor();
  await at(page, "b4").tap();
  await count(page, 2);
  // An empty point does not hold the page.
  const [x, y] = await center(page, "d2");
  await swipe([x, y], [x, y - 150]);
  await touch("touchEnd", []);
  await page.waitForFunction((before) => scrollY !== before, before);
});

await test("the men to remove are marked, with the mill that removes one", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris-flying&moves=d2.a1.d1.a4");
  await click(page, "d3");
  await page.locator("#board .capturable").first().waitFor();
  assert.equal(await marks(page, "capturable"), 2);
  assert.equal(await marks(page, "mill"), 1);
  assert.equal(await marks(page, "mill-man"), 3);
  assert.match(await at(page, "a4").evaluate((point) => getComputedStyle(point).cursor), /crosshair/);
  await click(page, "a4");
  await count(page, 5);
  for (const kind of ["capturable", "mill", "mill-man"]) assert.equal(await marks(page, kind), 0);
  assert.equal(await marks(page, "captured"), 1);
  assert.equal(await marks(page, "to"), 1);
});

await test("two boards in a page share no ids, and the printed one has its men", {}, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris&moves=d2.f4.d6");
  await page.locator("#save").click();
  await page.locator("#image-sheet").click();
  await page.locator(".sheet-board svg").waitFor();
  const { ids, missing } = await page.evaluate(() => {
    const ids = [...document.querySelectorAll("svg [id]")].map(({ id }) => id);
    const sheet = document.querySelector(".sheet-board svg");
    const used = [...sheet.outerHTML.matchAll(/(?:url\(#|href="#)(\w+)/g)].map(([, id]) => id);
    return { ids, missing: used.filter((id) => !sheet.querySelector(`#${id}`)) };
  });
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(missing, []);
  assert.equal(await page.locator('.sheet-board use[href$="_white"]').count(), 2);
  // The board is one stop of the Tab key: its image itself has none.
  assert.equal(await page.locator('#board [tabindex="0"]').count(), 1);
  assert.equal(await page.locator("#board svg").evaluate((svg) => {
    svg.focus();
    return document.activeElement === svg;
  }), false);
  // The pictures of the rules neither take the focus nor swallow Escape.
  await page.locator("#sheet-dialog-close").click();
  await page.locator("#rules").click();
  await page.locator("#rules-dialog .picture").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#rules-dialog").waitFor({ state: "detached" });
});

await test("steps leave no moving men behind", {}, async (page) => {
  await visit(page, `game=othello&moves=${OPENING}`);
  await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 14);
  await page.locator("h1").click();
  for (const key of ["Home", "End", "ArrowLeft", "ArrowLeft", "ArrowRight"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(90);
  }
  await shownPly(page, 13);
  await elements(page, ".moving .piece", 0);
  assert.equal(await page.locator("#board .point .piece").count(), 17);
});

await test("an evaluation reports that the server is gone", {}, async (page) => {
  await visitAsPeople(page, "game=lasker-morris&moves=d2.f4");
  await page.route("**/api/analyze", (route) => route.abort());
  await evaluate(page);
  await reads(page, "#evaluation", /The evaluation stopped: The server does not respond/);
  assert.match(await status(page), /does not respond/);
});

await test("keys navigate, undo, flip and type moves", {}, async (page) => {
  await visitAsPeople(page, "game=othello");
  await page.locator("h1").click();
  await page.keyboard.type("f5");
  await count(page, 1);
  // After a click on the board the arrow keys go through the game.
  await click(page, "d6");
  await count(page, 2);
  await page.keyboard.press("ArrowLeft");
  await shownPly(page, 1);
  await page.keyboard.press("Home");
  await shownPly(page, 0);
  await page.keyboard.press("End");
  await shownPly(page, 2);
  await page.keyboard.press("Control+z");
  await shownPly(page, 1);
  await page.keyboard.press("Control+y");
  await shownPly(page, 2);
  const { y: before } = await at(page, "a1").boundingBox();
  const isMoved = (least, most) => page.waitForFunction(([before, least, most]) => {
    const distance = document.querySelector('[data-point="a1"]').getBoundingClientRect().y - before;
    return distance > least && distance < most;
  }, [before, least, most]);
  await page.keyboard.press("f");
  await isMoved(50, Infinity);
  await page.keyboard.press("F");
  await isMoved(-3, 3);
  await page.keyboard.type("a1");
  await page.keyboard.press("Enter");
  await says(page, /Illegal move a1: it flips no disc/);
  await page.keyboard.press("?");
  await page.locator("#keys-dialog").waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(await moves(page), ["f5", "d6"]);
});

await test("the moves of the book are shown, and can be played", {}, async (page) => {
  await visitAsPeople(page, "game=othello&moves=f5");
  await evaluate(page);
  const book = page.locator("#book button");
  await book.first().waitFor();
  assert.match(await book.first().innerText(), /^[df]6 [+−]?\d+$/);
  const [move] = (await book.first().innerText()).split(" ");
  await book.first().click();
  await count(page, 2);
  assert.deepEqual(await moves(page), ["f5", move]);
  await visit(page, "game=morabaraba");
  assert.equal(await book.count(), 0);
});

await test("the page in German", { locale: "de-DE" }, async (page) => {
  await visitAsPeople(page, "game=nine-mens-morris-flying&moves=d2.a1.d1.a4");
  assert.equal(await page.locator("#new").innerText(), "Neue Partie");
  await click(page, "d3");
  await says(page, /Mühle! Nimm einen Stein von Schwarz/);
  await click(page, "a4");
  await says(page, /Schwarz ist am Zug/);
  await click(page, "d2");
  await says(page, /ist besetzt/);
  await speak(page, "en");
  await page.waitForFunction(() => document.getElementById("new")?.textContent === "New game");
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
});

await test("named levels play, and their choice is kept", {}, async (page) => {
  await visit(page, "game=othello");
  await play(page, "white", "novice");
  await click(page, "f5");
  await says(page, /White \(Novice\) is thinking|Your move/);
  await count(page, 2);
  await page.reload();
  await page.waitForSelector("#player-white");
  assert.equal(await page.locator("#player-white").inputValue(), "novice");
});

/** Makes the server name a game that the page does not know: nine men's morris, described anew and without a hand. */
async function invent(page, invented) {
  const [known, name] = ["nine-mens-morris", invented.game].map((name) => `"game":"${name}"`);
  await page.route("**/api/**", async (route) => {
    const response = await route.fetch({ postData: route.request().postData()?.replace(name, known) });
    const body = (await response.text()).replaceAll(/"in_hand":\[[\d,]*\]/g, '"in_hand":null');
    const games = route.request().url().endsWith("/games") && JSON.parse(body);
    const added = games && { ...games.find(({ game }) => game === "nine-mens-morris"), ...invented };
    await route.fulfill({ response, body: games ? JSON.stringify([...games, added]) : body.replace(known, name) });
  });
}

await test("a variant that the page does not know is explained and played", {}, async (page) => {
  const names = ["place", "mill", "levitate", "fly", "end-mill", "move-limit"];
  const numbers = { place: 7, levitate: 4, "move-limit": 50 };
  await invent(page, {
    game: "giants-morris", title: "Giants’ morris", about: "A morris of giants",
    words: { piece: "giant", pieces: "giants", captures: "eats", captured: "eaten" },
    rules: names.map((name) => ({ name, number: numbers[name] ?? null })),
  });
  await visitAsPeople(page, "game=giants-morris");
  assert.equal(await page.title(), "Giants’ morris · morello");
  assert.equal(await page.locator("#rules").innerText(), "Giants’ morris");
  await page.locator("#rules").click();
  const dialog = page.locator("#rules-dialog");
  assert.deepEqual(await dialog.locator("h3").allInnerTexts(), ["Placing", "Mills", "Flying", "End", "50 moves"]);
  assert.match(await dialog.innerText(), /Rules: Giants’ morris[^]*Each side has 7 giants[^]*draw after 50 moves/);
  assert.doesNotMatch(await dialog.innerText(), /levitate|undefined|null|[{}]/);
  await page.locator("#rules-dialog-close").click();
  await dialog.waitFor({ state: "detached" });
  await click(page, "d2");
  await says(page, /Black to move/);
  assert.deepEqual(await moves(page), ["d2"]);
  assert.equal(fragment(page).get("game"), "giants-morris");
  // Games without a translation keep their title.
  await speak(page, "de");
  await page.locator("html[lang=de]").waitFor();
  await count(page, 1);
  assert.equal(await page.title(), "Giants’ morris · morello");
});

await test("a game of an unknown family is explained as far as the page knows its rules", {}, async (page) => {
  const points = [0, 1].map((column) => ({ name: `z${column + 8}`, row: 0, column }));
  await invent(page, {
    game: "war", title: "War", about: "A war", rules: [{ name: "march", number: null }, { name: "mill", number: null }],
    words: { piece: "soldier", pieces: "soldiers", captures: "captures", captured: "captured" },
    layout: { rows: 1, columns: 2, points, lines: [] },
  });
  await visit(page, "game=war");
  await page.locator("#rules").click();
  assert.deepEqual(await page.locator("#rules-dialog h3").allInnerTexts(), ["Mills"]);
  assert.equal(await page.locator("#rules-dialog .picture").count(), 0);
});

await test("errors of the server have texts in German", { locale: "de-DE" }, async (page) => {
  await visit(page);
  const MILL = { game: "nine-mens-morris", start: "0,0 a7,d7,g4,g7 a1,b2,c3,f4 W" };
  const game = "othello";
  const errors = await Promise.all([
    ["move", { game, move: "hello" }], ["move", { game, move: "a1" }], ["move", { game, move: "e4" }],
    ["move", { game, touched: [27] }], ["move", { game: "othello-4x4", start: `${"X".repeat(16)} X`, move: "a1" }],
    ["move", { game: "nine-mens-morris", touched: [0, 1] }],
    ["move", { game: "nine-mens-morris", moves: ["d2"], move: "d2" }],
    ["move", { ...MILL, touched: [1, 20] }], ["move", { ...MILL, touched: [2] }], ["move", { ...MILL, touched: [4] }],
    ["view", { game, moves: ["f5", "f5"] }], ["view", { game, moves: ["zz"] }], ["view", { game, start: "hello" }],
    ["view", { game: "chess" }], ["view", { game, start: "x".repeat(1 << 16) }], ["load", { game, text: "" }],
    ["load", { game, text: "hello" }], ["arrange", { game, pieces: Array(64).fill(null), side: "black" }],
  ].map(async ([path, body]) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${address}api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  }));
  // What is left out of a file is told in the same way.
  const headers = { "content-type": "application/octet-stream" };
  const body = "Tiger: f5d6c3\nf5d6c3f3f4d3c4g6f6e6\nc5c6d7d8e7g5e3d2g4h3\n";
  const file = await fetch(`${address}api/open/othello/0`, { method: "POST", headers, body });
  errors.push(...(await file.json()).games.flatMap(({ notes = [] }) => notes));
  assert.ok(errors.length > 18);
  const codes = (error) => (error ? [error.code, ...codes(error.cause)] : []);
  assert.ok(!errors.flatMap(codes).some((code) => !code || code === "other"));
  const texts = await page.evaluate(async (errors) => {
    const { errorText } = await import("./language.js");
    return errors.map(errorText);
  }, errors);
  assert.equal(texts[1], "ungültiger Zug `a1`: er dreht keinen Stein um");
  assert.ok(texts.some((text) => /ignoriert, weil nicht verstanden: `Tiger`/.test(text)));
});
