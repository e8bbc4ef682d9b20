import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../../src/web/page/game.js";

const view = (moves, ply, more = {}) => ({ moves, ply, first: "black", start: null, legal: [], ...more });

test("a link names the game, its start, its moves and the position", () => {
  const board = { game: "othello" };
  assert.equal(new Game(board, view([], 0)).fragment(), "game=othello");
  const game = new Game(board, view(["f5", "d6"], 1, { start: "- X" }));
  assert.deepEqual(Game.parseLink(game.fragment()), { game: "othello", start: "- X", moves: ["f5", "d6"], ply: 1 });
  assert.deepEqual(Game.parseLink("moves=f5&ply=-1"), { game: null, start: null, moves: ["f5"] });
  assert.deepEqual(Game.parseLink(""), { game: null, start: null, moves: [] });
});

test("a view adds its moves to the tree", () => {
  const game = new Game({ game: "othello" }, view(["f5", "d6"], 2), { tree: "f5 f6" });
  assert.equal(game.root.write(), "f5 f6 (d6)");
  assert.deepEqual([game.moves, game.ply], [["f5", "d6"], 2]);
  assert.deepEqual(game.request(), { game: "othello", start: null, moves: ["f5", "d6"] });
  game.update(view(["f5", "f6", "e6"], 1));
  assert.deepEqual([game.moves, game.ply], [["f5", "f6", "e6"], 1]);
});

test("moves of Othello have the numbers of their discs, and those of other games are pairs", () => {
  const othello = new Game({ counts_margin: true }, view(["f5", "pa", "d6"], 3, { counts: [20, 17] }));
  assert.deepEqual(othello.line().slice(1).map((node) => othello.number(node)), [32, 32, 33]);
  const morris = new Game({ first: "white" }, view(["d2", "f4", "d6"], 0, { first: "black" }));
  assert.deepEqual(morris.line().slice(1).map((node) => morris.number(node)), [1, 2, 2]);
});

test("the sides alternate from the first", () => {
  const game = new Game({ game: "othello" }, view([], 0, { first: "white" }));
  assert.deepEqual([0, 1, 2].map((ply) => game.sideAt(ply)), ["white", "black", "white"]);
});

test("moves are found by the points that were selected", () => {
  const legal = [{ points: [1, 2] }, { points: [1, 3] }, { points: [2] }];
  const game = new Game({ game: "othello" }, view([], 0, { legal }));
  assert.deepEqual([[], [1], [1, 3], [4]].map((touched) => game.movesThrough(touched).length), [3, 2, 1, 0]);
});

test("moves and views come from the server, once, and only if they are still wanted", async () => {
  const paths = [];
  globalThis.fetch = async (path, { body }) => {
    const { moves, move } = JSON.parse(body);
    paths.push(path);
    const all = move ? [...moves, move] : moves;
    return Response.json(view(all, all.length));
  };
  const game = new Game({ game: "othello" }, view([], 0), { tree: "f5 d6" });
  await game.play("f5", () => false);
  assert.equal(game.ply, 0);
  await game.play("f5", () => true);
  assert.deepEqual([game.ply, game.moves], [1, ["f5", "d6"]]);
  const [, , node] = game.line();
  await game.go(node, () => true);
  assert.equal(await game.viewOf(node), game.view);
  assert.deepEqual(paths, ["/api/move", "/api/move", "/api/view"]);
});
