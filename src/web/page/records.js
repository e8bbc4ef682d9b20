// What is kept of the game: its record in the list of recent games, and its entry in the history of the browser.

import { readGame, writeGame } from "./library.js";
import { signOf } from "./score.js";
import { SIDES, isEngine, state } from "./state.js";
import { MoveNode } from "./tree.js";

/** @import { GameRecord } from "./types.d.ts" */

/** The record of a game for the list of recent games and for undo. @returns {GameRecord} */
export function record(game = state.practice?.before.game ?? state.game) {
  return {
    id: game.id, game: game.board.game, start: game.start, tree: game.root.write(), line: game.moves.join(" "),
    at: game.ply, created: game.created, details: game.details, players: state.players, verdict: game.verdict,
    clock: state.clock?.settings(),
  };
}

/** Keeps the game in the list of recent games, once it has a move. Then it stays, also if all moves are deleted. */
export function keep() {
  const { game } = state;
  if (state.practice) return;
  if (!game.root.children.length && !game.start && !readGame(game.id)) return;
  mergeStored(game);
  const last = game.lineEnd;
  const end = last.view?.end;
  const verdict = game.verdictAt(last);
  const points = end ? end.points : verdict ? signOf(verdict.winner) : game.details.points;
  const kept = record();
  game.stored = kept.tree;
  writeGame(kept, {
    game: game.board.game, changed: Date.now(), created: game.created, plies: game.moves.length,
    variations: game.root.variations(), opening: (last.view ?? game.view).opening?.name,
    names: SIDES.map((side, at) => game.details.names?.[at] ?? (isEngine(side) ? state.players[side] : "")),
    event: game.details.event, scored: !verdict, points: points ?? null,
  });
}

/** Adds the moves and notes that another page has stored in this game; returns whether there were any. */
export function mergeStored(game = state.game) {
  const kept = readGame(game.id);
  if (!kept || kept.tree === game.stored) return false;
  game.root.merge(MoveNode.parse(kept.tree), MoveNode.parse(game.stored), game.node.path());
  game.stored = kept.tree;
  return true;
}

/** Updates the address, which is a link to the position, and the history of the browser. */
export function updateHistory() {
  if (state.practice) return;
  const fragment = `#${state.game.fragment()}`;
  const entry = { id: state.game.id, line: state.game.moves.join(" "), at: state.game.ply };
  if (state.isNewEntry) history.pushState(entry, "", fragment);
  else if (location.hash !== fragment || history.state?.id !== entry.id) history.replaceState(entry, "", fragment);
  state.isNewEntry = false;
}
