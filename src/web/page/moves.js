// The panel of the moves: the main line in two columns, with its variations below the moves that they replace.

import { announce, find, showMessage } from "./dom.js";
import { change } from "./documents.js";
import { html, nothing, render } from "./lit-html.js";
import { t } from "./language.js";
import { clearShapes, setComment } from "./notes.js";
import { goTo } from "./play.js";
import { lossText } from "./score.js";
import { abort, changed, isOpen, numberText, shownMove, state, subscribe } from "./state.js";

/** @import { Game, MoveNode } from "./types.d.ts" */

/**
 * The nodes up to the position on the board, and those of the whole line: they decide how a button looks.
 * @type {Record<"path" | "line", Set<MoveNode>>}
 */
let shown = { path: new Set(), line: new Set() };

/** Whether the field of the comment is shown. */
let isWriting = false;
/** The node whose comment is being written, while the field has the focus. @type {MoveNode | undefined} */
let commented;

/** @param {MoveNode} node */
function button(node) {
  const { game } = state;
  const text = shownMove(node.move);
  const severity = isOpen(node) ? node.severity : undefined;
  const isAhead = !shown.path.has(node) && shown.line.has(node);
  const { loss = 0 } = node;
  const title = severity && loss > 0 ? t("lost", { move: text, loss: lossText(loss, game.board) }) : nothing;
  return html`<button type="button" class="${isAhead ? "undone" : ""} ${severity ?? ""}" title=${title}
    aria-current=${node === game.node ? "step" : nothing} ?disabled=${Boolean(state.setup)}
    aria-label=${severity ? `${text}, ${t(severity)}` : nothing} @click=${() => goTo(node)}>${text}${severity
  ? html`<b class="mark ${severity}">${node.mark}</b>` : nothing}</button>`;
}

/** The other moves at the position before a node of the main line or a variation. @param {MoveNode} node */
const othersOf = (node) => node.parent?.children.slice(1) ?? [];

/**
 * The moves of a variation, with the variations in it in parentheses.
 * @param {MoveNode} node
 */
function variation(node) {
  /** @type {unknown[]} */
  const parts = [];
  for (let at = node, needsNumber = true; at; at = at.children[0]) {
    if (needsNumber || !state.game.isSecond(at)) parts.push(html`<span>${numberText(at)}</span>`);
    parts.push(button(at), commentOf(at));
    const others = at === node ? [] : othersOf(at);
    for (const other of others) parts.push("(", variation(other), ")");
    needsNumber = others.length > 0;
  }
  return parts;
}

/** The comment at a node in a variation. @param {MoveNode} node */
const commentOf = (node) => (node.comment ? html`<q class="comment">${node.comment}</q>` : nothing);
/** The comment at a node of the main line, in a row of its own. @param {MoveNode} node */
const comment = (node) => (node.comment ? html`<li class="remark">${commentOf(node)}</li>` : nothing);

/** The rows of the list: the main line in pairs of moves, and the variations. @param {Game} game */
function rows(game) {
  const list = [comment(game.root)];
  /** @type {unknown[] | null} */
  let row = null;
  const finish = () => {
    if (row) list.push(html`<li>${row}</li>`);
    row = null;
  };
  for (let node = game.root.children[0]; node; node = node.children[0]) {
    if (!row || !game.isSecond(node)) {
      finish();
      row = [html`<span>${game.number(node)}.</span>`, game.isSecond(node) ? html`<i>…</i>` : nothing];
    }
    row.push(button(node));
    const others = othersOf(node);
    if (others.length || node.comment) {
      // The main line continues below its variations.
      finish();
      /** @param {MoveNode} other */
      const item = (other) => html`<li class="variation" aria-label=${t("variation")}>${variation(other)}</li>`;
      list.push(comment(node), ...others.map(item));
    }
  }
  finish();
  return list;
}

async function promote() {
  await change(async () => {
    state.game.node.promote();
    changed("position");
    report(t("promoted"));
  });
}

async function remove() {
  await change(async () => {
    const { node } = state.game;
    if (!node.parent) return;
    const count = 1 + node.count();
    node.remove();
    if (state.review?.line.includes(node)) {
      abort("review");
      state.review = null;
    }
    await goTo(node.parent);
    report(t("deleted", { count }));
  });
}

/** @param {string} text */
function report(text) {
  showMessage(text);
  announce(text);
}

/** What this page is, for who sees it for the first time. */
const welcome = () => html`<div class="welcome"><p>${t("welcome")}</p><p class="quiet">${t("welcomeMore")}</p></div>`;

function panel() {
  const { game, setup, practice } = state;
  const opening = game.view.opening && !setup ? game.view.opening.name : "";
  const isClosed = Boolean(setup || practice);
  return html`
    ${game.root.children.length || game.start ? nothing : welcome()}
    <p id="opening" class="quiet">${opening ? t("opening", { name: opening }) : nothing}</p>
    <ol id="moves">${rows(game)}</ol>
    <div class="buttons branch">
      <button id="promote" class="small" ?hidden=${isClosed || !game.node.variationStart()} @click=${promote}>${t("promote")}</button>
      <button id="annotate" class="small" ?hidden=${isClosed} aria-expanded=${String(isWriting)}
        @click=${write}>${t("comment")}</button>
      <button id="clear-shapes" class="small" ?hidden=${isClosed || !game.node.shapes.length} @click=${clearShapes}>${t("clearShapes")}</button>
      <button id="delete" class="small" ?hidden=${isClosed || game.ply === 0} @click=${remove}>${t("deleteFrom")}</button>
    </div>
    ${isWriting && !isClosed ? html`<textarea id="comment" rows="2" aria-label=${t("commentLabel")} .value=${(commented ?? game.node).comment}
      @focus=${holdComment} @blur=${holdComment}
      @input=${takeComment}></textarea>` : nothing}`;
}

/**
 * Keeps the comment with each letter: the position may change while it is written, as by the move of an engine.
 * @param {{ target: HTMLTextAreaElement }} event
 */
function takeComment({ target }) {
  const { selectionStart: caret } = target;
  setComment(commented ?? state.game.node, target.value);
  target.setSelectionRange(caret, caret);
}

/** The field belongs to the position at which it got the focus. @param {FocusEvent} event */
function holdComment({ type }) {
  commented = type === "focus" ? state.game.node : undefined;
  changed("notes");
}

/** Shows the field of the comment, or hides it. */
function write() {
  isWriting = !isWriting;
  changed("notes");
  if (isWriting) find("comment").focus();
}

function showMoves() {
  const { game } = state;
  shown = { path: new Set(game.node.path()), line: new Set(game.line()) };
  const host = find("panel-moves");
  render(panel(), host);
  /** @type {HTMLElement | null} */
  const current = host.querySelector("[aria-current]");
  if (!current) host.scrollTop = 0;
  else host.scrollTop = Math.max(0, current.offsetTop - host.offsetTop - host.clientHeight / 2);
}

subscribe(showMoves, "position", "review", "notes");
