import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.mjs";

const { partsOf } = await import("../../src/web/page/board-marks.js");
const { differences, slide } = await import("../../src/web/page/board-motion.js");

const [B, W, _] = ["black", "white", null];

test("the last move came from a point, went to one and removed men", () => {
  assert.deepEqual(partsOf({ points: [2] }, [_, _, W]), { from: [], to: 2, captured: [] });
  assert.deepEqual(partsOf({ points: [0, 2] }, [_, _, W]), { from: [0], to: 2, captured: [] });
  assert.deepEqual(partsOf({ points: [2, 1] }, [_, _, W]), { from: [], to: 2, captured: [1] });
  assert.deepEqual(partsOf({ points: [0, 2, 1] }, [_, _, W]), { from: [0], to: 2, captured: [1] });
});

test("a man slides where its side lost a point and has another", () => {
  const found = (before, after) => slide(before, after, differences(before, after));
  assert.deepEqual(found([W, _, B], [_, W, B]), { from: 0, to: 1 });
  // With a man that is removed, and with one that comes back when the move is undone.
  assert.deepEqual(found([W, _, B], [_, W, _]), { from: 0, to: 1 });
  assert.deepEqual(found([_, W, _], [W, _, B]), { from: 1, to: 0 });
  assert.equal(found([_, _, B], [W, _, B]), undefined);
  assert.equal(found([W, B, _], [B, B, B]), undefined);
});

test("boards of different games have nothing in common", () => {
  assert.deepEqual(differences([W, B], [W, B, _]), []);
  assert.deepEqual(differences([W, B, _], [B, B, W]), [0, 2]);
});
