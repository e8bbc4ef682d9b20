// The questions of a practice of openings: those of a line, one after the other, then those of the next line.

import { RequestError, ask } from "./api.js";
import { cardsOf, keepAnswer, newLeft, seconds } from "./cards.js";
import { language, t } from "./language.js";

/** @import { Lesson, OpeningQuestion, PracticeSource } from "./types.d.ts" */

/** The questions that are left of the line. @type {OpeningQuestion[]} */
let waiting = [];

/** Leaves the line: the next question is the first of another. */
export const leaveLine = () => {
  waiting = [];
};

/** The next line, and what is left. @type {(source: PracticeSource) => Promise<Lesson>} */
export const lessonOf = ({ kind, exercises, difficulty, empties, ...settings }) => ask("lesson", {
  ...settings, cards: cardsOf(settings.game), now: seconds(), new: newLeft(),
});

/** The next question. @param {PracticeSource} source */
export async function nextQuestion(source) {
  if (!waiting.length) {
    const lesson = await lessonOf(source);
    waiting = lesson.questions;
    if (!waiting.length) throw new RequestError(doneText(lesson));
  }
  return /** @type {OpeningQuestion} */ (waiting.shift());
}

/**
 * Keeps what the first answer to a question tells.
 * @type {(question: OpeningQuestion, move: string | null) => void} the move is null if it was wrong
 */
export function answer(question, move) {
  keepAnswer(question, move);
  // The line goes on with the first of the right moves.
  if (move && move !== question.best[0]) leaveLine();
}

/** Why nothing is asked. @param {Lesson} lesson */
export function doneText({ positions, learnt, next_due: due }) {
  if (!positions) return t("openingsNone");
  const next = due ? ` ${t("openingsNext", { time: new Date(due * 1000).toLocaleString(language, {
    weekday: "long", hour: "numeric", minute: "2-digit",
  }) })}` : "";
  return t("openingsDone", { learnt, positions }) + next;
}
