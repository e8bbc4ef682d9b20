import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, lostIn, mainEnd, movesFor } from "../../src/web/page/export-text.js";
import { MoveNode } from "../../src/web/page/tree.js";

const sideAt = (ply) => (ply % 2 ? "white" : "black");

/** A tree with an evaluation, a mistake, comments and a variation. */
function annotated() {
  const root = MoveNode.parse("{start} f5 d6 (f6 {b} e6) c3");
  const [f5, d6] = [root.find(["f5"]), root.find(["f5", "d6"])];
  Object.assign(f5, { thought: { side: "white", lines: [{ score: { points: 2.504 } }] }, severity: "inaccuracy" });
  d6.thought = { side: "white", lines: [{ score: { points: -0.001 } }] };
  return root;
}

test("moves are written with marks, and with evaluations for the side that moved", () => {
  const root = annotated();
  const all = "{start} f5?! {-2.5} d6 {+0} (f6 {b} e6) c3";
  assert.equal(movesFor(root, mainEnd(root), "pgn", sideAt), all);
  assert.equal(movesFor(root, root.find(["f5", "f6"]), "ggf", sideAt), "f5?! {-2.5} f6");
});

test("what a format cannot hold is named", () => {
  const root = annotated();
  assert.deepEqual(lostIn(root, "pgn"), []);
  assert.deepEqual(lostIn(root, "sgf"), ["marks"]);
  assert.deepEqual(lostIn(root, "ggf"), ["variations", "comments", "marks"]);
  assert.deepEqual(lostIn(root, "transcript"), ["variations", "comments", "evaluations", "marks"]);
  assert.deepEqual(lostIn(MoveNode.parse("f5 d6"), "transcript"), []);
});

test("files are named after the players or the game, and the date", () => {
  const game = { names: ["Anna", "Bob/2"], title: "Othello", date: "2024-05-01" };
  assert.equal(fileName(game, "playok"), "Anna - Bob_2 2024-05-01.pgn");
  assert.equal(fileName({ ...game, names: ["", "Bob"], date: "" }, "transcript"), "Othello.txt");
});
