// Opens games, and undoes moves and what replaces or deletes moves. Browser Back goes through the same games.

import { ask, sentence } from "./api.js";
import { setClock } from "./clock.js";
import { announce, reportErrors, showMessage } from "./dom.js";
import { Game } from "./game.js";
import { gameTitle, t } from "./language.js";
import { readReview } from "./kept-reviews.js";
import { findGame, readGame } from "./library.js";
import { cancelSelection, jump, proceed } from "./play.js";
import { drop } from "./practice-run.js";
import { keep, mergeStored, record, updateHistory } from "./records.js";
import { otherSide } from "./score.js";
import {
  SIDES, abortAll, abortPosition, boardOf, changed, clearSelection, isEngine, isPass, knownBoard, levelName, state,
} from "./state.js";
import { storage, visit } from "./storage.js";

/**
 * @import {
 *   ClockRecord, Action, BoardView, Description, Details, GameRecord, GameRequest, GameView, Players, Side, Verdict,
 * } from "./types.d.ts"
 */

/** The level of the first game of a new visitor. */
export const FIRST_LEVEL = "beginner";
/** The most actions that can be undone. */
const MAX_ACTIONS = 20;

/** @type {{ done?: Action[], undone?: Action[] }} */
const keptActions = visit.read("actions", {});
/** Actions that can be undone besides moves, also after a reload: the game before and after each. */
let { done = [], undone = [] } = keptActions;
/** The number of games opened so far, to detect responses that arrive too late. */
let opened = 0;

/**
 * Takes over what is known of an older state of a game, and the review if the game still has the reviewed line;
 * otherwise brings back the kept review.
 * @type {(game: Game, before: Game | undefined) => void}
 */
function takeOver(game, before) {
  const { review } = state;
  state.review = null;
  if (before?.id === game.id) {
    game.root.learn(before.root);
    const moves = review?.line.at(-1)?.moves() ?? [];
    const end = game.root.find(moves);
    if (review && end.ply === moves.length) state.review = { ...review, line: end.path() };
  }
  state.review ??= readReview(game);
}

/**
 * Puts a game on the board.
 * @param {Game} game
 * @param {Players} players
 * @param {string} message
 */
function show(game, players, message) {
  abortAll();
  state.setup?.close();
  const before = state.practice?.before.game ?? state.game;
  if (state.practice) drop();
  mergeStored(game);
  takeOver(game, before);
  state.game = game;
  state.players = players;
  clearSelection();
  state.failure = "";
  state.opponentScore = null;
  changed("board");
  announce(message || t("newGame", { title: gameTitle(game.board) }));
  if (game.moves.length > game.ply) reportErrors(() => game.fetch());
  return proceed();
}

/** Who played the game last. @param {BoardView} board */
const playersOf = (board) => {
  /** @type {Partial<Players>} */
  const kept = storage.read(`players ${board.game}`, {});
  /** @param {string} who */
  const isKnown = (who) => who === "person" || board.named_levels.includes(who)
    || (Number(who) >= 1 && Number(who) <= board.levels);
  /** @param {Side} side */
  const player = (side) => {
    const who = kept[side] ?? "";
    return isKnown(who) ? who : side === board.first ? "person" : FIRST_LEVEL;
  };
  return { black: player("black"), white: player("white") };
};

/** Two humans: nobody answers in a game that is looked at. */
export const HUMANS = { black: "person", white: "person" };

/**
 * Opens a game in an entry of its own in the history of the browser.
 * @param {string} name
 * @param {GameRequest} request describes the game, a new one by default
 * @param {string} message announces where it came from
 * @param {{ details?: Details, tree?: string, players?: Players, clock?: ClockRecord | null }} options the names and the
 * event of a game from a file, and its variations and comments; who plays, by default as in the last game; and the clock
 */
export async function open(name, request = { game: name }, message = "", { details = {}, tree, players, clock = null } = {}) {
  abortAll();
  const number = (opened += 1);
  const view = await ask("view", request);
  // Another game was opened meanwhile.
  if (number !== opened) return;
  const before = state.game && record();
  state.isNewEntry = Boolean(state.game);
  state.paused = message !== "";
  const board = knownBoard(view.game);
  setClock(clock);
  await show(new Game(board, view, { details, tree }), players ?? (details.names ? HUMANS : playersOf(board)), message);
  if (before) remember(before);
}

/**
 * Opens a game from a view of the server.
 * @param {GameView} view
 * @param {string} message
 * @param {Details} details
 */
