import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MAX_MISTAKES, keepMistakes, keptMistakes, mistakeAt, nextMistake, noteMistake,
} from "../../src/web/page/mistakes.js";
import { countExercise, hasProgress, progressOf, resetProgress } from "../../src/web/page/progress.js";
import { storage } from "../../src/web/page/storage.js";

const mistake = (id, game = "othello") => ({ id, game, isSolved: false, seen: 0 });
const ids = () => keptMistakes("othello").map(({ id }) => id);

test("mistakes are kept once, the newest first, and only so many", () => {
  storage.remove("mistakes");
  keepMistakes([mistake("a"), mistake("b"), mistake("m", "morabaraba")]);
  noteMistake("a", true, 5);
  keepMistakes([mistake("c"), mistake("a")]);
  assert.deepEqual(ids(), ["c", "a", "b"]);
  assert.deepEqual(keptMistakes("othello")[1], { ...mistake("a"), isSolved: true, seen: 5 });
  keepMistakes(Array.from({ length: MAX_MISTAKES }, (_, at) => mistake(`n${at}`)));
  assert.deepEqual([ids().length, ids()[0], ids().includes("c")], [MAX_MISTAKES, "n0", false]);
});

test("a mistake of a reviewed game is an exercise", () => {
  const score = { points: 4, exact: false };
  const game = { id: "g", board: { game: "othello" }, details: { date: "2026-01-02" }, number: ({ ply }) => ply / 2 };
  // A later evaluation may say something else than the review.
  const other = { score: { points: 9, exact: false }, moves: ["e7"] };
  const parent = { view: { position: "P", side: "white" }, thought: { lines: [other] } };
  const node = { move: "e7", loss: 5, better: { score, moves: ["c3", "d2"] }, ply: 6, parent };
  const { values, ...fields } = mistakeAt(game, node, ["Ann", ""]);
  assert.deepEqual(values, { c3: 4, e7: -1 });
  assert.deepEqual([fields.id, fields.side, fields.best, fields.played, fields.number], ["g P", "white", ["c3"], "e7", 3]);
  assert.equal(mistakeAt(game, { ...node, loss: undefined }, []), undefined);
  assert.equal(mistakeAt(game, { ...node, better: other }, []), undefined);
  assert.equal(mistakeAt(game, { ...node, parent: { ...parent, view: undefined } }, []), undefined);
});

test("unsolved mistakes come first, then those that were solved longest ago", () => {
  storage.remove("mistakes");
  keepMistakes(["a", "b", "c"].map((id) => mistake(id)));
  const asked = [];
  for (const [now, isSolved] of [[1, true], [2, false], [3, true], [4, true], [5, true], [6, true]]) {
    const { id } = nextMistake("othello", asked.at(-1));
    noteMistake(id, isSolved, now);
    asked.push(id);
  }
  // The second exercise, b, is not solved. It comes again, but not at once.
  assert.deepEqual(asked, ["a", "b", "c", "b", "a", "c"]);
  assert.equal(nextMistake("morabaraba"), undefined);
  keepMistakes([mistake("m", "morabaraba")]);
  assert.equal(nextMistake("morabaraba", "m").id, "m");
});

test("the progress of each kind is counted, with the streak", () => {
  const [easy, own] = [{ game: "othello", kind: "endgame", empties: 8, difficulty: "easy" }, { game: "othello", kind: "own" }];
  assert.ok(!hasProgress());
  [true, true, false, true].forEach((isSolved) => countExercise(easy, isSolved));
  assert.deepEqual(progressOf(easy), { tried: 4, solved: 3, streak: 1, best: 2 });
  assert.equal(progressOf(own).tried, 0);
  resetProgress();
  assert.deepEqual([progressOf(easy).tried, hasProgress()], [0, false]);
});
