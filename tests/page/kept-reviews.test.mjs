import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { keepReview, readReview } from "../../src/web/page/kept-reviews.js";
import { MoveNode } from "../../src/web/page/tree.js";

test("a review comes back with its game, unless the reviewed moves are gone", () => {
  const game = { id: "g", root: MoveNode.parse("f5 d6 c3") };
  const line = game.root.line();
  const score = { points: -4, exact: true, plies: null, text: "-4" };
  Object.assign(line[2], { loss: 3, severity: "blunder", reason: { name: "must_pass", point: null } });
  line[1].thought = { side: "white", lines: [{ score, moves: Array(20).fill("c3") }, { score, moves: [] }], depth: 9 };
  keepReview(game, { line, done: 4, summary: { sides: [] }, cut: false });
  const again = { id: "g", root: MoveNode.parse("f5 d6 (f6) c3") };
  const review = readReview(again);
  assert.deepEqual(review.line.map(({ move }) => move), [null, "f5", "d6", "c3"]);
  const { loss, severity, reason } = review.line[2];
  assert.deepEqual([loss, severity, reason.name, review.summary], [3, "blunder", "must_pass", { sides: [] }]);
  assert.deepEqual([review.line[1].thought.depth, review.line[1].thought.lines.length], [9, 1]);
  assert.equal(review.line[1].thought.lines[0].moves.length, 8);
  assert.equal(readReview({ id: "g", root: MoveNode.parse("f5 d6") }), null);
  assert.equal(readReview({ id: "h", root: MoveNode.parse("f5 d6 c3") }), null);
});
