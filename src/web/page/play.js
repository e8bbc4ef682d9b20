// Plays the game: moves of humans and engines, and navigation.

import { ask } from "./api.js";
import { announce, find, reportErrors, showMessage, wait } from "./dom.js";
import { analyze, choose, evaluateMoves } from "./engine.js";
import { pieceWord, t } from "./language.js";
import { keep, updateHistory } from "./records.js";
import { otherSide, sideName } from "./score.js";
import {
  SIDES, abort, abortPosition, changed, clearSelection, isCapture, isEngine, isPass, mayMove, passMessage, playerName,
  result, spokenMove, state,
} from "./state.js";

/** How long a pass is shown before the next move, in milliseconds. */
const PASS_PAUSE = 1100;

/** Shows the position and starts what comes next: a forced pass, an engine move, hints or the evaluation. */
export async function proceed(move) {
  const step = (state.step += 1);
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
  } else if (!view.end && isEngine(view.side) && !state.paused) {
    reportErrors(async () => {
      const best = await choose(step);
      if (best) await play(best);
    });
  } else {
    evaluate();
  }
}

/** Starts the evaluations that are turned on. */
export function evaluate() {
  if (state.setup || state.running.engine || state.practice) return undefined;
  if (state.hinting) return reportErrors(evaluateMoves);
  if (state.evaluating) return reportErrors(analyze);
  return undefined;
}

/** Plays a move of the side to move. A move that differs from the recorded one begins a variation. */
export async function play(text) {
  const { game } = state;
  const { side, legal, counts } = game.view;
  const move = legal.find((move) => move.text === text);
  const { step } = state;
  await game.play(text, () => step === state.step);
  if (step !== state.step) return;
  abort("analysis", "values");
  clearSelection();
  const flips = move && !move.is_pass ? move.changes.length - move.points.length : 0;
  const other = SIDES.indexOf(otherSide(side));
  const captures = move && counts[other] > game.view.counts[other] && flips <= 0;
  const parts = [t(move?.is_pass ? "sidePasses" : "sideMoves", { side: sideName(side), move: spokenMove(text) })];
  if (flips > 0) parts.push(t("flipped", { count: flips, pieces: pieceWord(game.board, flips) }));
  else if (captures) parts.push(t("captured", { piece: pieceWord(game.board, 1) }, game.board.words.piece));
  const next = game.view.end ? result() : t("toMove", { player: playerName(game.view.side) });
  announce(`${parts.join(", ")}. ${next}`);
  proceed(move);
  await state.practice?.check(text);
}

/** Plays a move that the user chose. */
export async function playByHand(text) {
  if (state.practice?.isOver) return;
  state.paused = false;
  state.isNewEntry = true;
  await play(text);
}

/** Goes to a node of the tree, such as the end of a line that the user follows. */
export async function goTo(node) {
  abortPosition();
  const { game, step } = state;
  await reportErrors(async () => {
    await game.go(node, () => step === state.step);
    if (step !== state.step) return;
    clearSelection();
    state.paused = isEngine(game.view.side);
    const next = game.view.end ? result() : t("toMove", { player: sideName(game.view.side) });
    announce(t("atMove", { ply: game.ply, plies: game.moves.length, state: next }));
    await proceed();
  });
}

/** Goes to the position of the line on the board after a number of plies. */
export async function jump(ply) {
  const line = state.game.line();
  await goTo(line[Math.max(0, Math.min(ply, line.length - 1))]);
}

/** Plays the moves of a line from a node, as a variation if they are new. */
export async function follow(node, moves) {
  state.isNewEntry = true;
  await goTo(node.add(moves));
}

/** Handles a click on a point of the board. */
export async function touch(point) {
  const { game, touched } = state;
  if (state.setup) {
    state.setup.touch(point);
    return;
  }
  if (game.view.end) {
    showMessage(t("isOver", { result: result() }));
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
    if (others.length) select([point]);
    else cancelSelection();
    return;
  }
  // The server's error explains why the point cannot be selected.
  await reportErrors(() => ask("move", { ...game.request(), touched: next }));
}

function select(points) {
  state.touched = points;
  changed("position");
  announce(find("status").textContent);
}

/** Cancels a partly selected move. */
export function cancelSelection() {
  state.touched = [];
  changed("position");
}

/** Selects a man that is being dragged, as a click on it does; it stays selected if it already is. */
export async function pick(point) {
  const { touched } = state;
  if (touched.length === 1 && touched[0] === point) return;
  if (touched.length) cancelSelection();
  await touch(point);
}

/** Plays the move of a man that was dropped, or cancels it. */
export async function drop(from, to) {
  const isTarget = state.touched[0] === from && state.game.movesThrough([from, to]).length > 0;
  if (isTarget) await touch(to);
  // Also after an error, as of a server that does not respond.
  if (state.touched.length === 1 && state.touched[0] === from) cancelSelection();
}
