// The board without its men: the frame with the coordinates, the ground with squares or lines, and the layers that the
// men and marks are drawn in.

import { defineLight, defineMen } from "./board-men.js";
import { withTextures } from "./board-texture.js";
import { draw } from "./dom.js";

/** @import { Box, Layout, Place, Side, Textures } from "./types.d.ts" */

/** The distance between neighboring points. */
export const UNIT = 100;
/** The widths of the frame, and of the ground around the outermost points of a board of lines. */
const [FRAME, ROOM] = [42, 64];
let boards = 0;

/** What is drawn once per board. */
export class Look {
  /**
   * @param {Layout} layout
   * @param {boolean} flipped
   * @param {{ textured?: boolean, still?: boolean, label?: string }} options
   */
  constructor(layout, flipped, { textured = false, still = false, label = "" } = {}) {
    boards += 1;
    /** Two boards in a document must not share the ids of their gradients. */
    this.id = `board${boards}`;
    this.layout = layout;
    this.flipped = flipped;
    this.squares = layout.lines.length === 0;
    this.radius = this.squares ? 40 : 34;
    /** @type {Place[]} */
    this.places = layout.points.map((point) => this.place(point));
    const inset = this.squares ? 0 : UNIT / 2 - ROOM;
    /** @type {Box} */
    this.ground = {
      x: inset, y: inset, width: layout.columns * UNIT - 2 * inset, height: layout.rows * UNIT - 2 * inset,
    };
    const { x, y, width, height } = this.ground;
    /** @type {Box} */
    this.area = { x: x - FRAME, y: y - FRAME, width: width + 2 * FRAME, height: height + 2 * FRAME };
    this.svg = draw("svg", {
      viewBox: Object.values(this.area).join(" "), role: "grid", "aria-label": label,
      class: this.squares ? "squares" : "crossings",
    });
    const defs = draw("defs", {}, this.svg);
    defineLight(defs, this.id);
    defineMen(defs, this.id, this.squares, this.radius);
    this.draw(defs, textured, still);
    /** @param {string} name */
    const layer = (name) => draw("g", { class: name, "aria-hidden": true, "pointer-events": "none" }, this.svg);
    this.under = layer("under");
    this.arrows = layer("arrows");
    this.rows = draw("g", { role: "presentation" }, this.svg);
    this.over = layer("over");
    this.shapes = layer("shapes");
    this.labels = layer("labels");
    this.moving = layer("moving");
  }

  /**
   * The center of a point.
   * @param {{ row: number, column: number }} point
   * @returns {Place}
   */
  place({ row, column }) {
    const { rows, columns } = this.layout;
    const [r, c] = this.flipped ? [rows - 1 - row, columns - 1 - column] : [row, column];
    return { x: (c + 0.5) * UNIT, y: (r + 0.5) * UNIT };
  }

  /** Draws the frame and the ground. @param {SVGElement} defs @param {boolean} textured @param {boolean} still */
  draw(defs, textured, still) {
    const { svg, area, ground, id } = this;
    const scene = draw("g", { "aria-hidden": true, "pointer-events": "none" }, svg);
    draw("rect", { ...area, rx: 12, class: "frame" }, scene);
    const grain = draw("g", {}, scene);
    this.drawFrame(scene);
    draw("rect", { ...ground, class: "ground" }, scene);
    const texture = draw("g", {}, scene);
    if (textured) withTextures((textures) => this.addTextures(defs, grain, texture, textures));
    // A picture is stored, and has few colors then.
    if (!still) draw("rect", { ...ground, fill: `url(#${id}_light)` }, scene);
    if (this.squares) this.drawGrid(scene);
    else this.drawLines(scene);
    this.drawCoordinates(scene);
    // The shadow of the frame on the ground.
    const shadow = (/** @type {number} */ inset, /** @type {string} */ name) => draw("rect", {
      x: ground.x + inset / 2, y: ground.y + inset / 2, width: ground.width - inset, height: ground.height - inset,
      class: name,
    }, scene);
    shadow(4, "inner");
    shadow(9, "inner wide");
  }

  /** Draws the miters of the frame and the light on its edges. @param {SVGElement} scene */
  drawFrame(scene) {
    const { area: { x, y, width, height } } = this;
    const [right, bottom] = [x + width, y + height];
    /** @type {[number, number, number, number][]} */
    const corners = [[x, y, 1, 1], [right, y, -1, 1], [x, bottom, 1, -1], [right, bottom, -1, -1]];
    const cut = FRAME - 3;
    const miters = corners.map(([cx, cy, dx, dy]) => `M${cx + 3 * dx} ${cy + 3 * dy}l${cut * dx} ${cut * dy}`);
    draw("path", { d: miters.join(""), class: "miter" }, scene);
    draw("rect", { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 11, class: "bevel" }, scene);
    const inner = { x: x + FRAME - 2, y: y + FRAME - 2, width: width - 2 * FRAME + 4, height: height - 2 * FRAME + 4 };
    draw("rect", { ...inner, rx: 2, class: "bevel inside" }, scene);
  }