export async function openView(view, message, details = {}) {
  const before = record();
  state.isNewEntry = true;
  state.paused = isEngine(view.side);
  setClock(null);
  await show(new Game(knownBoard(view.game), view, { details }), state.players, message);
  remember(before);
}

/**
 * Opens a kept game where it was left.
 * @param {GameRecord} kept
 * @param {string} message
 * @param {{ line?: string, at?: number, isNewEntry?: boolean }} options another line and ply
 */
export async function openRecord(kept, message, { line = kept.line, at = kept.at, isNewEntry = true } = {}) {
  abortAll();
  const moves = line.split(" ").filter(Boolean);
  const number = (opened += 1);
  const view = await ask("view", { game: kept.game, start: kept.start, moves, ply: at });
  if (number !== opened) return;
  state.isNewEntry = isNewEntry;
  state.paused = true;
  const board = knownBoard(kept.game);
  setClock(kept.clock);
  await show(new Game(board, view, kept), kept.players ?? playersOf(board), message || gameTitle(board));
}

/** Adds what another page has stored in the game on the board. */
export function followStorage() {
  if (state.game && !state.practice && mergeStored()) changed("position");
}

/**
 * Makes the change from the game `before` to the game on the board an action that can be undone.
 * @param {GameRecord} before
 */
function remember(before) {
  done.push({ before, after: record() });
  done = done.slice(-MAX_ACTIONS);
  undone = [];
  writeActions();
  changed("undo");
}

/** Without room for all actions, the older ones are lost at a reload. */
function writeActions() {
  for (let kept = MAX_ACTIONS; kept > 0 && !visit.write("actions", { done: done.slice(-kept), undone }); kept >>= 1);
}

/** Changes the tree of the game in a way that can be undone. @param {() => Promise<void>} work */
export async function change(work) {
  const before = record();
  await work();
  remember(before);
  keep();
}

/** A tree without its notes, which an action leaves as they are. @param {string} tree */
const movesOf = (tree) => tree.replace(/\s*\{[^}]*\}/g, "").trim();

/**
 * Whether a game is as an action left it. The start of another game counts as that too, whatever was played in it.
 * @type {(one: GameRecord, other: GameRecord, action: Action) => boolean}
 */
const isSame = (one, other, action) => one.id === other.id
  && (movesOf(one.tree) === movesOf(other.tree) && one.line === other.line && one.at === other.at
    || other.at === 0 && action.before.id !== action.after.id);

/**
 * The record that an action goes to. If the action replaced a game by another, moves that were played in it later are
 * kept. Otherwise notes that were written later are added.
 * @type {(to: GameRecord, from: GameRecord) => GameRecord}
 */
const latest = (to, from) => (to.id === from.id ? { ...to, stored: from.tree } : { ...(readGame(to.id) ?? to), line: to.line, at: to.at });

/** @type {(action: Action | undefined, end: keyof Action) => boolean} whether the game is at an end of an action */
const isAt = (action, end) => action !== undefined && isSame(action[end], record(), action);

export const canUndoAction = () => isAt(done.at(-1), "after");
export const canRedoAction = () => isAt(undone.at(-1), "before");

/**
 * Goes to the other end of the last action of a list if nothing was played since; returns whether it did.
 * @param {Action[]} actions
 * @param {Action[]} others
 * @param {keyof Action} from
 * @param {keyof Action} to
 */
async function travel(actions, others, from, to) {
  const action = actions.at(-1);
  if (!action || !isAt(action, from)) return false;
  actions.pop();
  others.push(action);
  writeActions();
  await openRecord(latest(action[to], action[from]), "");
  return true;
}

/**
 * Ends the game on the board: by a resignation, an agreement or the clock.
 * @param {Side | null} winner
 * @param {Verdict["reason"]} reason
 */
export function endGame(winner, reason) {
  const { game } = state;
  abortPosition();
  const last = game.lineEnd;
  game.verdict = { winner, reason, line: last.moves().join(" ") };
  state.clock?.stop();
  clearSelection();
  state.paused = true;
  game.node = last;
  changed("position");
  keep();
  updateHistory();
  changed("ended");
}

/** Whether an engine moves after this many plies, in a game against a human. @param {number} ply */
const isReply = (ply) => isEngine(state.game.sideAt(ply)) && !isEngine(otherSide(state.game.sideAt(ply)));

