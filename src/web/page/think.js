// What the engine is asked: a move, what the position or every move is worth, and the course of the game.

import { follow } from "./api.js";
import { announce, find, tell, wait } from "./dom.js";
import { showGraph, showThought } from "./evaluation.js";
import { describe } from "./score.js";
import { showBoard, showStatus } from "./show.js";
import { halt, playerName, spell, state } from "./state.js";

/** How long a move is to be seen before the next, in milliseconds. */
const PAUSE = 450;

/** Lets the engine choose a move for whoever is to move; nothing if it has none, or the game went on otherwise. */
export async function choose(now) {
  halt("analysis", "engine");
  const { game, works } = state;
  const { side } = game.view;
  const work = (works.engine = new AbortController());
  let [best, waits, hurries] = [undefined, false, false];
  work.now = () => {
    if (best) work.abort("now");
    // It moves as soon as it has a move at all.
    else hurries = true;
  };
  showStatus();
  const begun = performance.now();
  try {
    await follow("choose", { ...game.told(), level: Number(state.players[side]) }, work.signal, ({ thought, waiting }) => {
      if (waiting !== undefined) {
        waits = true;
        tell(`${playerName(side)} waits: ${waiting ? `${waiting} before it` : "it is next"}`);
      }
      if (!thought) return;
      if (waits) {
        waits = false;
        showStatus();
      }
      best = thought.lines[0]?.moves[0] ?? best;
      remember(thought);
      if (best && hurries) work.abort("now");
    });
  } catch (error) {
    if (work.signal.reason !== "now") {
      if (works.engine === work) halt("engine");
      if (error.name !== "AbortError") state.paused = true;
      showStatus();
      throw error;
    }
  }
  await wait(Math.max(0, PAUSE - (performance.now() - begun)));
  if (now !== state.step) return undefined;
  delete works.engine;
  return best;
}

/** Thinks about the position on the board, as long as it is there. */
export async function analyze() {
  halt("analysis");
  const { game, works } = state;
  if (game.view.end) return;
  const work = (works.analysis = new AbortController());
  for (let cut = true; cut && works.analysis === work;) {
    const done = await follow("analyze", game.told(), work.signal, ({ thought }) => thought && works.analysis === work && remember(thought));
    cut = done.cut;
    if (cut) await wait(PAUSE);
  }
}

/** Keeps what was thought of the position on the board, and shows it. */
function remember(thought) {
  const { game, thoughts } = state;
  const before = thoughts.get(game.key());
  if (before && before.depth > thought.depth && !thought.lines[0]?.score.exact) return;
  thoughts.set(game.key(), thought);
  showThought();
  showGraph();
}

/** Finds what every move is worth, and writes it on the board. */
export async function value() {
  const { game, works } = state;
  if (works.values || state.values) {
    halt("values");
    state.values = null;
    showBoard();
    return;
  }
  if (game.view.end) return;
  halt("analysis");
  const [work, key] = [(works.values = new AbortController()), game.key()];
  state.values = { key, lines: [] };
  showBoard();
  try {
    for (let cut = true; cut && works.values === work;) {
      const done = await follow("values", game.told(), work.signal, ({ thought }) => {
        if (!thought || works.values !== work) return;
        state.values = { key, lines: thought.lines };
        showBoard();
        remember(thought);
      });
      cut = done.cut && state.values.lines.some((line) => !line.score.exact);
      if (cut) await wait(PAUSE);
    }
  } finally {
    if (works.values === work) delete works.values;
  }
  const best = state.values?.lines[0];
  if (best) announce(`The best move is ${spell(best.moves[0])}: ${describe(best.score, game.view.side, game.board)}.`);
}

/** Judges every position of the game. */
export async function chart() {
  const { game, works, thoughts } = state;
  if (works.chart) {
    halt("chart");
    showGraph();
    return;
  }
  halt("analysis");
  const work = (works.chart = new AbortController());
  const told = { ...game.told(), ply: undefined };
  find("chart").textContent = "Stop";
  try {
    let from = 0;
    const read = ({ thought, ply }) => {
      if (!thought || works.chart !== work) return;
      from = ply + 1;
      const before = thoughts.get(game.key(ply));
      if (!before || before.depth <= thought.depth) thoughts.set(game.key(ply), thought);
      showGraph();
      if (ply === game.ply) showThought();
    };
    for (let cut = true; cut && works.chart === work;) cut = (await follow("graph", { ...told, from }, work.signal, read)).cut;
  } finally {
    if (works.chart === work) delete works.chart;
    find("chart").textContent = "Evaluate game";
  }
}
