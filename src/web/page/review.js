// The panel of the review: its progress, the loss of the move on the board, and the statistics of both sides.

import { find, reportErrors } from "./dom.js";
import { lossOf, reasonText } from "./evaluation.js";
import { html, nothing, render } from "./lit-html.js";
import { decimal, t } from "./language.js";
import { goTo } from "./play.js";
import { begin, ownMistakes, tryMistake } from "./practice-run.js";
import { PLURALS, SEVERITIES, count, percent } from "./review-run.js";
import { lossText, share, sideName } from "./score.js";
import { SIDES, isReviewed, numberedMove, state, subscribe } from "./state.js";

/** @import { BoardView, MoveNode, Review, ReviewSummary, Severity, Side, TemplateResult } from "./types.d.ts" */

/** The most mistakes that are listed. */
const MAX_MOMENTS = 6;

function showProgress() {
  const { running, review } = state;
  find("review-progress").textContent = running.review && review
    ? t("reviewing", { done: review.done, all: review.line.length }) : "";
}

/**
 * The values of Black and White, in the order in which they move.
 * @template V
 * @param {V[]} values
 */
const inOrder = (values) => (state.game.board.first === "black" ? values : [...values].reverse());

/** The heads of a table with a column for each side. */
const head = () => html`<tr><td></td>${inOrder(SIDES).map((side) => (
  html`<th scope="col"><i class="swatch ${side}"></i> ${sideName(side)}</th>`))}</tr>`;

/**
 * The table of both sides: accuracy, loss, and the number of mistakes of each severity.
 * @param {Review} review
 * @param {ReviewSummary} summary
 */
function summaryTable(review, { sides }) {
  /** @type {(name: unknown, values: (string | number)[], title?: unknown) => TemplateResult} */
  const row = (name, values, title = nothing) => html`<tr title=${title}><th scope="row">${name}</th>
    ${inOrder(values).map((value) => html`<td>${value}</td>`)}</tr>`;
  /** @param {Severity} severity */
  const grade = (severity) => html`<span class="grade ${severity}">${t(PLURALS[severity])}</span>`;
  return html`<table class="review"><thead>${head()}</thead><tbody>
    ${row(t("accuracy"), sides.map(({ accuracy }) => `${percent(accuracy)} %`), t("accuracyTitle"))}
    ${row(t("meanLoss"), sides.map(({ mean_loss: loss }) => (loss === null ? "–" : decimal(loss, 2))))}
    ${row(t("agreement"), sides.map(({ agreement }) => `${percent(agreement)} %`))}
    ${SEVERITIES.map((severity) => row(grade(severity), SIDES.map((side) => count(review, side, severity))))}
    </tbody></table>`;
}

/**
 * The accuracy of both sides in the phases of the game.
 * @param {ReviewSummary} summary
 */
function phaseTable({ phases }) {
  if (phases.length < 2) return nothing;
  return html`<h3>${t("phases")}</h3><table class="review"><thead>${head()}</thead><tbody>
    ${phases.map(({ name, sides }) => html`<tr><th scope="row">${t(`phase.${name}`)}</th>
      ${inOrder(sides).map(({ accuracy }) => html`<td>${percent(accuracy)} %</td>`)}</tr>`)}</tbody></table>`;
}

/**
 * The mistakes that cost most, in the order of the game, each with a reason and a way to try it again.
 * @param {Review} review
 * @param {ReviewSummary} summary
 */
function moments(review, { turning_point: turning }) {
  const { line } = review;
  const turn = turning ? line[turning.ply + 1] : undefined;
  const bad = line.filter((node) => node.isMistake || node === turn);
  const worst = [...bad].sort((a, b) => costOf(b) - costOf(a)).slice(0, MAX_MOMENTS);
  if (!bad.length) return html`<p class="facts">${t("noMistakes")}</p>`;
  /** @param {MoveNode} node */
  const item = (node) => html`<li class=${node.severity ?? ""}>
    <button class="plain" type="button" @click=${() => goTo(node)}><b>${numberedMove(node)}${node.mark}</b>
      <span>${node === turn ? t("turningPoint") : nothing} ${reasonText(node) || t("lostShort", { loss: lossText(node.loss ?? 0, state.game.board) })}</span></button>
    <button class="small try" type="button" aria-label=${t("tryMove", { move: numberedMove(node) })}
      @click=${() => reportErrors(() => tryMistake(node))}>${t("try")}</button></li>`;
  const learn = () => reportErrors(() => begin({ kind: "own", game: state.game.board.game }));
  return html`<div class="title"><h3>${t("moments")}</h3>
    ${ownMistakes(review).length ? html`<button id="learn" class="small" type="button" @click=${learn}>
      ${t("learn")}</button>` : nothing}</div><ul class="moments">${bad.filter((node) => worst.includes(node)).map(item)}</ul>`;
}

/** The part of the expected result that a move gave away, as the graph shows it. @param {MoveNode} node */
function costOf({ parent, loss = 0 }) {
  const { board } = state.game;
  const best = parent?.thought?.lines[0]?.score.points ?? 0;
  return share(best, board) - share(best - loss, board);
}

/**
 * @param {Review} review
 * @param {ReviewSummary} summary
 * @param {BoardView} board
 */
function summaryParts(review, summary, board) {
  const thresholds = t("thresholds", board.severities.map((loss) => decimal(100 * loss, 0)));
  return html`${summaryTable(review, summary)}${moments(review, summary)}${phaseTable(summary)}
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
