import assert from "node:assert/strict";
import { test } from "node:test";
import { closedMills } from "../../src/web/page/mills.js";

const NAMES = ["a7", "d7", "g7", "b6", "d6", "g4"];
const at = (name) => NAMES.indexOf(name);
const layout = { mills: [["a7", "d7", "g7"], ["g7", "g4", "d6"]].map((mill) => mill.map(at)) };

test("only mills of the side on the point are closed", () => {
  const pieces = NAMES.map((name) => (["a7", "d7", "g7"].includes(name) ? "white" : null));
  assert.deepEqual(closedMills(layout, pieces, at("g7")), ["a7", "d7", "g7"].map(at));
  assert.deepEqual(closedMills(layout, pieces, at("b6")), []);
  pieces[at("d7")] = "black";
  assert.deepEqual(closedMills(layout, pieces, at("g7")), []);
});
