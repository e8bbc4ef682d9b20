// Practice: positions in which the user looks for the best move. They are endgames, puzzles from the endgame tables, or
// the mistakes of a reviewed game. The game of before comes back at the end.

import { RequestError, ask } from "./api.js";
import { announce, find, make, openDialog, reportErrors } from "./dom.js";
import { Game } from "./game.js";
import { html, nothing, render } from "./lit-html.js";
import { t } from "./language.js";
import { goTo, proceed } from "./play.js";
import { keep, updateHistory } from "./records.js";
import { lossText, sideName } from "./score.js";
import { abortAll, boardOf, changed, clearSelection, knownBoard, shownMove, state, subscribe } from "./state.js";

/** @import { AskedExercise, Exercise, Practice } from "./types.d.ts" */

/** The mistakes of the reviewed game, as exercises. @returns {AskedExercise[]} */
function ownExercises() {
  const mistakes = state.review?.line.filter((node) => node.isMistake) ?? [];
  return mistakes.flatMap(({ move, loss, parent }) => {
    if (!move || loss === undefined || !parent?.thought?.lines[0]?.moves.length) return [];
    const { side, lines: [{ moves: [best], score: { points } }] } = parent.thought;
    // Only two moves were evaluated: the best one, and the one that was played.
    const values = { [best]: points, [move]: points - loss };
    return { request: state.game.request(parent), side, best: [best], outcome: null, values };
  });
}

/** An exercise with what shows its position. @param {Exercise} exercise */
const withRequest = (exercise) => ({ ...exercise, request: { game: exercise.game, start: exercise.start } });

/** The exercises of a file of `morello review --exercises`. @param {string} text */
function parseExercises(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  try {
    const exercises = lines.map((line) => withRequest(JSON.parse(line)));
    /** @param {Exercise} exercise */
    const isUsable = ({ game, start, best, values }) => boardOf(game) && start && best?.length && values;
    if (exercises.length > 0 && exercises.every(isUsable)) return exercises;
  } catch {
    // Said below.
  }
  throw new RequestError(t("practiceBadFile"));
}

/** Begins with the exercises of a file. @param {File} file */
async function practiceFile(file) {
  const exercises = parseExercises(await file.text());
  await begin((number) => exercises[number % exercises.length]);
}

/** Returns what begins the exercise that an address names, if it names one. */
export function linkedExercise(fragment = location.hash.slice(1)) {
  const fields = new URLSearchParams(fragment);
  if (!fields.has("exercise")) return null;
  const [game, start] = [fields.get("game"), fields.get("start")];
  return async () => {
    // The game of before, to come back to.
    updateHistory();
    await begin(async () => withRequest(await ask("exercise", { game, start })));
  };
}

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

/** Begins to practice. @param {Practice["next"]} next returns the next exercise */
async function begin(next) {
  abortAll();
  keep();
  const before = state.practice?.before ?? { game: state.game, review: state.review };
  state.practice = { next, check, before, tried: 0, solved: 0, exercise: null, text: "", isOver: true };
  try {
    await nextExercise();
  } catch (error) {
    await end();
    throw error;
  }
}

async function nextExercise() {
  const { practice } = state;
  if (!practice) return;
  const exercise = await practice.next(practice.tried);
  const view = await ask("view", exercise.request);
  if (state.practice !== practice) return;
  practice.exercise = exercise;
  practice.tried += 1;
  practice.isFirst = true;
  practice.isOver = false;
  const task = exercise.outcome && { win: "practiceTaskWin", draw: "practiceTaskDraw" }[exercise.outcome];
  practice.text = t(task ?? "practiceTask", { side: sideName(exercise.side) });
  state.game = new Game(knownBoard(view.game), view);
  practice.node = state.game.node;
  clearSelection();
  changed("board");
  await proceed();
  announce(practice.text);
}

/** Judges the move that was just played. @param {string} played */
async function check(played) {
  const { practice, game: { board } } = state;
  if (!practice?.exercise || !practice.node) return;
  const { best, values } = practice.exercise;
  const [value, move] = [values[played], shownMove(played)];
  if (best.includes(played)) {
    practice.solved += practice.isFirst ? 1 : 0;
    practice.isOver = true;
    const points = board.counts_margin ? `: ${value > 0 ? "+" : ""}${Math.round(value * 10) / 10}` : "";
    tell(t("practiceRight", { score: value === undefined ? "" : move + points }));
  } else if (value >= values[best[0]]) {
    practice.isOver = true;
    tell(t("practiceRight", { score: move }));
  } else {
    practice.isFirst = false;
    const text = value === undefined ? t("practiceWrongOutcome", { move })
      : t("practiceWrong", { move, loss: lossText(values[best[0]] - value, board) });
    await goTo(practice.node);
    tell(text);
  }
}

/** @param {string} text */
function tell(text) {
  if (!state.practice) return;
  state.practice.text = text;
  changed("position");
  announce(text);
}

async function showSolution() {
  const { practice } = state;
  if (!practice?.exercise || !practice.node) return;
  practice.isFirst = false;
  practice.isOver = true;
  const [move] = practice.exercise.best;
  if (state.game.node === practice.node) await goTo(practice.node.add([move]));
  tell(t("practiceShown", { move: shownMove(move) }));
}

/** Ends the practice and brings the game of before back. */
async function end() {
  if (!state.practice) return;
  const { before } = state.practice;
  abortAll();
  state.practice = null;
  state.game = before.game;
  state.review = before.review;
  clearSelection();
  state.paused = true;
  changed("board");
  await proceed();
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
