// Searches of the engine: its moves, the evaluation of the position, and hints.

import { askLines, isAbort } from "./api.js";
import { announce, showMessage, wait } from "./dom.js";
import { t } from "./language.js";
import { describe } from "./score.js";
import { abort, changed, isOpen, playerName, spokenMove, state } from "./state.js";

/** @import { MoveNode, RunningSearch, SearchView } from "./types.d.ts" */

/** How long a move is shown before the next, in milliseconds. */
const PAUSE = 450;

/** Returns the engine's move; undefined if it has none, or the game has changed since `step`. @param {number} step */
export async function choose(step) {
  abort("analysis", "values", "engine");
  const { game, running } = state;
  const { node } = game;
  const { side } = game.view;
  /** @type {RunningSearch} */
  const work = (running.engine = new AbortController());
  /** @type {string | undefined} */
  let best;
  let [isWaiting, moveAtOnce] = [false, false];
  work.now = () => {
    if (best) work.abort("now");
    // The search has no move yet: play the first that it finds.
    else moveAtOnce = true;
  };
  changed("thinking");
  const started = performance.now();
  try {
    const request = { ...game.request(), level: state.players[side], time_ms: state.clock?.moveTime(side) };
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
      state.opponentScore = thought.lines[0]?.score.points ?? null;
      // Otherwise the engine's thoughts would tell its opponent how the game stands.
      if (isOpen(node)) remember(node, thought);
      if (best && moveAtOnce) work.abort("now");
    });
  } catch (error) {
    if (work.signal.reason !== "now") {
      if (running.engine === work) abort("engine");
      if (!isAbort(error)) state.paused = true;
      changed("thinking");
      throw error;
    }
  }
  await wait(Math.max(0, PAUSE - (performance.now() - started)));
  if (step !== state.step) return undefined;
  delete running.engine;
  return best;
}

/**
 * Repeats a search of the position until it is not cut short, or another search replaces it.
 * @param {"analysis" | "values"} kind the key in `state.running`
 * @param {"analyze" | "values"} path
 * @param {() => object} body returns the request
 * @param {(thought: SearchView) => boolean} take gets each evaluation, and returns whether it is final
 */
async function search(kind, path, body, take) {
  const { running } = state;
  const work = (running[kind] = new AbortController());
  const isCurrent = () => running[kind] === work;
  state.failure = "";
  changed("evaluation");
  try {
    for (let [isCut, isFinal] = [true, false]; isCut && isCurrent();) {
      const { cut } = await askLines(path, body(), work.signal, ({ thought }) => {
        if (thought && isCurrent()) isFinal = take(thought);
      });
      isCut = cut && !isFinal;
      if (isCut) await wait(PAUSE);
    }
  } catch (error) {
    if (error instanceof Error && !isAbort(error) && isCurrent()) state.failure = error.message;
    throw error;
  } finally {
    if (isCurrent()) {
      delete running[kind];
      changed("evaluation");
    }
  }
}

/** Evaluates the position on the board until it changes or the time limit of the server is reached. */
export async function analyze() {
  abort("analysis");
  const { game } = state;
  const { node } = game;
  if (game.view.end) return;
  await search("analysis", "analyze", () => ({ ...game.request(), lines: state.lines }), (thought) => {
    remember(node, thought);
    return false;
  });
}

/** @type {(thought: SearchView, before?: SearchView) => boolean} whether one evaluation says more than another */
export function isBetter(thought, before) {
  if (!before) return true;
  const [exact, was] = [thought, before].map(({ lines }) => Boolean(lines[0]?.score.exact));
  if (exact !== was) return exact;
  if (thought.depth !== before.depth) return thought.depth > before.depth;
  return thought.lines.length >= before.lines.length;
}

/**
 * Stores and shows an evaluation of a position, unless a better one is known.
 * @param {MoveNode} node
 * @param {SearchView} thought
 */
function remember(node, thought) {
  // More lines than before are shown at once, however deep the search was.
  const isWider = thought.lines.length > (node.thought?.lines.length ?? 0) && thought.lines.length <= state.lines;
  if (!isWider && !isBetter(thought, node.thought)) return;
  node.thought = thought;
  changed("evaluation");
}

/** Shows the value of every move on the board. */
export async function evaluateMoves() {
  abort("values", "analysis");
  const { game, running } = state;
  const { node } = game;
  if (game.view.end || !game.view.legal.length) return;
  state.values ??= { node, lines: [] };
  changed("hints");
  await search("values", "values", () => game.request(), (thought) => {
    state.values = { node, lines: thought.lines };
    changed("hints");
    remember(node, thought);
    return thought.lines.every((line) => line.score.exact);
  });
  if (running.values || state.values?.node !== game.node) return;
  const best = state.values.lines[0];
  if (best?.moves.length) {
    const score = describe(best.score, game.view.side, game.board);
    announce(t("bestMove", { move: spokenMove(best.moves[0]), score }));
  }
  // The evaluation that the hints have replaced, with its lines.
  if (state.evaluating && game.node === node) await analyze();
}
