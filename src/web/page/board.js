// The board, drawn from the layout of the game as squares or as points on lines. Supports pointers, dragging, the
// keyboard and screen readers.

import { listen } from "./board-input.js";
import { Labels } from "./board-labels.js";
import { Look, UNIT } from "./board-look.js";
import { Marks, Preview } from "./board-marks.js";
import { Motion, differences, slide } from "./board-motion.js";
import { describePoint } from "./board-words.js";
import { Shapes } from "./board-shapes.js";
import { draw, wantsStillness } from "./dom.js";
import { Drag } from "./drag.js";
import { t } from "./language.js";

/** @import { BoardView, Cell, Pieces, Show, Side, Value } from "./types.d.ts" */

/** @type {any} what a board does not have before it is built */
const UNBUILT = undefined;

export class Board {
  // What a board consists of, once it is built.
  /** @type {BoardView} */
  board = UNBUILT;

  /** @type {SVGSVGElement} */
  svg = UNBUILT;

  /** @type {Look} */
  look = UNBUILT;

  /** @type {Motion} */
  motion = UNBUILT;

  /** @type {Marks} */
  marks = UNBUILT;

  /** @type {Labels} */
  labels = UNBUILT;
  /** @type {Shapes} */
  shapes = UNBUILT;

  /** @type {Preview} */
  preview = UNBUILT;

  /** @type {number | undefined} the point whose preview is shown */
  hinted;

  /** @type {number | undefined} the point below the mouse */
  pointed;

  /**
   * @param {HTMLElement} host
   * @param {{ textured?: boolean, still?: boolean }} options `still`: a picture, without anything to select
   */
  constructor(host, { textured = false, still = false } = {}) {
    this.host = host;
    this.options = { textured, still };
    this.focused = 0;
    this.byKeyboard = true;
    this.ignoresClick = false;
    /** @type {Pieces} the men of the position, and those on the board while a move is selected */
    this.pieces = [];
    /** @type {Pieces} */
    this.shown = [];
    /** @type {Show} */
    this.current = { pieces: [], side: "black" };
    /** @type {Cell[]} */
    this.points = [];
    /** A point was clicked. @type {(point: number) => void} */
    this.onTouch = () => {};
    /** The selection was cancelled. */
    this.onEscape = () => {};
    /** A man is being dragged from a point. @type {(point: number) => void} */
    this.onPick = () => {};
    /** A man was dropped. @type {(from: number, to: number) => void} */
    this.onDrop = () => {};
    /** The user has drawn a shape. @type {(shape: string) => void} */
    this.onShape = () => {};
    /** A man was dropped beside the points. */
    this.onCancel = () => {};
    this.drag = new Drag(this);
    if (!still) listen(this);
  }

  /** Draws an empty board. @param {BoardView} board @param {boolean} flipped */
  build(board, flipped) {
    this.drag.drop();
    this.motion?.finish();
    this.board = board;
    this.pieces = [];
    this.shown = [];
    this.current = { pieces: [], side: "black" };
    this.pointed = undefined;
    const look = new Look(board.layout, flipped, { ...this.options, label: t("board") });
    this.look = look;
    this.motion = new Motion(look);
    this.marks = new Marks(look);
    this.labels = new Labels(look);
    this.shapes = new Shapes(this);
    this.preview = new Preview(look);
    const { places, rows } = look;
    const heights = [...new Set(places.map((place) => place.y))].sort((a, b) => a - b);
    const groups = new Map(heights.map((y) => [y, draw("g", { role: "row" }, rows)]));
    const order = [...places.keys()].sort((a, b) => places[a].y - places[b].y || places[a].x - places[b].x);
    this.points = [];
    for (const number of order) this.points[number] = this.point(number, groups.get(places[number].y));
    /** @type {Map<Element, number>} */
    this.numbers = new Map(this.points.map(({ group }, number) => [group, number]));
    this.host.replaceChildren(look.svg);
    this.svg = look.svg;
    this.focused = Math.min(this.focused, places.length - 1);
  }

