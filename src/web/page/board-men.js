// Discs and men: each side's is drawn once, and every point that holds one refers to it.

import { draw } from "./dom.js";

export const SIDES = ["black", "white"];

/**
 * Defines a radial gradient.
 * @param {SVGElement} defs
 * @param {string} id
 * @param {Record<string, string | number>} shape
 * @param {[number, string][]} stops offsets and classes
 */
function gradient(defs, id, shape, stops) {
  const made = draw("radialGradient", { id, ...shape }, defs);
  for (const [offset, name] of stops) draw("stop", { offset, class: name }, made);
}

/**
 * Defines the light and the shadows of the board.
 * @param {SVGElement} defs
 * @param {string} id the beginning of all ids, which no other board has
 */
export function defineLight(defs, id) {
  gradient(defs, `${id}_shadow`, { r: "50%" }, [[0.55, "stop-shadow"], [0.8, "stop-shade"], [1, "stop-clear"]]);
  const light = { cx: "34%", cy: "24%", r: "95%" };
  gradient(defs, `${id}_light`, light, [[0, "stop-lit"], [0.5, "stop-clear"], [1, "stop-dim"]]);
}

/**
 * Defines a disc of Othello: flat and glossy, with the other color on its lower side.
 * @param {SVGElement} defs @param {string} id @param {string} side @param {number} radius
 */
function defineDisc(defs, id, side, radius) {
  const disc = draw("g", { id: `${id}_man_${side}` }, defs);
  draw("circle", { cx: 3, cy: 7, r: radius + 7, fill: `url(#${id}_shadow)` }, disc);
  draw("circle", { cy: 3.2, r: radius, class: `under-${side}` }, disc);
  draw("circle", { r: radius, class: `rim-${side}`, fill: `url(#${id}_${side})` }, disc);
  draw("circle", { r: radius - 4.5, class: `lip-${side}` }, disc);
  const [x, y] = [-radius * 0.2, -radius * 0.5];
  draw("ellipse", {
    cx: x, cy: y, rx: radius * 0.55, ry: radius * 0.3, transform: `rotate(-20 ${x} ${y})`, class: `gloss-${side}`,
    fill: `url(#${id}_gloss)`,
  }, disc);
}

/**
 * Defines a man of the mill games: turned of wood, with a raised rim and a groove.
 * @param {SVGElement} defs @param {string} id @param {string} side @param {number} radius
 */
function defineMan(defs, id, side, radius) {
  const man = draw("g", { id: `${id}_man_${side}` }, defs);
  draw("circle", { cx: 4, cy: 8, r: radius + 8, fill: `url(#${id}_shadow)` }, man);
  draw("circle", { cy: 2.5, r: radius, class: `foot-${side}` }, man);
  draw("circle", { r: radius, class: `rim-${side}`, fill: `url(#${id}_${side})` }, man);
  draw("circle", { r: radius * 0.76, class: `turned-${side}`, fill: `url(#${id}_dish_${side})` }, man);
  draw("circle", { r: radius * 0.42, class: `turned-${side}`, fill: `url(#${id}_${side})` }, man);
  // Light on the upper left of the rim.
  const [near, far] = [radius * 0.88, radius * 0.88 * Math.SQRT1_2];
  const arc = `M${-near} 0A${near} ${near} 0 0 1 ${far * 0.5} ${-far * 1.2}`;
  draw("path", { d: arc, class: `gloss-${side} edge-light` }, man);
}

/**
 * Defines the men of both sides.
 * @param {SVGElement} defs @param {string} id @param {boolean} areDiscs @param {number} radius
 */
export function defineMen(defs, id, areDiscs, radius) {
  gradient(defs, `${id}_gloss`, {}, [[0, "stop-gloss"], [1, "stop-clear-light"]]);
  for (const side of SIDES) {
    const [light, low] = [`stop-${side}`, `stop-${side}-low`];
    gradient(defs, `${id}_${side}`, { cx: "36%", cy: "28%", r: "82%" }, [[0, light], [1, low]]);
    gradient(defs, `${id}_dish_${side}`, { cx: "64%", cy: "74%", r: "82%" }, [[0, light], [1, low]]);
    (areDiscs ? defineDisc : defineMan)(defs, id, side, radius);
  }
}
