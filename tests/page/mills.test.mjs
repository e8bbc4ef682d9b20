import assert from "node:assert/strict";
import { test } from "node:test";
import { millsThrough } from "../../src/web/page/mills.js";

test("mills are three neighboring points in a straight line", () => {
  // A square with a point in the middle of each side, and a spoke of two points.
  const places = [[0, 0], [0, 2], [0, 4], [2, 4], [4, 4], [4, 2], [4, 0], [2, 0], [1, 2]];
  const layout = {
    points: places.map(([row, column]) => ({ row, column })),
    lines: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0], [1, 8]],
  };
  const mills = (point) => millsThrough(layout, point).map((line) => line.toSorted((a, b) => a - b).join());
  assert.deepEqual(mills(0).sort(), ["0,1,2", "0,6,7"]);
  assert.deepEqual(mills(1), ["0,1,2"]);
  assert.deepEqual(mills(8), []);
});
