// The state of the page: the game, its players and the evaluations.

import { sideName } from "./score.js";

export const SIDES = ["black", "white"];

/** The settings that are kept between visits: the players of each game, and the switches. */
export const storage = {
  read: (key, fallback) => {
    try { return JSON.parse(localStorage.getItem(`morello ${key}`)) ?? fallback; } catch { return fallback; }
  },
  write: (key, value) => {
    try { localStorage.setItem(`morello ${key}`, JSON.stringify(value)); } catch { /* Storage is full or disabled. */ }
  },
};

export const state = {
  /** The server's description of each game. */
  boards: [],
  game: undefined,
  /** `person` or a level for each side. */
  players: {},
  /** The points selected so far for a move of several points. */
  touched: [],
  /** Whether engines wait for the button to move, as after going back or opening a link. */
  paused: false,
  flipped: storage.read("flipped", false),
  evaluating: storage.read("evaluating", false),
  /** The AbortController of each running search: `engine`, `analysis`, `values` and `chart`. */
  running: {},
  /** The best evaluation of each position, by its key. */
  evaluations: new Map(),
  /** The hints, with the key of their position: a score for each move. */
  values: null,
  /** Increases with every change of the game, to detect responses that arrive too late. */
  step: 0,
};

export const names = () => state.boards.map(({ game }) => game);
export const isEngine = (side) => state.players[side] !== "person";
export const playerName = (side) => (isEngine(side) ? `${sideName(side)} (level ${state.players[side]})` : sideName(side));
export const isPass = () => state.game.view.legal.length === 1 && state.game.view.legal[0].is_pass;

export const passMessage = () => `${sideName(state.game.view.side)} has no legal move and passes.`;

/** Whether a human may move now. */
export function mayMove() {
  const { game: { view }, running, paused } = state;
  return !view.end && !running.engine && (paused || !isEngine(view.side)) && !isPass();
}

/** A move as screen readers should speak it. */
export const spokenMove = (text) => text.replace("-", " to ").replace("x", ` ${state.game.board.words.captures} `);

/** The result of the game, capitalized. */
export const result = () => {
  const { text } = state.game.view.end;
  return text[0].toUpperCase() + text.slice(1);
};

/** Clears the selected points and the hints. */
export function clearSelection() {
  state.touched = [];
  state.values = null;
}

/** Aborts searches of these kinds. */
export function abort(...kinds) {
  for (const kind of kinds) {
    state.running[kind]?.abort();
    delete state.running[kind];
  }
}

export function abortAll() {
  state.step += 1;
  abort("engine", "analysis", "values", "chart");
}
