// The review: the loss of every move of the game, from a quick pass and a deeper one.

import { askLines } from "./api.js";
import { announce, find, make, reportErrors } from "./dom.js";
import { isBetter } from "./engine.js";
import { showEvaluation } from "./evaluation.js";
import { showGraph } from "./graph-panel.js";
import { decimal, t } from "./language.js";
import { showMoves } from "./moves.js";
import { goTo } from "./play.js";
import { lossText, sideName } from "./score.js";
import { SIDES, abort, shownMove, state } from "./state.js";

/** The searches of both passes. `morello analyze --level 8 --nodes 400000 --deterministic --hash 8` finds the same losses as the first. */
export const PASSES = [{ level: 8, nodes: 400_000 }, { level: 12, nodes: 2_000_000 }];

const SEVERITIES = ["inaccuracy", "mistake", "blunder"];
const PLURALS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

/** Reviews the game, or stops doing so. */
export async function review() {
  const { game, running } = state;
  if (running.review) {
    abort("review");
    showReview();
    return;
  }
  abort("analysis", "values");
  const work = (running.review = new AbortController());
  const line = game.line();
  const request = { ...game.request(line.at(-1)) };
  const known = { line, pass: 0, done: 0, summary: null, cut: false };
  state.review = known;
  try {
    // The result of a finished game is the last point of the graph.
    await game.viewOf(line.at(-1));
    for (const [pass, limits] of PASSES.entries()) {
      Object.assign(known, { pass, done: 0 });
      showReview();
      // The losses of a pass replace the earlier ones together, so that they fit each other.
      const rows = [];
      const take = ({ row }) => {
        if (!row || running.review !== work) return;
        known.done = row.ply + 1;
        rows.push(row);
        if (pass === 0) takeRow(line, row);
        showProgress(pass === 0);
      };
      const { cut, summary } = await askLines("review", { ...request, ...limits }, work.signal, take);
      if (running.review !== work) return;
      if (!cut || pass === 0) {
        rows.forEach((row) => takeRow(line, row));
        Object.assign(known, { summary, cut });
      }
      if (cut) break;
    }
  } finally {
    if (running.review === work) delete running.review;
    showReview();
    showAll();
  }
  announceReview();
}

/** Stores what a row of the review says about its position and about the move played there. */
function takeRow(line, { ply, thought, loss, severity }) {
  const [node, next] = [line[ply], line[ply + 1]];
  if (!node) return;
  if (isBetter(thought, node.thought)) node.thought = thought;
  if (next && loss !== null) Object.assign(next, { loss, severity: severity ?? undefined });
}

function showProgress(isNew) {
  find("review-progress").textContent = progressText();
  if (isNew) showAll();
}

function showAll() {
  showGraph();
  showMoves();
  showEvaluation();
}

const progressText = () => t(state.review.pass ? "reviewingDeeper" : "reviewing", { done: state.review.done, all: state.review.line.length });

/** The moves of a side with a severity. */
const count = (side, severity) => state.review.line.filter((node) => node.severity === severity && state.game.sideAt(node.ply - 1) === side).length;

function announceReview() {
  const [black, white] = SIDES.map((side, at) => t("reviewSide", {
    side: sideName(side), accuracy: percent(state.review.summary?.sides[at].accuracy),
    ...Object.fromEntries(SEVERITIES.map((severity) => [PLURALS[severity], count(side, severity)])),
  }));
  announce(t("reviewDone", { black, white }));
}

const percent = (value) => (value === null || value === undefined ? "–" : decimal(value, 1));

/** Whether the reviewed line is still the one on the board. */
const isCurrent = () => state.review && state.game.root === state.review.line[0];

export function showReview() {
  const { game, running } = state;
  const isRunning = Boolean(running.review);
  find("chart").textContent = t(isRunning ? "stop" : "review");
  find("chart").classList.toggle("primary", !isRunning && !isCurrent());
  find("review-progress").textContent = isRunning ? progressText() : "";
  const host = find("review");
  const summary = isCurrent() ? state.review.summary : null;
  find("review-next").hidden = !summary;
  find("review-hint").textContent = summary ? "" : isRunning ? "" : t(game.moves.length ? "reviewStart" : "reviewEmpty");
  if (!summary) {
    host.replaceChildren();
    return;
  }
  const { board } = game;
  const row = (name, title, values) => make("tr", { title }, make("th", { scope: "row" }, name), ...values.map((value) => make("td", {}, value)));
  const { sides, turning_point: turning } = summary;
  const table = make("table", { class: "review" },
    make("thead", {}, make("tr", {}, make("td", {}), ...SIDES.map((side) => make("th", { scope: "col" }, make("i", { class: `swatch ${side}` }), sideName(side))))),
    make("tbody", {},
      row(t("accuracy"), t("accuracyTitle"), sides.map(({ accuracy }) => `${percent(accuracy)} %`)),
      row(t("meanLoss"), "", sides.map(({ mean_loss: loss }) => (loss === null ? "–" : decimal(loss, 2)))),
      row(t("agreement"), "", sides.map(({ agreement }) => `${percent(agreement)} %`)),
      ...SEVERITIES.map((severity) => row(
        make("span", { class: `grade ${severity}` }, t(PLURALS[severity])), "", SIDES.map((side) => count(side, severity))))));
  const [least, middle, most] = board.severities.map((loss) => decimal(loss, board.counts_margin ? 0 : 1));
  host.replaceChildren(table,
    turning ? make("button", { class: "small", id: "turning-point", onclick: () => goTo(state.review.line[turning.ply + 1]) },
      t("turningPoint", { move: `${turning.ply + 1}. ${shownMove(turning.move)} (−${lossText(turning.loss, board)})` }))
      : make("p", { class: "facts" }, t("turningPointNone")),
    make("p", { class: "facts" }, `${t(board.counts_margin ? "thresholdsDiscs" : "thresholdsWins", [least, middle, most])} ${t("graphExact")}`),
    ...(state.review.cut ? [make("p", { class: "facts" }, t("reviewCut"))] : []));
}

/** Goes to the next or the previous mistake or blunder; from the end it begins again. */
export async function goToMistake(step = 1) {
  if (!isCurrent()) return;
  const mistakes = state.review.line.filter(({ severity }) => severity === "mistake" || severity === "blunder");
  if (!mistakes.length) {
    announce(t("noMistakes"));
    find("review-progress").textContent = t("noMistakes");
    return;
  }
  const { ply } = state.game;
  const next = step > 0 ? mistakes.find((node) => node.ply > ply) : mistakes.findLast((node) => node.ply < ply);
  if (!next) announce(t("noMistake"));
  await reportErrors(() => goTo(next ?? mistakes.at(step > 0 ? 0 : -1)));
}
