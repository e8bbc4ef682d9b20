// The state of the page: the game, its players and the settings. Actions change it, and views show what has changed.

import { pieceWord, t } from "./language.js";
import { otherSide, sideName } from "./score.js";
import { storage } from "./storage.js";
import { PASS } from "./tree.js";

/** @import { BoardView, Move, MoveNode, Part, Side, State } from "./types.d.ts" */

/** @type {[Side, Side]} */
export const SIDES = ["black", "white"];

/** @type {State} */
export const state = {
  /** The server's description of each game. */
  boards: [],
  // There is none only until the first is open.
  game: /** @type {any} */ (undefined),
  /** `person` or a level for each side. */
  players: { black: "person", white: "person" },
  /** The points selected so far for a move of several points. */
  touched: [],
  /** The points of the move that is played as soon as it is the human's turn. */
  premove: [],
  /** Whether engines wait for the button to move, as after going back or opening a link. */
  paused: false,
  flipped: storage.read("flipped", false),
  evaluating: storage.read("evaluating", false),
  /** Whether the value of every move is shown. */
  hinting: storage.read("hinting", false),
  /** The number of lines of play in the evaluation. */
  lines: storage.read("lines", 1),
  /** The panel that is shown: `moves`, `analysis` or `review`. */
  tab: storage.read("tab", "moves"),
  /** The clock of the game; null without one. */
  clock: null,
  /** The last evaluation by the engine that plays, in points for its side; not shown. */
  opponentScore: null,
  /** The AbortController of each running search: `engine`, `analysis`, `values` and `review`. */
  running: {},
  /** The hints, with the node of their position: a score for each move. */
  values: null,
  /** The statistics of the review, with the last node of the reviewed line. */
  review: null,
  /** Why the last evaluation failed. */
  failure: "",
  /** The running practice; null without one. */
  practice: null,
  /** The position that is being set up; null without one. */
  setup: null,
  /** Increases with every change of the game, to detect responses that arrive too late. */
  step: 0,
  /** Whether the next position gets an entry of its own in the history of the browser. */
  isNewEntry: false,
};

/**
 * The functions that show each part of the state.
 * @type {Record<Part, ((move?: Move) => void)[]>}
 */
const views = {
  /** Another game, or the other side at the bottom of the board. */
  board: [],
  /** The position, the selection, or what the page is used for: shows everything. */
  position: [],
  /** Whether an engine is thinking. */
  thinking: [],
  /** The evaluation of a position, or the search for it. */
  evaluation: [],
  /** The value of every move. */
  hints: [],
  /** The losses of the moves, or the search for them. */
  review: [],
  /** The actions that can be undone. */
  undo: [],
  /** The time on the clocks. */
  clock: [],
  /** The panel that is shown. */
  tab: [],
  /** The game has just ended. */
  ended: [],
  /** A comment or a drawing. */
  notes: [],
};

/**
 * Calls `show` after each change of these parts.
 * @param {(move?: Move) => void} show
 * @param {Part[]} parts
 */
export function subscribe(show, ...parts) {
  for (const part of parts) views[part].push(show);
}

/**
 * Shows a part of the state that has changed.
 * @param {Part} part
 * @param {Move} [move] a move to animate
 */
export function changed(part, move) {
  for (const show of views[part]) show(move);
}

/** The server's description of a game; undefined if it has none of this name. @param {string | null} name */
export const boardOf = (name) => state.boards.find(({ game }) => game === name);
/** The description of a game that the server has. @type {(name: string) => BoardView} */
export const knownBoard = (name) => /** @type {BoardView} */ (boardOf(name));
/** @param {Side} side */
export const isEngine = (side) => state.players[side] !== "person" && !state.practice;
export const isPass = () => state.game.view.legal.length === 1 && state.game.view.legal[0].is_pass;

/** A level in words: `Level 5`, `Casual`. @param {string} level */
export const levelName = (level, key = "level") => (/^\d+$/.test(level) ? t(key, { level }) : t(`level.${level}`));

/** A player of a kept game: a name, a level, or empty for a human. @param {string} name */
export function playerText(name) {
  if (!name) return t("human");
  return /^\d+$/.test(name) || state.boards[0].named_levels.includes(name) ? levelName(name) : name;
}

/** @param {Side} side */
export const playerName = (side) => (isEngine(side)
  ? t("playerLevel", { side: sideName(side), level: levelName(state.players[side], "levelInName") }) : sideName(side));

/** The side of the only human in a game against an engine; undefined in other games. */
export function soleHuman() {
  const humans = SIDES.filter((side) => !isEngine(side));
  return humans.length === 1 ? humans[0] : undefined;
}

