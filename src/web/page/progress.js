// How many exercises of each kind were tried and solved, kept in the browser.

import { storage } from "./storage.js";

/** @import { PracticeSource, Progress } from "./types.d.ts" */

/** @type {Progress} */
const NONE = { tried: 0, solved: 0, streak: 0, best: 0 };

/** @type {() => Record<string, Progress>} */
const all = () => storage.read("practice progress", {});

/** The kind of the exercises of a source. @param {PracticeSource} source */
const kindOf = ({ game, kind, empties, difficulty, theme }) => (
  [game, kind === "mistake" ? "own" : kind, empties, difficulty, theme].filter(Boolean).join(" "));

/** @param {PracticeSource} source */
export const progressOf = (source) => all()[kindOf(source)] ?? NONE;

/** @type {(source: PracticeSource, isSolved: boolean) => void} counts an exercise, solved if found at the first try */
export function countExercise(source, isSolved) {
  const { tried, solved, streak: before, best } = progressOf(source);
  const streak = isSolved ? before + 1 : 0;
  const progress = { tried: tried + 1, solved: solved + Number(isSolved), streak, best: Math.max(best, streak) };
  storage.write("practice progress", { ...all(), [kindOf(source)]: progress });
}

export const hasProgress = () => Object.keys(all()).length > 0;
export const resetProgress = () => storage.remove("practice progress");
