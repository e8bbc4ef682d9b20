// The panel of the review: its progress, the loss of the move on the board, and the statistics of both sides.

import { find } from "./dom.js";
import { lossOf } from "./evaluation.js";
import { html, nothing, render } from "./lit-html.js";
import { decimal, t } from "./language.js";
import { goTo } from "./play.js";
import { PLURALS, SEVERITIES, count, percent } from "./review-run.js";
import { lossText, sideName } from "./score.js";
import { SIDES, isReviewed, shownMove, state, subscribe } from "./state.js";

/** @import { BoardView, Review, ReviewSummary, Severity, Side, TemplateResult } from "./types.d.ts" */

function showProgress() {
  const { running, review } = state;
  find("review-progress").textContent = running.review && review
    ? t("reviewing", { done: review.done, all: review.line.length }) : "";
}

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

subscribe(showReview, "position", "review");
