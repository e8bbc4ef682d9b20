// The recent games, kept in the browser: a list of their descriptions, and each game with its tree of moves.

import { storage } from "./storage.js";

/** The largest number of games that are kept. */
export const MAX_GAMES = 200;

/** The descriptions of the games, the latest first. */
export const recentGames = () => storage.read("games", []);

/** The record of a game; undefined if it is not kept. */
export const readGame = (id) => storage.read(`game ${id}`, undefined);

/** Stores a game. Other pages may store games too, so the list is read again each time. */
export function writeGame(record, description) {
  const others = recentGames().filter(({ id }) => id !== record.id);
  const games = [{ ...description, id: record.id }, ...others];
  const drop = () => removeRecord(games.pop().id);
  while (games.length > MAX_GAMES) drop();
  // A full storage loses the oldest games, never the one that is written.
  while (!storage.write(`game ${record.id}`, record) && games.length > 1) drop();
  storage.write("games", games);
}

const removeRecord = (id) => storage.remove(`game ${id}`);

/** Removes a game and returns its record and description, with which `writeGame` restores it. */
export function removeGame(id) {
  const record = readGame(id);
  const description = recentGames().find((game) => game.id === id);
  removeRecord(id);
  storage.write("games", recentGames().filter((game) => game.id !== id));
  return { record, description };
}

/** The kept game with this start and these moves as its line; undefined if there is none. */
export function findGame(game, start, moves) {
  const key = moves.join(" ");
  const described = recentGames().filter((other) => other.game === game && other.plies === moves.length);
  const isSame = (kept) => kept?.line === key && (kept.start ?? null) === (start ?? null);
  return described.map(({ id }) => readGame(id)).find(isSame);
}
