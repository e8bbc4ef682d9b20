// The review: the loss of every move of the game.

import { askLines } from "./api.js";
import { announce, find, reportErrors } from "./dom.js";
import { isBetter } from "./engine.js";
import { lossOf } from "./evaluation.js";
import { html, nothing, render } from "./lit-html.js";
import { decimal, t } from "./language.js";
import { goTo } from "./play.js";
import { lossText, sideName } from "./score.js";
import { SIDES, abort, changed, isReviewed, shownMove, state, subscribe } from "./state.js";

const SEVERITIES = ["inaccuracy", "mistake", "blunder"];
const PLURALS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

/** Reviews the game, or stops doing so. */
export async function review() {
  const { game, running } = state;
  if (running.review) {
    abort("review");
    changed("review");
    return;
  }
  abort("analysis", "values");
  const work = (running.review = new AbortController());
  const line = game.line();
  const request = { ...game.request(line.at(-1)) };
  const known = { line, done: 0, summary: null, cut: false };
  state.review = known;
  try {
    // The result of a finished game is the last point of the graph.
    await game.viewOf(line.at(-1));
    changed("review");
    const take = ({ row }) => {
      if (!row || running.review !== work) return;
      known.done = Math.max(known.done, row.ply + 1);
      takeRow(line, row);
      changed("review");
    };
    const { cut, summary } = await askLines("review", request, work.signal, take);
    if (running.review !== work) return;
    Object.assign(known, { summary, cut });
  } finally {
    if (running.review === work) delete running.review;
    changed("review");
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

function showProgress() {
  const { running, review } = state;
  find("review-progress").textContent = running.review
    ? t("reviewing", { done: review.done, all: review.line.length }) : "";
}

/** The moves of a side with a severity. */
function count(side, severity) {
  const isCounted = (node) => node.severity === severity && state.game.sideAt(node.ply - 1) === side;
  return state.review.line.filter(isCounted).length;
}

function announceReview() {
  const [black, white] = SIDES.map((side, at) => t("reviewSide", {
    side: sideName(side), accuracy: percent(state.review.summary?.sides[at].accuracy),
    ...Object.fromEntries(SEVERITIES.map((severity) => [PLURALS[severity], count(side, severity)])),
  }));
  announce(t("reviewDone", { black, white }));
}

const percent = (value) => (value === null || value === undefined ? "–" : decimal(value, 1));

/** The table of both sides: accuracy, loss, and the number of mistakes of each severity. */
function summaryTable({ sides }) {
  const head = (side) => html`<th scope="col"><i class="swatch ${side}"></i> ${sideName(side)}</th>`;
  const row = (name, values, title = nothing) => html`<tr title=${title}><th scope="row">${name}</th>
    ${values.map((value) => html`<td>${value}</td>`)}</tr>`;
  const grade = (severity) => html`<span class="grade ${severity}">${t(PLURALS[severity])}</span>`;
  return html`<table class="review"><thead><tr><td></td>${SIDES.map(head)}</tr></thead><tbody>
    ${row(t("accuracy"), sides.map(({ accuracy }) => `${percent(accuracy)} %`), t("accuracyTitle"))}
    ${row(t("meanLoss"), sides.map(({ mean_loss: loss }) => (loss === null ? "–" : decimal(loss, 2))))}
    ${row(t("agreement"), sides.map(({ agreement }) => `${percent(agreement)} %`))}
    ${SEVERITIES.map((severity) => row(grade(severity), SIDES.map((side) => count(side, severity))))}
    </tbody></table>`;
}

/** The move that changed the expected winner, as a button that goes there. */
function turningPoint(turning, board) {
  if (!turning) return html`<p class="facts">${t("turningPointNone")}</p>`;
  const move = `${turning.ply + 1}. ${shownMove(turning.move)} (−${lossText(turning.loss, board)})`;
  const go = () => goTo(state.review.line[turning.ply + 1]);
  return html`<button class="small" id="turning-point" @click=${go}>${t("turningPoint", { move })}</button>`;
}

function summaryParts(summary, board) {
  const thresholds = t("thresholds", board.severities.map((loss) => decimal(100 * loss, 0)));
  return html`${summaryTable(summary)}${turningPoint(summary.turning_point, board)}
    <p class="facts">${thresholds} ${t("graphExact")}</p>
    ${state.review.cut ? html`<p class="facts">${t("reviewCut")}</p>` : nothing}`;
}

function showReview() {
  const { game, running } = state;
  const isRunning = Boolean(running.review);
  find("chart").textContent = t(isRunning ? "stop" : "reviewGame");
  find("chart").classList.toggle("primary", !isRunning && !isReviewed());
  showProgress();
  const summary = isReviewed() ? state.review.summary : null;
  find("review-next").hidden = !summary;
  const hint = summary || isRunning ? "" : t(game.moves.length ? "reviewStart" : "reviewEmpty");
  render(isReviewed() && !state.practice && !state.setup ? lossOf(game.node) : nothing, find("review-move"));
  render(summary ? summaryParts(summary, game.board) : html`<p class="quiet" id="review-hint">${hint}</p>`, find("review"));
}

/** Goes to the next or the previous mistake or blunder; from the end it begins again. */
export async function goToMistake(step = 1) {
  if (!isReviewed()) return;
  const mistakes = state.review.line.filter((node) => node.isMistake);
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

subscribe(showReview, "position", "review");