/**
 * Undoes the last move. Against an engine, undoes its reply as well. Undoes a new game, a deletion and the like before
 * older moves.
 */
export async function undo() {
  if (state.touched.length) {
    cancelSelection();
    return;
  }
  if (await travel(done, undone, "after", "before") || state.game.ply === 0) return;
  let ply = state.game.ply - 1;
  while (ply > 0 && isReply(ply)) ply -= 1;
  await jump(Math.max(ply, 0));
  // A forced pass was not the user's choice: undo the move before it as well.
  if (isPass() && state.game.ply > 0) await undo();
}

export async function redo() {
  if (await travel(undone, done, "before", "after")) return;
  const { length } = state.game.moves;
  let ply = state.game.ply + 1;
  while (ply < length && isReply(ply)) ply += 1;
  await jump(ply);
}

/** Shows what the address names, after Back, Forward or a new link. */
export async function followHistory() {
  const entry = history.state;
  const { game } = state;
  if (location.hash === `#${game.fragment()}` && entry?.id === game.id) return;
  if (entry?.id === game.id) {
    abortAll();
    const nodes = game.root.find(entry.line.split(" ").filter(Boolean)).path();
    const node = nodes[Math.min(entry.at, nodes.length - 1)];
    const { step } = state;
    nodes[nodes.length - 1].visit();
    await game.go(node, () => step === state.step);
    if (step !== state.step) return;
    clearSelection();
    state.paused = isEngine(game.view.side);
    await proceed();
    return;
  }
  const kept = entry && readGame(entry.id);
  if (kept) await openRecord(kept, "", { line: entry.line, at: entry.at, isNewEntry: false });
  else await openLink();
}

/** Opens the game of a visit: after a reload the one that was open, otherwise that of the link. */
export async function openFirst() {
  const entry = history.state;
  const kept = entry?.id && readGame(entry.id);
  if (kept?.game === Game.parseLink(location.hash.slice(1)).game && kept) {
    await openRecord(kept, "", { line: entry.line, at: entry.at, isNewEntry: false });
  } else await openLink();
}

/**
 * The moves before the first illegal one.
 * @param {string} game
 * @param {string | null} start
 * @param {string[]} moves
 */
async function legalPart(game, start, moves) {
  /** @param {number} count */
  const isLegal = (count) => ask("view", { game, start, moves: moves.slice(0, count) }).then(() => true, () => false);
  let [legal, illegal] = [0, moves.length];
  while (illegal - legal > 1) {
    const middle = (legal + illegal) >> 1;
    if (await isLegal(middle)) legal = middle;
    else illegal = middle;
  }
  return moves.slice(0, legal);
}

/** Opens the game of the link, or a new game of Othello if the link names none. */
export async function openLink(fragment = location.hash.slice(1), isNewEntry = false) {
  const linked = Game.parseLink(fragment);
  const board = boardOf(linked.game);
  const isKnown = Boolean(board);
  const name = (board ?? state.boards[0]).game;
  const isGame = linked.moves.length > 0 || linked.start;
  try {
    if (linked.game && !isKnown) throw new Error(t("error.unknown_game", { name: linked.game }));
    const kept = isGame && findGame(name, linked.start, linked.moves);
    if (kept) await openRecord(kept, t("linkOpened"), { at: linked.ply ?? linked.moves.length, isNewEntry });
    else await open(name, { ...linked, game: name }, isGame ? t("linkOpened") : "");
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    const moves = isKnown && isGame ? await legalPart(name, linked.start, linked.moves) : [];
    const isPart = moves.length > 0;
    await open(name, { game: name, moves, start: isPart ? linked.start : null }, isPart ? t("linkOpened") : "");
    showMessage(t("linkBad", { error: sentence(error.message) }), true);
  }
}

/** The names of the players, for files. */
export const playerNames = () => SIDES.map((side, at) => (state.game.details.names?.[at])
  || (isEngine(side) ? `morello ${levelName(state.players[side], "levelInName")}` : ""));

/**
 * The result of a described game in a word or two; without a score if only the winner is known.
 * @param {Pick<Description, "game" | "points" | "scored">} game
 */
export function shortResult({ game, points, scored = true }) {
  if (points === null || points === undefined) return t("unfinished");
  if (points === 0) return t("drawShort");
  const winner = points > 0 ? "black" : "white";
  const board = boardOf(game);
  const side = t(winner);
  return board?.counts_margin && scored ? `${side} +${Math.abs(points)}` : t("resultShort", { side });
}
