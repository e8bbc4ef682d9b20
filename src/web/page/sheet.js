// The score sheet, to print: the players, the moves with their marks, the final position and the evaluation graph.

import { closeDialog, make, openDialog } from "./dom.js";
import { playerNames } from "./documents.js";
import { evaluationOf } from "./evaluation.js";
import { Graph } from "./graph.js";
import { drawPosition } from "./images.js";
import { gameTitle, t } from "./language.js";
import { html, nothing, render } from "./lit-html.js";
import { sideName } from "./score.js";
import { SIDES, endAt, isOpen, isReviewed, result, shownMove, state } from "./state.js";
import { PASS } from "./tree.js";

/** @import { MoveNode } from "./types.d.ts" */

/** A move with its mark. @param {MoveNode | undefined} node */
const moveText = (node) => (node
  ? html`${shownMove(node.move)}${isOpen(node) && node.severity ? html`<b>${node.mark}</b>` : nothing}` : nothing);

/**
 * The rows of the moves. In Othello each has a number of its own, without passes; in other games each pair has one.
 * @param {MoveNode[]} line without the start
 */
function rowsOf(line) {
  const { game } = state;
  if (game.board.counts_margin) {
    return line.filter(({ move }) => move !== PASS).map((node) => html`<p><span>${game.number(node)}</span>
      <i class="swatch ${game.sideAt(node.ply - 1)}"></i><span>${moveText(node)}</span></p>`);
  }
  const offset = game.first === game.board.first ? 0 : 1;
  return Array.from({ length: Math.ceil((line.length + offset) / 2) }, (_, at) => {
    const [first, second] = [2 * at - offset, 2 * at + 1 - offset];
    return html`<p><span>${at + 1}.</span><span>${first < 0 ? "…" : moveText(line[first])}</span>
      <span>${moveText(line[second])}</span></p>`;
  });
}

/** Shows a sheet with the moves and the final position. */
export async function showSheet() {
  const { game } = state;
  const line = game.line();
  const end = game.lineEnd;
  await game.viewOf(end);
  const players = playerNames();
  const [first, second] = game.board.first === "black" ? [0, 1] : [1, 0];
  /** @param {number} at */
  const player = (at) => html`<span><i class="swatch ${SIDES[at]}"></i> ${sideName(SIDES[at])}${players[at]
    ? html`: <b>${players[at]}</b>` : nothing}</span>`;
  const picture = make("div", { class: "sheet-board" }, drawPosition(end).svg);
  const graph = make("div", { class: "graph" });
  const { event, date } = game.details;
  const sheet = make("div", { class: "sheet" });
  render(html`<p>${[event, date].filter(Boolean).join(", ")}</p>
    <p class="sheet-players">${player(first)}${player(second)}</p>
    <p><b>${endAt(end) ? result(end) : nothing}</b></p>
    <div class="sheet-moves">${rowsOf(line.slice(1))}</div>
    ${picture}${isReviewed() ? graph : nothing}`, sheet);
  closeDialog("save-dialog");
  openDialog("sheet-dialog", gameTitle(game.board), [sheet], [
    make("button", { type: "button", class: "primary", id: "sheet-print", onclick: () => print() }, t("print")),
  ]);
  if (!isReviewed()) return;
  new Graph(graph).show(line.map((node) => {
    const shown = evaluationOf(node);
    return { share: shown?.share ?? null, exact: shown?.exact ?? false, name: "", severity: node.severity };
  }), end.ply, game.board);
}
