import "./browser.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, errorText } from "../../src/web/page/language.js";

/** The codes of the service's errors with the names of their values: the variants of `Message`. */
const source = readFileSync(new URL("../../src/web/service/message.rs", import.meta.url), "utf8");
const body = source.slice(source.indexOf("pub enum Message {"));
const variants = [...body.matchAll(/^ {4}([A-Z]\w*)(?: \{ (.*) \})?,$/gm)];
const snakeCase = (name) => name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const codes = new Map(variants.map(([, name, fields = ""]) => (
  [snakeCase(name), [...fields.matchAll(/(\w+): /g)].map(([, field]) => field)])));
/** Values that are not written: they choose the text, and replace the name of a game. */
const SILENT = ["piece", "title"];

test("every code of an error has a text in both languages with exactly its values", () => {
  assert.ok(codes.size > 60);
  assert.equal(codes.size, body.match(/^ {4}[A-Z].*$/gm).length, "a variant is on one line");
  for (const { texts, name } of Object.values(LANGUAGES)) {
    for (const [code, values] of codes) {
      const written = values.filter((value) => !SILENT.includes(value)).sort();
      const found = Object.keys(texts).filter((key) => key === `error.${code}` || key.startsWith(`error.${code}.`));
      assert.ok(found.includes(`error.${code}`), `${name}: no text of ${code}`);
      for (const key of found) {
        const names = new Set([...texts[key].matchAll(/\{(\w+)/g)].map(([, value]) => value));
        assert.deepEqual([...names].sort(), written, `${name}: ${key}`);
      }
    }
    const known = Object.keys(texts).filter((key) => key.startsWith("error.")).map((key) => key.split(".")[1]);
    assert.deepEqual(known.filter((code) => !codes.has(code)), [], name);
  }
});

test("an error has the text of its code and of its causes", () => {
  const cause = { error: "the cow on a1 cannot move", code: "not_movable", values: { point: "a1", piece: "cow" } };
  const error = { error: "..", code: "at", values: { line: 2, column: 3 }, cause };
  assert.equal(errorText(error), "line 2, column 3: the cow on a1 cannot move");
  assert.equal(errorText({ error: "..", code: "wrong_side", values: { side: "black" } }), "Black is not to move");
  const unrecognized = { text: "x", game: "othello", title: "Othello", example: "f5" };
  assert.match(errorText({ error: "..", code: "unrecognized", values: unrecognized }), /position of Othello; try/);
});

test("an error without a known code has the text of the server", () => {
  assert.equal(errorText({ error: "it is late" }), "it is late");
  assert.equal(errorText({ error: "it is late", code: "a_new_code" }), "it is late");
});
