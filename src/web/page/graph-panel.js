// Shows the evaluation graph of the line on the board.

import { find } from "./dom.js";
import { evaluationOf } from "./evaluation.js";
import { Graph } from "./graph.js";
import { t } from "./language.js";
import { lossText } from "./score.js";
import { shownMove, state } from "./state.js";

export const graph = new Graph(find("graph"));

export function showGraph() {
  const { game } = state;
  const { board } = game;
  const points = game.line().map((node) => {
    const evaluation = state.practice ? null : evaluationOf(node);
    const name = node.move === null ? t("first") : `${node.ply}. ${shownMove(node.move)}`;
    const loss = node.loss > 0 ? `, −${lossText(node.loss, board)}` : "";
    return { share: evaluation?.share ?? null, exact: Boolean(evaluation?.exact), words: evaluation?.text, name: name + loss, severity: node.severity };
  });
  graph.show(points, game.ply, board);
}
