// Shows the engine's evaluation of the position: the bar, the score and the lines of play.

import { find, make } from "./dom.js";
import { decimal, t } from "./language.js";
import { follow } from "./play.js";
import { blackShare, describe, formatNumber, lossText, share, shortScore, sideName } from "./score.js";
import { result, shownMove, state, subscribe } from "./state.js";

/** Black's share, a description and the evaluation of a position; null if there is none. */
export function evaluationOf(node) {
  const { board } = state.game;
  const end = node.view?.end;
  if (end) {
    const points = board.counts_margin ? end.points : Math.sign(end.points);
    return { share: share(points, board), text: result(node.view, board), exact: true };
  }
  const score = node.thought?.lines[0]?.score;
  if (!score) return null;
  const { side } = node.thought;
  const text = describe(score, side, board);
  return { share: blackShare(score, side, board), text, exact: score.exact, thought: node.thought };
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
  const title = t("playLine", { move: moves.map(shownMove).join(" ") });
  return make("button", { class: "pv", type: "button", title, onclick: () => follow(node, moves) }, label);
}

/** The moves of a line as buttons, each of which plays the line up to it. */
function moveButtons(node, moves, most = 12) {
  return moves.slice(0, most).map((move, at) => lineButton(node, moves.slice(0, at + 1), shownMove(move)));
}

/** The loss of the move to the position, with the best line instead. */
function lossOf(node) {
  const { board } = state.game;
  if (node.loss === undefined || node.loss === null) return "";
  const move = shownMove(node.move);
  if (node.loss === 0) return make("p", { class: "facts" }, t("lostNothing", { move }));
  const loss = lossText(node.loss, board) + (node.severity ? ` (${t(node.severity)})` : "");
  const best = node.parent.thought?.lines[0];
  return make("div", { class: `lost ${node.severity ?? ""}` },
    make("p", {}, `${t("lost", { move, loss })} ${best ? `${t("bestWas")} ` : ""}`,
      ...(best ? moveButtons(node.parent, best.moves, 8) : [])));
}

/** The evaluation with its lines of play. */
function thoughtParts(node, thought) {
  const { board } = state.game;
  const confidence = thought.confidence < 100 ? `, ${t("confidence", { percent: thought.confidence })}` : "";
  const isExact = thought.lines[0].score.exact;
  const depth = isExact ? t("exact") : `${t("depth", { depth: thought.depth })}${confidence}`;
  const facts = { depth, nodes: formatNumber(thought.nodes), seconds: decimal(thought.time_ms / 1000, 1) };
  const lines = thought.lines.slice(0, Math.max(1, state.lines));
  const value = (score) => make("b", { class: score.exact ? "exact" : "" }, shortScore(score, board));
  return [
    make("p", { class: "facts" }, t("facts", facts)),
    make("ol", { class: "lines" }, ...lines.map(({ score, moves }) => make("li", { class: "line" },
      lines.length > 1 ? value(score) : "", ...moveButtons(node, moves)))),
    thought.note ? make("p", { class: "quiet" }, thought.note) : "",
    state.failure ? make("p", { class: "quiet" }, placeholder()) : "",
  ];
}

function showEvaluation() {
  const { game: { node, view }, evaluating, hinting } = state;
  const closed = Boolean(state.setup || state.practice);
  const current = closed ? null : evaluationOf(node);
  const bar = find("bar");
  bar.classList.toggle("on", Boolean(current));
  if (current) {
    bar.firstElementChild.style.flexBasis = `${(current.share * 100).toFixed(1)}%`;
    bar.setAttribute("aria-valuenow", Math.round(current.share * 100));
    bar.setAttribute("aria-valuetext", current.text);
  }
  find("evaluate").setAttribute("aria-checked", evaluating);
  find("deeper").disabled = Boolean(view.end || state.running.engine || closed);
  const hintsNote = hinting && !view.end ? t("hintsNote", { side: sideName(view.side) }) : "";
  const parts = closed ? [] : [
    make("p", { class: current ? "score" : "quiet" }, current ? current.text : placeholder()),
    ...(current?.thought ? thoughtParts(node, current.thought) : []),
    lossOf(node),
    hintsNote && make("p", { class: "facts" }, hintsNote),
  ];
  find("evaluation").replaceChildren(...parts.filter(Boolean));
}

subscribe(showEvaluation, "position", "evaluation", "hints", "review");
