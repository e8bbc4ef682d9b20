// The recent games, kept in the browser: a list of their descriptions, and each game with its tree of moves.

import { storage } from "./storage.js";

/** @import { Description, GameRecord } from "./types.d.ts" */

/** The largest number of games that are kept. */
export const MAX_GAMES = 200;

/** @type {() => Description[]} the descriptions of the games, the latest first */
export const recentGames = () => storage.read("games", []);

/** @type {(id: string) => GameRecord | undefined} the record of a game; undefined if it is not kept */
export const readGame = (id) => storage.read(`game ${id}`, undefined);

/**
 * Stores a game. Other pages may store games too, so the list is read again each time.
 * @param {GameRecord} record
 * @param {Omit<Description, "id">} description
 */
export function writeGame(record, description) {
  const others = recentGames().filter(({ id }) => id !== record.id);
  const games = [{ ...description, id: record.id }, ...others];
  const drop = () => games.splice(-1).forEach(({ id }) => removeRecord(id));
  while (games.length > MAX_GAMES) drop();
  // A full storage loses the oldest games, never the one that is written.
  while (!storage.write(`game ${record.id}`, record) && games.length > 1) drop();
  storage.write("games", games);
}

/** @param {string} id */
const removeRecord = (id) => [`game ${id}`, `review ${id}`].forEach((key) => storage.remove(key));

/** Removes a game and returns its record and description, with which `writeGame` restores it. @param {string} id */
export function removeGame(id) {
  const record = readGame(id);
  const description = recentGames().find((game) => game.id === id);
  removeRecord(id);
  storage.write("games", recentGames().filter((game) => game.id !== id));
  return { record, description };
}

/**
 * The kept game with this start and these moves as its line; undefined if there is none.
 * @param {string} game
 * @param {string | null | undefined} start
 * @param {string[]} moves
 */
export function findGame(game, start, moves) {
  const key = moves.join(" ");
  const described = recentGames().filter((other) => other.game === game && other.plies === moves.length);
  const kept = described.map(({ id }) => readGame(id));
  return kept.find((record) => record?.line === key && (record.start ?? null) === (start ?? null));
}
