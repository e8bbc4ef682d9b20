// A picture of the position after a line of play, beside the line that the pointer is on.

import { ask } from "./api.js";
import { find } from "./dom.js";
import { html, nothing, render } from "./lit-html.js";
import { miniature } from "./miniature.js";
import { isTurned, state, subscribe } from "./state.js";

/** @import { MoveNode, Side } from "./types.d.ts" */

/** How long the pointer rests on a line before the picture appears, in milliseconds. */
const DELAY = 120;

/** Increases with every line that the pointer enters or leaves. */
let entered = 0;

/**
 * Shows the position after some moves, once the pointer rests there.
 * @param {PointerEvent} event
 * @param {MoveNode} node
 * @param {string[]} moves
 */
export async function showPreview(event, node, moves) {
  if (event.pointerType !== "mouse") return;
  const number = (entered += 1);
  const { game } = state;
  const { left, top, bottom } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  await new Promise((done) => { setTimeout(done, DELAY); });
  if (number !== entered) return;
  const request = game.request(node);
  // A line that cannot be shown needs no message: a click on it gives one.
  const view = await ask("view", { ...request, moves: [...request.moves, ...moves] }).catch(() => null);
  if (number !== entered || !view) return;
  const men = view.pieces.flatMap((side, point) => (side ? [/** @type {[number, Side]} */ ([point, side])] : []));
  const host = find("preview");
  render(html`${miniature(game.board, men, isTurned())}`, host);
  host.hidden = false;
  const { offsetWidth: width, offsetHeight: height } = host;
  host.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  host.style.top = `${bottom + height + 8 < innerHeight ? bottom + 6 : top - height - 6}px`;
}

export function hidePreview() {
  entered += 1;
  find("preview").hidden = true;
  render(nothing, find("preview"));
}

subscribe(hidePreview, "position");
// The line below the pointer may be gone without an event of its own, when the evaluation changes.
addEventListener("pointerover", ({ target }) => {
  if (target instanceof Element && !target.closest(".pv")) hidePreview();
});
