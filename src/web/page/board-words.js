// The board without pictures: the way of the arrow keys, and descriptions for screen readers.

import { pieceWord, t } from "./language.js";
import { otherSide, sideName } from "./score.js";

/**
 * @typedef {import('./board-look.js').Place} Place
 * @typedef {import('./board.js').Show} Show
 */

/** @type {Record<string, [number, number]>} */
export const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The next point in a direction. Points in line are preferred to nearer points off the line.
 * @param {Place[]} places @param {number} from @param {[number, number]} direction
 * @returns {number | undefined}
 */
export function neighbor(places, from, [dx, dy]) {
  const here = places[from];
  /** @type {{ number: number, cost: number } | undefined} */
  let best;
  places.forEach((place, number) => {
    const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
    const aside = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
    if (along <= 0) return;
    const cost = along + 8 * aside;
    if (best === undefined || cost < best.cost) best = { number, cost };
  });
  return best?.number;
}

/**
 * Describes a point.
 * @param {{ layout: import('./mills.js').Layout, words: { piece: string, pieces: string } }} board
 * @param {number} number
 * @param {string | null} stands the man that is drawn there, also while a move is selected
 * @param {Show} show
 */
export function describePoint(board, number, stands, show) {
  const { pieces, side, targets = [], touched = [], last, values, spoken = values } = show;
  const [owner, piece] = [pieces[number], pieceWord(board, 1)];
  const what = owner ? t("pointPiece", { side: sideName(owner), piece }) : t(stands ? "pointSelected" : "pointEmpty");
  const parts = [board.layout.points[number].name, what];
  const isTarget = targets.includes(number);
  if (touched.includes(number)) parts.push(t("pointSelected"));
  else if (isTarget) {
    parts.push(t(owner === otherSide(side) ? "pointCapturable" : owner ? "pointMovable" : "pointLegal"));
  }
  const value = isTarget && spoken?.get(number);
  if (value) parts.push(t(value.exact ? "pointExact" : "pointValue", { value: value.text }));
  if (last?.points.includes(number)) parts.push(t("pointLast"));
  return parts.join(", ");
}
