// The run of a practice: positions in which the user looks for the best move. They are endgames, puzzles from the
// endgame tables, openings, mistakes of one's own games, or the exercises of a file. The game of before comes back at the
// end.

import { RequestError, ask, askLines } from "./api.js";
import { announce, find, wait } from "./dom.js";
import { Game } from "./game.js";
import { t } from "./language.js";
import { keepMistakes, mistakeAt, nextMistake, noteMistake } from "./mistakes.js";
import { answer, leaveLine, nextQuestion } from "./openings.js";
import { goTo, play, proceed } from "./play.js";
import { refutationText, resultText, taskText, valueText } from "./practice-words.js";
import { countExercise } from "./progress.js";
import { keep, updateHistory } from "./records.js";
import {
  SIDES, abortAll, boardOf, changed, clearSelection, isEngine, knownBoard, soleHuman, state,
} from "./state.js";
import { visit } from "./storage.js";

/**
 * @import { AskedExercise, Exercise, Line, MoveNode, OpeningQuestion, Practice, PracticeSource, Review } from "./types.d.ts"
 */

/** The longest search for the line of a solution, and the pause after each of its moves, in milliseconds. */
const ANSWER_TIME = 2000;
const MOVE_PAUSE = 650;

/** Whether the practice is kept for a reload: a long list of exercises may not fit. */
let isKept = false;
/** The number of practices begun so far, to detect responses that arrive too late. */
let begun = 0;

/** Nothing was tried yet. @type {Pick<Practice, "tries" | "result" | "move" | "isFirst" | "isOver">} */
const UNTRIED = { tries: [], result: "", move: "", isFirst: true, isOver: false };

/** The names of the players of the game on the board, or their levels. */
const names = () => SIDES.map((side, at) => (
  state.game.details.names?.[at] ?? (isEngine(side) ? state.players[side] : "")));

/** The mistakes in a review: those of the human, or of both sides if none plays alone. @param {Review} review */
export function ownMistakes({ line }) {
  const human = soleHuman();
  return line.filter((node) => node.isMistake && (!human || state.game.sideAt(node.ply - 1) === human));
}

/** Keeps the mistakes in a review. @param {Review} review */
export async function keepReviewed(review) {
  const { game } = state;
  const [nodes, players] = [ownMistakes(review), names()];
  await game.fetch(review.line.at(-1));
  keepMistakes(nodes.flatMap((node) => mistakeAt(game, node, players) ?? []));
}

/** The exercises of a file of `morello review --exercises`. @param {File} file */
export async function readExercises(file) {
  const lines = (await file.text()).split("\n").filter((line) => line.trim());
  try {
    /** @type {Exercise[]} */
    const exercises = lines.map((line) => JSON.parse(line));
    /** @param {Exercise} exercise */
    const isUsable = ({ game, start, best, values }) => boardOf(game) && start && best?.length && values;
    if (exercises.length > 0 && exercises.every(isUsable)) return exercises;
  } catch {
    // Said below.
  }
  throw new RequestError(t("practiceBadFile"));
}

/** Returns what begins the exercise that an address names, if it names one. */
export function linkedExercise(fragment = location.hash.slice(1)) {
  const fields = new URLSearchParams(fragment);
  if (!fields.has("exercise")) return null;
  const { game = "", start } = Object.fromEntries(fields);
  return async () => {
    // The game of before, to come back to.
    updateHistory();
    await begin({ kind: "link", game, start });
  };
}

/** The fragment of the link to an exercise, without `#`. @param {Exercise} exercise */
export const exerciseFragment = ({ game, start }) => `${new URLSearchParams({ game, start, exercise: "1" })}`;

/** Whether a practice has one exercise. @param {PracticeSource} source */
export const isSingle = ({ kind }) => kind === "link" || kind === "mistake";

/**
 * The exercise of a source with this number, counted from 0, and the view of its position.
 * @param {PracticeSource} source
 * @param {number} number
 * @param {AskedExercise} [last] not asked again if there is another
 */
async function fetchExercise({ kind, exercises, ...request }, number, last) {
  /** @type {AskedExercise} */
  const asked = exercises?.[number % exercises.length]
    ?? (kind === "own" ? nextMistake(request.game, last?.id) : undefined)
    ?? (kind === "openings" ? await nextQuestion({ kind, ...request }) : await ask("exercise", request));
  const { game, start } = asked;
  // A copy, since a list of a single exercise asks it again.
  return { number, exercise: { ...asked }, view: await ask("view", { game, start }) };
}

/** The game of the user, also during a practice. */
const ownGame = () => state.practice?.before.game ?? state.game;

