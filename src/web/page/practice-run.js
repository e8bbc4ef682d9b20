// The run of a practice: positions in which the user looks for the best move. They are endgames, puzzles from the
// endgame tables, or the mistakes of a reviewed game. The game of before comes back at the end.

import { RequestError, ask } from "./api.js";
import { announce } from "./dom.js";
import { Game } from "./game.js";
import { t } from "./language.js";
import { goTo, proceed } from "./play.js";
import { keep, updateHistory } from "./records.js";
import { lossText, sideName } from "./score.js";
import { abortAll, boardOf, changed, clearSelection, knownBoard, shownMove, state } from "./state.js";

/** @import { AskedExercise, Exercise, Practice } from "./types.d.ts" */

/** The mistakes of the reviewed game, as exercises. @returns {AskedExercise[]} */
export function ownExercises() {
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
export const withRequest = (exercise) => ({ ...exercise, request: { game: exercise.game, start: exercise.start } });

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
export async function practiceFile(file) {
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

/** Begins to practice. @param {Practice["next"]} next returns the next exercise */
export async function begin(next) {
  abortAll();
  state.clock?.stop();
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

export async function nextExercise() {
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
    const points = board.counts_margin ? `: ${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(Math.round(value * 10) / 10)}` : "";
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

export async function showSolution() {
  const { practice } = state;
  if (!practice?.exercise || !practice.node) return;
  practice.isFirst = false;
  practice.isOver = true;
  const [move] = practice.exercise.best;
  if (state.game.node === practice.node) await goTo(practice.node.add([move]));
  tell(t("practiceShown", { move: shownMove(move) }));
}

/** Ends the practice and brings the game of before back. */
export async function end() {
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
