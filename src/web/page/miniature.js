// Small pictures of the boards, to choose a game.

import { html, svg } from "./lit-html.js";

/** @import { BoardView, Layout, Side } from "./types.d.ts" */

const UNIT = 10;

/**
 * The men at the start of a game, or some where the board is empty at first.
 * @param {Layout} layout
 * @returns {[number, Side][]} points with the sides of the men there
 */
function firstMen({ rows, columns, points, lines }) {
  /** @type {(row: number, column: number) => number} */
  const middle = (row, column) => (
    points.findIndex((point) => point.row === rows / 2 + row && point.column === columns / 2 + column));
  /** @param {number} part */
  const at = (part) => Math.floor(points.length * part);
  return lines.length === 0
    ? [[middle(-1, -1), "white"], [middle(0, 0), "white"], [middle(-1, 0), "black"], [middle(0, -1), "black"]]
    : [[at(0), "white"], [at(0.4), "white"], [at(0.6), "black"], [at(0.95), "black"]];
}

/**
 * A picture of a board with men.
 * @param {BoardView} board
 * @param {[number, Side][]} men points with the sides of the men there
 * @param {boolean} [turned] whether the first row is at the bottom
 */
export function miniature({ layout }, men = firstMen(layout), turned = false) {
  const { rows, columns, points, lines } = layout;
  /** @param {Layout["points"][0]} point */
  const place = ({ row, column }) => ({
    x: ((turned ? columns - 1 - column : column) + 0.5) * UNIT, y: ((turned ? rows - 1 - row : row) + 0.5) * UNIT,
  });
  /** @type {(point: number, side: Side) => unknown} */
  const piece = (point, side) => {
    const { x, y } = place(points[point]);
    return svg`<circle cx=${x} cy=${y} r="3.7" class="mini-${side}"></circle>`;
  };
  const isSquares = lines.length === 0;
  /** @param {Layout["points"][0]} point */
  const cell = (point) => {
    const { x, y } = place(point);
    return svg`<rect x=${x - 5} y=${y - 5} width="10" height="10" class="mini-cell"></rect>`;
  };
  /** @param {[number, number]} line */
  const edge = ([one, other]) => {
    const [a, b] = [place(points[one]), place(points[other])];
    return svg`<line x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} class="mini-line"></line>`;
  };
  return html`<svg viewBox="0 0 ${columns * UNIT} ${rows * UNIT}" class="mini" aria-hidden="true">
    <rect width=${columns * UNIT} height=${rows * UNIT} class=${isSquares ? "mini-felt" : "mini-wood"}></rect>
    ${isSquares ? points.map(cell) : lines.map(edge)}${men.map(([point, side]) => piece(point, side))}</svg>`;
}
