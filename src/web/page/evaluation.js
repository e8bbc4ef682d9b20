// What is shown of the engine's thoughts: the bar, the words beside the board, and the graph.

import { find, make } from "./dom.js";
import { Graph } from "./graph.js";
import { amount, blackShare, describe, share, sideName } from "./score.js";
import { result, state } from "./state.js";

export const graph = new Graph(find("graph"));

/** Black's share and the words of what is known of a ply. */
function known(ply) {
  const { view, board: kind } = state.game;
  if (view.end && ply === view.ply) return { share: share(kind.counts_margin ? view.end.points : Math.sign(view.end.points), kind), text: result() };
  const thought = state.thoughts.get(state.game.key(ply));
  const score = thought?.lines[0]?.score;
  if (!score) return null;
  return { share: blackShare(score, thought.side, kind), text: describe(score, thought.side, kind), thought };
}

export function showThought() {
  const { game, evaluating, values, works } = state;
  const now = known(game.ply);
  const bar = find("bar");
  const isShown = Boolean(now) && (evaluating || Boolean(values) || Boolean(game.view.end));
  bar.classList.toggle("on", isShown);
  if (isShown) {
    bar.firstElementChild.style.flexBasis = `${(now.share * 100).toFixed(1)}%`;
    bar.setAttribute("aria-valuenow", Math.round(now.share * 100));
    bar.setAttribute("aria-valuetext", now.text);
  }
  const place = find("evaluation");
  find("evaluate").setAttribute("aria-checked", evaluating);
  if (!isShown) {
    place.replaceChildren(make("p", { class: "quiet" }, evaluating ? (works.engine ? "The engine is at its own move." : "Thinking…") : "Switch it on to see what the engine thinks of each position."));
    return;
  }
  const { thought } = now;
  const parts = [make("p", { class: "score" }, now.text)];
  if (thought) {
    const exact = thought.lines[0].score.exact;
    const speed = `${amount(thought.nodes)} nodes, ${(thought.time_ms / 1000).toFixed(1)} s`;
    parts.push(make("p", { class: "facts" }, `${exact ? "Exact" : `Depth ${thought.depth}${thought.confidence < 100 ? ` at ${thought.confidence} %` : ""}`} · ${speed}`));
    parts.push(make("p", { class: "line" }, thought.lines[0].moves.join(" ")));
    if (thought.note) parts.push(make("p", { class: "quiet" }, thought.note));
  }
  if (values) parts.push(make("p", { class: "facts" }, `On the board: what each move is worth to ${sideName(game.view.side)}. Values in a frame are exact.`));
  place.replaceChildren(...parts);
}

export function showGraph() {
  const { game } = state;
  const shares = Array.from({ length: game.moves.length + 1 }, (_, ply) => known(ply)?.share ?? null);
  graph.show(shares, game.ply, known(game.ply)?.text);
}
