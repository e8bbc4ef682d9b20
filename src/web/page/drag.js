// Moving men by dragging them, with a mouse, a pen or a finger.

/** @import { Board, Place, Side } from "./types.d.ts" */

/** How far the pointer moves before it drags, in pixels. */
const SLACK = 4;
/** How far from a point a man may be dropped. */
const REACH = 58;

export class Drag {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {{ from: number, x: number, y: number, id: number } | undefined} a press that may become a drag */
    this.press = undefined;
    /** @type {{ from: number, side: Side, group: SVGElement, at: Place, over?: number } | undefined} */
    this.held = undefined;
    /** @type {{ from: number, to: number, group: SVGElement } | undefined} a man that was dropped, until it is shown */
    this.dropped = undefined;
    /** @type {number | undefined} the point that a man slides back to */
    this.returning = undefined;
    this.move = this.move.bind(this);
    this.up = this.up.bind(this);
    this.stop = this.stop.bind(this);
    this.key = this.key.bind(this);
  }

  /** Keeps the page in its place while a finger drags. Not every browser has `touch-action` within an SVG image. */
  holdPage() {
    const hold = (/** @type {TouchEvent} */ event) => this.press && event.cancelable && event.preventDefault();
    this.board.host.addEventListener("touchmove", hold, { passive: false });
  }

  /** @param {PointerEvent} event @param {number | undefined} point */
  down(event, point) {
    if (this.press || !event.isPrimary || event.button !== 0) return;
    if (point === undefined || !this.board.isMovable(point)) return;
    this.press = { from: point, x: event.clientX, y: event.clientY, id: event.pointerId };
    addEventListener("pointermove", this.move);
    addEventListener("pointerup", this.up);
    addEventListener("pointercancel", this.stop);
    addEventListener("keydown", this.key, true);
  }

  /** Forgets the press. */
  release() {
    this.press = undefined;
    removeEventListener("pointermove", this.move);
    removeEventListener("pointerup", this.up);
    removeEventListener("pointercancel", this.stop);
    removeEventListener("keydown", this.key, true);
  }

  /** Where an event is on the board. @param {MouseEvent} event @returns {Place} */
  place(event) {
    const { svg } = this.board.look;
    const matrix = svg.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    if (!this.held) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLACK) return;
      this.begin(press.from);
    }
    // The page may have taken the man away.
    if (this.held) this.follow(this.place(event));
  }

  /** @param {number} from */
  begin(from) {
    const { board } = this;
    const side = board.pieces[from];
    if (!side || !board.isMovable(from)) return;
    board.motion.finish();
    board.clearPreview();
    this.settle();
    const { group, man } = board.look.copy(side, board.look.places[from]);
    man.classList.add("dragged");
    this.held = { from, side, group, at: board.look.places[from] };
    board.host.classList.add("dragging");
    board.setAway(from, true);
    board.onPick(from);
  }

  /** Moves the man to the pointer and marks the point below it. @param {Place} at */
  follow(at) {
    const { board, held } = this;
    if (!held) return;
    // The man stays on the board when the pointer leaves it.
    const { x, y, width, height } = board.look.area;
    held.at = { x: Math.max(x, Math.min(at.x, x + width)), y: Math.max(y, Math.min(at.y, y + height)) };
    held.group.setAttribute("transform", `translate(${held.at.x.toFixed(1)} ${held.at.y.toFixed(1)})`);
    const over = this.pointAt(at);
    if (over === held.over) return;
    held.over = over;
    board.setOver(over);
  }

  /** The point within reach, if any. @param {Place} at */
  pointAt({ x, y }) {
    const { places } = this.board.look;
    const distance = (/** @type {Place} */ place) => Math.hypot(place.x - x, place.y - y);
    let best = 0;
    places.forEach((place, number) => { if (distance(place) < distance(places[best])) best = number; });
    return distance(places[best]) <= REACH ? best : undefined;
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (event.pointerId !== this.press?.id) return;
    const { held, board } = this;
    this.release();
    if (!held) return;
    board.ignoreClick();
    this.follow(this.place(event));
    const to = held.over;
    if (to === undefined) {
      this.cancel();
    } else if (to === held.from) {
      // It has not gone anywhere: it stays selected, as after a click.
      this.takeBack();
    } else {
      this.put(to);
      board.onDrop(held.from, to);
    }
  }

  /** The man stays where it was dropped until the page shows the position with it. @param {number} to */
  put(to) {
    const { board, held } = this;
    if (!held) return;
    const { x, y } = board.look.places[to];
    held.group.setAttribute("transform", `translate(${x} ${y})`);
    held.group.firstElementChild?.classList.remove("dragged");
    this.dropped = { from: held.from, to, group: held.group };
    this.held = undefined;
    this.finish();
  }

  /** Ends the marks of a drag. */
  finish() {
    this.board.host.classList.remove("dragging");
    this.board.setOver(undefined);
  }

  /** The page took the dropped man; it is drawn by the board again. */
  settle() {
    if (!this.dropped) return undefined;
    const { from, to, group } = this.dropped;
    this.dropped = undefined;
    group.remove();
    this.board.setAway(from, false);
    return { from, to };
  }

  /** The drop was not a move: the man goes back from there. */
  reject() {
    if (!this.dropped) return;
    const { from, to, group } = this.dropped;
    this.dropped = undefined;
    group.remove();
    this.slideBack(from, this.board.look.places[to]);
  }

  /** Whether the man of a point is drawn elsewhere. @param {number} point */
  isAway(point) {
    return [this.held?.from, this.dropped?.from, this.returning].includes(point);
  }

  /** @param {number} from @param {Place} at */
  slideBack(from, at) {
    const { board } = this;
    const side = board.pieces[from];
    this.returning = from;
    const back = () => {
      this.returning = undefined;
      board.setAway(from, false);
    };
    if (!side || board.isStill()) back();
    else board.motion.back(side, from, at, back);
  }

  /** The man goes back. */
  takeBack() {
    const { held } = this;
    if (!held) return;
    this.held = undefined;
    held.group.remove();
    this.finish();
    this.slideBack(held.from, held.at);
  }

  cancel() {
    this.release();
    if (!this.held) return;
    this.takeBack();
    this.board.onCancel();
  }

  /** The browser took the pointer, as for scrolling. @param {PointerEvent} event */
  stop(event) {
    if (event.pointerId === this.press?.id) this.cancel();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape" || !this.held) return;
    event.preventDefault();
    event.stopPropagation();
    this.board.ignoreClick();
    this.cancel();
  }

  /** Ends a drag because the position has changed, and the man may be gone. */
  drop() {
    const { held } = this;
    this.release();
    this.settle();
    if (!held) return;
    this.held = undefined;
    held.group.remove();
    this.board.setAway(held.from, false);
    this.finish();
  }
}
