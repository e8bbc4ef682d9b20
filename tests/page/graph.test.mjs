import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathsOf, plyAt, xOf } from "../../src/web/page/graph.js";

test("each place of a ply leads back to it, and others to the nearest", () => {
  for (const ply of [0, 1, 30, 59, 60]) assert.equal(plyAt(xOf(ply, 60, 400), 60, 400), ply);
  assert.deepEqual([-50, 0, 399, 1000].map((x) => plyAt(x, 60, 400)), [0, 0, 60, 60]);
  assert.deepEqual([xOf(0, 0, 400), plyAt(200, 0, 400)], [xOf(0, 60, 400), 0]);
});

test("the paths leave out unknown points, and show which parts are exact", () => {
  const points = [[1, true], [null, false], [0.5, true], [0, false], [0.5, true]];
  const { line, area, exact } = pathsOf(points.map(([share, exact]) => ({ share, exact })), 442);
  assert.equal(line, "M34.0 8.0L234.0 75.0L334.0 142.0L434.0 75.0");
  assert.equal(area, `${line}L434 75L34 75Z`);
  assert.equal(exact, "M34.0 8.0L234.0 75.0");
});

test("one known point is not a path", () => {
  assert.equal(pathsOf([{ share: 0.5, exact: true }, { share: null, exact: false }], 400), null);
});
