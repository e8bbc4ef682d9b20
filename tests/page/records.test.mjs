import "./browser.mjs";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Game } from "../../src/web/page/game.js";
import { readGame, recentGames } from "../../src/web/page/library.js";
import { keep, record } from "../../src/web/page/records.js";
import { state } from "../../src/web/page/state.js";

const view = (moves, ply, more = {}) => ({ moves, ply, first: "black", start: null, legal: [], ...more });
const initial = { ...state };

/** Puts a game on the board. */
function open(given, kept) {
  const game = new Game({ game: "othello" }, given, kept);
  Object.assign(state, { game, players: { black: "person", white: "5" } });
  return game;
}

afterEach(() => Object.assign(state, initial));

test("a game is kept once it has a move, and opens where it was left", () => {
  open(view([], 0));
  keep();
  assert.deepEqual(recentGames(), []);
  const game = open(view(["f5", "d6", "c3"], 1, { opening: { name: "Parallel" } }), { tree: "f5 f6" });
  keep();
  const [{ id, plies, variations, names, opening, points }] = recentGames();
  assert.deepEqual([id, plies, variations], [game.id, 3, 1]);
  assert.deepEqual([names, opening, points], [["", "5"], "Parallel", null]);
  const kept = readGame(id);
  const again = new Game({ game: "othello" }, view(kept.line.split(" "), kept.at), kept);
  assert.deepEqual([again.id, again.ply, again.moves], [id, 1, ["f5", "d6", "c3"]]);
  assert.equal(again.root.write(), game.root.write());
});

test("the names of a file and the points of the end are kept, and practice is not", () => {
  const details = { names: ["Ada", null], event: "Open" };
  open(view(["f5"], 1, { end: { points: -4 } }), { id: "file", details });
  keep();
  const [{ names, event, points }] = recentGames();
  assert.deepEqual([names, event, points], [["Ada", "5"], "Open", -4]);
  assert.deepEqual(record().details, details);
  open(view(["d3"], 1), { id: "exercise" });
  state.practice = {};
  keep();
  assert.equal(readGame("exercise"), undefined);
});
