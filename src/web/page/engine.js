// Searches of the engine: its moves, the evaluation of the position, and hints.

import { askLines } from "./api.js";
import { announce, showMessage, wait } from "./dom.js";
import { t } from "./language.js";
import { describe } from "./score.js";
import { abort, changed, playerName, spokenMove, state } from "./state.js";

/** How long a move is shown before the next, in milliseconds. */
const PAUSE = 450;

/** Returns the engine's move; undefined if it has none, or the game has changed since `step`. */
export async function choose(step) {
  abort("analysis", "values", "engine");
  const { game, running } = state;
  const { node } = game;
  const { side } = game.view;
  const work = (running.engine = new AbortController());
  let [best, isWaiting, moveAtOnce] = [undefined, false, false];
  work.now = () => {
    if (best) work.abort("now");
    // The search has no move yet: play the first that it finds.
    else moveAtOnce = true;
  };
  changed("thinking");
  const started = performance.now();
  try {
    const request = { ...game.request(), level: state.players[side] };
    await askLines("choose", request, work.signal, ({ thought, move, waiting }) => {
      if (waiting !== undefined) {
        isWaiting = true;
        showMessage(t(waiting ? "waiting" : "waitingNext", { player: playerName(side), ahead: waiting }));
      }
      if (!thought) return;
      if (isWaiting) {
        isWaiting = false;
        changed("thinking");
      }
      best = move ?? thought.lines[0]?.moves[0] ?? best;
      remember(node, thought);
      if (best && moveAtOnce) work.abort("now");
    });
  } catch (error) {
    if (work.signal.reason !== "now") {
      if (running.engine === work) abort("engine");
      if (error.name !== "AbortError") state.paused = true;
      changed("thinking");
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
  const { node } = game;
  const work = (running.analysis = new AbortController());
  state.failure = "";
  changed("evaluation");
  try {
    for (let cut = true; cut && running.analysis === work;) {
      const read = ({ thought }) => thought && running.analysis === work && remember(node, thought);
      const done = await askLines("analyze", { ...game.request(), lines: state.lines }, work.signal, read);
      cut = done.cut;
      if (cut) await wait(PAUSE);
    }
  } catch (error) {
    if (error.name !== "AbortError" && running.analysis === work) state.failure = error.message;
    throw error;
  } finally {
    if (running.analysis === work) {
      delete running.analysis;
      changed("evaluation");
    }
  }
}

/** Whether one evaluation of a position says more than another. */
export function isBetter(thought, before) {
  if (!before) return true;
  const [exact, was] = [thought, before].map(({ lines }) => Boolean(lines[0]?.score.exact));
  if (exact !== was) return exact;
  if (thought.depth !== before.depth) return thought.depth > before.depth;
  return thought.lines.length >= before.lines.length;
}

/** Stores and shows an evaluation of a position, unless a better one is known. */
function remember(node, thought) {
  // More lines than before are shown at once, however deep the search was.
  const isWider = thought.lines.length > (node.thought?.lines.length ?? 0) && thought.lines.length <= state.lines;
  if (!isWider && !isBetter(thought, node.thought)) return;
  node.thought = thought;
  changed("evaluation");
}

/** Shows the value of every move on the board. */
export async function evaluateMoves() {
  const { game, running } = state;
  abort("values", "analysis");
  if (game.view.end || !game.view.legal.length) return;
  const { node } = game;
  const work = (running.values = new AbortController());
  state.values ??= { node, lines: [] };
  state.failure = "";
  changed("hints");
  try {
    for (let cut = true; cut && running.values === work;) {
      const done = await askLines("values", game.request(), work.signal, ({ thought }) => {
        if (!thought || running.values !== work) return;
        state.values = { node, lines: thought.lines };
        changed("hints");
        remember(node, thought);
      });
      cut = done.cut && state.values.lines.some((line) => !line.score.exact);
      if (cut) await wait(PAUSE);
    }
  } catch (error) {
    if (error.name !== "AbortError" && running.values === work) state.failure = error.message;
    throw error;
  } finally {
    if (running.values === work) {
      delete running.values;
      changed("evaluation");
    }
  }
  if (running.values || state.values?.node !== game.node) return;
  const best = state.values.lines[0];
  if (best?.moves.length) {
    const score = describe(best.score, game.view.side, game.board);
    announce(t("bestMove", { move: spokenMove(best.moves[0]), score }));
  }
  // The evaluation that the hints have replaced, with its lines.
  if (state.evaluating && game.node === node) await analyze();
}
