import "./browser.mjs";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, decimal, gameTitle, pieceWord, t } from "../../src/web/page/language.js";

const FOLDER = new URL("../../src/web/page/", import.meta.url);
const { en: { texts: english }, de: { texts: german } } = LANGUAGES;

test("texts are filled with values and words for numbers", () => {
  assert.equal(t("level", { level: 5 }), "Level 5");
  assert.equal(t("plies", { count: 1 }), "1 ply");
  assert.equal(t("plies", { count: 2 }), "2 plies");
  assert.equal(t("lostShort", {}), "loses ");
  assert.equal(t("no such key"), "no such key");
});

test("numbers are rounded as the server does", () => {
  assert.deepEqual([0.495, 0.505, -1.005, 2].map((number) => decimal(number, 2)), ["0.49", "0.51", "-1.00", "2.00"]);
  assert.equal(decimal(12345.6, 0), "12,346");
});

test("a text of the piece is preferred", () => {
  const piece = Object.keys(german).find((key) => key.startsWith("mill."));
  assert.ok(piece && !(piece in english));
  assert.equal(t("mill", { side: "black", piece: "cow" }, "cow"), t("mill", { side: "black", piece: "cow" }));
});

test("pieces and games without a translation have the words of the server", () => {
  assert.equal(pieceWord({ words: { piece: "cow", pieces: "cows" } }, 2), "cows");
  assert.equal(pieceWord({ words: { piece: "ox", pieces: "oxen" } }, 1), "ox");
  assert.equal(pieceWord({ words: { piece: "ox", pieces: "oxen" } }, 2), "oxen");
  assert.equal(gameTitle({ game: "draughts", title: "Draughts" }), "Draughts");
});

test("every text is in both languages, and takes the same values", () => {
  const names = (text) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);
  for (const key of Object.keys(english)) assert.ok(key in german, `${key} has no German text`);
  for (const [key, text] of Object.entries(german)) {
    // Special texts for a piece end with its name.
    const original = english[key] ?? english[key.slice(0, key.lastIndexOf("."))];
    assert.ok(original !== undefined, `${key} has no English text`);
    // Words for pieces may be in one of the two texts alone.
    const isForeign = (name) => !names(original).includes(name) && !["piece", "pieces"].includes(name);
    assert.deepEqual(names(text).filter(isForeign), [], key);
  }
});

test("every key of the modules and of the document has a text", () => {
  const used = readdirSync(FOLDER).filter((name) => /\.(js|html)$/.test(name) && !name.startsWith("texts-"))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, FOLDER), "utf8");
      return [...text.matchAll(/\bt\("([\w.]+)"|data-t(?:-\w+)?="([\w.]+)"/g)].map(([, one, other]) => one ?? other);
    });
  assert.ok(used.length > 100);
  assert.deepEqual([...new Set(used)].filter((key) => !(key in english)), []);
});

test("every reason of a bad move and every phase of a game has a text", () => {
  const source = (name) => readFileSync(new URL(`../../src/analysis/${name}.rs`, import.meta.url), "utf8");
  const names = (name) => [...source(name).matchAll(/Self::\w+(?:\(_\))? => "(\w+)"/g)].map(([, text]) => text);
  const keys = [...names("reason").map((name) => `reason.${name}`), ...names("collection/mistakes").map((name) => `phase.${name}`)];
  assert.ok(keys.length >= 16, `${keys}`);
  assert.deepEqual(keys.filter((key) => !(key in english && key in german)), []);
});
