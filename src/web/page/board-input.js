// What the pointer and the keyboard do on the board. The listeners are on the host of the image: an SVG image that
// listens to the focus can have it, and would be a stop of the Tab key.

/** @import { Board, Place } from "./types.d.ts" */

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The next point in a direction. Points in line are preferred to nearer points off the line.
 * @param {Place[]} places @param {number} from @param {[number, number]} direction
 * @returns {number | undefined}
 */
export function neighbor(places, from, [dx, dy]) {
  const here = places[from];
  /** @type {{ number: number, cost: number } | undefined} */
  let best;
  places.forEach((place, number) => {
    const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
    const aside = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
    if (along <= 0) return;
    const cost = along + 8 * aside;
    if (best === undefined || cost < best.cost) best = { number, cost };
  });
  return best?.number;
}

/**
 * Handles a key.
 * @param {Board} board @param {KeyboardEvent} event
 */
function press(board, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = DIRECTIONS[event.key];
  if (direction && !board.byKeyboard) return;
  if (direction) {
    const next = neighbor(board.look.places, board.focused, direction);
    if (next !== undefined) board.focus(next);
  } else if (event.key === "Enter" || event.key === " ") board.onTouch(board.focused);
  else if (event.key === "Escape") board.onEscape();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Listens to the clicks and drags.
 * @param {Board} board @param {(event: Event) => number | undefined} pointOf
 */
function listenToPointer(board, pointOf) {
  const { host, drag } = board;
  drag.holdPage();
  host.addEventListener("pointerdown", (event) => {
    // After a click the arrow keys go through the game; after Tab they go through the points.
    board.byKeyboard = false;
    board.ignoresClick = false;
    if (event.button === 2 && event.pointerType === "mouse") board.shapes.down(event);
    drag.down(event, pointOf(event));
  });
  host.addEventListener("pointermove", (event) => board.shapes.move(event));
  host.addEventListener("pointerup", (event) => event.button === 2 && board.shapes.up());
  host.addEventListener("pointercancel", () => board.shapes.cancel());
  host.addEventListener("contextmenu", (event) => event.preventDefault());
  host.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    board.pointed = pointOf(event);
    if (!drag.held) board.hint(board.pointed);
  });
  host.addEventListener("pointerleave", () => {
    board.pointed = undefined;
    board.clearPreview();
  });
  host.addEventListener("click", (event) => {
    const number = pointOf(event);
    const isIgnored = board.ignoresClick;
    board.ignoresClick = false;
    if (number === undefined || isIgnored) return;
    board.focus(number, false);
    board.onTouch(number);
  });
}

/** @param {Board} board */
export function listen(board) {
  const { host } = board;
  const pointOf = (/** @type {Event} */ { target }) => board.numberOf(/** @type {Element} */ (target));
  listenToPointer(board, pointOf);
  host.addEventListener("keydown", (event) => press(board, event));
  host.addEventListener("focusout", ({ relatedTarget }) => {
    board.byKeyboard ||= !host.contains(/** @type {Node | null} */ (relatedTarget));
    board.clearPreview();
  });
  host.addEventListener("focusin", (event) => {
    const number = pointOf(event);
    if (number === undefined) return;
    board.focus(number, false);
    if (board.byKeyboard) board.hint(number);
  });
}
