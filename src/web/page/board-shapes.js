// The shapes that the user draws on the board with the right button of a mouse: rings around points, and arrows.

import { arrowOutline } from "./board-labels.js";
import { draw } from "./dom.js";

/** @import { Board } from "./types.d.ts" */

/** The color of a shape, as PGN has them, by the keys that are held. @param {MouseEvent} event */
const colorOf = ({ shiftKey, altKey }) => (shiftKey ? (altKey ? "Y" : "R") : altKey ? "B" : "G");

export class Shapes {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {string[]} such as `Ge5`, a ring, and `Gd2d6`, an arrow */
    this.list = [];
    /** @type {{ from: number, color: string, shape: string } | undefined} the shape that is being drawn */
    this.pending = undefined;
  }

  /** @param {string[]} list */
  show(list) {
    this.list = list;
    const { shapes } = this.board.look;
    const drawn = this.pending ? [...list, this.pending.shape] : list;
    const text = drawn.join(",");
    if (shapes.dataset.shapes === text) return;
    shapes.dataset.shapes = text;
    shapes.replaceChildren();
    for (const shape of drawn) this.draw(shape);
  }

  /** @param {string} shape */
  draw(shape) {
    const { board: { board, look } } = this;
    const place = (/** @type {string} */ name) => look.places[board.layout.points.findIndex((point) => point.name === name)];
    const [color, from, to] = [shape[0], place(shape.slice(1, 3)), place(shape.slice(3))];
    const name = `shape shape-${color}`;
    if (!from || (shape.length > 3 && !to)) return;
    if (to) draw("path", { d: arrowOutline(from, to, look.radius * 0.5, 15), class: name }, look.shapes);
    else draw("circle", { cx: from.x, cy: from.y, r: look.radius + 6, class: `${name} ring-shape` }, look.shapes);
  }

  /** Begins a shape where the right button is pressed. @param {PointerEvent} event */
  down(event) {
    const from = this.board.drag.pointAt(this.board.drag.place(event));
    if (from === undefined) return;
    this.pending = { from, color: colorOf(event), shape: "" };
    this.move(event);
    this.board.host.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { pending, board } = this;
    if (!pending) return;
    const to = board.drag.pointAt(board.drag.place(event));
    const names = [pending.from, ...(to === undefined || to === pending.from ? [] : [to])]
      .map((point) => board.board.layout.points[point].name);
    pending.shape = pending.color + names.join("");
    this.show(this.list);
  }

  /** Ends the shape where the button is released. */
  up() {
    const { pending } = this;
    this.cancel();
    if (pending) this.board.onShape(pending.shape);
  }

  /** The browser has taken the pointer for something else. */
  cancel() {
    this.pending = undefined;
    this.show(this.list);
  }
}
