// The board, drawn from the layout of the game as squares or as points on lines. Supports pointers, the keyboard and
// screen readers.

import { draw } from "./dom.js";
import { pieceWord, t } from "./language.js";
import { otherSide, sideName } from "./score.js";

const UNIT = 100;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /** `onTouch` is called with the number of a selected point, `onEscape` when the selection is cancelled. */
  constructor(host) {
    Object.assign(this, { host, onTouch() {}, onEscape() {}, focused: 0, byKeyboard: true });
  }

  /** Draws an empty board. */
  build(board, flipped) {
    Object.assign(this, { board, flipped, pieces: [], layout: board.layout });
    const { rows, columns, points, lines } = board.layout;
    this.squares = lines.length === 0;
    this.radius = this.squares ? 41 : 31;
    const margin = 34;
    // Points on lines need room around the outermost ones. The coordinates are on the left and beside the row named 1.
    const room = this.squares ? 0 : -8;
    const across = this.squares ? margin + 14 : 2 * (margin + room);
    const [width, height] = [columns * UNIT + across, rows * UNIT + across];
    const area = { x: -margin - room, y: -margin - room, width, height };
    const svg = draw("svg", {
      viewBox: Object.values(area).join(" "), role: "grid", "aria-label": t("board"),
      class: this.squares ? "squares" : "crossings",
    });
    const defs = draw("defs", {}, svg);
    for (const side of ["black", "white"]) {
      const gradient = draw("radialGradient", { id: side, cx: "38%", cy: "30%", r: "80%" }, defs);
      draw("stop", { offset: "0", class: `stop-${side}` }, gradient);
      draw("stop", { offset: "1", class: `stop-${side}-low` }, gradient);
    }
    draw("rect", { ...area, rx: 14, class: this.squares ? "frame" : "frame plain", "aria-hidden": true }, svg);
    const places = points.map((point) => this.place(point));
    this.places = places;
    if (!this.squares) this.drawGrain(svg, area);
    for (const [a, b] of lines.map((line) => line.map((point) => places[point]))) {
      draw("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "edge", "aria-hidden": true }, svg);
    }
    this.drawCoordinates(svg, margin, room);
    const heights = [...new Set(places.map((place) => place.y))].sort((a, b) => a - b);
    const groups = new Map(heights.map((y) => [y, draw("g", { role: "row" }, svg)]));
    const order = [...points.keys()].sort((a, b) => places[a].y - places[b].y || places[a].x - places[b].x);
    this.points = [];
    for (const number of order) this.points[number] = this.point(number, groups.get(places[number].y));
    if (this.squares) this.drawStars(svg);
    this.arrows = draw("g", { class: "arrows", "aria-hidden": true, "pointer-events": "none" }, svg);
    this.labels = draw("g", { "aria-hidden": true, "pointer-events": "none" }, svg);
    this.moving = draw("g", { "aria-hidden": true, "pointer-events": "none" }, svg);
    svg.addEventListener("keydown", (event) => this.key(event));
    // After a click the arrow keys go through the game; after Tab they go through the points.
    svg.addEventListener("pointerdown", () => { this.byKeyboard = false; });
    svg.addEventListener("focusout", ({ relatedTarget }) => { this.byKeyboard ||= !svg.contains(relatedTarget); });
    this.host.replaceChildren(svg);
    this.svg = svg;
    this.focused = Math.min(this.focused, points.length - 1);
  }

  /** The center of a point. */
  place({ row, column }) {
    const { rows, columns } = this.layout;
    const [r, c] = this.flipped ? [rows - 1 - row, columns - 1 - column] : [row, column];
    return { x: (c + 0.5) * UNIT, y: (r + 0.5) * UNIT };
  }

  /** Draws the grain of the wood: lines that wave a little. */
  drawGrain(svg, { x, y, width, height }) {
    const lines = 9;
    for (let at = 1; at < lines; at += 1) {
      const top = y + (at / lines) * height;
      const wave = 6 + ((at * 37) % 11);
      const curve = [x + width * 0.3, top - wave, x + width * 0.6, top + wave, x + width - 8, top - wave / 2];
      draw("path", { d: `M${x + 8} ${top}C${curve.join(" ")}`, class: "grain", "aria-hidden": true }, svg);
    }
  }

  /** Draws the four dots of an Othello board. */
  drawStars(svg) {
    const { rows, columns } = this.layout;
    if (rows < 6) return;
    const star = { r: 7, class: "star", "aria-hidden": true, "pointer-events": "none" };
    for (const row of [2, rows - 2]) {
      for (const column of [2, columns - 2]) draw("circle", { cx: column * UNIT, cy: row * UNIT, ...star }, svg);
    }
  }

  /** Writes the names of the columns and rows. */
  drawCoordinates(svg, margin, room) {
    const { rows, points } = this.layout;
    const first = points.find((point) => point.row === 0);
    const above = first.name.slice(1) === "1";
    const seen = new Set();
    for (const point of points) {
      const { x, y } = this.place(point);
      const [letter, digit] = [point.name[0], point.name.slice(1)];
      const label = (text, x, y) => {
        if (seen.has(text)) return;
        seen.add(text);
        draw("text", { x, y, class: "label", "aria-hidden": true }, svg).textContent = text;
      };
      label(letter, x, above ? -margin / 2 - room + 1 : rows * UNIT + margin / 2 + room - 1);
      label(digit, -margin / 2 - room, y);
    }
  }

  point(number, row) {
    const { x, y } = this.places[number];
    const group = draw("g", { class: "point", role: "gridcell", tabindex: -1, transform: `translate(${x} ${y})` }, row);
    group.dataset.point = this.layout.points[number].name;
    if (this.squares) draw("rect", { x: -50, y: -50, width: 100, height: 100, class: "cell" }, group);
    else {
      draw("circle", { r: 9, class: "dot" }, group);
      draw("circle", { r: 49, class: "hit" }, group);
    }
    const below = draw("g", {}, group);
    const piece = draw("circle", { r: this.radius, class: "piece", visibility: "hidden" }, group);
    const above = draw("g", { "pointer-events": "none" }, group);
    if (this.squares) draw("rect", { x: -45, y: -45, width: 90, height: 90, rx: 6, class: "ring" }, group);
    else draw("circle", { r: 43, class: "ring" }, group);
    group.addEventListener("click", () => {
      this.focus(number, false);
      this.onTouch(number);
    });
    group.addEventListener("focus", () => this.focus(number, false));
    return { group, below, piece, above };
  }

  /** Makes a point the one that the keyboard acts on; `moveFocus` also focuses its element. */
  focus(number, moveFocus = true) {
    this.points[this.focused]?.group.setAttribute("tabindex", -1);
    this.focused = number;
    this.points[number].group.setAttribute("tabindex", 0);
    if (moveFocus) this.points[number].group.focus();
  }

  key(event) {
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in directions && !this.byKeyboard) return;
    if (event.key in directions) {
      const next = this.neighbor(...directions[event.key]);
      if (next !== undefined) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") this.onTouch(this.focused);
    else if (event.key === "Escape") this.onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The next point in a direction. Points in line are preferred to nearer points off the line. */
  neighbor(dx, dy) {
    const here = this.places[this.focused];
    let best;
    this.places.forEach((place, number) => {
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const aside = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      if (along <= 0) return;
      const cost = along + 8 * aside;
      if (best === undefined || cost < best.cost) best = { number, cost };
    });
    return best?.number;
  }

  /**
   * Shows a position.
   * @param show `pieces`; `move`, a move to animate; `last`, the last move; `side`, the side to move; `touched`, the
   * points selected so far; `targets`, the points that can be selected next; `changes(point)`, the points that a
   * selection would change; `values`, the hint of each target; `spoken`, the hints for screen readers; `arrows`, hints
   * from one point to another; `free`, whether every point can be selected
   */
  show(show) {
    const { pieces, targets = [], touched = [], side, last, values, spoken = values, arrows = [] } = show;
    this.labels.replaceChildren();
    this.arrows.replaceChildren();
    arrows.toReversed().forEach((arrow, nth) => this.drawArrow(arrow, arrows.length - 1 - nth));
    const preview = this.preview(pieces, touched, side);
    this.points.forEach(({ group, below, piece, above }, number) => {
      const stands = preview.pieces[number];
      const part = ["ghost", "leaving"].find((part) => preview[part] === number);
      piece.setAttribute("class", ["piece", stands, part].filter(Boolean).join(" "));
      piece.setAttribute("visibility", stands ? "visible" : "hidden");
      below.replaceChildren();
      above.replaceChildren();
      const isTarget = targets.includes(number);
      group.classList.toggle("open", isTarget || Boolean(show.free));
      const point = { number, stands, isTarget, touched, last, side };
      this.mark({ ...point, values, below, above });
      group.setAttribute("aria-label", this.description({ ...point, values: spoken, pieces }));
      group.setAttribute("aria-selected", touched.includes(number));
      group.onpointerenter = group.onfocus = () => isTarget && this.hint(show.changes?.(number) ?? [], number);
      group.onpointerleave = group.onblur = () => this.hint([]);
    });
    this.focus(this.focused, false);
    if (show.move && !reducedMotion.matches) this.animate(this.pieces, pieces, show.move);
    this.pieces = pieces;
  }

  /** The pieces while a move is partly selected. */
  preview(pieces, touched, side) {
    const shown = { pieces: [...pieces], ghost: undefined, leaving: undefined };
    if (!touched.length) return shown;
    const goes = pieces[touched[0]] === side;
    const to = goes ? touched[1] : touched[0];
    if (goes && to !== undefined) shown.leaving = touched[0];
    if (to !== undefined) {
      shown.pieces[to] = side;
      shown.ghost = to;
    }
    return shown;
  }

  mark({ number, stands, isTarget, touched, last, values, below, above, side }) {
    if (touched.includes(number)) draw("circle", { r: this.radius + 6, class: "chosen" }, below);
    if (last?.points.includes(number) && !touched.length) {
      // A dot marks the piece that moved; a ring marks the points that the move left empty.
      if (stands === otherSide(side)) draw("circle", { r: 8, class: "last" }, above);
      else if (!stands) draw("circle", { r: 15, class: "last line" }, below);
    }
    const value = values?.get(number);
    if (isTarget && value) {
      const { x, y } = this.places[number];
      // Beside a piece, so that its side can be seen.
      this.drawLabel(value, stands ? { x: x + 30, y: y - 34 } : { x, y }, Boolean(stands), number);
    }
    if (isTarget && value && !stands) return;
    if (isTarget && stands === otherSide(side)) draw("circle", { r: this.radius + 5, class: "capturable" }, above);
    else if (isTarget && !stands) draw("circle", { r: this.squares ? 11 : 13, class: "target" }, above);
  }

  /** Draws the value of a hint; a small one beside a piece. */
  drawLabel(value, { x, y }, isSmall, number) {
    const size = isSmall ? 0.72 : 1;
    const width = size * (22 + 16 * value.text.length);
    const marks = `${value.exact ? " exact" : ""}${value.best ? " best" : ""}${isSmall ? " small" : ""}`;
    const group = draw("g", { transform: `translate(${x} ${y})`, class: "hint" }, this.labels);
    if (number !== undefined) group.dataset.hint = this.layout.points[number].name;
    const [height, rx] = [42 * size, 12 * size];
    draw("rect", { x: -width / 2, y: -height / 2, width, height, rx, class: `value-ground${marks}` }, group);
    draw("text", { class: `value${marks}`, y: 1 }, group).textContent = value.text;
  }

  /** Draws a hint as an arrow with its value. The arrow with the number 0 is the strongest. */
  drawArrow(arrow, number) {
    const [from, to] = [this.places[arrow.from], this.places[arrow.to]];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const [start, end, half] = [this.radius + 4, length - 12, 13 - 1.5 * number];
    const place = (along, aside) => ({ x: from.x + dx * along - dy * aside, y: from.y + dy * along + dx * aside });
    const [neck, thin] = [end - 2.2 * half, half * 0.42];
    const outline = [[start, thin], [neck, thin], [neck, half], [end, 0], [neck, -half], [neck, -thin], [start, -thin]];
    const corners = outline.map((corner) => place(...corner)).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    draw("path", { d: `M${corners.join("L")}Z`, class: `arrow${arrow.best ? " best" : ""}` }, this.arrows);
    if (arrow.text) this.drawLabel(arrow, place(length * 0.5, 24), true);
  }

  /** Draws a ring on each point that a selection would change. */
  hint(changes, at) {
    this.hints?.forEach((ring) => ring.remove());
    const ring = { r: this.radius - 9, class: "preview" };
    const others = changes.filter((point) => point !== at);
    this.hints = others.map((point) => draw("circle", ring, this.points[point].above));
  }

  /** Describes a point for screen readers. */
  description({ number, stands, isTarget, touched, last, values, side, pieces }) {
    const [owner, piece] = [pieces[number], pieceWord(this.board, 1)];
    const what = owner ? t("pointPiece", { side: sideName(owner), piece }) : t(stands ? "pointSelected" : "pointEmpty");
    const parts = [this.layout.points[number].name, what];
    if (touched.includes(number)) parts.push(t("pointSelected"));
    else if (isTarget) {
      parts.push(t(owner === otherSide(side) ? "pointCapturable" : owner ? "pointMovable" : "pointLegal"));
    }
    const value = isTarget && values?.get(number);
    if (value) parts.push(t(value.exact ? "pointExact" : "pointValue", { value: value.text }));
    if (last?.points.includes(number)) parts.push(t("pointLast"));
    return parts.join(", ");
  }

  /** Animates a move: pieces flip, appear, disappear and slide. */
  animate(before, after, move) {
    if (before.length !== after.length) return;
    const ease = "cubic-bezier(.3,.7,.3,1)";
    // A piece that is no longer on the board is a copy, which is removed in the end.
    const leave = (number, steps, timing) => {
      const { x: cx, y: cy } = this.places[number];
      const old = draw("circle", { r: this.radius, cx, cy, class: `piece ${before[number]}` }, this.moving);
      old.animate(steps, { easing: "ease-in", fill: "forwards", ...timing }).finished.finally(() => old.remove());
    };
    const next = (point) => move.points[move.points.indexOf(point) + 1];
    const goes = move.points.find((point) => before[point] && !after[point] && before[point] === after[next(point)]);
    after.forEach((side, number) => {
      const [was, { piece }, { x, y }] = [before[number], this.points[number], this.places[number]];
      if (was === side) return;
      if (was && side) {
        const steps = [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }];
        leave(number, steps, { duration: 130 });
        piece.animate(steps.toReversed(), { duration: 150, delay: 130, easing: "ease-out", fill: "backwards" });
      } else if (side && goes !== undefined) {
        const from = this.places[goes];
        const start = { transform: `translate(${from.x - x}px, ${from.y - y}px)` };
        piece.animate([start, { transform: "none" }], { duration: 240, easing: ease });
      } else if (side) {
        const steps = [{ transform: "scale(.6)", opacity: 0 }, { transform: "none", opacity: 1 }];
        piece.animate(steps, { duration: 180, easing: ease });
      } else if (number !== goes) {
        // A captured piece leaves the board over its nearest side edge.
        const edge = x < (this.layout.columns * UNIT) / 2 ? -1 : 1;
        const stay = { opacity: 1, transform: "none" };
        const away = { opacity: 0, transform: `translate(${edge * 160}px, 30px) scale(.8)` };
        leave(number, [stay, { ...stay, offset: 0.25 }, away], { duration: 520 });
      }
    });
  }
}
