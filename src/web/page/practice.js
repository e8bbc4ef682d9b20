// The panel of the practice.

import { find, reportErrors } from "./dom.js";
import { html, nothing, render } from "./lit-html.js";
import { t } from "./language.js";
import { end, isSingle, nextExercise, showSolution } from "./practice-run.js";
import {
  kindText, originText, playedText, progressText, refutationText, resultText, taskText, themeText, triesText,
  valueText,
} from "./practice-words.js";
import { progressOf } from "./progress.js";
import { shownMove, state, subscribe } from "./state.js";

/** @import { AskedExercise, Practice } from "./types.d.ts" */

/** A line of text, if there is one. @type {(id: string, text: string, style: string) => unknown} */
const line = (id, text, style) => (text ? html`<p id=${id} class=${style}>${text}</p>` : nothing);

/** The best line, once it may be known. @param {Practice & { exercise: AskedExercise }} practice */
function answerLine({ isOver, exercise: { answer } }) {
  const value = valueText();
  if (!isOver || !answer || !value) return nothing;
  // Only the first move of a line that is not proved is sure to keep the result.
  const moves = (answer.score?.exact ? answer.moves : answer.moves.slice(0, 1)).map(shownMove).join(" ");
  return html`<p id="practice-line">${value} <span class="quiet">${moves}</span></p>`;
}

/** The panel of an exercise. @param {Practice & { exercise: AskedExercise }} practice */
function panel(practice) {
  const { source, exercise, tries, result, isOver, isShowing, tried, solved } = practice;
  /** @type {(id: string, key: string, work: () => unknown, style?: string, isDisabled?: boolean) => unknown} */
  const button = (id, key, work, style = "", isDisabled = false) => html`<button id=${id} type="button" class=${style}
    ?disabled=${isDisabled} @click=${() => reportErrors(work)}>${t(key)}</button>`;
  const isBusy = isShowing || result === "checking";
  const isLast = isSingle(source);
  return html`
    <div class="title"><h2>${t("practiceTitle")}</h2>
      ${isLast ? nothing : button("practice-end", "practiceEnd", end, "small")}</div>
    <p class="quiet">${kindText(source)}</p>
    ${line("practice-origin", originText(exercise), "quiet")}
    <p class="task" id="practice-task" tabindex="-1">${taskText()}</p>
    ${line("practice-played", playedText(), "")}
    <p id="practice-text" class=${result}>${resultText()}</p>
    ${line("practice-why", refutationText(), "")}
    ${line("practice-theme", themeText(), "")}
    <div class="buttons">
      ${button("practice-solution", isOver ? "practiceLine" : "practiceSolution", showSolution, "", isBusy)}
      ${button("practice-next", isLast ? "practiceBack" : "practiceNext", nextExercise, isOver ? "primary" : "")}
    </div>
    ${answerLine(practice)}
    ${line("practice-tries", triesText(tries), "quiet")}
    ${line("practice-count", tried && !isLast ? t("practiceCount", { solved, tried }) : "", "quiet")}
    ${line("practice-progress", isLast ? "" : progressText(progressOf(source)), "quiet")}`;
}

/** Shows the panel. The focus of a button that is disabled goes to the next one. */
function showPractice() {
  const { practice } = state;
  const host = find("practice-panel");
  host.hidden = !practice || Boolean(state.setup);
  if (!practice?.exercise) return;
  const focused = document.activeElement;
  render(panel({ ...practice, exercise: practice.exercise }), host);
  if (focused instanceof HTMLButtonElement && focused.disabled && host.contains(focused)) find("practice-next").focus();
}

subscribe(showPractice, "position");
