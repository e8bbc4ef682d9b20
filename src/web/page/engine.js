// Searches of the engine: its moves, the evaluation of the position and of the game, and hints.

import { askLines } from "./api.js";
import { announce, find, showMessage, wait } from "./dom.js";
import { showGraph, showEvaluation } from "./evaluation.js";
import { showBoard, showStatus } from "./render.js";
import { describe } from "./score.js";
import { abort, playerName, spokenMove, state } from "./state.js";

/** How long a move is shown before the next, in milliseconds. */
const PAUSE = 450;

/** Returns the engine's move; undefined if it has none, or the game has changed since `step`. */
export async function choose(step) {
  abort("analysis", "engine");
  const { game, running } = state;
  const { side } = game.view;
  const work = (running.engine = new AbortController());
  let [best, isWaiting, moveAtOnce] = [undefined, false, false];
  work.now = () => {
    if (best) work.abort("now");
    // The search has no move yet: play the first that it finds.
    else moveAtOnce = true;
  };
  showStatus();
  const started = performance.now();
  try {
    await askLines("choose", { ...game.request(), level: Number(state.players[side]) }, work.signal, ({ thought, waiting }) => {
      if (waiting !== undefined) {
        isWaiting = true;
        showMessage(`${playerName(side)} is waiting for other searches (${waiting ? `${waiting} ahead` : "next in the queue"}).`);
      }
      if (!thought) return;
      if (isWaiting) {
        isWaiting = false;
        showStatus();
      }
      best = thought.lines[0]?.moves[0] ?? best;
      remember(thought);
      if (best && moveAtOnce) work.abort("now");
    });
  } catch (error) {
    if (work.signal.reason !== "now") {
      if (running.engine === work) abort("engine");
      if (error.name !== "AbortError") state.paused = true;
      showStatus();
      throw error;
    }
  }
  await wait(Math.max(0, PAUSE - (performance.now() - started)));
  if (step !== state.step) return undefined;
  delete running.engine;
  return best;
}

/** Evaluates the position on the board until it changes or the time limit of the server is reached. */
export async function analyze() {
  abort("analysis");
  const { game, running } = state;
  if (game.view.end) return;
  const work = (running.analysis = new AbortController());
  for (let cut = true; cut && running.analysis === work;) {
    const done = await askLines("analyze", game.request(), work.signal, ({ thought }) => thought && running.analysis === work && remember(thought));
    cut = done.cut;
    if (cut) await wait(PAUSE);
  }
}

/** Stores and shows an evaluation of the position on the board, unless a deeper one is known. */
function remember(thought) {
  const { game, evaluations } = state;
  const before = evaluations.get(game.key());
  if (before && before.depth > thought.depth && !thought.lines[0]?.score.exact) return;
  evaluations.set(game.key(), thought);
  showEvaluation();
  showGraph();
}

/** Turns the hints on or off: the value of every move, shown on the board. */
export async function evaluateMoves() {
  const { game, running } = state;
  if (running.values || state.values) {
    abort("values");
    state.values = null;
    showBoard();
    return;
  }
  if (game.view.end) return;
  abort("analysis");
  const [work, key] = [(running.values = new AbortController()), game.key()];
  state.values = { key, lines: [] };
  showBoard();
  try {
    for (let cut = true; cut && running.values === work;) {
      const done = await askLines("values", game.request(), work.signal, ({ thought }) => {
        if (!thought || running.values !== work) return;
        state.values = { key, lines: thought.lines };
        showBoard();
        remember(thought);
      });
      cut = done.cut && state.values.lines.some((line) => !line.score.exact);
      if (cut) await wait(PAUSE);
    }
  } finally {
    if (running.values === work) delete running.values;
  }
  const best = state.values?.lines[0];
  if (best) announce(`The best move is ${spokenMove(best.moves[0])}: ${describe(best.score, game.view.side, game.board)}.`);
}

/** Evaluates every position of the game, or stops doing so. */
export async function evaluateGame() {
  const { game, running, evaluations } = state;
  if (running.chart) {
    abort("chart");
    showGraph();
    return;
  }
  abort("analysis");
  const work = (running.chart = new AbortController());
  const request = { ...game.request(), ply: undefined };
  find("chart").textContent = "Stop";
  try {
    let from = 0;
    const read = ({ thought, ply }) => {
      if (!thought || running.chart !== work) return;
      from = ply + 1;
      const before = evaluations.get(game.key(ply));
      if (!before || before.depth <= thought.depth) evaluations.set(game.key(ply), thought);
      showGraph();
      if (ply === game.ply) showEvaluation();
    };
    for (let cut = true; cut && running.chart === work;) cut = (await askLines("graph", { ...request, from }, work.signal, read)).cut;
  } finally {
    if (running.chart === work) delete running.chart;
    find("chart").textContent = "Evaluate game";
  }
}