  /** @param {number} number @param {SVGElement | undefined} row @returns {Cell} */
  point(number, row) {
    const { places, squares } = this.look;
    const { x, y } = places[number];
    const group = draw("g", { transform: `translate(${x} ${y})`, class: "point" }, row);
    if (this.options.still) return { group, name: "", label: "" };
    group.setAttribute("role", "gridcell");
    group.setAttribute("tabindex", "-1");
    group.dataset.point = this.board.layout.points[number].name;
    const half = UNIT / 2;
    if (squares) draw("rect", { x: -half, y: -half, width: UNIT, height: UNIT, class: "cell" }, group);
    else draw("circle", { r: half - 1, class: "cell" }, group);
    if (squares) draw("rect", { x: -45, y: -45, width: 90, height: 90, rx: 6, class: "ring" }, group);
    else draw("circle", { r: 45, class: "ring" }, group);
    return { group, name: "", label: "" };
  }

  /** The number of the point that an element belongs to. @param {Element} element */
  numberOf(element) {
    const group = element.closest?.(".point");
    return group ? this.numbers?.get(group) : undefined;
  }

  /** Makes a point the one that the keyboard acts on; `moveFocus` also focuses its element. @param {number} number */
  focus(number, moveFocus = true) {
    if (this.options.still) return;
    if (number !== this.focused) this.points[this.focused]?.group.setAttribute("tabindex", "-1");
    this.focused = number;
    this.points[number].group.setAttribute("tabindex", "0");
    if (moveFocus) this.points[number].group.focus();
  }

  /**
   * Shows a position. Only what has changed is drawn again, and what still moves arrives at once.
   * @param {Show} show
   */
  show(show) {
    const { pieces, touched = [], values, arrows = [], targets = [] } = show;
    const shown = this.withSelection(pieces, touched, show.side);
    const changes = differences(this.shown, shown);
    const before = this.shown;
    if (changes.length) this.motion.finish();
    const dropped = this.settleDrag(show, shown);
    this.clearPreview();
    this.points.forEach((cell, number) => this.showPoint(cell, number, shown[number], show));
    this.marks.show(show, shown);
    const labels = targets.filter((number) => values?.get(number))
      .map((number) => ({ number, value: /** @type {Value} */ (values?.get(number)), hasMan: Boolean(shown[number]) }));
    this.labels.show(labels, arrows, pieces);
    this.shapes.show(show.shapes ?? []);
    const origin = this.explains(changes, show);
    this.pieces = pieces;
    this.shown = shown;
    this.current = show;
    if (!this.options.still) this.focus(this.focused, false);
    if (this.drag.held) this.setOver(this.drag.held.over);
    else this.hint(this.pointed);
    if (origin && !this.isStill()) {
      this.motion.play(before, shown, changes, { origin: origin[0], dropped, men: this.points.map(({ man }) => man) });
    }
  }

  /** Whether nothing moves. */
  isStill() {
    return this.options.still || wantsStillness();
  }

  /**
   * The men while a move is partly selected: a man that is to remove another is already on its point.
   * @param {Pieces} pieces @param {number[]} touched @param {Side} side
   */
  withSelection(pieces, touched, side) {
    const shown = [...pieces];
    if (!touched.length) return shown;
    const goes = pieces[touched[0]] === side;
    const to = goes ? touched[1] : touched[0];
    if (to === undefined) return shown;
    if (goes) shown[touched[0]] = null;
    shown[to] = side;
    return shown;
  }

  /**
   * The points of the move, or of the one taken back, that made all changes: only then they are animated.
   * @param {number[]} changes @param {Show} show
   * @returns {number[] | undefined}
   */
  explains(changes, { move, last, touched = [], free }) {
    if (!changes.length || free || this.current.free) return undefined;
    const before = this.current;
    // The points selected before may be a part of the move.
    const selected = [...touched, ...(before.touched ?? [])];
    /** @param {number[]} [more] */
    const includes = (more = []) => changes.every((point) => more.includes(point) || selected.includes(point));
    return [move, last, before.last].find((move) => move && includes(move.changes))?.points
      ?? (includes() ? selected : undefined);
  }

