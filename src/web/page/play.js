// Plays the game: moves of humans and engines, undo and redo, and new games.

import { ask } from "./api.js";
import { announce, find, reportErrors, showMessage, wait } from "./dom.js";
import { analyze, choose } from "./engine.js";
import { Game, title } from "./game.js";
import { build, setup, show } from "./render.js";
import { count, otherSide, sideName } from "./score.js";
import {
  SIDES, abort, abortAll, clearSelection, isEngine, isPass, mayMove, names, passMessage, playerName, result, spokenMove, state, storage,
} from "./state.js";

/** How long a pass is shown before the next move, in milliseconds. */
const PASS_PAUSE = 1100;

/** Opens a game. `request` describes it, a new game by default; `message` announces where it came from. */
export async function open(name, request = { game: name }, message = "") {
  abortAll();
  const view = await ask("view", request);
  const kind = state.boards.find((board) => board.game === view.game);
  state.game = new Game(kind, view);
  state.players = storage.read(`players ${name}`, { [kind.first]: "person", [otherSide(kind.first)]: "4" });
  clearSelection();
  state.paused = message !== "";
  state.evaluations.clear();
  find("game").value = name;
  document.title = `${title(name, names())} · morello`;
  if (setup.open) setup.close();
  find("about").textContent = `${kind.about.replaceAll("'", "’")}.`;
  build();
  announce(message || `${title(name, names())}: new game.`);
  proceed();
}

/** Replaces the game by a loaded game or position, and announces `message`. */
export function loadView(view, message) {
  abortAll();
  if (setup.open) setup.close();
  state.game.update(view);
  clearSelection();
  state.paused = isEngine(view.side);
  announce(message);
  proceed();
}

/** Shows the position and starts what comes next: a forced pass, an engine move or the evaluation. */
export async function proceed(move) {
  const step = (state.step += 1);
  show(move);
  if (setup.open) return;
  const { view } = state.game;
  const atEnd = view.ply === view.moves.length;
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
  } else if (state.evaluating) {
    reportErrors(analyze);
  }
}

/** Plays a move of the side to move. */
async function play(text) {
  const { game } = state;
  const { side, legal, counts } = game.view;
  const move = legal.find((move) => move.text === text);
  const { step } = state;
  await game.play(text, () => step === state.step);
  if (step !== state.step) return;
  abort("analysis", "values", "chart");
  clearSelection();
  const flips = move && !move.is_pass ? move.changes.length - move.points.length : 0;
  const other = SIDES.indexOf(otherSide(side));
  const captures = move && counts[other] > game.view.counts[other] && flips <= 0;
  const parts = [`${sideName(side)} ${move?.is_pass ? "passes" : spokenMove(text)}`];
  if (flips > 0) parts.push(`${count(flips, game.board.words.piece, game.board.words.pieces)} flipped`);
  else if (captures) parts.push(`a ${game.board.words.piece} ${game.board.words.captured}`);
  announce(`${parts.join(", ")}. ${game.view.end ? `${result()}.` : `${playerName(game.view.side)} to move.`}`);
  proceed(move);
}

/** Handles a click on a point of the board. */
export async function touch(point) {
  const { game, touched } = state;
  if (setup.open) {
    setup.touch(point);
    return;
  }
  if (game.view.end) {
    showMessage(`The game is over: ${game.view.end.text}.`);
    return;
  }
  if (!mayMove()) return;
  if (touched.length && touched.at(-1) === point) {
    cancelSelection();
    return;
  }
  for (const selected of [touched, []]) {
    const next = [...selected, point];
    const moves = game.movesThrough(next).filter((move) => move.points.length);
    const whole = moves.find((move) => move.points.length === next.length);
    if (whole && selected.length < touched.length) {
      // The click does not continue the selection. Cancel instead of playing another move by mistake.
      cancelSelection();
      return;
    }
    if (whole) {
      state.paused = false;
      await reportErrors(() => play(whole.text));
      return;
    }
    if (moves.length) {
      state.touched = next;
      show();
      announce(find("status").textContent);
      return;
    }
  }
  // The server's error explains why the point cannot be selected.
  await reportErrors(() => ask("move", { ...game.request(), touched: [...touched, point] }));
}

/** Cancels a partly selected move. */
export function cancelSelection() {
  state.touched = [];
  show();
}

/** Goes to the position after a number of plies. */
export async function jump(ply) {
  abortAll();
  const { game, step } = state;
  await reportErrors(async () => {
    await game.jump(ply, () => step === state.step);
    if (step !== state.step) return;
    clearSelection();
    state.paused = isEngine(game.view.side);
    announce(`Move ${game.ply} of ${game.moves.length}. ${game.view.end ? result() : `${sideName(game.view.side)} to move`}.`);
    await proceed();
  });
}

/** Whether an engine moves after this many plies, in a game against a human. */
const isReply = (ply) => isEngine(state.game.sideAt(ply)) && !isEngine(otherSide(state.game.sideAt(ply)));

/** Undoes the last move. Against an engine, undoes its reply as well. */
export async function undo() {
  if (state.touched.length) {
    cancelSelection();
    return;
  }
  let ply = state.game.ply - 1;
  while (ply > 0 && isReply(ply)) ply -= 1;
  await jump(Math.max(ply, 0));
  // A forced pass was not the user's choice: undo the move before it as well.
  if (isPass() && state.game.ply > 0) await undo();
}

export async function redo() {
  let ply = state.game.ply + 1;
  while (ply < state.game.moves.length && isReply(ply)) ply += 1;
  await jump(ply);
}
