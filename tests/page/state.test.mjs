import "./browser.mjs";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Game } from "../../src/web/page/game.js";
import {
  boardOf, changed, isCapture, isContest, isPass, levelName, mayMove, mayPremove, nearSide, result, spokenMove, state,
  subscribe,
} from "../../src/web/page/state.js";

const DISCS = { game: "othello", counts_margin: true, layout: { points: Array(16) }, words: { piece: "disc" } };
const MEN = { game: "mill", counts_margin: false, layout: { points: Array(24) }, words: { piece: "man" } };
const initial = { ...state };

/** Puts a position on the board; returns its node. */
function show(view, board = MEN) {
  state.game = new Game({ first: "black", ...board }, { moves: [], ply: 0, ...view });
  return state.game.node;
}

afterEach(() => Object.assign(state, initial));

test("a view is shown after a change of its parts alone", () => {
  const shown = [];
  subscribe((move) => shown.push(["board", move]), "position", "hints");
  subscribe(() => shown.push(["review"]), "position", "review");
  changed("position", "f5");
  changed("hints");
  changed("review");
  changed("undo");
  assert.deepEqual(shown, [["board", "f5"], ["review"], ["board", undefined], ["review"]]);
});

test("an unknown part is an error", () => {
  assert.throws(() => subscribe(() => {}, "nothing"), TypeError);
  assert.throws(() => changed("nothing"), TypeError);
});

test("results are sentences", () => {
  const end = (winner, points, counts) => (
    result(show({ counts, end: { winner, points, reason: "score" } }, DISCS), DISCS));
  assert.equal(end("black", 6, [11, 5]), "Black wins by 6 discs.");
  assert.equal(end("white", -1, [7, 8]), "White wins by 1 disc.");
  assert.equal(end(null, 0, [8, 8]), "A draw.");
  assert.equal(end("black", 14, [14, 1]), "Black wins 15–1: 1 empty square to the winner.");
  const mill = (winner, reason) => (
    result(show({ side: "white", end: { winner, points: 0, reason } }), MEN));
  assert.equal(mill("black", "too_few"), "Black wins: White has fewer than three men.");
  assert.equal(mill(null, "repetition"), "A draw: the position occurred too often.");
  assert.equal(mill("white", "a new reason"), "White wins.");
  const node = show({ side: "white" });
  state.game.verdict = { winner: "black", reason: "resigned", line: "" };
  assert.equal(result(node, MEN), "Black wins: White resigned.");
  assert.equal(mayMove(), false);
});

test("a game that was given up has a result before its last position is known", () => {
  show({ first: "black", moves: ["f5", "d6"], side: "black", legal: [] }, DISCS);
  state.game.verdict = { winner: "white", reason: "resigned", line: "f5 d6" };
  assert.equal(result(state.game.lineEnd, DISCS), "White wins: Black resigned.");
  state.game.verdict = { winner: null, reason: "agreed", line: "f5 d6" };
  assert.equal(result(state.game.lineEnd, MEN), "A draw: agreed.");
  assert.equal(result(), "");
});

test("a human moves when no engine is thinking or at its move", () => {
  const legal = [{ is_pass: false }, { is_pass: false }];
  show({ side: "black", legal });
  state.players = { black: "person", white: "5" };
  assert.equal(mayMove(), true);
  state.game.view.side = "white";
  assert.equal(mayMove(), false);
  state.paused = true;
  assert.equal(mayMove(), true);
  state.running = { engine: {} };
  assert.deepEqual([mayMove(), mayPremove()], [false, false]);
  state.paused = false;
  assert.deepEqual([mayMove(), mayPremove()], [false, true]);
  state.running = {};
  state.game.view.legal = [{ is_pass: true }];
  assert.deepEqual([isPass(), mayMove()], [true, false]);
});

test("the human is below in a contest", () => {
  show({ side: "black", legal: [] });
  state.players = { black: "5", white: "person" };
  assert.deepEqual([nearSide(), isContest()], ["white", true]);
  state.flipped = true;
  assert.equal(nearSide(), "black");
  Object.assign(state, { flipped: false, players: { black: "person", white: "person" } });
  assert.deepEqual([nearSide(), isContest()], ["black", false]);
});

test("the last point of a selected move may be a capture", () => {
  const move = { points: [0, 1] };
  const game = { view: { side: "black", pieces: [null, "white"] }, movesThrough: () => [move] };
  Object.assign(state, { game, touched: [0] });
  assert.equal(isCapture(), true);
  game.view.pieces = ["black", null];
  assert.equal(isCapture(), false);
});

test("games are found by name, and levels and moves have words", () => {
  state.boards = [DISCS, MEN];
  assert.deepEqual([boardOf("mill"), boardOf("chess")], [MEN, undefined]);
  assert.deepEqual([levelName("5"), levelName("casual")], ["Level 5", "Casual"]);
  assert.deepEqual(["pa", "a1-a4xb2"].map(spokenMove), ["pass", "a1 to a4 captures b2"]);
});