/** Begins to practice. @param {PracticeSource} source */
export async function begin(source) {
  const [number, game] = [begun += 1, ownGame()];
  leaveLine();
  const first = await fetchExercise(source, 0);
  // Another practice or another game was begun meanwhile.
  if (number !== begun || game !== ownGame() || state.setup) return;
  enter(source);
  await pose(first);
}

/**
 * Puts a practice in the place of the game on the board.
 * @type {(source: PracticeSource, counts?: Partial<Practice>) => void}
 */
function enter(source, counts = {}) {
  abortAll();
  state.clock?.stop();
  keep();
  // Back ends the practice.
  if (!history.state?.practice) history.pushState({ ...history.state, practice: true }, "");
  isKept = visit.write("practice source", source);
  const before = state.practice?.before ?? { game: state.game, review: state.review };
  state.practice = {
    ...UNTRIED, source, before, check, tried: 0, solved: 0, number: 0, exercise: null, isShowing: false, ...counts,
  };
}

/**
 * Shows the position of an exercise, with what was tried so far.
 * @param {Awaited<ReturnType<typeof fetchExercise>>} fetched
 * @param {typeof UNTRIED} tried
 */
async function pose({ number, exercise, view }, tried = UNTRIED) {
  const { practice } = state;
  if (!practice) return;
  state.game = new Game(knownBoard(view.game), view);
  Object.assign(practice, { number, exercise, isShowing: false, ...tried, node: state.game.node });
  clearSelection();
  changed("board");
  await proceed();
  // The user was faster.
  if (!isAsked(practice, exercise) || practice.result !== tried.result) return;
  tell(taskText());
  find("practice-task").focus({ preventScroll: true });
  find("board").scrollIntoView({ block: "nearest" });
}

/** Goes on to the next exercise; ends a practice of a single one. */
export async function nextExercise() {
  const { practice } = state;
  if (!practice?.exercise) return;
  if (isSingle(practice.source)) {
    await end();
    return;
  }
  const { source, number, exercise } = practice;
  const next = await fetchExercise(source, number + 1, exercise);
  if (isAsked(practice, exercise)) await pose(next);
}

/** Continues the practice that a reload has interrupted. */
export async function resumePractice() {
  const source = visit.read("practice source", /** @type {PracticeSource | null} */ (null));
  const kept = visit.read("practice", /** @type {Practice | null} */ (null));
  if (!source || !kept?.exercise) {
    drop();
    return;
  }
  const { number, exercise, tried, solved, ...rest } = kept;
  const { game, start } = exercise;
  const view = await ask("view", { game, start });
  history.replaceState({ ...history.state, practice: true }, "");
  enter(source, { tried, solved });
  await pose({ number, exercise, view }, rest);
}

/**
 * Practices the position before a mistake of the reviewed game. At the end the game is at the mistake.
 * @param {MoveNode} node the position after the mistake
 */
export async function tryMistake(node) {
  const { game } = state;
  if (!node.parent) return;
  await game.viewOf(node.parent);
  const mistake = mistakeAt(game, node, names());
  if (!mistake) return;
  if (game.node !== node) await goTo(node);
  if (game.node === node) await begin({ kind: "mistake", game: mistake.game, exercises: [mistake] });
}

/** Counts the exercise on the board, once. @type {(isSolved: boolean, move?: string) => void} */
function settle(isSolved, move = "") {
  const { practice } = state;
  if (!practice?.isFirst) return;
  practice.isFirst = false;
  practice.tried += 1;
  practice.solved += Number(isSolved);
  countExercise(practice.source, isSolved);
  if (practice.exercise?.id) noteMistake(practice.exercise.id, isSolved);
  if (isQuestion(practice)) answer(practice.exercise, isSolved ? move : null);
}

/** Whether an exercise is still on the board. @type {(practice: Practice, exercise: AskedExercise) => boolean} */
const isAsked = (practice, exercise) => state.practice === practice && practice.exercise === exercise;

/** @type {(practice: Practice) => practice is Practice & { exercise: OpeningQuestion }} whether openings are practiced */
const isQuestion = (practice) => practice.source.kind === "openings" && Boolean(practice.exercise);

/** Judges the move that was just played. @param {string} played */
async function check(played) {
  const { practice } = state;
  if (!practice?.exercise || !practice.node || practice.isOver) return;
  const { exercise, exercise: { best, values }, node } = practice;
  practice.move = played;
  if (isQuestion(practice)) delete exercise.refutation;
  else if (!best.includes(played) && values[played] === undefined && !exercise.outcome) {
    Object.assign(practice, { isOver: true, result: "checking" });
    changed("position");
    try {
      await judge(exercise, played);
    } catch (error) {
      if (!isAsked(practice, exercise)) return;
      Object.assign(practice, { isOver: false, result: "" });
      await goTo(node);
      throw error;
    }
    if (!isAsked(practice, exercise)) return;
    practice.isOver = false;
  }
  const loss = values[best[0]] - values[played];
  const isRight = best.includes(played) || (!isQuestion(practice) && loss <= 0);
  settle(isRight, played);
  Object.assign(practice, { isOver: isRight, result: isRight ? "right" : "wrong" });
  if (isRight) await conclude(practice, exercise);
  else {
    const others = practice.tries.filter(({ move }) => move !== played);
    practice.tries = [...others, { move: played, loss: loss > 0 ? loss : null }];
    await goTo(node);
    tell(resultText());
    if (isQuestion(practice)) await refute(practice, exercise, played);
  }
}

