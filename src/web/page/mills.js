// The mills of a board: three neighboring points in a straight line.

/** @import { Layout } from "./types.d.ts" */

/**
 * The mills through a point, as lists of its points' numbers.
 * @param {Layout} layout
 * @param {number} point
 */
export function millsThrough({ points, lines }, point) {
  /** @param {number[]} line */
  const isInLine = ([a, b, c]) => (
    (points[b].row - points[a].row) * (points[c].column - points[b].column)
      === (points[c].row - points[b].row) * (points[b].column - points[a].column));
  /** @param {number} at */
  const neighbors = (at) => lines.flatMap(([a, b]) => (a === at ? [b] : b === at ? [a] : []));
  const middles = [point, ...neighbors(point)];
  return middles.flatMap((middle) => {
    const around = neighbors(middle);
    const pairs = around.flatMap((one, at) => around.slice(at + 1).map((other) => [one, middle, other]));
    return pairs.filter((line) => line.includes(point) && isInLine(line));
  });
}
