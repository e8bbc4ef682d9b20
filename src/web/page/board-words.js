// The descriptions of points for screen readers.

import { pieceWord, t } from "./language.js";
import { otherSide, sideName } from "./score.js";

/** @import { BoardView, Show, Side } from "./types.d.ts" */

/**
 * Describes a point.
 * @param {BoardView} board
 * @param {number} number
 * @param {Side | null} stands the man that is drawn there, also while a move is selected
 * @param {Show} show
 */
export function describePoint(board, number, stands, show) {
  const { pieces, side, targets = [], touched = [], last, values, spoken = values, shapes = [] } = show;
  const [owner, piece] = [pieces[number], pieceWord(board, 1)];
  const what = owner ? t("pointPiece", { side: sideName(owner), piece }) : t(stands ? "pointSelected" : "pointEmpty");
  const { name } = board.layout.points[number];
  const parts = [name, what];
  const isTarget = targets.includes(number);
  if (touched.includes(number)) parts.push(t("pointSelected"));
  else if (isTarget) {
    parts.push(t(owner === otherSide(side) ? "pointCapturable" : owner ? "pointMovable" : "pointLegal"));
  }
  const value = isTarget && spoken?.get(number);
  if (value) parts.push(t(value.exact ? "pointExact" : "pointValue", { value: value.text }));
  if (last?.points.includes(number)) parts.push(t("pointLast"));
  for (const shape of shapes.filter((shape) => shape.slice(1, 3) === name)) {
    parts.push(shape.length > 3 ? t("pointArrow", { to: shape.slice(3) }) : t("pointRing"));
  }
  return parts.join(", ");
}