/**
 * Finds out why a move of an opening is wrong.
 * @type {(practice: Practice, exercise: AskedExercise, move: string) => Promise<void>}
 */
async function refute(practice, exercise, move) {
  const { game, start } = exercise;
  const refutation = await ask("refute", { game, start, move });
  if (!isAsked(practice, exercise) || practice.result !== "wrong" || practice.move !== move) return;
  exercise.refutation = refutation;
  for (const tried of practice.tries) if (tried.move === move) tried.loss ??= refutation.loss || null;
  tell([resultText(), refutationText()].join(" "));
}

/**
 * Adds the value of a move that the review of a game did not evaluate.
 * @type {(exercise: AskedExercise, move: string) => Promise<void>}
 */
async function judge({ game, start, best, values }, move) {
  const judged = await ask("exercise", { game, start });
  if (judged.best.includes(move)) best.push(move);
  values[move] = values[best[0]] - judged.values[judged.best[0]] + judged.values[move];
}

/**
 * Tells the result, and the value of the position once it is known.
 * @type {(practice: Practice, exercise: AskedExercise) => Promise<void>}
 */
async function conclude(practice, exercise) {
  tell(resultText());
  // Enter goes on, unless the focus is where the user put it.
  const next = find("practice-next");
  if (document.activeElement?.matches("body, #board *, #practice-task")) next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  exercise.answer ??= await findAnswer(exercise);
  if (isAsked(practice, exercise)) tell([resultText(), valueText()].join(" "));
}

/** The best line of an exercise; without moves if it is not known. @param {AskedExercise} exercise */
async function findAnswer({ game, start, best }) {
  /** @type {Line | undefined} */
  let line;
  try {
    await askLines("analyze", { game, start, time_ms: ANSWER_TIME }, undefined, ({ thought }) => {
      line = thought?.lines[0] ?? line;
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
  return line && best.includes(line.moves[0]) ? line : { score: null, moves: [best[0]] };
}

/** Plays the best line on the board. */
export async function showSolution() {
  const { practice } = state;
  if (!practice?.exercise || !practice.node || practice.isShowing || practice.result === "checking") return;
  const { exercise, node } = practice;
  settle(false);
  Object.assign(practice, { isOver: true, isShowing: true, result: practice.result === "right" ? "right" : "shown" });
  try {
    await conclude(practice, exercise);
    if (isAsked(practice, exercise) && state.game.node !== node) await goTo(node);
    for (const move of exercise.answer?.moves ?? []) {
      if (!isAsked(practice, exercise)) return;
      await play(move);
      await wait(MOVE_PAUSE);
    }
  } finally {
    if (isAsked(practice, exercise)) {
      practice.isShowing = false;
      tell([resultText(), valueText()].join(" "));
    }
  }
}

/** Shows the practice, keeps it for a reload, and announces a text. @param {string} text */
function tell(text) {
  if (!state.practice) return;
  const { source, before, check, node, isShowing, ...kept } = state.practice;
  isKept &&= visit.write("practice", kept);
  // An older exercise would come back.
  if (!isKept) forget();
  changed("position");
  announce(text);
}

/** Ends the practice; as Back does, if it has an entry in the history of the browser. */
export async function end() {
  if (history.state?.practice) history.back();
  else await leave();
}

function forget() {
  visit.remove("practice");
  visit.remove("practice source");
}

/** Removes the practice, so that it does not come back. What is opened instead takes its entry in the history. */
export function drop() {
  state.practice = null;
  forget();
  const { practice, ...entry } = history.state ?? {};
  if (!practice) return;
  history.replaceState(entry, "");
  state.isNewEntry = false;
}

/** Brings the game of before back, unless the address has become that of another game. */
export async function leave() {
  const { practice } = state;
  drop();
  if (!practice) return;
  const { before } = practice;
  abortAll();
  state.game = before.game;
  state.review = before.review;
  clearSelection();
  state.paused = true;
  // The moves of the practice have no entries.
  state.isNewEntry = false;
  changed("board");
  if (location.hash !== `#${state.game.fragment()}`) return;
  await proceed();
  // The button is in a menu where the window is narrow.
  [find("practice"), find("more")].find((button) => button.offsetParent)?.focus({ preventScroll: true });
}
