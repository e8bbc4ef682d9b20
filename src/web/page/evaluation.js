// Shows the engine's evaluation: the bar, the text beside the board and the graph.

import { find, make } from "./dom.js";
import { Graph } from "./graph.js";
import { blackShare, describe, formatNumber, share, sideName } from "./score.js";
import { result, state } from "./state.js";

export const graph = new Graph(find("graph"));

/** Black's share and a description of the evaluation after a ply; null if there is none. */
function evaluationAt(ply) {
  const { view, board } = state.game;
  if (view.end && ply === view.ply) {
    return { share: share(board.counts_margin ? view.end.points : Math.sign(view.end.points), board), text: result() };
  }
  const thought = state.evaluations.get(state.game.key(ply));
  const score = thought?.lines[0]?.score;
  if (!score) return null;
  return { share: blackShare(score, thought.side, board), text: describe(score, thought.side, board), thought };
}

/** The text of the evaluation while there is nothing to show. */
function placeholder() {
  if (!state.evaluating) return "Turn on to evaluate every position.";
  return state.running.engine ? "The engine is thinking." : "Evaluating…";
}

export function showEvaluation() {
  const { game, evaluating, values } = state;
  const current = evaluationAt(game.ply);
  const bar = find("bar");
  const isShown = Boolean(current) && (evaluating || Boolean(values) || Boolean(game.view.end));
  bar.classList.toggle("on", isShown);
  if (isShown) {
    bar.firstElementChild.style.flexBasis = `${(current.share * 100).toFixed(1)}%`;
    bar.setAttribute("aria-valuenow", Math.round(current.share * 100));
    bar.setAttribute("aria-valuetext", current.text);
  }
  const panel = find("evaluation");
  find("evaluate").setAttribute("aria-checked", evaluating);
  if (!isShown) {
    panel.replaceChildren(make("p", { class: "quiet" }, placeholder()));
    return;
  }
  const { thought } = current;
  const parts = [make("p", { class: "score" }, current.text)];
  if (thought) {
    const confidence = thought.confidence < 100 ? `, ${thought.confidence} % confidence` : "";
    const depth = thought.lines[0].score.exact ? "Exact" : `Depth ${thought.depth}${confidence}`;
    parts.push(make("p", { class: "facts" }, `${depth} · ${formatNumber(thought.nodes)} nodes, ${(thought.time_ms / 1000).toFixed(1)} s`));
    parts.push(make("p", { class: "line" }, thought.lines[0].moves.join(" ")));
    if (thought.note) parts.push(make("p", { class: "quiet" }, thought.note));
  }
  if (values) parts.push(make("p", { class: "facts" }, `Hints show the value of each move for ${sideName(game.view.side)}. Framed values are exact.`));
  panel.replaceChildren(...parts);
}

export function showGraph() {
  const { game } = state;
  const shares = Array.from({ length: game.moves.length + 1 }, (_, ply) => evaluationAt(ply)?.share ?? null);
  graph.show(shares, game.ply, evaluationAt(game.ply)?.text);
}
