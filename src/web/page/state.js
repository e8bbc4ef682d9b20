// What the page knows: the game, who plays it, and what was thought of it.

import { sideName } from "./score.js";

export const SIDES = ["black", "white"];

/** What is kept from visit to visit: how strong the players are, and what is switched on. */
export const kept = {
  read: (key, other) => {
    try { return JSON.parse(localStorage.getItem(`morello ${key}`)) ?? other; } catch { return other; }
  },
  write: (key, value) => {
    try { localStorage.setItem(`morello ${key}`, JSON.stringify(value)); } catch { /* There is no place for it. */ }
  },
};

export const state = {
  /** What the server tells of each game. */
  boards: [],
  game: undefined,
  /** `person` or a level for each side. */
  players: {},
  /** The points touched of a move that is half chosen. */
  touched: [],
  /** Whether engines wait to be asked: after going back, or after a link. */
  paused: false,
  flipped: kept.read("flipped", false),
  evaluating: kept.read("evaluating", false),
  /** What is under way: `engine`, `analysis`, `values`, `chart`; each an AbortController. */
  works: {},
  /** What was thought of positions, by their keys. */
  thoughts: new Map(),
  /** The worth of moves, of the position with this key. */
  values: null,
  /** Counts what has happened to the game, so that an answer that comes too late is known. */
  step: 0,
};

export const names = () => state.boards.map(({ game }) => game);
export const isEngine = (side) => state.players[side] !== "person";
export const playerName = (side) => (isEngine(side) ? `${sideName(side)} (level ${state.players[side]})` : sideName(side));
export const isPass = () => state.game.view.legal.length === 1 && state.game.view.legal[0].is_pass;

/** Whether whoever is to move is a person at this page. */
export function mayMove() {
  const { game: { view }, works, paused } = state;
  return !view.end && !works.engine && (paused || !isEngine(view.side)) && !isPass();
}

/** A move for the ear. */
export const spell = (text) => text.replace("-", " to ").replace("x", ` ${state.game.board.words.captures} `);

/** How the game ended. */
export const result = () => {
  const { text } = state.game.view.end;
  return text[0].toUpperCase() + text.slice(1);
};

/** Forgets what is half chosen, and the worth of moves. */
export function forget() {
  state.touched = [];
  state.values = null;
}

export function halt(...kinds) {
  for (const kind of kinds) {
    state.works[kind]?.abort();
    delete state.works[kind];
  }
}

export function haltAll() {
  state.step += 1;
  halt("engine", "analysis", "values", "chart");
}
