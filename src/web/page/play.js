// Plays the game: moves of humans and engines, and navigation.

import { ask } from "./api.js";
import { announce, find, wantsStillness, reportErrors, showMessage, wait } from "./dom.js";
import { analyze, choose, evaluateMoves } from "./engine.js";
import { pieceWord, t } from "./language.js";
import { keep, updateHistory } from "./records.js";
import { otherSide, sideName } from "./score.js";
import { playSound } from "./sound.js";
import {
  SIDES, abort, abortPosition, changed, clearSelection, endAt, isCapture, isEngine, isPass, mayMove, mayPremove,
  numberedMove, passMessage, playerName, result, soleHuman, spokenMove, state,
} from "./state.js";

/** @import { Move, MoveNode } from "./types.d.ts" */

/** How long a pass is shown before the next move, in milliseconds. */
const PASS_PAUSE = 1100;
/** How long a position is shown while a line is played out, in milliseconds. */
const LINE_PAUSE = 320;

/**
 * Shows the position and starts what comes next: a forced pass, an engine move, hints or the evaluation.
 * @param {Move} [move] a move to animate
 */
export async function proceed(move) {
  const step = (state.step += 1);
  runClock();
  changed("position", move);
  keep();
  updateHistory();
  if (state.setup || state.practice) return;
  const { game } = state;
  const { view } = game;
  const atEnd = !game.node.children.length;
  if (isPass() && atEnd) {
    showMessage(passMessage());
    announce(passMessage());
    await wait(PASS_PAUSE);
    if (step === state.step) reportErrors(() => play(view.legal[0].text));
  } else if (!endAt() && isEngine(view.side) && !state.paused) {
    reportErrors(async () => {
      // Without a move the engine has stopped, and so has its clock.
      const best = await choose(step).finally(runClock);
      if (best) await play(best);
    });
  } else if (state.premove.length && mayMove()) {
    await playPremove();
  } else {
    evaluate();
  }
}

/** Plays the move that was chosen in advance, as far as it is legal. */
async function playPremove() {
  const points = state.premove;
  state.premove = [];
  const moves = state.game.movesThrough(points).filter((move) => move.points.length);
  const whole = moves.find((move) => move.points.length === points.length);
  if (whole) await reportErrors(() => playByHand(whole.text));
  else if (moves.length) select(points);
  else changed("position");
}

/**
 * Lets the time of the side to move run from the second move on, while the game goes on: not after its end, while the
 * engine is stopped, or at a position that was taken back.
 */
export function runClock() {
  const { game, clock, paused, practice, setup } = state;
  const { side } = game.view;
  const isHalted = practice || setup || game.verdict || (paused && isEngine(side));
  const goesOn = game.ply > 0 && !game.node.children.length && !endAt() && !isHalted;
  clock?.run(goesOn ? side : undefined);
}

/** Starts the evaluations that are turned on. */
export function evaluate() {
  if (state.setup || state.running.engine || state.practice) return undefined;
  if (state.hinting) return reportErrors(evaluateMoves);
  if (state.evaluating) return reportErrors(analyze);
  return undefined;
}

/**
 * Plays a move of the side to move. A move that differs from the recorded one begins a variation.
 * @param {string} text
 */
export async function play(text) {
  const { game } = state;
  const { side, legal, counts } = game.view;
  const move = legal.find((move) => move.text === text);
  const { step } = state;
  const before = game.node;
  await game.play(text, () => step === state.step);
  if (step !== state.step) return;
  // Against an engine, a move after taking others back is the game; what was taken back becomes a variation.
  if (soleHuman() && !state.practice && before.children.indexOf(game.node) > 0) game.node.makeFirst();
  if (!state.practice) state.clock?.moved(side);
  abort("analysis", "values");
  const { premove } = state;
  clearSelection();
  state.premove = premove;
  const flips = move && !move.is_pass ? move.changes.length - move.points.length : 0;
  const other = SIDES.indexOf(otherSide(side));
  const captures = move && counts[other] > game.view.counts[other] && flips <= 0;
  const parts = [t(move?.is_pass ? "sidePasses" : "sideMoves", { side: sideName(side), move: spokenMove(text) })];
  if (flips > 0) parts.push(t("flipped", { count: flips, pieces: pieceWord(game.board, flips) }));
  else if (captures) parts.push(t("captured", { piece: pieceWord(game.board, 1) }, game.board.words.piece));
  const next = endAt() ? result() : t("toMove", { player: playerName(game.view.side) });
  announce(`${parts.join(", ")}. ${next}`);
  playSound(game.view.end ? "end" : captures || flips > 0 ? "capture" : "move");
  proceed(move);
  if (game.view.end) changed("ended");
  await state.practice?.check(text);
}

/** Plays a move that the user chose. @param {string} text */
export async function playByHand(text) {
  if (state.practice?.isOver) return;
  state.paused = false;
  state.isNewEntry = true;
  await play(text);
}

/** The node that was asked for last, while its position is fetched. @type {MoveNode | undefined} */
let wanted;

