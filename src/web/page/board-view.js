// Shows the game on the board: the position, hints, the selection, and a move that is chosen in advance.

import { Board } from "./board.js";
import { find } from "./dom.js";
import { gameTitle } from "./language.js";
import { millsThrough } from "./mills.js";
import { shortScore } from "./score.js";
import { endAt, isCapture, mayMove, mayPremove, nearSide, state, subscribe } from "./state.js";

/** @import { Arrow, BoardView, Hint, Move } from "./types.d.ts" */

/** The largest number of arrows. */
const MAX_ARROWS = 5;

export const board = new Board(find("board"));

/** What was built last: the game and the side at the bottom. */
let built = "";

/** Draws another board if the game or the side at the bottom has changed. */
function build() {
  const { board: kind } = state.game;
  const isFlipped = nearSide() !== kind.first;
  const key = `${kind.game} ${isFlipped}`;
  if (key === built) return;
  built = key;
  document.title = `${gameTitle(kind)} · morello`;
  find("rules").textContent = gameTitle(kind);
  board.build(kind, isFlipped);
}

/** The points of the pieces that may be dragged. */
function movable() {
  const { game, practice } = state;
  const { view } = game;
  if (!view.in_hand || practice?.isOver) return [];
  if (mayPremove()) {
    const own = view.pieces.map((piece, point) => (piece && piece !== view.side ? point : -1));
    return own.filter((point) => point >= 0);
  }
  if (!mayMove()) return [];
  return [...new Set(view.legal.filter(({ points }) => view.pieces[points[0]] === view.side).map(({ points }) => points[0]))];
}

/** The points of the mill that has just been closed. */
function mill() {
  const { game: { board: { layout }, view }, touched } = state;
  const to = touched.at(-1);
  if (to === undefined || !isCapture()) return [];
  /** @param {number} point */
  const stands = (point) => point === to || (view.pieces[point] === view.side && point !== touched.at(-2));
  return millsThrough(layout, to).filter((line) => line.every(stands)).flat();
}

/** @param {Move} [move] a move to animate */
function showBoard(move) {
  build();
  const { game, touched, setup, premove } = state;
  const { view } = game;
  if (setup) {
    board.show({ pieces: setup.pieces, side: view.side, free: true });
    return;
  }
  const through = mayMove() && !state.practice?.isOver ? game.movesThrough(touched) : [];
  const targets = new Set(through.map((move) => move.points[touched.length]).filter((point) => point !== undefined));
  board.show({
    pieces: view.pieces, side: view.side, last: view.last, touched, targets: [...targets], move, premove,
    movable: movable(), mill: mill(), ...moveValues(),
    changes: (point) => {
      const moves = through.filter((move) => move.points[touched.length] === point);
      return moves.length === 1 && moves[0].points.length === 1 ? moves[0].changes : [];
    },
  });
  find("hints").setAttribute("aria-pressed", String(state.hinting));
}

/**
 * The hints: a label at each point that can be selected next, with the best value through it, and arrows for the best
 * moves of pieces.
 */
function moveValues() {
  const { game, touched, values } = state;
  if (!values || values.node !== game.node || state.practice || endAt()) return {};
  /** @type {Map<number, Hint>} */
  const labels = new Map();
  /** @type {(Hint & Arrow)[]} */
  const arrows = [];
  const places = new Map(game.view.legal.map((move) => [move.text, move.points]));
  /** @type {Hint | undefined} */
  let first;
  for (const { score, moves } of values.lines) {
    const points = places.get(moves[0]);
    if (!points || !touched.every((point, at) => points[at] === point)) continue;
    const text = shortScore(score, game.board);
    /** @type {boolean} */
    const isBest = !first || (first.text === text && first.exact === score.exact);
    const label = { text, exact: score.exact, best: isBest, points: score.points };
    first ??= label;
    const point = points[touched.length];
    if (point === undefined) continue;
    const goes = game.view.pieces[points[0]] === game.view.side;
    if (goes && touched.length === 0) {
      const isNew = arrows.every(({ from, to }) => from !== points[0] || to !== points[1]);
      if (isNew && arrows.length < MAX_ARROWS) arrows.push({ from: points[0], to: points[1], ...label });
    }
    if (!labels.has(point)) labels.set(point, label);
  }
  rank([...labels.values(), ...arrows], game.board);
  // An arrow has its own label, and those of all men would hide the board.
  return { values: arrows.length ? new Map() : labels, spoken: labels, arrows };
}

/**
 * Gives each hint its place between the best, 1, and one that loses much, 0.
 * @param {Hint[]} hints
 * @param {BoardView} board
 */
function rank(hints, { counts_margin: isMargin }) {
  const best = Math.max(...hints.map(({ points }) => points));
  const much = isMargin ? 10 : 1;
  for (const hint of hints) hint.rank = Math.max(0, 1 - (best - hint.points) / much);
}

subscribe(() => {
  built = "";
  build();
}, "board");
subscribe(showBoard, "position", "hints", "thinking");
