import assert from "node:assert/strict";
import { test } from "node:test";
import { closedMills, millsThrough } from "../../src/web/page/mills.js";

/** Two squares of nine men's morris, and the points between them: enough for lines with a gap. */
const NAMES = ["a7", "d7", "g7", "b6", "d6", "f6", "a4", "b4", "f4", "g4"];
const points = NAMES.map((name) => ({ name, row: 7 - Number(name[1]), column: name.charCodeAt(0) - 97 }));
const at = (name) => NAMES.indexOf(name);
const lines = [
  "a7 d7", "d7 g7", "b6 d6", "d6 f6", "a7 a4", "b6 b4", "a4 b4", "f6 f4", "f4 g4", "g7 g4", "d7 d6", "a7 b6",
].map((line) => line.split(" ").map(at));
const layout = { rows: 7, columns: 7, points, lines };

test("a mill is three points in a line, each joined to the next", () => {
  const names = (mills) => mills.map((mill) => mill.map((point) => NAMES[point]).join(" "));
  assert.deepEqual(names(millsThrough(layout, at("d7"))), ["a7 d7 g7"]);
  assert.deepEqual(names(millsThrough(layout, at("a4"))), []);
  assert.deepEqual(names(millsThrough(layout, at("b4"))), []);
});

test("only mills of the side on the point are closed", () => {
  const pieces = NAMES.map((name) => (["a7", "d7", "g7"].includes(name) ? "white" : null));
  assert.deepEqual(closedMills(layout, pieces, at("g7")), ["a7", "d7", "g7"].map(at));
  pieces[at("d7")] = "black";
  assert.deepEqual(closedMills(layout, pieces, at("g7")), []);
  assert.deepEqual(closedMills(layout, pieces, at("b6")), []);
});
