// Shows the evaluation graph of the line on the board.

import { find } from "./dom.js";
import { evaluationOf } from "./evaluation.js";
import { Graph } from "./graph.js";
import { t } from "./language.js";
import { jump } from "./play.js";
import { lossText } from "./score.js";
import { shownMove, state, subscribe } from "./state.js";

const graph = new Graph(find("graph"));
graph.onJump = jump;

function showGraph() {
  const { game } = state;
  const { board } = game;
  const points = game.line().map((node) => {
    const { share = null, exact = false, text: words } = (!state.practice && evaluationOf(node)) || {};
    const name = node.move === null ? t("first") : `${node.ply}. ${shownMove(node.move)}`;
    const loss = node.loss > 0 ? `, −${lossText(node.loss, board)}` : "";
    return { share, exact, words, name: name + loss, severity: node.severity };
  });
  graph.show(points, game.ply, board);
}

subscribe(showGraph, "position", "evaluation", "review");
addEventListener("resize", () => state.game && showGraph());
