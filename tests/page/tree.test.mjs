import assert from "node:assert/strict";
import { test } from "node:test";
import { MoveNode } from "../../src/web/page/tree.js";

const read = (text) => {
  const root = new MoveNode();
  root.read(text);
  return root;
};

test("a tree is written and read with its variations", () => {
  for (const text of ["", "f5", "f5 d6 (f6 e6 (f4)) c3 (c4)", "a (b) (c e (f)) d"]) {
    assert.equal(read(text).write(), text);
  }
});

test("a damaged text gives a tree", () => {
  for (const text of ["(", ")", "f5 ) d6", "f5 ((d6", "f5 (d6) )"]) assert.ok(read(text).count() <= 2, text);
});

test("the line follows the node that was visited last", () => {
  const root = read("f5 d6 (f6 e6) c3");
  assert.deepEqual(root.line().map(({ move }) => move), [null, "f5", "d6", "c3"]);
  root.find(["f5", "f6"]).visit();
  assert.deepEqual(root.line().map(({ move }) => move), [null, "f5", "f6", "e6"]);
});

test("moves are added once", () => {
  const root = read("f5 d6");
  assert.equal(root.add(["f5", "d6"]), root.find(["f5", "d6"]));
  assert.equal(root.count(), 2);
  assert.deepEqual(root.add(["f5", "f6"]).moves(), ["f5", "f6"]);
  assert.equal(root.variations(), 1);
});

test("a promoted variation is the main line, and a removed one is gone", () => {
  const root = read("f5 d6 (f6 e6) c3");
  const node = root.find(["f5", "f6", "e6"]);
  assert.equal(node.variationStart().move, "f6");
  node.promote();
  assert.equal(root.write(), "f5 f6 (d6 c3) e6");
  assert.equal(node.variationStart(), undefined);
  root.find(["f5", "d6"]).remove();
  assert.equal(root.write(), "f5 f6 e6");
});

test("find ends where the moves leave the tree", () => {
  const root = read("f5 d6");
  assert.deepEqual(root.find(["f5", "f6", "e6"]).moves(), ["f5"]);
});

test("a line of a thousand plies is written and read", () => {
  const text = Array.from({ length: 1000 }, (_, at) => `m${at}`).join(" ");
  assert.equal(read(text).write(), text);
});

test("notes are written in braces, without any of their own", () => {
  const text = "{[%csl Ge5] start} f5 {[%csl Gd3,Re6][%cal Gf5f6] a {b} c} d6 (f6 {bad} e6) c3";
  const root = read(text.replace("{b}", "(b)"));
  assert.equal(root.comment, "start");
  const node = root.find(["f5"]);
  assert.deepEqual([node.comment, node.shapes], ["a (b) c", ["Gd3", "Re6", "Gf5f6"]]);
  assert.equal(root.find(["f5", "f6"]).comment, "bad");
  assert.equal(root.write(), "{[%csl Ge5] start} f5 {[%csl Gd3,Re6] [%cal Gf5f6] a (b) c} d6 (f6 {bad} e6) c3");
  node.note = "} {";
  assert.equal(read(root.write()).find(["f5"]).comment, ") (");
});

test("what is known of moves is taken over by another state of the tree", () => {
  const [old, now] = [read("f5 d6 c3"), read("f5 d6 (f6)")];
  Object.assign(old.find(["f5", "d6"]), { loss: 3, severity: "mistake" });
  now.learn(old);
  assert.deepEqual([now.find(["f5", "d6"]).mark, now.find(["f5", "f6"]).mark], ["?", ""]);
});

test("of two states with notes, each change counts", () => {
  const old = "f5 {one} d6 {two} c3";
  const mine = read("f5 {mine} d6 {two} c3");
  mine.merge(read("f5 {one} d6 {theirs} c3 (f4)"), read(old));
  assert.equal(mine.write(), "f5 {mine} d6 {theirs} c3 (f4)");
  mine.merge(read("f5 {one} d6 c3"), read(old));
  assert.equal(mine.find(["f5", "d6"]).comment, "");
  mine.find(["f5"]).children = [];
  mine.merge(read("f5 {new} d6 c3 (f4)"), read(old));
  assert.equal(mine.write(), "f5 {new}", "what was deleted stays so");
});

test("a deletion in another state counts unless something changed, or the board is there", () => {
  const [old, other] = ["f5 d6 (f6 e6) c3", "f5 d6 c3"];
  const mine = read(old);
  mine.merge(read(other), read(old));
  assert.equal(mine.write(), other);
  const changed = read("f5 d6 (f6 e6 {good}) c3");
  changed.merge(read(other), read(old));
  assert.equal(changed.write(), "f5 d6 (f6 e6 {good}) c3");
  const shown = read(old);
  shown.merge(read(other), read(old), shown.find(["f5", "f6"]).path());
  assert.equal(shown.write(), old);
});
