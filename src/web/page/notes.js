// What the user writes and draws at a position: comments and shapes. They are kept with the game.

import { keep } from "./records.js";
import { changed, state } from "./state.js";

/** @import { MoveNode } from "./types.d.ts" */

/** @param {MoveNode} node @param {string} text */
export function setComment(node, text) {
  node.setComment(text);
  keep();
  changed("notes");
}

/** Draws a shape at the position on the board; the same shape again removes it. @param {string} shape */
export function toggleShape(shape) {
  if (state.setup || state.practice) return;
  const { node } = state.game;
  const others = node.shapes.filter((other) => other.slice(1) !== shape.slice(1));
  node.shapes = node.shapes.includes(shape) ? others : [...others, shape];
  keep();
  changed("notes");
}

export function clearShapes() {
  state.game.node.shapes = [];
  keep();
  changed("notes");
}
