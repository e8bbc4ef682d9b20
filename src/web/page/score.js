// Scores in words. A score is for the side to move; the bar and the graph show Black's.

import { decimal, pieceWord, t } from "./language.js";

/** @import { BoardView, Score, Side } from "./types.d.ts" */

/** @param {Side} side */
export const sideName = (side) => t(side);
/** @type {(side: Side) => Side} */
export const otherSide = (side) => (side === "black" ? "white" : "black");

/** @type {(winner: Side | null) => number} 1 if Black has won, -1 if White has, and 0 in a draw */
export const signOf = (winner) => (winner === "black" ? 1 : winner === "white" ? -1 : 0);

/**
 * The result for Black on a scale from 0 (lost) to 1 (won).
 * @param {number} points
 * @param {BoardView} board
 */
export function share(points, board) {
  if (!board.counts_margin && Math.abs(points) >= board.most_points) return points > 0 ? 1 : 0;
  return 0.5 + 0.5 * Math.tanh(points * (board.counts_margin ? 4.5 / board.most_points : 2.2));
}

/** @type {(score: Pick<Score, "points">, side: Side, board: BoardView) => number} */
export const blackShare = (score, side, board) => share(side === "black" ? score.points : -score.points, board);

/** The winner's moves until the end of the game. @param {number} plies */
const movesToWin = (plies) => Math.ceil(plies / 2);

/** @type {Record<string, string | undefined>} the text of a bound, by the sign that the server writes */
const BOUNDS = { "≥": "scoreAtLeast", "≤": "scoreAtMost" };

/**
 * A score in words: `Black wins by 4 discs`, `Black +4.3 discs`, `White wins in 5 moves`, `Black is clearly better
 * (0.88)`, `Even`.
 * @param {Score} score
 * @param {Side} side
 * @param {BoardView} board
 */
export function describe(score, side, board) {
  const { points, exact, plies, text } = score;
  const winner = sideName(points > 0 ? side : otherSide(side));
  const size = Math.abs(points);
  if (exact && points === 0) return t("exactDraw");
  if (board.counts_margin) {
    if (exact) return t("scoreWinsBy", { side: winner, count: size, pieces: pieceWord(board, size) });
    const bound = BOUNDS[text[0]];
    if (bound) return t(bound, { side: sideName(side), points: text.slice(2), pieces: pieceWord(board, 2) });
    // Halves of a disc say nothing to people.
    const discs = Math.round(size);
    return discs ? t("scoreAhead", { side: winner, points: discs, pieces: pieceWord(board, discs) }) : t("even");
  }
  if (exact && plies !== null) return t("scoreWinsIn", { side: winner, count: movesToWin(plies) });
  if (exact) return t("scoreWins", { side: winner });
  if (text === "draw or win") return t("scoreDrawOrWin", { side: sideName(side) });
  if (text === "draw or loss") return t("scoreDrawOrLoss", { side: sideName(side) });
  if (/^(win|loss)/.test(text)) return t("scoreWins", { side: winner });
  if (size < 0.05) return t("even");
  const degree = size < 0.2 ? "scoreSlightly" : size < 0.6 ? "scoreBetter" : "scoreClearly";
  return t(degree, { side: winner, points: decimal(size, 2) });
}

/**
 * A score as a hint on the board: `+4`, `W5` (a win in 5 moves), `L6`, `D`, `+0.1`.
 * @param {Score} score
 * @param {BoardView} board
 */
export function shortScore(score, board) {
  const { text } = score;
  if (board.counts_margin && !BOUNDS[text[0]]) return signed(Math.sign(score.points) * Math.round(Math.abs(score.points)), 0);
  if (board.counts_margin || !score.exact) {
    return text.replace("-", "−").replace(" ", "").replace(/\d\.(\d+)/, (number, digits) => decimal(Number(number), digits.length));
  }
  const letter = t(score.points > 0 ? "shortWin" : score.points < 0 ? "shortLoss" : "shortDraw");
  return letter + (score.plies && score.points !== 0 ? movesToWin(score.plies) : "");
}

/**
 * The score of a book move: `+1`, `−0.5`, `W5`.
 * @param {number} points
 * @param {boolean} exact
 * @param {number | null} plies
 * @param {BoardView} board
 */
export function bookScore(points, exact, plies, board) {
  return shortScore({ points, exact, plies, text: signed(points, 2) }, board);
}

/** @type {(number: number, digits: number) => string} a number with its sign: `+4`, `0`, `−0.12` */
const signed = (number, digits) => (
  `${number > 0 ? "+" : number < 0 ? "−" : ""}${decimal(Math.abs(number), number ? digits : 0)}`);

/** @type {(loss: number, board: BoardView) => string} a loss with its unit: `3.1 discs`, `0.40` */
export const lossText = (loss, board) => (board.counts_margin
  ? `${decimal(loss, Number.isInteger(loss) ? 0 : 1)} ${pieceWord(board, loss === 1 ? 1 : 2)}` : decimal(loss, 2));

/** @type {[number, string][]} */
const UNITS = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];

/** A large number with a unit: `1.2 M`. @param {number} number */
export function formatNumber(number) {
  for (const [size, unit] of UNITS) {
    if (number >= size) return `${decimal(number / size, 1)} ${unit}`;
  }
  return String(number);
}
