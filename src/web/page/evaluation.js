// Shows the engine's evaluation of the position: the bar, the score and the lines of play.

import { find, make } from "./dom.js";
import { decimal, t } from "./language.js";
import { follow } from "./play.js";
import { setup } from "./render.js";
import { blackShare, describe, formatNumber, lossText, share, shortScore, sideName } from "./score.js";
import { result, shownMove, state } from "./state.js";

/** Black's share, a description and the evaluation of a position; null if there is none. */
export function evaluationOf(node) {
  const { board } = state.game;
  const end = node.view?.end;
  if (end) {
    return { share: share(board.counts_margin ? end.points : Math.sign(end.points), board), text: result(node.view, board), exact: true };
  }
  const score = node.thought?.lines[0]?.score;
  if (!score) return null;
  const { side } = node.thought;
  return { share: blackShare(score, side, board), text: describe(score, side, board), exact: score.exact, thought: node.thought };
}

/** The text of the evaluation while there is nothing to show. */
function placeholder() {
  if (state.failure) return t("evaluationLost", { error: state.failure });
  if (state.running.analysis || state.running.values) return t("evaluating");
  if (!state.evaluating) return t("evaluationOff");
  return "";
}

/** A button that plays a line. */
export function lineButton(node, moves, label) {
  return make("button", {
    class: "pv", type: "button", title: t("playLine", { move: moves.map(shownMove).join(" ") }), onclick: () => follow(node, moves),
  }, label);
}

/** The moves of a line as buttons, each of which plays the line up to it. */
export function moveButtons(node, moves, most = 12) {
  return moves.slice(0, most).map((move, at) => lineButton(node, moves.slice(0, at + 1), shownMove(move)));
}

/** The loss of the move to the position, with the best line instead. */
function lossOf(node) {
  const { board } = state.game;
  if (node.loss === undefined || node.loss === null) return "";
  const move = shownMove(node.move);
  if (node.loss === 0) return make("p", { class: "facts" }, t("lostNothing", { move }));
  const name = node.severity ? ` (${t(node.severity)})` : "";
  const best = node.parent.thought?.lines[0];
  return make("div", { class: `lost ${node.severity ?? ""}` },
    make("p", {}, `${t("lost", { move, loss: `${lossText(node.loss, board)}${name}` })} ${best ? `${t("bestWas")} ` : ""}`,
      ...(best ? moveButtons(node.parent, best.moves, 8) : [])));
}

export function showEvaluation() {
  const { game, evaluating, hinting } = state;
  const { node } = game;
  const current = setup.open || state.practice ? null : evaluationOf(node);
  const bar = find("bar");
  bar.classList.toggle("on", Boolean(current));
  if (current) {
    bar.firstElementChild.style.flexBasis = `${(current.share * 100).toFixed(1)}%`;
    bar.setAttribute("aria-valuenow", Math.round(current.share * 100));
    bar.setAttribute("aria-valuetext", current.text);
  }
  find("evaluate").setAttribute("aria-checked", evaluating);
  find("deeper").disabled = Boolean(game.view.end || state.running.engine || setup.open || state.practice);
  const panel = find("evaluation");
  if (setup.open || state.practice) {
    panel.replaceChildren();
    return;
  }
  const parts = [];
  if (current) parts.push(make("p", { class: "score" }, current.text));
  else parts.push(make("p", { class: "quiet" }, placeholder()));
  const thought = current?.thought;
  if (thought) {
    const confidence = thought.confidence < 100 ? `, ${t("confidence", { percent: thought.confidence })}` : "";
    const depth = thought.lines[0].score.exact ? t("exact") : `${t("depth", { depth: thought.depth })}${confidence}`;
    parts.push(make("p", { class: "facts" }, t("facts", { depth, nodes: formatNumber(thought.nodes), seconds: decimal(thought.time_ms / 1000, 1) })));
    const lines = thought.lines.slice(0, Math.max(1, state.lines));
    parts.push(make("ol", { class: "lines" }, ...lines.map(({ score, moves }) => make("li", { class: "line" },
      lines.length > 1 ? make("b", { class: score.exact ? "exact" : "" }, shortScore(score, game.board)) : "", ...moveButtons(node, moves)))));
    if (thought.note) parts.push(make("p", { class: "quiet" }, thought.note));
    if (state.failure) parts.push(make("p", { class: "quiet" }, placeholder()));
  }
  parts.push(lossOf(node));
  if (hinting && !game.view.end) parts.push(make("p", { class: "facts" }, t("hintsNote", { side: sideName(game.view.side) })));
  panel.replaceChildren(...parts.filter(Boolean));
}
