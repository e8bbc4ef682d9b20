// Practice: positions in which the user looks for the best move. They are endgames, puzzles from the endgame tables, or the mistakes of a
// reviewed game. The game of before comes back at the end.

import { ask } from "./api.js";
import { announce, find, make, openDialog, reportErrors } from "./dom.js";
import { keep } from "./documents.js";
import { Game } from "./game.js";
import { t } from "./language.js";
import { goTo, proceed } from "./play.js";
import { build, show } from "./render.js";
import { lossText, sideName } from "./score.js";
import { abortAll, clearSelection, shownMove, state } from "./state.js";

/** The mistakes of the reviewed game, as exercises. */
function ownExercises() {
  const mistakes = state.review?.line.filter(({ severity }) => severity === "mistake" || severity === "blunder") ?? [];
  const request = (node) => state.game.request(node);
  return mistakes.filter(({ parent }) => parent.thought?.lines[0]?.moves.length).map((node) => {
    const { thought } = node.parent;
    return {
      request: request(node.parent), side: thought.side, best: [thought.lines[0].moves[0]], outcome: null,
      // Only two moves were evaluated: the best one, and the one that was played.
      values: { [thought.lines[0].moves[0]]: thought.lines[0].score.points, [node.move]: thought.lines[0].score.points - node.loss },
    };
  });
}

export function showPracticeDialog() {
  const { game } = state;
  const own = ownExercises();
  const choice = (id, key, work, disabled) => make("button", { type: "button", id, disabled, onclick: () => reportErrors(async () => {
    dialog.close();
    await begin(work);
  }) }, t(key));
  const fetchNext = () => ask("exercise", { game: game.board.game }).then((exercise) => ({ ...exercise, request: { game: game.board.game, start: exercise.start } }));
  const dialog = openDialog("practice-dialog", t("practiceTitle"), [
    make("p", {}, t("practiceIntro")),
    make("div", { class: "stack buttons" },
      choice("practice-tables", game.board.counts_margin ? "practiceEndgames" : "practicePuzzles", fetchNext, false),
      choice("practice-own", "practiceOwn", () => own[state.practice.tried % own.length], !own.length)),
    own.length ? "" : make("p", { class: "quiet" }, t("practiceOwnNone")),
  ]);
}

/** Begins to practice. `next` returns the next exercise. */
async function begin(next) {
  abortAll();
  keep();
  const before = state.practice?.before ?? { game: state.game, review: state.review };
  state.practice = { next, before, tried: 0, solved: 0, exercise: null, text: "", isOver: true };
  try {
    await nextExercise();
  } catch (error) {
    await end();
    throw error;
  }
}

async function nextExercise() {
  const { practice } = state;
  const exercise = await practice.next();
  const view = await ask("view", exercise.request);
  if (state.practice !== practice) return;
  const kind = state.boards.find(({ game }) => game === view.game);
  practice.exercise = exercise;
  practice.tried += 1;
  practice.isFirst = true;
  practice.isOver = false;
  const task = { win: "practiceTaskWin", draw: "practiceTaskDraw" }[exercise.outcome] ?? "practiceTask";
  practice.text = t(task, { side: sideName(exercise.side) });
  state.game = new Game(kind, view);
  practice.node = state.game.node;
  clearSelection();
  build();
  await proceed();
  announce(practice.text);
}

/** Judges the move that was just played. */
export async function checkPractice(move) {
  const { practice, game } = state;
  const { exercise } = practice;
  if (exercise.best.includes(move)) {
    practice.solved += practice.isFirst ? 1 : 0;
    practice.isOver = true;
    const points = exercise.values[move];
    const score = points === undefined ? "" : game.board.counts_margin ? `${shownMove(move)}: ${points > 0 ? "+" : ""}${Math.round(points * 10) / 10}` : shownMove(move);
    tell(t("practiceRight", { score }));
    return;
  }
  const isEqual = exercise.values[move] !== undefined && exercise.values[move] >= exercise.values[exercise.best[0]];
  if (isEqual) {
    practice.isOver = true;
    tell(t("practiceRight", { score: shownMove(move) }));
    return;
  }
  practice.isFirst = false;
  const value = exercise.values[move];
  const text = value === undefined ? t("practiceWrongOutcome", { move: shownMove(move) })
    : t("practiceWrong", { move: shownMove(move), loss: lossText(exercise.values[exercise.best[0]] - value, game.board) });
  await goTo(practice.node);
  tell(text);
}

function tell(text) {
  state.practice.text = text;
  show();
  announce(text);
}

async function showSolution() {
  const { practice } = state;
  practice.isFirst = false;
  practice.isOver = true;
  const [move] = practice.exercise.best;
  if (state.game.node === practice.node) await goTo(practice.node.add([move]));
  tell(t("practiceShown", { move: shownMove(move) }));
}

/** Ends the practice and brings the game of before back. */
async function end() {
  const { before } = state.practice;
  abortAll();
  state.practice = null;
  state.game = before.game;
  state.review = before.review;
  clearSelection();
  state.paused = true;
  build();
  await proceed();
}

export function showPractice() {
  const { practice } = state;
  const panel = find("practice-panel");
  panel.hidden = !practice;
  if (!practice) return;
  const button = (id, key, work, attributes = {}) => make("button", { id, type: "button", ...attributes, onclick: () => reportErrors(work) }, t(key));
  panel.replaceChildren(
    make("div", { class: "title" }, make("h2", {}, t("practiceTitle")), button("practice-end", "practiceEnd", end, { class: "small" })),
    make("p", { class: "task", id: "practice-text" }, practice.text),
    make("div", { class: "buttons" },
      button("practice-solution", "practiceSolution", showSolution, { disabled: practice.isOver }),
      button("practice-next", "practiceNext", nextExercise, { class: practice.isOver ? "primary" : "" })),
    make("p", { class: "quiet" }, t("practiceCount", { solved: practice.solved, tried: practice.tried })));
}