  /**
   * Draws a point if it has changed.
   * @param {Cell} cell @param {number} number @param {Side | null} stands @param {Show} show
   */
  showPoint(cell, number, stands, show) {
    const { touched = [], targets = [], movable = [], free } = show;
    const isTarget = targets.includes(number);
    // A man that is to move; not one that waits on its point for the man to remove.
    const isPicked = touched.includes(number) && Boolean(stands) && Boolean(show.pieces[number]);
    const isAway = this.drag.isAway(number);
    const open = isTarget || free;
    const isPrey = isTarget && stands && stands !== show.side;
    const words = (/** @type {unknown[]} */ ...parts) => parts.filter(Boolean).join(" ");
    const name = words("point", open && "open", movable.includes(number) && "movable", isPrey && "prey");
    const man = stands ? words("piece", stands, isPicked && "lifted", isAway && "away") : "";
    if (cell.name !== `${name}/${man}`) {
      cell.name = `${name}/${man}`;
      this.drawMan(cell, stands, man);
      cell.group.setAttribute("class", name);
    }
    if (this.options.still) return;
    const label = describePoint(this.board, number, stands, show);
    if (label === cell.label) return;
    cell.label = label;
    cell.group.setAttribute("aria-label", label);
    cell.group.setAttribute("aria-selected", String(touched.includes(number)));
  }

  /** @param {Cell} cell @param {Side | null} stands @param {string} name */
  drawMan(cell, stands, name) {
    if (cell.man && !(stands && cell.man.classList.contains(stands))) {
      cell.man.remove();
      cell.man = undefined;
    }
    if (!stands) return;
    cell.man ??= this.look.man(stands, cell.group);
    cell.man.setAttribute("class", name);
  }

  /** Shows what a move to a point would do. @param {number | undefined} number */
  hint(number) {
    if (number === this.hinted) return;
    this.clearPreview();
    const { targets = [], side, changes, values } = this.current;
    if (number === undefined || !targets.includes(number)) return;
    this.hinted = number;
    const stands = this.shown[number];
    this.preview.show(number, stands || values?.get(number) ? null : side, changes?.(number) ?? []);
  }

  clearPreview() {
    this.hinted = undefined;
    this.preview?.clear();
  }

  /** Whether a man may be dragged. @param {number} number */
  isMovable(number) {
    return Boolean(this.current.movable?.includes(number));
  }

  /** Whether a man is shown as being elsewhere. @param {number} number @param {boolean} isAway */
  setAway(number, isAway) {
    this.points[number]?.man?.classList.toggle("away", isAway);
    if (this.points[number]) this.points[number].name = "";
  }

  /** Marks the point below a man that is dragged. @param {number | undefined} number */
  setOver(number) {
    this.host.querySelector(".point.over")?.classList.remove("over");
    if (number !== undefined && this.current.targets?.includes(number)) this.points[number].group.classList.add("over");
  }

  /** The click that follows a drag selects nothing. */
  ignoreClick() {
    this.ignoresClick = true;
  }

  /**
   * Ends a drag if its man has moved, or cannot move any more. Returns the point that it was dropped on.
   * @param {Show} show @param {Pieces} shown
   */
  settleDrag({ touched = [], movable = [] }, shown) {
    const { held, dropped } = this.drag;
    if (held && (shown[held.from] !== held.side || !movable.includes(held.from))) this.drag.drop();
    if (!dropped) return undefined;
    const side = this.shown[dropped.from];
    const moved = slide(this.shown, shown, differences(this.shown, shown));
    if (moved?.from === dropped.from && moved.to === dropped.to) return this.drag.settle()?.to;
    if (shown[dropped.from] !== side) this.drag.settle();
    else if (!touched.includes(dropped.from)) this.drag.reject();
    return undefined;
  }
}
