// The hints on the board: values at points, and arrows with values.

import { draw } from "./dom.js";

/** @import { Arrow, Box, Look, Pieces, Place, Value } from "./types.d.ts" */

/** The widest label: two at neighboring points have a gap between them. */
const WIDEST = 92;

/**
 * The class of the color of a value: from `shade-0`, bad, to `shade-4`, the best. Without a rank only the best has one.
 * @param {Value} value
 */
const shade = ({ best, rank }) => (
  best || rank !== undefined ? `shade shade-${best ? 4 : Math.min(3, Math.floor((rank ?? 0) * 4))}` : "");

/**
 * The size of a label.
 * @param {string} text @param {number} size 1 for a label at an empty point
 */
function measure(text, size) {
  const natural = size * (26 + 16.5 * text.length);
  const scale = Math.min(1, WIDEST / natural) * size;
  return { width: scale * (26 + 16.5 * text.length), height: scale * 44, scale };
}

const overlap = (/** @type {Box} */ one, /** @type {Box} */ other) => {
  const across = (one.width + other.width) / 2 - Math.abs(one.x - other.x);
  const down = (one.height + other.height) / 2 - Math.abs(one.y - other.y);
  return across > 0 && down > 0 ? across * down : 0;
};

/**
 * The place of an arrow's label: on the arrow near its head, or farther from it where it would cover another label.
 * @param {Place} from @param {Place} to @param {{ width: number, height: number }} size
 * @param {Box[]} labels @param {Box[]} men what a label should not hide
 * @returns {Box}
 */
function labelPlace(from, to, size, labels, men) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  /** @type {{ box: Box, cost: number }} */
  let best = { box: { ...from, ...size }, cost: Infinity };
  for (const aside of [0, 26, -26, 44, -44]) {
    for (let share = 0.8; share > 0.25; share -= 0.05) {
      const along = Math.min(share, 1 - 34 / length);
      const [x, y] = [from.x + dx * along - (dy / length) * aside, from.y + dy * along + (dx / length) * aside];
      const box = { x, y, ...size };
      const roomy = { ...box, width: box.width + 6, height: box.height + 6 };
      const covered = labels.reduce((sum, other) => sum + overlap(roomy, other), 0);
      const hidden = men.reduce((sum, other) => sum + overlap(box, other), 0);
      const cost = covered * 50 + hidden + Math.abs(aside) * 4 + (0.8 - share) * 120;
      if (cost < best.cost) best = { box, cost };
    }
  }
  return best.box;
}

/**
 * The outline of an arrow as a path.
 * @param {Place} from @param {Place} to
 * @param {number} start the distance of its beginning from the first point @param {number} half that of its head
 */
export function arrowOutline(from, to, start, half) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const end = length - 10;
  const [neck, thin] = [end - 1.9 * half, half * 0.42];
  const outline = [[start, thin], [neck, thin], [neck, half], [end, 0], [neck, -half], [neck, -thin], [start, -thin]];
  const corners = outline.map(([along, aside]) => (
    `${(from.x + dx * along - dy * aside).toFixed(1)} ${(from.y + dy * along + dx * aside).toFixed(1)}`));
  return `M${corners.join("L")}Z`;
}

export class Labels {
  /** @param {Look} look */
  constructor(look) {
    this.look = look;
    this.shown = "";
  }

  /**
   * Draws the hints, if they have changed.
   * @param {{ number: number, value: Value, hasMan: boolean }[]} values
   * @param {Arrow[]} arrows from the best to the worst
   * @param {Pieces} pieces
   */
  show(values, arrows, pieces) {
    const wanted = values.length || arrows.length ? JSON.stringify([values, arrows, pieces]) : "";
    if (wanted === this.shown) return;
    this.shown = wanted;
    const { look } = this;
    look.labels.replaceChildren();
    look.arrows.replaceChildren();
    for (const { number, value, hasMan } of values) {
      const { x, y } = look.places[number];
      // Beside a man, so that its side can be seen.
      this.label(value, hasMan ? { x: x + 29, y: y - 34 } : { x, y }, hasMan ? 0.7 : 1, number);
    }
    // The best arrow is drawn last, above the others; its label is placed first.
    [...arrows].reverse().forEach((arrow, nth) => this.arrow(arrow, arrows.length - 1 - nth));
    this.arrowLabels(arrows, pieces);
  }

  /** @param {Arrow[]} arrows @param {Pieces} pieces */
  arrowLabels(arrows, pieces) {
    const { places, radius } = this.look;
    const men = [...pieces.keys()].filter((at) => pieces[at])
      .map((at) => ({ ...places[at], width: radius * 1.7, height: radius * 1.7 }));
    const heads = arrows.map(({ from, to }) => this.headBox(places[from], places[to]));
    /** @type {Box[]} */
    const placed = [];
    for (const arrow of arrows) {
      if (!arrow.text) continue;
      const { width, height } = measure(arrow.text, 0.72);
      const box = labelPlace(places[arrow.from], places[arrow.to], { width, height }, placed, [...men, ...heads]);
      placed.push(box);
      this.label(arrow, box, 0.72);
    }
  }

  /** The area of an arrow's head, which no label should cover. @param {Place} from @param {Place} to @returns {Box} */
  headBox(from, to) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const share = 1 - 26 / length;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, width: 34, height: 34 };
  }

  /**
   * Draws a value.
   * @param {Value} value @param {Place} place @param {number} size @param {number} [number] its point
   */
  label(value, { x, y }, size, number) {
    const { width, height, scale } = measure(value.text, size);
    const marks = [value.exact && "exact", value.best && "best"].filter(Boolean).join(" ");
    const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
    const group = draw("g", { transform, class: `hint ${shade(value)}` }, this.look.labels);
    if (number !== undefined) group.dataset.hint = this.look.layout.points[number].name;
    draw("rect", {
      x: -width / 2, y: -height / 2, width, height, rx: height / 2.4, class: `value-ground ${marks}`,
    }, group);
    const text = draw("text", { class: `value ${marks}`, y: 1, "font-size": (27 * scale).toFixed(1) }, group);
    text.textContent = value.text;
  }

  /**
   * Draws an arrow below the men. The arrow with the number 0 is the best.
   * @param {Arrow} arrow @param {number} number
   */
  arrow(arrow, number) {
    const { places, radius, arrows } = this.look;
    const d = arrowOutline(places[arrow.from], places[arrow.to], radius * 0.6, 19 - 1.6 * number);
    const name = ["arrow", arrow.best && "best", shade(arrow)].filter(Boolean).join(" ");
    draw("path", { d, class: name }, arrows);
  }
}
