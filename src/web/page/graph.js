// The evaluation graph: Black's evaluation after each ply, with a scale, marks of mistakes and a tooltip. A click or an
// arrow key selects a ply.

import { draw, make } from "./dom.js";
import { decimal, t } from "./language.js";
import { share } from "./score.js";

const [HEIGHT, PAD, LEFT] = [150, 8, 34];

const height = (share) => PAD + (1 - share) * (HEIGHT - 2 * PAD);

export class Graph {
  /** `onJump` is called with the selected ply. */
  constructor(host) {
    this.onJump = () => {};
    this.host = host;
    this.svg = draw("svg", { role: "slider", tabindex: 0, "aria-label": t("selectedMove"), "aria-valuemin": 0 }, host);
    this.tip = make("div", { class: "tip", hidden: true });
    host.append(this.tip);
    this.points = [];
    this.svg.addEventListener("click", (event) => this.onJump(this.plyAt(event.clientX)));
    this.svg.addEventListener("pointermove", (event) => this.showTip(this.plyAt(event.clientX)));
    this.svg.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.svg.addEventListener("keydown", (event) => {
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

  plyAt(x) {
    const box = this.svg.getBoundingClientRect();
    const ply = ((x - box.left - LEFT) / (box.width - LEFT - PAD)) * this.plies;
    return Math.max(0, Math.min(this.plies, Math.round(ply)));
  }

  showTip(ply) {
    const point = this.points[ply];
    this.tip.hidden = !this.plies || !point;
    if (this.tip.hidden) return;
    this.tip.textContent = [point.name, point.words].filter(Boolean).join(" · ");
    const { offsetWidth: width } = this.tip;
    this.tip.style.left = `${Math.max(0, Math.min(this.x(ply) - width / 2, this.svg.clientWidth - width))}px`;
  }

  x(index) {
    return this.plies ? LEFT + (index / this.plies) * (this.width - LEFT - PAD) : LEFT;
  }

  /**
   * Shows the points: for each ply, Black's `share` from 0 (lost) to 1 (won) or null if unknown, whether it is `exact`,
   * its `words`, the `name` of its move, and the `severity` of a mistake.
   */
  show(points, ply, board) {
    Object.assign(this, { points, ply, width: Math.max(this.svg.clientWidth, LEFT + 4 * PAD) });
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
    for (const [words, y] of [[t("blackAhead"), 17], [t("whiteAhead"), HEIGHT - 9]]) {
      draw("text", { x: LEFT + 5, y, class: "graph-label" }, svg).textContent = words;
    }
    const known = points.map((point, index) => ({ ...point, index })).filter(({ share }) => share !== null);
    const place = ({ share, index }) => `${this.x(index).toFixed(1)} ${height(share).toFixed(1)}`;
    const path = (list) => list.map((point, nth) => `${nth ? "L" : "M"}${place(point)}`).join("");
    if (known.length > 1) {
      const [first, last] = [known[0], known.at(-1)].map(({ index }) => this.x(index));
      draw("path", { d: `${path(known)}L${last} ${HEIGHT / 2}L${first} ${HEIGHT / 2}Z`, class: "graph-area" }, svg);
      draw("path", { d: path(known), class: "graph-line" }, svg);
      // The exact part: from each exact point to the next one if that is exact too.
      const pairs = known.slice(1).map((point, nth) => [known[nth], point]);
      const exact = pairs.filter((pair) => pair.every((point) => point.exact));
      if (exact.length) draw("path", { d: exact.map(path).join(""), class: "graph-line exact" }, svg);
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
    svg.setAttribute("aria-valuemax", plies);
    svg.setAttribute("aria-valuenow", ply);
    const words = points[ply]?.words;
    svg.setAttribute("aria-valuetext", `${t("graphMove", { ply, plies })}${words ? `, ${words}` : ""}`);
  }
}
