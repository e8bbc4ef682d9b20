// The move list: the main line in two columns, with its variations below the moves that they replace.

import { announce, find, make, showMessage } from "./dom.js";
import { change } from "./documents.js";
import { t } from "./language.js";
import { goTo } from "./play.js";
import { lossText } from "./score.js";
import { changed, shownMove, state, subscribe } from "./state.js";

const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The nodes of the buttons, by their numbers. */
let nodes = [];

function button(node, text) {
  const { game } = state;
  nodes.push(node);
  const onPath = game.node.path().includes(node);
  const mark = MARKS[node.severity];
  const title = node.loss > 0 ? t("lost", { move: text, loss: lossText(node.loss, game.board) }) : undefined;
  return make("button", {
    class: [!onPath && game.line().includes(node) && "undone", node.severity].filter(Boolean).join(" "), title,
    "aria-current": node === game.node ? "step" : undefined, "data-node": nodes.length - 1, type: "button",
    "aria-label": mark ? `${text}, ${t(node.severity)}` : undefined, disabled: Boolean(state.setup),
  }, text, mark ? make("b", { class: `mark ${node.severity}` }, mark) : "");
}

const number = (node, offset) => Math.floor((node.ply - 1 + offset) / 2) + 1;
const isSecond = (node, offset) => (node.ply - 1 + offset) % 2 === 1;

/** The moves of a variation, with the variations in it in parentheses. */
function variation(node, offset) {
  const parts = [];
  for (let at = node, needsNumber = true; at; at = at.children[0]) {
    const dots = isSecond(at, offset) ? "…" : ".";
    if (needsNumber || dots === ".") parts.push(make("span", {}, `${number(at, offset)}${dots}`));
    parts.push(button(at, shownMove(at.move)));
    const others = at === node ? [] : at.parent.children.slice(1);
    for (const other of others) parts.push("(", ...variation(other, offset), ")");
    needsNumber = others.length > 0;
  }
  return parts;
}

function showMoves() {
  const { game, setup, practice } = state;
  nodes = [];
  const list = find("moves");
  const offset = game.first === game.board.first ? 0 : 1;
  const rows = [];
  let row = null;
  const begin = (node) => {
    row = make("li", {}, make("span", {}, `${number(node, offset)}.`));
    rows.push(row);
    if (isSecond(node, offset)) row.append(make("i", {}, "…"));
  };
  for (let node = game.root.children[0]; node; node = node.children[0]) {
    if (!row || !isSecond(node, offset)) begin(node);
    row.append(button(node, shownMove(node.move)));
    const others = node.parent.children.slice(1);
    if (others.length) {
      const item = { class: "variation", "aria-label": t("variation") };
      rows.push(...others.map((other) => make("li", item, ...variation(other, offset))));
      // The main line continues below its variations.
      row = null;
    }
  }
  list.replaceChildren(...rows);
  list.dataset.empty = t("noMoves");
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
  else list.scrollTop = 0;
  find("promote").hidden = Boolean(!game.node.variationStart() || setup);
  find("delete").hidden = Boolean(game.ply === 0 || setup || practice);
}

/** Handles clicks on moves, and on the buttons below them. */
export function listenToMoves() {
  find("moves").addEventListener("click", ({ target }) => {
    const at = target.closest("[data-node]")?.dataset.node;
    if (at !== undefined) goTo(nodes[Number(at)]);
  });
  find("promote").addEventListener("click", () => change(async () => {
    state.game.node.promote();
    changed("position");
    report(t("promoted"));
  }));
  find("delete").addEventListener("click", () => change(async () => {
    const { node } = state.game;
    const count = 1 + node.count();
    node.remove();
    if (state.review?.line.includes(node)) state.review = null;
    await goTo(node.parent);
    report(t("deleted", { count }));
  }));
}

function report(text) {
  showMessage(text);
  announce(text);
}

subscribe(showMoves, "position", "review");
