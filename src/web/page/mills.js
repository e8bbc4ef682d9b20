// The mills of a board: three points in a line, each joined to the next.

/**
 * @typedef {{ name: string, row: number, column: number }} Point
 * @typedef {{ rows: number, columns: number, points: Point[], lines: [number, number][] }} Layout
 */

/**
 * The mills through a point, as the numbers of their points in order.
 * @param {Layout} layout
 * @param {number} point
 * @returns {[number, number, number][]}
 */
export function millsThrough({ points, lines }, point) {
  const near = points.map(() => /** @type {number[]} */ ([]));
  for (const [a, b] of lines) {
    near[a].push(b);
    near[b].push(a);
  }
  /** @param {number} a @param {number} b */
  const step = (a, b) => {
    const [dx, dy] = [points[b].column - points[a].column, points[b].row - points[a].row];
    return Math.round((Math.atan2(dy, dx) * 4) / Math.PI);
  };
  /** @type {[number, number, number][]} */
  const mills = [];
  for (let middle = 0; middle < points.length; middle += 1) {
    for (const a of near[middle]) {
      const b = near[middle].find((other) => other > a && step(a, middle) === step(middle, other));
      if (b !== undefined && [a, middle, b].includes(point)) mills.push([a, middle, b]);
    }
  }
  return mills;
}

/**
 * The points of the mills that a side has through a point, three by three.
 * @param {Layout} layout
 * @param {(string | null)[]} pieces
 * @param {number} point
 * @returns {number[]}
 */
export function closedMills(layout, pieces, point) {
  const side = pieces[point];
  return side ? millsThrough(layout, point).filter((mill) => mill.every((at) => pieces[at] === side)).flat() : [];
}
