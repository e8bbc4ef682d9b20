// The run of a review: the loss of every move of the game.

import { askLines } from "./api.js";
import { announce, find, reportErrors } from "./dom.js";
import { isBetter } from "./engine.js";
import { keepReview } from "./kept-reviews.js";
import { decimal, t } from "./language.js";
import { evaluate, goTo } from "./play.js";
import { keepReviewed } from "./practice-run.js";
import { sideName } from "./score.js";
import { SIDES, abort, changed, isReviewed, state } from "./state.js";

/** @import { MoveNode, Review, ReviewRow, Severity, Side, Streams } from "./types.d.ts" */

/** @type {Severity[]} */
export const SEVERITIES = ["inaccuracy", "mistake", "blunder"];
export const PLURALS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

/** Continues the evaluation of the position that the review has stopped, unless another has begun. */
function resume() {
  const { analysis, values } = state.running;
  if (!analysis && !values) evaluate();
}

/** Reviews the game, or stops doing so. */
export async function review() {
  const { game, running } = state;
  if (running.review) {
    abort("review");
    changed("review");
    resume();
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
    for (const reason of summary?.reasons ?? []) {
      const node = line[reason.ply + 1];
      if (node) node.reason = reason;
    }
  } finally {
    if (running.review === work) {
      delete running.review;
      resume();
    }
    changed("review");
  }
  announceReview(known);
  keepReview(game, known);
  await keepReviewed(known);
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
  if (next && loss !== null) Object.assign(next, { loss, severity: severity ?? undefined, better: thought.lines[0] });
}

/** @type {(review: Review, side: Side, severity: Severity) => number} the moves of a side with a severity */
export const count = ({ line }, side, severity) => (
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
export const percent = (value) => (value === null || value === undefined ? "–" : decimal(value, 1));

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
  await reportErrors(() => goTo(next ?? mistakes[step > 0 ? 0 : mistakes.length - 1]));
  // After the announcement of the move, which would replace it.
  if (!next) announce(`${t("noMistake")} ${find("announcer").textContent}`);
}