  /**
   * Lays the textures on the frame, with the grain along each side, and on the ground.
   * @param {SVGElement} defs @param {SVGElement} grain @param {SVGElement} texture @param {Textures} textures
   */
  addTextures(defs, grain, texture, { wood, cloth }) {
    const { area, ground, id } = this;
    const { x, y, width, height } = area;
    /** @param {string} href @param {string} name @param {Box} box @param {SVGElement} parent */
    const image = (href, name, box, parent) => (
      draw("image", { href, class: name, preserveAspectRatio: "none", ...box }, parent));
    const [right, bottom] = [x + width, y + height];
    const clip = draw("clipPath", { id: `${id}_sides` }, defs);
    const sides = [`M${x} ${y}l${FRAME} ${FRAME}V${bottom - FRAME}L${x} ${bottom}Z`,
      `M${right} ${y}l${-FRAME} ${FRAME}V${bottom - FRAME}L${right} ${bottom}Z`];
    draw("path", { d: sides.join("") }, clip);
    image(wood, "texture frame-wood", area, grain);
    const upright = draw("g", { "clip-path": `url(#${id}_sides)` }, grain);
    draw("rect", { ...area, class: "frame" }, upright);
    const turned = { transform: `translate(${x + width} ${y}) rotate(90)`, x: 0, y: 0, width: height, height: width };
    image(wood, "texture frame-wood", turned, upright);
    image(wood, "texture ground-wood", ground, texture);
    image(cloth, "texture ground-cloth", ground, texture);
  }

  /** Draws the squares of an Othello board, with its four dots. @param {SVGElement} scene */
  drawGrid(scene) {
    const { rows, columns } = this.layout;
    const across = Array.from({ length: rows - 1 }, (_, at) => `M0 ${(at + 1) * UNIT}H${columns * UNIT}`);
    const down = Array.from({ length: columns - 1 }, (_, at) => `M${(at + 1) * UNIT} 0V${rows * UNIT}`);
    draw("path", { d: [...across, ...down].join(""), class: "grid" }, scene);
    if (rows < 6) return;
    for (const row of [2, rows - 2]) {
      for (const column of [2, columns - 2]) {
        draw("circle", { cx: column * UNIT, cy: row * UNIT, r: 7, class: "star" }, scene);
      }
    }
  }

  /**
   * Draws the lines and points of a mill board: cut into the wood, with light on their lower edges.
   * @param {SVGElement} scene
   */
  drawLines(scene) {
    const { places, layout: { lines } } = this;
    const path = lines.map(([a, b]) => `M${places[a].x} ${places[a].y}L${places[b].x} ${places[b].y}`).join("");
    draw("path", { d: path, class: "edge-light-line", transform: "translate(1.5 2.5)" }, scene);
    draw("path", { d: path, class: "edge" }, scene);
    for (const { x: cx, y: cy } of places) draw("circle", { cx, cy, r: 9, class: "dot" }, scene);
  }

  /** Writes the names of the columns and rows on the frame. @param {SVGElement} scene */
  drawCoordinates(scene) {
    const { layout: { points }, area, ground } = this;
    const first = points.find((point) => point.row === 0) ?? points[0];
    const above = first.name.slice(1) === "1";
    const seen = new Set();
    /** @param {string} text @param {number} x @param {number} y */
    const label = (text, x, y) => {
      if (seen.has(text)) return;
      seen.add(text);
      draw("text", { x, y, class: "label" }, scene).textContent = text;
    };
    points.forEach(({ name }, number) => {
      const { x, y } = this.places[number];
      label(name[0], x, above ? area.y + FRAME / 2 + 1 : ground.y + ground.height + FRAME / 2);
      label(name.slice(1), area.x + FRAME / 2, y);
    });
  }

  /**
   * Draws a man of a side with its center at the origin of `parent`.
   * @param {Side} side @param {SVGElement} parent
   * @returns {SVGUseElement}
   */
  man(side, parent) {
    return draw("use", { href: `#${this.id}_man_${side}`, class: `piece ${side}` }, parent);
  }

  /** Draws a man above all others; it is removed when it has arrived. @param {Side} side @param {Place} place */
  copy(side, { x, y }) {
    const group = draw("g", { transform: `translate(${x} ${y})` }, this.moving);
    return { group, man: this.man(side, group) };
  }
}

