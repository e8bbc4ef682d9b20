// The dialog that begins to practice, and the panel of the practice.

import { ask } from "./api.js";
import { find, make, openDialog, reportErrors } from "./dom.js";
import { html, nothing, render } from "./lit-html.js";
import { t } from "./language.js";
import { begin, end, nextExercise, ownExercises, practiceFile, showSolution, withRequest } from "./practice-run.js";
import { state, subscribe } from "./state.js";

/** @import { Practice } from "./types.d.ts" */

export function showPracticeDialog() {
  const { board: { game, counts_margin } } = state.game;
  const own = ownExercises();
  /** @param {Practice["next"]} next */
  const choose = (next) => reportErrors(async () => {
    dialog.close();
    await begin(next);
  });
  /** @type {(id: string, key: string, next: Practice["next"], disabled: boolean) => HTMLButtonElement} */
  const choice = (id, key, next, disabled) => (
    make("button", { type: "button", id, disabled, onclick: () => choose(next) }, t(key)));
  const fetchNext = async () => withRequest(await ask("exercise", { game }));
  /** @param {{ target: HTMLInputElement }} event */
  const openFile = ({ target: { files } }) => reportErrors(async () => {
    dialog.close();
    if (files?.length) await practiceFile(files[0]);
  });
  const dialog = openDialog("practice-dialog", t("practiceTitle"), [
    make("p", {}, t("practiceIntro")),
    make("div", { class: "stack buttons" },
      choice("practice-tables", counts_margin ? "practiceEndgames" : "practicePuzzles", fetchNext, false),
      choice("practice-own", "practiceOwn", (number) => own[number % own.length], !own.length)),
    own.length ? "" : make("p", { class: "quiet" }, t("practiceOwnNone")),
    make("label", { for: "practice-file" }, t("practiceFile")),
    make("input", { id: "practice-file", type: "file", accept: ".jsonl", onchange: openFile }),
  ]);
}

function showPractice() {
  const { practice } = state;
  find("practice-panel").hidden = !practice;
  if (!practice) return;
  /** @type {(id: string, key: string, work: () => unknown, style?: string, isDisabled?: boolean) => unknown} */
  const button = (id, key, work, style = "", isDisabled = false) => html`<button id=${id} type="button" class=${style}
    ?disabled=${isDisabled} @click=${() => reportErrors(work)}>${t(key)}</button>`;
  // An exercise that is still open is not counted.
  const tried = practice.tried - (practice.isFirst && !practice.isOver ? 1 : 0);
  render(html`
    <div class="title"><h2>${t("practiceTitle")}</h2>${button("practice-end", "practiceEnd", end, "small")}</div>
    <p class="task" id="practice-text">${practice.text}</p>
    <div class="buttons">
      ${button("practice-solution", "practiceSolution", showSolution, "", practice.isOver)}
      ${button("practice-next", "practiceNext", nextExercise, practice.isOver ? "primary" : "")}
    </div>
    <p class="quiet">${tried ? t("practiceCount", { solved: practice.solved, tried }) : nothing}</p>`, find("practice-panel"));
}

subscribe(showPractice, "position");
