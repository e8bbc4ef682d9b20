import { storageLimit } from "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MAX_GAMES, findGame, readGame, recentGames, removeGame, writeGame,
} from "../../src/web/page/library.js";
import { storage } from "../../src/web/page/storage.js";

const write = (id, line = "f5 d6") => (
  writeGame({ id, game: "othello", line }, { game: "othello", plies: line.split(" ").length }));
const ids = () => recentGames().map(({ id }) => id);
const clear = () => ids().forEach(removeGame);

test("values are kept, and a value that does not fit lasts as long as the page", () => {
  assert.equal(storage.read("flipped", false), false);
  assert.ok(storage.write("flipped", true));
  assert.equal(storage.read("flipped", false), true);
  storageLimit.items = 0;
  assert.equal(storage.write("lines", 3), false);
  assert.equal(storage.read("lines", 1), 3);
  storageLimit.items = Infinity;
  storage.remove("lines");
  assert.equal(storage.read("lines", 1), 1);
});

test("the latest game is the first, and games are found by their moves", () => {
  clear();
  ["a", "b", "a"].forEach((id) => write(id));
  write("c", "f5 f6");
  assert.deepEqual(ids(), ["c", "a", "b"]);
  assert.equal(findGame("othello", undefined, ["f5", "f6"]).id, "c");
  assert.equal(findGame("othello", "another start", ["f5", "f6"]), undefined);
  assert.equal(findGame("othello", null, ["f5"]), undefined);
});

test("a removed game can be restored", () => {
  clear();
  write("a");
  const { record, description } = removeGame("a");
  assert.deepEqual([ids(), readGame("a")], [[], undefined]);
  writeGame(record, description);
  assert.deepEqual([ids(), readGame("a").line], [["a"], "f5 d6"]);
});

test("the oldest games are dropped from a long list and from a full storage", () => {
  clear();
  Array.from({ length: MAX_GAMES + 2 }, (_, at) => write(`g${at}`));
  assert.equal(ids().length, MAX_GAMES);
  assert.deepEqual([readGame("g1"), readGame("g2").id], [undefined, "g2"]);
  clear();
  ["a", "b", "c"].forEach((id) => write(id));
  // Room for three games, the list and the value of the first test.
  storageLimit.items = 5;
  write("d");
  storageLimit.items = Infinity;
  assert.deepEqual([ids(), readGame("a"), readGame("d").id], [["d", "c", "b"], undefined, "d"]);
});