/** Goes to a node of the tree, such as the end of a line that the user follows. @param {MoveNode} node */
export async function goTo(node) {
  abortPosition();
  const { game, step } = state;
  wanted = node;
  await reportErrors(async () => {
    await game.go(node, () => step === state.step);
    if (step !== state.step) return;
    wanted = undefined;
    clearSelection();
    state.paused = isEngine(game.view.side);
    const next = endAt() ? result() : t("toMove", { player: sideName(game.view.side) });
    announce([node.parent ? spokenMove(numberedMove(node)) : t("first"), next].join(". "));
    await proceed();
  });
}

/** Goes to the position of the line on the board after a number of plies. @param {number} ply */
export async function jump(ply) {
  const line = state.game.line();
  await goTo(line[Math.max(0, Math.min(ply, line.length - 1))]);
}

/** Goes some plies on or back. Steps add up while a position is fetched. @param {number} plies */
export async function step(plies) {
  const { game } = state;
  const from = wanted && game.line().includes(wanted) ? wanted.ply : game.ply;
  await jump(from + plies);
}

/**
 * Plays the moves of a line from a node one after the other, until the user does something else. New moves are a
 * variation, once their positions are known.
 * @param {MoveNode} node
 * @param {string[]} moves
 */
export async function follow(node, moves) {
  abortPosition();
  const { game, step } = state;
  await reportErrors(async () => {
    const { views } = await ask("line", { ...game.request(node), moves: [...node.moves(), ...moves] });
    if (step !== state.step) return;
    const end = node.add(moves);
    const path = end.path();
    path.forEach((passed, ply) => { passed.view ??= views[ply]; });
    state.isNewEntry = true;
    for (const passed of path.slice(0, -1).filter(({ ply }) => ply > game.ply && path.includes(game.node))) {
      await game.go(passed, () => step === state.step);
      clearSelection();
      changed("position", game.view.last ?? undefined);
      await wait(wantsStillness() ? 0 : LINE_PAUSE);
      if (step !== state.step) return;
    }
    await goTo(end);
  });
}

/** Handles a click on a point of the board. @param {number} point */
export async function touch(point) {
  const { game, touched } = state;
  if (state.setup) {
    state.setup.touch(point);
    return;
  }
  if (endAt()) {
    showMessage(t("isOver", { result: result() }));
    return;
  }
  if (mayPremove()) {
    premove(point);
    return;
  }
  if (state.running.engine) {
    showMessage(t("noEngineMove"));
    return;
  }
  if (!mayMove() || state.practice?.isOver) return;
  if (touched.length && touched.at(-1) === point) {
    cancelSelection();
    return;
  }
  const next = [...touched, point];
  const moves = game.movesThrough(next).filter((move) => move.points.length);
  const whole = moves.find((move) => move.points.length === next.length);
  if (whole) {
    await reportErrors(() => playByHand(whole.text));
    return;
  }
  if (moves.length) {
    select(next);
    return;
  }
  if (touched.length && isCapture()) {
    const side = otherSide(game.view.side);
    const text = t("millFirst", { side: t(`${side}Piece`), piece: pieceWord(game.board, 1) }, game.board.words.piece);
    showMessage(text, true);
    announce(text);
    return;
  }
  if (touched.length) {
    // The click does not continue the selection. It may begin another; a whole move would be played by mistake.
    const others = game.movesThrough([point]).filter((move) => move.points.length > 1);
    if (others.length) {
      select([point]);
      return;
    }
    cancelSelection();
  }
  // The server's error explains why the point cannot be selected.
  await reportErrors(() => ask("move", { ...game.request(), touched: next }));
}

/** Adds a point to the premove. @param {number} point */
function premove(point) {
  const { game: { view }, premove: [from] } = state;
  const own = otherSide(view.side);
  const isPlacing = !view.in_hand || view.in_hand[SIDES.indexOf(own)] > 0;
  const stands = view.pieces[point];
  if (stands === own && view.in_hand && !isPlacing) state.premove = from === point ? [] : [point];
  else if (view.pieces[from] === own && state.premove.length === 1) state.premove = [from, point];
  else state.premove = isPlacing && stands === null && from !== point ? [point] : [];
  changed("position");
  announce(t(state.premove.length ? "premoveSet" : "premoveCleared"));
}

/** @param {number[]} points */
function select(points) {
  state.touched = points;
  changed("position");
  announce(find("status").textContent);
}

/** Cancels a partly selected move. */
export function cancelSelection() {
  state.touched = [];
  state.premove = [];
  changed("position");
}

/**
 * Selects a man that is being dragged, as a click on it does; it stays selected if it already is.
 * @param {number} point
 */
export async function pick(point) {
  const { touched } = state;
  if (mayPremove()) {
    state.premove = [];
    premove(point);
    return;
  }
  if (touched.length === 1 && touched[0] === point) return;
  if (touched.length) cancelSelection();
  await touch(point);
}

/**
 * Plays the move of a man that was dropped, or cancels it.
 * @param {number} from
 * @param {number} to
 */
export async function drop(from, to) {
  if (mayPremove()) {
    premove(to);
    return;
  }
  const isTarget = state.touched[0] === from && state.game.movesThrough([from, to]).length > 0;
  if (isTarget) await touch(to);
  // Also after an error, as of a server that does not respond.
  if (state.touched.length === 1 && state.touched[0] === from) cancelSelection();
}
