// The mills of a board: three points in a line.

/** @import { Layout, Pieces } from "./types.d.ts" */

/**
 * The points of the mills that a side has through a point, three by three.
 * @param {Pick<Layout, "mills">} layout
 * @param {Pieces} pieces
 * @param {number} point
 */
export function closedMills({ mills }, pieces, point) {
  const side = pieces[point];
  return side ? mills.filter((mill) => mill.includes(point) && mill.every((at) => pieces[at] === side)).flat() : [];
}
