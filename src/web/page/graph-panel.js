// Shows the evaluation graph of the line on the board.

import { find } from "./dom.js";
import { evaluationOf } from "./evaluation.js";
import { Graph } from "./graph.js";
import { t } from "./language.js";
import { jump } from "./play.js";
import { lossText } from "./score.js";
import "./tabs.js";
import { isOpen, numberedMove, state, subscribe } from "./state.js";

const graph = new Graph(find("graph"));
graph.onJump = jump;

function showGraph() {
  if (find("panel-review").hidden) return;
  const { game } = state;
  const { board } = game;
  const points = game.line().map((node) => {
    const shown = state.practice ? null : evaluationOf(node);
    const name = node.move === null ? t("first") : numberedMove(node);
    const { loss = 0 } = node;
    const lost = isOpen(node) && loss > 0 ? `, −${lossText(loss, board)}` : "";
    return {
      share: shown?.share ?? null, exact: shown?.exact ?? false, words: shown?.text, name: name + lost,
      severity: isOpen(node) ? node.severity : undefined,
    };
  });
  graph.show(points, game.ply, board);
}

// After the tabs, which show the panel that the graph measures.
subscribe(showGraph, "position", "evaluation", "review", "tab");
addEventListener("resize", () => state.game && showGraph());
