// The game goes on: moves by people and engines, to and fro, and other games.

import { ask } from "./api.js";
import { announce, attempt, find, tell, wait } from "./dom.js";
import { Game, title } from "./game.js";
import { otherSide, sideName } from "./score.js";
import { build, setup, show } from "./show.js";
import { SIDES, forget, halt, haltAll, isEngine, isPass, kept, mayMove, names, playerName, result, spell, state } from "./state.js";
import { analyze, choose } from "./think.js";

/** How long a pass is to be seen before the next move, in milliseconds. */
const PASS_PAUSE = 1100;

/** Begins a new game of a kind. */
export async function open(name, told = { game: name }, from = "") {
  haltAll();
  const view = await ask("view", told);
  const kind = state.boards.find((board) => board.game === view.game);
  state.game = new Game(kind, view);
  state.players = kept.read(`players ${name}`, { [kind.first]: "person", [otherSide(kind.first)]: "4" });
  forget();
  state.paused = from !== "";
  state.thoughts.clear();
  find("game").value = name;
  document.title = `${title(name, names())} · morello`;
  if (setup.open) setup.close();
  build();
  announce(from || `${title(name, names())}: a new game.`);
  proceed();
}

/** Takes a position or game from elsewhere. */
export function take(view, words) {
  haltAll();
  if (setup.open) setup.close();
  state.game.take(view);
  forget();
  state.paused = isEngine(view.side);
  announce(words);
  proceed();
}

/** Shows where the game stands, and lets whoever is to move do so. */
export async function proceed(move) {
  const now = (state.step += 1);
  show(move);
  if (setup.open) return;
  const { view } = state.game;
  const atEnd = view.ply === view.moves.length;
  if (isPass() && atEnd) {
    const words = `${sideName(view.side)} has no move and passes.`;
    tell(words);
    announce(words);
    await wait(PASS_PAUSE);
    if (now === state.step) attempt(() => play(view.legal[0].text));
  } else if (!view.end && isEngine(view.side) && !state.paused) {
    attempt(async () => {
      const best = await choose(now);
      if (best) await play(best);
    });
  } else if (state.evaluating) {
    attempt(analyze);
  }
}

/** Plays a move of whoever is to move. */
async function play(text) {
  const { game } = state;
  const { side, legal, counts } = game.view;
  const move = legal.find((move) => move.text === text);
  const now = state.step;
  await game.play(text, () => now === state.step);
  if (now !== state.step) return;
  halt("analysis", "values", "chart");
  forget();
  const flips = move && !move.is_pass ? move.changes.length - move.points.length : 0;
  const other = SIDES.indexOf(otherSide(side));
  const captures = move && counts[other] > game.view.counts[other] && flips <= 0;
  const words = [`${sideName(side)} ${move?.is_pass ? "passes" : spell(text)}`];
  if (flips > 0) words.push(`${flips} ${flips === 1 ? game.board.words.piece : game.board.words.pieces} turned`);
  else if (captures) words.push(`a ${game.board.words.piece} ${game.board.words.captured}`);
  announce(`${words.join(", ")}. ${game.view.end ? `${result()}.` : `${playerName(game.view.side)} to move.`}`);
  proceed(move);
}

/** A point of the board was chosen. */
export async function touch(point) {
  const { game, touched } = state;
  if (setup.open) {
    setup.touch(point);
    return;
  }
  if (game.view.end) {
    tell(`The game is over: ${game.view.end.text}.`);
    return;
  }
  if (!mayMove()) return;
  if (touched.length && touched.at(-1) === point) {
    letGo();
    return;
  }
  for (const begun of [touched, []]) {
    const next = [...begun, point];
    const moves = game.movesThrough(next).filter((move) => move.points.length);
    const whole = moves.find((move) => move.points.length === next.length);
    if (whole && begun.length < touched.length) {
      // Not what was begun: a slip is not to be a move at once.
      letGo();
      return;
    }
    if (whole) {
      state.paused = false;
      await attempt(() => play(whole.text));
      return;
    }
    if (moves.length) {
      state.touched = next;
      show();
      announce(find("status").textContent);
      return;
    }
  }
  // Only the server knows why not.
  await attempt(() => ask("move", { ...game.told(), touched: [...touched, point] }));
}

/** Gives up a move that is half chosen. */
export function letGo() {
  state.touched = [];
  show();
}

export async function jump(ply) {
  haltAll();
  const { game, step: now } = state;
  await attempt(async () => {
    await game.jump(ply, () => now === state.step);
    if (now !== state.step) return;
    forget();
    state.paused = isEngine(game.view.side);
    announce(`After ${game.ply} of ${game.moves.length} plies. ${game.view.end ? result() : `${sideName(game.view.side)} to move`}.`);
    await proceed();
  });
}

/** Whether the move after so many plies is an engine's in a game against a person. */
const isAnswer = (ply) => isEngine(state.game.sideAt(ply)) && !isEngine(otherSide(state.game.sideAt(ply)));

/** Takes back to where a person moves: one ply between people, else one's own move and the answer to it. */
export async function undo() {
  if (state.touched.length) {
    letGo();
    return;
  }
  let ply = state.game.ply - 1;
  while (ply > 0 && isAnswer(ply)) ply -= 1;
  await jump(Math.max(ply, 0));
  // A pass is none's own move.
  if (isPass() && state.game.ply > 0) await undo();
}

export async function redo() {
  let ply = state.game.ply + 1;
  while (ply < state.game.moves.length && isAnswer(ply)) ply += 1;
  await jump(ply);
}