/** The side at the bottom of the board: the human's, or the first to move, unless the board is flipped. */
export function nearSide() {
  const side = (state.practice ? state.practice.exercise?.side : soleHuman()) ?? state.game.board.first;
  return state.flipped ? otherSide(side) : side;
}

/** Whether the board is drawn with the side that moves first at the top. */
export const isTurned = () => nearSide() !== state.game.board.first;

/** Whether the game on the board was reviewed. */
export const isReviewed = () => state.review !== null && state.game.root === state.review.line[0];

/** Whether the scores of a position may be shown: otherwise they would give the game away to who plays it. */
export const isOpen = (node = state.game.node) => state.evaluating || (state.hinting && state.values?.node === node)
  || node.loss !== undefined || Boolean(state.review?.line.includes(node));

/** How the game ended at a node: by its rules, a resignation, an agreement or the clock. @param {MoveNode} [node] */
export const endAt = (node = state.game.node) => node.view?.end ?? state.game.verdictAt(node);

/** Whether a human plays against an engine, and the game is not over. */
export const isContest = () => Boolean(soleHuman()) && !state.practice && !state.setup && !endAt(state.game.lineEnd);

export const passMessage = () => t("passes", { side: sideName(state.game.view.side) });

/** Whether a human may move now. */
export function mayMove() {
  const { game: { view }, running, paused } = state;
  return !endAt() && !running.engine && (paused || !isEngine(view.side)) && !isPass();
}

/** Whether a human may choose the move to play after that of the engine. */
export function mayPremove() {
  const { game: { view }, paused, setup } = state;
  return Boolean(soleHuman()) && isEngine(view.side) && !paused && !setup && !endAt();
}

/** Whether the next point of the selected move is a piece to remove. */
export function isCapture() {
  const { game, touched } = state;
  const next = game.movesThrough(touched).map((move) => move.points[touched.length]);
  return next.every((point) => game.view.pieces[point] === otherSide(game.view.side));
}

/** A move as screen readers should speak it. @param {string} text */
export const spokenMove = (text) => (text === PASS ? t("pass")
  : text.replace("-", ` ${t("to")} `).replace("x", ` ${t("captures")} `));

/** A move as the page shows it. @param {string | null} text */
export const shownMove = (text) => (text === PASS ? t("pass") : text ?? "");

/** The number of the move to a node: `35.`, and `18…` for the second move of a pair. @param {MoveNode} node */
export const numberText = (node) => {
  const { game } = state;
  return `${game.number(node)}${game.isSecond(node) && !game.board.counts_margin ? "…" : "."}`;
};

/** The move to a node with its number: `35. a5`. A pass has no number. @param {MoveNode} node */
export const numberedMove = (node) => (
  node.move === PASS ? t("pass") : `${numberText(node)} ${node.move ?? ""}`);

/** The result of a game as a sentence; empty if it has not ended. @param {MoveNode} node where it has ended */
export function result(node = state.game.node, board = state.game.board) {
  // After a resignation and the like, the position need not be known.
  const { view } = node;
  const end = endAt(node);
  if (!end) return "";
  const { winner, reason } = end;
  const loser = otherSide(winner ?? "black");
  if (board.counts_margin && view?.end) {
    if (!winner) return t("draw");
    const [count, total] = [Math.abs(view.end.points), board.layout.points.length];
    const [own, other] = [winner, loser].map((side) => view.counts[SIDES.indexOf(side)]);
    const empty = total - own - other;
    if (empty > 0 && other > 0 && own - other !== count) {
      return t("winsDiscsEmpty", { side: sideName(winner), score: `${own + empty}–${other}`, count: empty });
    }
    return t("winsDiscs", { side: sideName(winner), count, pieces: pieceWord(board, count) });
  }
  const key = `end.${reason}`;
  const why = t(key, { winner: sideName(winner ?? "black"), loser: sideName(loser), pieces: pieceWord(board, 2) });
  if (why === key) return winner ? t("wins", { side: sideName(winner) }) : t("draw");
  return winner ? t("winsReason", { side: sideName(winner), reason: why }) : t("drawReason", { reason: why });
}

/** Clears the selected points and the hints. */
export function clearSelection() {
  state.touched = [];
  state.premove = [];
  state.values = null;
}

/** Aborts searches of these kinds. @param {(keyof State["running"])[]} kinds */
export function abort(...kinds) {
  for (const kind of kinds) {
    state.running[kind]?.abort();
    delete state.running[kind];
  }
}

/** Aborts the searches of the position on the board. A review continues, because it is of the whole game. */
export function abortPosition() {
  state.step += 1;
  abort("engine", "analysis", "values");
}

export function abortAll() {
  abortPosition();
  abort("review");
}
