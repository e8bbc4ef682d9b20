// The evaluation graph: Black's evaluation after each ply, with a scale, marks of mistakes and a tooltip. A click or an
// arrow key selects a ply.

import { draw, make } from "./dom.js";
import { decimal, t } from "./language.js";
import { share } from "./score.js";

/** @import { BoardView, GraphPoint } from "./types.d.ts" */

const [HEIGHT, PAD, LEFT] = [150, 8, 34];

/** The height of Black's share. @param {number} share */
const height = (share) => PAD + (1 - share) * (HEIGHT - 2 * PAD);

/** @type {(ply: number, plies: number, width: number) => number} where a ply is on a graph of this width */
export const xOf = (ply, plies, width) => (plies ? LEFT + (ply / plies) * (width - LEFT - PAD) : LEFT);

/** @type {(x: number, plies: number, width: number) => number} the ply that is nearest to a place */
export const plyAt = (x, plies, width) => (
  Math.max(0, Math.min(plies, Math.round(((x - LEFT) / (width - LEFT - PAD)) * plies))));

/**
 * The paths of a graph: through the known points, around the area between them and the middle, and from each exact
 * point to the next one if that is exact too. Null with fewer than two known points.
 * @param {Pick<GraphPoint, "share" | "exact">[]} points
 * @param {number} width
 */
export function pathsOf(points, width) {
  const known = points.flatMap(({ share, exact }, ply) => (
    share === null ? [] : [{ x: xOf(ply, points.length - 1, width), y: height(share), exact }]));
  if (known.length < 2) return null;
  /** @param {typeof known} list */
  const path = (list) => list.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const line = path(known);
  const pairs = known.slice(1).map((point, at) => [known[at], point]);
  const exact = pairs.filter((pair) => pair.every((point) => point.exact)).map(path).join("");
  const area = `${line}L${known[known.length - 1].x} ${HEIGHT / 2}L${known[0].x} ${HEIGHT / 2}Z`;
  return { line, area, exact };
}

export class Graph {
  /** @param {Element} host */
  constructor(host) {
    /** @type {(ply: number) => void} called with the selected ply */
    this.onJump = () => {};
    this.svg = draw("svg", { role: "slider", tabindex: 0, "aria-label": t("selectedMove"), "aria-valuemin": 0 }, host);
    this.tip = make("div", { class: "tip", hidden: true });
    host.append(this.tip);
    /** @type {GraphPoint[]} */
    this.points = [];
    this.ply = 0;
    this.width = 0;
    this.svg.addEventListener("click", (event) => this.onJump(this.plyAt(event.clientX)));
    this.svg.addEventListener("pointermove", (event) => this.showTip(this.plyAt(event.clientX)));
    this.svg.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.svg.addEventListener("keydown", (event) => {
      /** @type {Record<string, number>} */
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, Home: -Infinity, End: Infinity };
      if (!(event.key in steps)) return;
      event.preventDefault();
      event.stopPropagation();
      this.onJump(Math.max(0, Math.min(this.plies, this.ply + steps[event.key])));
    });
  }

  get plies() {
    return Math.max(0, this.points.length - 1);
  }

  /** @param {number} x of a pointer */
  plyAt(x) {
    const { left, width } = this.svg.getBoundingClientRect();
    return plyAt(x - left, this.plies, width);
  }

  /** @param {number} ply */
  showTip(ply) {
    const point = this.points[ply];
    this.tip.hidden = !this.plies || !point;
    if (this.tip.hidden) return;
    this.tip.textContent = [point.name, point.words].filter(Boolean).join(" · ");
    const { offsetWidth: width } = this.tip;
    this.tip.style.left = `${Math.max(0, Math.min(this.x(ply) - width / 2, this.svg.clientWidth - width))}px`;
  }

  /** @param {number} ply */
  x(ply) {
    return xOf(ply, this.plies, this.width);
  }

  /**
   * Shows the points, one for each ply.
   * @param {GraphPoint[]} points
   * @param {number} ply of the position on the board
   * @param {BoardView} board
   */
  show(points, ply, board) {
    this.points = points;
    this.ply = ply;
    this.width = Math.max(this.svg.clientWidth, LEFT + 4 * PAD);
    const { svg, plies, width } = this;
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.replaceChildren();
    const { counts_margin: isMargin, most_points: most } = board;
    for (const value of isMargin ? [most / 4, most / 16, 0, -most / 16, -most / 4] : [0.9, 0.3, 0, -0.3, -0.9]) {
      const y = height(share(value, board));
      draw("line", { x1: LEFT, x2: width, y1: y, y2: y, class: value === 0 ? "graph-mid" : "graph-scale" }, svg);
      const text = value === 0 ? "0" : `${value > 0 ? "+" : "−"}${decimal(Math.abs(value), isMargin ? 0 : 1)}`;
      draw("text", { x: LEFT - 5, y, class: "graph-number" }, svg).textContent = text;
    }
    draw("text", { x: LEFT + 5, y: 17, class: "graph-label" }, svg).textContent = t("blackAhead");
    draw("text", { x: LEFT + 5, y: HEIGHT - 9, class: "graph-label" }, svg).textContent = t("whiteAhead");
    const paths = pathsOf(points, width);
    if (paths) {
      draw("path", { d: paths.area, class: "graph-area" }, svg);
      draw("path", { d: paths.line, class: "graph-line" }, svg);
      if (paths.exact) draw("path", { d: paths.exact, class: "graph-line exact" }, svg);
    }
    points.forEach(({ share, severity }, index) => {
      if (share !== null && (severity === "mistake" || severity === "blunder")) {
        draw("circle", { cx: this.x(index), cy: height(share), r: 4, class: `graph-dot ${severity}` }, svg);
      }
    });
    // Without moves there is nothing to select.
    if (plies) draw("line", { x1: this.x(ply), x2: this.x(ply), y1: 0, y2: HEIGHT, class: "graph-now" }, svg);
    const current = points[ply]?.share ?? null;
    if (plies && current !== null) {
      draw("circle", { cx: this.x(ply), cy: height(current), r: 4, class: "graph-dot now" }, svg);
    }
    svg.setAttribute("aria-valuemax", String(plies));
    svg.setAttribute("aria-valuenow", String(ply));
    const { name, words } = points[ply] ?? {};
    svg.setAttribute("aria-valuetext", [name, words].filter(Boolean).join(", "));
  }
}
