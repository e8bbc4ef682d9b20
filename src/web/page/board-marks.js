// The marks on the board: targets, the last move, the selection, mills, premoves. Each has a name, and only those that
// change are drawn or removed.

import { draw } from "./dom.js";

/** @import { Look, Pieces, Show, Side } from "./types.d.ts" */

/**
 * What the last move did, from its points: it came from some, went to one, and removed the men of the others.
 * @param {{ points: number[] }} last
 * @param {Pieces} pieces the position after it
 */
export function partsOf({ points }, pieces) {
  const to = points.findIndex((point) => pieces[point]);
  if (to < 0) return { from: [], to: undefined, captured: points };
  return { from: points.slice(0, to), to: points[to], captured: points.slice(to + 1) };
}

export class Marks {
  /** @param {Look} look */
  constructor(look) {
    this.look = look;
    /** @type {Map<string, SVGElement>} */
    this.shown = new Map();
    /** @type {Map<string, () => SVGElement>} */
    this.wanted = new Map();
  }

  /**
   * Asks for a mark at a point.
   * @param {string} kind @param {number} number @param {(group: SVGElement) => void} work @param {boolean} [isAbove]
   */
  want(kind, number, work, isAbove = false) {
    const place = this.look.places[number];
    if (!place) return;
    this.wanted.set(`${kind} ${number}`, () => {
      const transform = `translate(${place.x} ${place.y})`;
      const group = draw("g", { transform }, isAbove ? this.look.over : this.look.under);
      [group.dataset.mark] = kind.split(" ");
      work(group);
      return group;
    });
  }

  /** Draws the marks that were asked for, and removes the others. */
  settle() {
    for (const [name, element] of this.shown) {
      if (this.wanted.has(name)) continue;
      element.remove();
      this.shown.delete(name);
    }
    for (const [name, make] of this.wanted) if (!this.shown.has(name)) this.shown.set(name, make());
    this.wanted.clear();
  }

  /**
   * Shows the marks of a position.
   * @param {Show} show @param {Pieces} shown the men with the selection on the board
   */
  show({ pieces, side, targets = [], touched = [], last, values, mill = [], premove = [] }, shown) {
    this.showMills(mill);
    for (const point of premove) this.want("premove", point, (group) => this.field(group, "premove"));
    const man = touched.find((point) => shown[point]);
    if (man !== undefined && !mill.includes(man)) this.want("chosen", man, (group) => this.chosen(group));
    for (const point of targets) {
      if (!shown[point] && !values?.get(point)) this.want("target", point, (group) => this.dot(group), true);
      else if (shown[point] && shown[point] !== side) this.want("capturable", point, (group) => this.prey(group), true);
    }
    // Above the dot of a point that can be selected.
    if (last && !touched.length) this.showLast(last, pieces);
    this.settle();
  }

  /** @param {{ points: number[] }} last @param {Pieces} pieces */
  showLast(last, pieces) {
    const { from, to, captured } = partsOf(last, pieces);
    const { squares } = this.look;
    for (const point of from) this.want("from", point, (group) => this.field(group, "last from"));
    for (const point of captured) this.want("captured", point, (group) => this.cross(group, 13, "taken"), true);
    if (to === undefined) return;
    const mark = (/** @type {SVGElement} */ group) => draw("circle", { r: 8, class: "last dot-mark" }, group);
    if (squares) this.want("last", to, mark, true);
    else this.want("to", to, (group) => this.field(group, "last to"));
  }

  /** The area of a point: its square, or a circle around it. @param {SVGElement} group @param {string} name */
  field(group, name) {
    if (this.look.squares) draw("rect", { x: -49, y: -49, width: 98, height: 98, class: name }, group);
    else draw("circle", { r: this.look.radius + 12, class: name }, group);
  }

  /** @param {SVGElement} group */
  chosen(group) {
    draw("circle", { cx: 7, cy: 14, r: this.look.radius + 12, fill: `url(#${this.look.id}_shadow)` }, group);
    draw("circle", { r: this.look.radius + 9, class: "chosen" }, group);
  }

  /** @param {SVGElement} group */
  dot(group) {
    draw("circle", { r: this.look.squares ? 13 : 15, class: "target" }, group);
  }

  /** A man that can be removed: a red ring, and a cross beside it. @param {SVGElement} group */
  prey(group) {
    const { radius } = this.look;
    draw("circle", { r: radius + 5, class: "capturable ground-line" }, group);
    draw("circle", { r: radius + 5, class: "capturable" }, group);
    const badge = draw("g", { transform: `translate(${-radius * 0.8} ${-radius * 0.8})` }, group);
    draw("circle", { r: 14, class: "badge" }, badge);
    draw("path", { d: "M-5 -5L5 5M5 -5L-5 5", class: "badge-cross" }, badge);
  }

  /** @param {SVGElement} group @param {number} size @param {string} name */
  cross(group, size, name) {
    const d = `M${-size} ${-size}L${size} ${size}M${size} ${-size}L${-size} ${size}`;
    draw("path", { d, class: `${name} ground-line` }, group);
    draw("path", { d, class: name }, group);
  }

  /** The lines of closed mills, three points each. @param {number[]} mill */
  showMills(mill) {
    for (let at = 0; at + 2 < mill.length; at += 3) {
      const [a, b] = [this.look.places[mill[at]], this.look.places[mill[at + 2]]];
      this.want(`mill ${mill[at + 2]}`, mill[at], (group) => {
        const line = { x1: 0, y1: 0, x2: b.x - a.x, y2: b.y - a.y };
        for (const name of ["mill wide", "mill", "mill core"]) draw("line", { ...line, class: name }, group);
      });
      for (const point of mill.slice(at, at + 3)) {
        this.want("mill-man", point, (group) => draw("circle", { r: this.look.radius + 8, class: "mill-man" }, group));
      }
    }
  }
}

/** What a move would do, while the pointer or the focus is on its point. */
export class Preview {
  /** @param {Look} look */
  constructor(look) {
    this.look = look;
    /** @type {Element[]} */
    this.shown = [];
  }

  clear() {
    for (const element of this.shown) element.remove();
    this.shown = [];
  }

  /**
   * @param {number} at @param {Side | null} side the side whose man would stand there
   * @param {number[]} changes the other men that would change
   */
  show(at, side, changes) {
    this.clear();
    const { places, over, radius } = this.look;
    const add = (/** @type {number} */ number) => {
      const { x, y } = places[number];
      const group = draw("g", { transform: `translate(${x} ${y})` }, over);
      this.shown.push(group);
      return group;
    };
    if (side) this.look.man(side, add(at)).classList.add("ghost");
    const others = changes.filter((point) => point !== at);
    for (const point of others) draw("circle", { r: radius * 0.4, class: `preview ${side}` }, add(point));
  }
}

