// Shows the engine's evaluation of the position: the bar, the score, the lines of play and the moves of the book.

import { find } from "./dom.js";
import { html, nothing, render } from "./lit-html.js";
import { decimal, t } from "./language.js";
import { hidePreview, showPreview } from "./line-preview.js";
import { follow } from "./play.js";
import {
  blackShare, bookScore, describe, formatNumber, lossText, share, shortScore, sideName, signOf,
} from "./score.js";
import { endAt, isOpen, nearSide, result, shownMove, state, subscribe } from "./state.js";
import { hasServer } from "./transport.js";

/** @import { BookMove, Evaluation, MoveNode, Score, SearchView } from "./types.d.ts" */

/** The most moves of the opening book that are shown. Books of mill games know all moves of the first plies. */
const BOOK_MOVES = 12;

/**
 * Black's share, a description and the evaluation of a position; null if there is none or it is kept from a player.
 * @param {MoveNode} node
 * @returns {Evaluation | null}
 */
export function evaluationOf(node) {
  const { board } = state.game;
  const end = endAt(node);
  if (end) {
    const points = board.counts_margin && end.points !== null ? end.points : signOf(end.winner) * board.most_points;
    return { share: share(points, board), text: result(node), exact: true };
  }
  const { thought } = node;
  const score = thought?.lines[0]?.score;
  if (!score || !isOpen(node)) return null;
  const { side } = thought;
  return { share: blackShare(score, side, board), text: describe(score, side, board), exact: score.exact, thought };
}

/** The text of the evaluation while there is nothing to show. */
function placeholder() {
  if (state.failure) return t("evaluationLost", { error: state.failure });
  if (state.running.analysis || state.running.values) return t("evaluating");
  return state.evaluating ? "" : t("evaluationOff");
}

/**
 * A button that plays a line.
 * @param {MoveNode} node
 * @param {string[]} moves
 * @param {string} label
 */
function lineButton(node, moves, label) {
  const title = t("playLine", { move: moves.map(shownMove).join(" ") });
  const enter = (/** @type {PointerEvent} */ event) => showPreview(event, node, moves);
  const play = () => {
    hidePreview();
    follow(node, moves);
  };
  return html`<button class="pv" type="button" aria-label=${title} @pointerenter=${enter}
    @click=${play}>${label}</button>`;
}

/**
 * The moves of a line as buttons, each of which plays the line up to it.
 * @param {MoveNode} node
 * @param {string[]} moves
 */
function moveButtons(node, moves, most = 12) {
  return moves.slice(0, most).map((move, at) => lineButton(node, moves.slice(0, at + 1), shownMove(move)));
}

/** Why the move to a node was bad, in words; empty if it was not, or if the boards do not show it. @param {MoveNode} node */
export const reasonText = ({ reason }) => (
  reason ? t(`reason.${reason.name}`, { point: reason.point ?? "" }) : "");

/** The loss of the move to the position, with the best line instead. @param {MoveNode} node */
export function lossOf(node) {
  const { board } = state.game;
  const { parent } = node;
  if (node.loss === undefined || !parent || !isOpen(node)) return nothing;
  const move = shownMove(node.move);
  if (node.loss === 0) return html`<p class="facts">${t("lostNothing", { move })}</p>`;
  const loss = lossText(node.loss, board) + (node.severity ? ` (${t(node.severity)})` : "");
  const best = parent.thought?.lines[0];
  return html`<div class="lost ${node.severity ?? ""}"><p>${t("lost", { move, loss })} ${reasonText(node)}
    ${best ? html`${t("bestWas")} ${moveButtons(parent, best.moves, 8)}` : nothing}</p></div>`;
}

/**
 * The evaluation with its lines of play.
 * @param {MoveNode} node
 * @param {SearchView} thought
 */
function thoughtParts(node, thought) {
  const { board } = state.game;
  const confidence = thought.confidence < 100 ? `, ${t("confidence", { percent: thought.confidence })}` : "";
  const depth = thought.lines[0].score.exact ? t("exact") : `${t("depth", { depth: thought.depth })}${confidence}`;
  const facts = { depth, nodes: formatNumber(thought.nodes), seconds: decimal(thought.time_ms / 1000, 1) };
  const lines = thought.lines.slice(0, Math.max(1, state.lines));
  /** @param {Score} score */
  const value = (score) => html`<b class=${score.exact ? "exact" : ""}>${shortScore(score, board)}</b>`;
  const source = thought.source === "search" ? thought.lines[0].score.exact && "exact" : thought.source;
  return html`${source ? html`<p class="facts source">${t(`source.${source}`)}</p>` : nothing}
    <ol class="lines">${lines.map(({ score, moves }) => html`<li class="line">
      ${lines.length > 1 ? value(score) : nothing}${moveButtons(node, moves)}</li>`)}</ol>
    <details class="facts"><summary>${t("details")}</summary>${t("facts", facts)}
      ${hasServer || source || !board.layout.mills.length ? nothing : html`<p>${t("noTables")}</p>`}</details>
    ${thought.note ? html`<p class="quiet">${thought.note}</p>` : nothing}
    ${state.failure ? html`<p class="quiet">${placeholder()}</p>` : nothing}`;
}

/** @param {Evaluation | null} current */
function showBar(current) {
  const bar = find("bar");
  bar.hidden = !isOpen() || !current;
  bar.classList.toggle("black-below", nearSide() === "black");
  const fill = bar.querySelector("div");
  if (!current || !fill) return;
  fill.style.flexBasis = `${(current.share * 100).toFixed(1)}%`;
  bar.setAttribute("aria-valuenow", String(Math.round(current.share * 100)));
  bar.setAttribute("aria-valuetext", current.text);
}

/** The name of the opening, and the best moves of the book, each of which can be played. */
function bookMoves() {
  const { game } = state;
  const opening = state.setup ? null : game.view.opening;
  const moves = isOpen() && !state.practice ? game.view.book.slice(0, BOOK_MOVES) : [];
  /** @param {BookMove} move */
  const text = ({ text, score, is_exact: isExact, plies }) => (
    `${shownMove(text)} ${bookScore(score, isExact, plies, game.board)}`);
  const limit = game.view.book[moves.length]?.score ?? game.view.book_others;
  const others = moves.length && limit !== null
    ? t("bookOthers", { score: bookScore(limit, !game.board.counts_margin, null, game.board) }) : "";
  return html`${opening ? html`<span>${t("opening", { name: opening.name })}</span>` : nothing}
    ${moves.length ? html`<span>${t("book")} ${moves.map((move) => lineButton(game.node, [move.text], text(move)))}
      <span class="quiet">${others}</span></span>` : nothing}`;
}

function showEvaluation() {
  const { game: { node, view }, evaluating, hinting } = state;
  const isClosed = Boolean(state.setup || state.practice);
  const current = isClosed ? null : evaluationOf(node);
  showBar(current);
  find("evaluate").setAttribute("aria-checked", String(evaluating));
  /** @type {HTMLButtonElement} */
  const deeper = find("deeper");
  deeper.disabled = Boolean(view.end || state.running.engine || isClosed);
  render(isClosed ? nothing : html`
    <p class=${current ? "score" : "quiet"}>${current ? current.text : placeholder()}</p>
    ${current?.thought ? thoughtParts(node, current.thought) : nothing}
    ${lossOf(node)}
    ${hinting && !view.end ? html`<p class="facts">${t("hintsNote", { side: sideName(view.side) })}</p>` : nothing}`,
  find("evaluation"));
  render(bookMoves(), find("book"));
}

subscribe(showEvaluation, "position", "evaluation", "hints", "review", "thinking");
