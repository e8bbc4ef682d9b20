// The reviews of the latest games, kept in the browser: a reload does not lose them.

import { recentGames } from "./library.js";
import { storage } from "./storage.js";

/** @import { Game, KeptReview, Line, MoveNode, Review } from "./types.d.ts" */

/** The most reviews that are kept, and the moves that are kept of each best line. */
const [MAX_REVIEWS, MAX_MOVES] = [30, 8];

/** @param {Line} line */
const shortened = ({ score, moves }) => ({ score, moves: moves.slice(0, MAX_MOVES) });

/**
 * What is kept of a position and of the move to it.
 * @param {MoveNode} node
 */
const rowOf = ({ thought, loss, severity, reason, better }) => ({
  loss, severity, reason, better: better && severity && shortened(better),
  thought: thought && { ...thought, lines: thought.lines.slice(0, 1).map(shortened) },
});

/** Keeps a finished review. @type {(game: Game, review: Review) => void} */
export function keepReview(game, { line, summary, cut }) {
  /** @type {KeptReview} */
  const kept = { moves: line[line.length - 1].moves(), summary, cut, rows: line.map(rowOf) };
  for (const { id } of recentGames().slice(MAX_REVIEWS)) storage.remove(`review ${id}`);
  storage.write(`review ${game.id}`, kept);
}

/**
 * Brings back the kept review of a game, as far as the game still has its moves.
 * @param {Game} game
 * @returns {Review | null}
 */
export function readReview(game) {
  const kept = storage.read(`review ${game.id}`, /** @type {KeptReview | null} */ (null));
  if (!kept) return null;
  const end = game.root.find(kept.moves);
  if (end.ply !== kept.moves.length) return null;
  const line = end.path();
  line.forEach((node, at) => { if (!node.thought) Object.assign(node, kept.rows[at]); });
  return { line, done: line.length, summary: kept.summary, cut: kept.cut };
}
