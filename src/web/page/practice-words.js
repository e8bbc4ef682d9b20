// What a practice tells: the task, the result of a move, the value of the position, and where it comes from.

import { language, t } from "./language.js";
import { describe, lossText, sideName } from "./score.js";
import { playerText, shownMove, state } from "./state.js";

/** @import { AskedExercise, BoardView, Practice, PracticeSource, Progress } from "./types.d.ts" */

/** The plies of a refutation that are shown. */
const SHOWN_PLIES = 6;

/** @param {number} loss */
const wholeDiscs = (loss) => Math.max(1, Math.round(loss));
/** A loss in words; of discs, in whole ones. @type {(loss: number, board: BoardView) => string} */
const lossWords = (loss, board) => lossText(board.counts_margin ? wholeDiscs(loss) : loss, board);

/** What is to be found. */
export function taskText() {
  const { practice, game: { board } } = state;
  if (!practice?.exercise || !practice.node?.view) return "";
  const { outcome, side: mover } = practice.exercise;
  const { counts } = practice.node.view;
  const side = sideName(mover);
  if (practice.source.kind === "openings") return t("practiceTaskOpening", { side });
  const count = board.layout.points.length - counts[0] - counts[1];
  if (board.counts_margin) return t("practiceTaskEmpties", { side, count });
  return t({ win: "practiceTaskWin", draw: "practiceTaskDraw", none: "practiceTask" }[outcome ?? "none"], { side });
}

/** What the last move or the solution was worth, in words. */
export function resultText() {
  const { practice, game: { board } } = state;
  if (!practice?.exercise || !practice.result) return "";
  const { exercise: { best, outcome }, result, move } = practice;
  if (result === "shown") return t("practiceShown", { move: shownMove(best[0]) });
  const isOpening = practice.source.kind === "openings";
  if (result === "right" && move !== best[0]) {
    return t(isOpening ? "openingsGood" : "practiceGood", { move: shownMove(move) });
  }
  const text = { right: "practiceRight", checking: "practiceChecking", wrong: "practiceWorse" }[result];
  if (result !== "wrong") return t(text, { move: shownMove(move) });
  const loss = practice.tries.find((tried) => tried.move === move)?.loss;
  if (outcome) return t(outcome === "win" ? "practiceWrongWin" : "practiceWrongDraw", { move: shownMove(move) });
  if (!loss || !board.counts_margin) return t(text, { move: shownMove(move) });
  return t("practiceWrong", { move: shownMove(move), loss: lossWords(loss, board) });
}

/** Why the last move of an opening was wrong; empty if it is not known. */
export function refutationText() {
  const { refutation } = state.practice?.exercise ?? {};
  if (!refutation || state.practice?.result !== "wrong") return "";
  const { reason, line } = refutation;
  const why = reason ? t(`reason.${reason.name}`, { point: reason.point ?? "" }) : "";
  const then = line.length ? t("openingsThen", { moves: line.slice(0, SHOWN_PLIES).map(shownMove).join(" ") }) : "";
  return [why, then].filter(Boolean).join(" ");
}

/** The value of the position in words, once it may be known. */
export function valueText() {
  const { practice, game: { board } } = state;
  const { answer, outcome, side } = practice?.exercise ?? {};
  if (!practice?.isOver || !answer || !side) return "";
  // The result is proved, also where a search does not see it.
  const score = outcome && !answer.score?.exact
    ? { points: outcome === "win" ? 1 : 0, exact: true, plies: null, text: outcome } : answer.score;
  if (!score) return "";
  const whole = board.counts_margin ? { ...score, points: Math.round(score.points) } : score;
  return `${describe(whole, side, board)}.`;
}

/** What is special about the best move, once it may be known. */
export function themeText() {
  const { practice } = state;
  const themes = practice?.isOver ? practice.exercise?.themes : null;
  return themes?.map((theme) => t(`themeWhy.${theme}`)).join(" ") ?? "";
}

/** What was played in the game that the exercise is from. */
export function playedText() {
  const { practice, game: { board } } = state;
  const { played, best = [], values = {} } = practice?.exercise ?? {};
  const loss = played ? values[best[0]] - values[played] : NaN;
  if (!played) return "";
  return loss > 0 ? t("practicePlayed", { move: shownMove(played), loss: lossWords(loss, board) }) : "";
}

/** The players and the date of the game that an exercise is from, and the move. @param {AskedExercise} exercise */
export function originText({ names, date, number, source }) {
  if (!names) return source ?? "";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "");
  const day = isDay ? new Date(`${date}T12:00`).toLocaleDateString(language, { dateStyle: "medium" }) : date;
  return [names.map(playerText).join(" – "), day, number && t("practiceMove", { number })].filter(Boolean).join(" · ");
}

/** The kind of the exercises of a source: `Endgames · 8 empty squares · easy`. @param {PracticeSource} source */
export const kindText = ({ kind, side, empties, difficulty, theme }) => [
  t(`practice.${kind}`), side && sideName(side), empties && t("practiceEmptiesOf", { count: empties }),
  difficulty && t(`difficulty.${difficulty}`), theme && t(`practiceTheme.${theme}`),
].filter(Boolean).join(" · ");

/** The wrong moves so far, with their losses. @param {Practice["tries"]} tries */
export function triesText(tries) {
  const { counts_margin } = state.game.board;
  /** @param {Practice["tries"][number]} tried */
  const text = ({ move, loss }) => shownMove(move) + (loss && counts_margin ? ` (−${wholeDiscs(loss)})` : "");
  return tries.length ? t("practiceTried", { moves: tries.map(text).join(", ") }) : "";
}

/** How many exercises of a kind were solved; empty before the first try. @param {Progress} progress */
export function progressText({ tried, solved, streak, best }) {
  if (!tried) return "";
  const all = t("practiceAll", { progress: t("practiceProgress", { solved, tried }) });
  return all + (best > 1 ? ` · ${t("practiceStreak", { streak, best })}` : "");
}
