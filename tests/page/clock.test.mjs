import "./browser.mjs";
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { clockText, onFlag, setClock } from "../../src/web/page/clock.js";
import { state } from "../../src/web/page/state.js";

let now = 0;
mock.method(performance, "now", () => now);
mock.timers.enable({ apis: ["setInterval"] });
afterEach(() => setClock(null));

const pass = (time) => {
  now += time;
  mock.timers.tick(time);
};

test("the time of the side to move runs from the first move, and moves add to it", () => {
  setClock({ base: 60, increment: 2 });
  const { clock } = state;
  pass(5000);
  assert.deepEqual([clock.time("black"), clock.time("white")], [60000, 60000]);
  clock.run("white");
  pass(3000);
  clock.moved("white");
  clock.run("black");
  // Who has moved while the clock stood still gets nothing.
  clock.moved("white");
  assert.deepEqual([clock.time("black"), clock.time("white")], [60000, 59000]);
  assert.deepEqual(clock.settings(), { base: 60, increment: 2, left: { black: 60000, white: 59000 } });
  assert.ok(clock.moveTime("white") < 5000);
});

test("a side without time is flagged once", () => {
  const flagged = [];
  onFlag((side) => flagged.push(side));
  setClock({ base: 1, increment: 0 });
  state.clock.run("black");
  pass(1100);
  pass(1100);
  assert.deepEqual([flagged, state.clock.time("black")], [["black"], 0]);
});

test("times are read as on a clock", () => {
  assert.deepEqual([247000, 60000, 9250, 0].map(clockText), ["4:07", "1:00", "9.3", "0.0"]);
});
