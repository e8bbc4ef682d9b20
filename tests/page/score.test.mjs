import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blackShare, bookScore, describe, formatNumber, lossText, share, shortScore,
} from "../../src/web/page/score.js";

const DISCS = { counts_margin: true, most_points: 64, words: { piece: "disc", pieces: "discs" } };
const MEN = { counts_margin: false, most_points: 1, words: { piece: "man", pieces: "men" } };
const score = (points, text, more = {}) => ({ points, text, exact: false, plies: null, ...more });

test("scores of Othello are described in discs", () => {
  const cases = [
    [score(4, "+4", { exact: true }), "black", "Black wins by 4 discs"],
    [score(1, "+1", { exact: true }), "white", "White wins by 1 disc"],
    [score(-4, "-4", { exact: true }), "black", "White wins by 4 discs"],
    [score(0, "0", { exact: true }), "black", "Draw"],
    [score(-4.25, "-4.3"), "black", "White +4 discs"],
    [score(3, "+3.0"), "black", "Black +3 discs"],
    [score(0.04, "0.0"), "black", "Even"],
    [score(4, "≥ +4"), "white", "White: at least +4 discs"],
    [score(4, "≤ +4"), "white", "White: at most +4 discs"],
  ];
  for (const [given, side, text] of cases) assert.equal(describe(given, side, DISCS), text);
});

test("scores of the mill games are described as outcomes and degrees", () => {
  const cases = [
    [score(1, "win in 9", { exact: true, plies: 9 }), "white", "White wins in 5 moves"],
    [score(-1, "loss in 2", { exact: true, plies: 2 }), "white", "Black wins in 1 move"],
    [score(1, "win", { exact: true }), "white", "White wins"],
    [score(0.5, "draw or win"), "white", "White draws or wins"],
    [score(-0.5, "draw or loss"), "white", "White draws or loses"],
    [score(-1, "loss"), "white", "Black wins"],
    [score(0.1, "+0.10"), "white", "White is slightly better (0.10)"],
    [score(-0.3, "-0.30"), "white", "Black is better (0.30)"],
    [score(0.88, "+0.88"), "white", "White is clearly better (0.88)"],
    [score(0.01, "+0.01"), "white", "Even"],
  ];
  for (const [given, side, text] of cases) assert.equal(describe(given, side, MEN), text);
});

test("hints are short", () => {
  assert.equal(shortScore(score(-4, "-4", { exact: true }), DISCS), "−4");
  assert.equal(shortScore(score(4, "≥ +4"), DISCS), "≥+4");
  assert.equal(shortScore(score(-0.1, "-0.14"), MEN), "−0.14");
  assert.equal(shortScore(score(1, "win in 9", { exact: true, plies: 9 }), MEN), "W5");
  assert.equal(shortScore(score(-1, "loss", { exact: true }), MEN), "L");
  assert.equal(shortScore(score(0, "draw", { exact: true, plies: 4 }), MEN), "D");
  assert.equal(bookScore(-1.5, false, null, DISCS), "−2");
  assert.equal(bookScore(1, true, 7, MEN), "W4");
});

test("shares grow with the points, and those of both sides add up to one", () => {
  for (const board of [DISCS, MEN]) {
    const points = [-1, -0.5, -0.1, 0, 0.1, 0.5, 1].map((part) => part * board.most_points);
    const shares = points.map((value) => share(value, board));
    assert.deepEqual(shares, shares.toSorted((a, b) => a - b));
    assert.equal(shares[3], 0.5);
    shares.forEach((value, at) => assert.ok(Math.abs(value + shares.at(-1 - at) - 1) < 1e-12));
    assert.equal(blackShare({ points: 0.3 }, "white", board), share(-0.3, board));
  }
  assert.deepEqual([share(-1, MEN), share(1, MEN)], [0, 1]);
});

test("losses and large numbers have units", () => {
  assert.deepEqual([3, 3.14, 1].map((loss) => lossText(loss, DISCS)), ["3 discs", "3.1 discs", "1 disc"]);
  assert.equal(lossText(0.4, MEN), "0.40");
  assert.deepEqual([999, 1200, 1.25e6, 3e9].map(formatNumber), ["999", "1.2 k", "1.3 M", "3.0 G"]);
});
