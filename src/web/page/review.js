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

/**
 * @import {
 *   BoardView, MoveNode, Review, ReviewRow, ReviewSummary, Severity, Side, Streams, TemplateResult,
 * } from "./types.d.ts"
 */

/** @type {Severity[]} */
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
  const end = game.lineEnd;
  /** @type {Review} */
  const known = { line, done: 0, summary: null, cut: false };
  state.review = known;
  try {
    // The result of a finished game is the last point of the graph.
    await game.viewOf(end);
    changed("review");
    /** @param {Streams["review"]["line"]} message */
    const take = ({ row }) => {
      if (!row || running.review !== work) return;
      known.done = Math.max(known.done, row.ply + 1);
      takeRow(line, row);
      changed("review");
    };
    const { cut, summary } = await askLines("review", game.request(end), work.signal, take);
    if (running.review !== work) return;
    Object.assign(known, { summary, cut });
  } finally {
    if (running.review === work) delete running.review;
    changed("review");
  }
  announceReview(known);
}

/**
 * Stores what a row of the review says about its position and about the move played there.
 * @param {MoveNode[]} line
 * @param {ReviewRow} row
 */
function takeRow(line, { ply, thought, loss, severity }) {
  const [node, next] = [line[ply], line[ply + 1]];
  if (!node) return;
  if (isBetter(thought, node.thought)) node.thought = thought;
  if (next && loss !== null) Object.assign(next, { loss, severity: severity ?? undefined });
}

function showProgress() {
  const { running, review } = state;
  find("review-progress").textContent = running.review && review
    ? t("reviewing", { done: review.done, all: review.line.length }) : "";
}

/** @type {(review: Review, side: Side, severity: Severity) => number} the moves of a side with a severity */
const count = ({ line }, side, severity) => (
  line.filter((node) => node.severity === severity && state.game.sideAt(node.ply - 1) === side).length);

/** @param {Review} review */
function announceReview(review) {
  const [black, white] = SIDES.map((side, at) => t("reviewSide", {
    side: sideName(side), accuracy: percent(review.summary?.sides[at].accuracy),
    ...Object.fromEntries(SEVERITIES.map((severity) => [PLURALS[severity], count(review, side, severity)])),
  }));
  announce(t("reviewDone", { black, white }));
}

/** @param {number | null | undefined} value */
const percent = (value) => (value === null || value === undefined ? "–" : decimal(value, 1));

/**
 * The table of both sides: accuracy, loss, and the number of mistakes of each severity.
 * @param {Review} review
 * @param {ReviewSummary} summary
 */
function summaryTable(review, { sides }) {
  /** @param {Side} side */
  const head = (side) => html`<th scope="col"><i class="swatch ${side}"></i> ${sideName(side)}</th>`;
  /** @type {(name: unknown, values: (string | number)[], title?: unknown) => TemplateResult} */
  const row = (name, values, title = nothing) => html`<tr title=${title}><th scope="row">${name}</th>
    ${values.map((value) => html`<td>${value}</td>`)}</tr>`;
  /** @param {Severity} severity */
  const grade = (severity) => html`<span class="grade ${severity}">${t(PLURALS[severity])}</span>`;
  return html`<table class="review"><thead><tr><td></td>${SIDES.map(head)}</tr></thead><tbody>
    ${row(t("accuracy"), sides.map(({ accuracy }) => `${percent(accuracy)} %`), t("accuracyTitle"))}
    ${row(t("meanLoss"), sides.map(({ mean_loss: loss }) => (loss === null ? "–" : decimal(loss, 2))))}
    ${row(t("agreement"), sides.map(({ agreement }) => `${percent(agreement)} %`))}
    ${SEVERITIES.map((severity) => row(grade(severity), SIDES.map((side) => count(review, side, severity))))}
    </tbody></table>`;
}

/**
 * The move that changed the expected winner, as a button that goes there.
 * @param {Review} review
 * @param {ReviewSummary} summary
 * @param {BoardView} board
 */
function turningPoint({ line }, { turning_point: turning }, board) {
  if (!turning) return html`<p class="facts">${t("turningPointNone")}</p>`;
  const move = `${turning.ply + 1}. ${shownMove(turning.move)} (−${lossText(turning.loss ?? 0, board)})`;
  const go = () => goTo(line[turning.ply + 1]);
  return html`<button class="small" id="turning-point" @click=${go}>${t("turningPoint", { move })}</button>`;
}

/**
 * @param {Review} review
 * @param {ReviewSummary} summary
 * @param {BoardView} board
 */
function summaryParts(review, summary, board) {
  const thresholds = t("thresholds", board.severities.map((loss) => decimal(100 * loss, 0)));
  return html`${summaryTable(review, summary)}${turningPoint(review, summary, board)}
    <p class="facts">${thresholds} ${t("graphExact")}</p>
    ${review.cut ? html`<p class="facts">${t("reviewCut")}</p>` : nothing}`;
}

function showReview() {
  const { game, running, review } = state;
  const isRunning = Boolean(running.review);
  find("chart").textContent = t(isRunning ? "stop" : "reviewGame");
  find("chart").classList.toggle("primary", !isRunning && !isReviewed());
  showProgress();
  const summary = isReviewed() ? review?.summary : null;
  find("review-next").hidden = !summary;
  const hint = summary || isRunning ? "" : t(game.moves.length ? "reviewStart" : "reviewEmpty");
  render(isReviewed() && !state.practice && !state.setup ? lossOf(game.node) : nothing, find("review-move"));
  const parts = review && summary ? summaryParts(review, summary, game.board)
    : html`<p class="quiet" id="review-hint">${hint}</p>`;
  render(parts, find("review"));
}

/** Goes to the next or the previous mistake or blunder; from the end it begins again. */
export async function goToMistake(step = 1) {
  const { review } = state;
  if (!review || !isReviewed()) return;
  const mistakes = review.line.filter((node) => node.isMistake);
  if (!mistakes.length) {
    announce(t("noMistakes"));
    find("review-progress").textContent = t("noMistakes");
    return;
  }
  const { ply } = state.game;
  const next = step > 0 ? mistakes.find((node) => node.ply > ply) : mistakes.findLast((node) => node.ply < ply);
  if (!next) announce(t("noMistake"));
  await reportErrors(() => goTo(next ?? mistakes[step > 0 ? 0 : mistakes.length - 1]));
}

subscribe(showReview, "position", "review");
