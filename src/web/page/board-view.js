// Shows the game on the board: the position, hints, the selection, and a move that is chosen in advance.

import { Board } from "./board.js";
import { find } from "./dom.js";
import { gameTitle } from "./language.js";
import { closedMills } from "./mills.js";
import { share, shortScore } from "./score.js";
import { endAt, isCapture, isTurned, mayMove, mayPremove, state, subscribe } from "./state.js";

/** @import { Arrow, Move, Score, Value } from "./types.d.ts" */

/** The largest number of arrows. */
const MAX_ARROWS = 5;

export const board = new Board(find("board"), { textured: true });

/** What was built last: the game and the side at the bottom. */
let built = "";

/** Draws another board if the game or the side at the bottom has changed. */
function build() {
  const { board: kind } = state.game;
  const key = `${kind.game} ${isTurned()}`;
  if (key === built) return;
  built = key;
  document.title = `${gameTitle(kind)} · morello`;
  find("rules").textContent = gameTitle(kind);
  board.build(kind, isTurned());
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
  if (!mayMove() || (state.touched.length && isCapture())) return [];
  const origins = view.legal.map(({ points: [from] }) => from).filter((from) => view.pieces[from] === view.side);
  return [...new Set(origins)];
}

/** The points of the mill that the selected move closes. */
function openMill() {
  const { game: { board: { layout }, view: { pieces, side } }, touched } = state;
  const after = [...pieces];
  if (touched.length > 1) after[touched[0]] = null;
  const to = touched[touched.length - 1];
  after[to] = side;
  return closedMills(layout, after, to);
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
    movable: movable(), shapes: state.practice ? [] : game.node.shapes, mill: touched.length && through.length && isCapture() ? openMill() : [], ...moveValues(),
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
  /** @type {Map<number, Value>} */
  const labels = new Map();
  /** @type {(Value & Arrow)[]} */
  const arrows = [];
  const places = new Map(game.view.legal.map((move) => [move.text, move.points]));
  /** @type {Score | undefined} */
  let first;
  for (const { score, moves } of values.lines) {
    const points = places.get(moves[0]);
    if (!points || !touched.every((point, at) => points[at] === point)) continue;
    const text = shortScore(score, game.board);
    /** @type {boolean} */
    const isBest = !first || (first.points === score.points && first.exact === score.exact && first.plies === score.plies);
    const label = { text, exact: score.exact, best: isBest, rank: isBest ? 1 : rank(score, values.lines[0].score) };
    first ??= score;
    const point = points[touched.length];
    if (point === undefined) continue;
    const goes = game.view.pieces[points[0]] === game.view.side;
    if (goes && touched.length === 0) {
      const isNew = arrows.every(({ from, to }) => from !== points[0] || to !== points[1]);
      if (isNew && arrows.length < MAX_ARROWS) arrows.push({ from: points[0], to: points[1], ...label });
    }
    if (!labels.has(point)) labels.set(point, label);
  }
  // Where men can be placed as well as moved, every point has a label.
  if ([...labels.keys()].some((point) => !game.view.pieces[point])) return { values: labels, spoken: labels };
  // Arrows carry their own labels. A label on every man as well would hide the board.
  return { values: arrows.length ? new Map() : labels, spoken: labels, arrows };
}

/**
 * How good a score is beside the best: from 1 to 0, the loss of a blunder.
 * @param {Score} score
 * @param {Score} best
 */
function rank(score, best) {
  const { board: kind } = state.game;
  const loss = share(best.points, kind) - share(score.points, kind);
  return 1 - Math.min(1, loss / (2 * (kind.severities.at(-1) ?? 1)));
}

subscribe(() => {
  built = "";
  build();
}, "board");
subscribe(showBoard, "position", "hints", "thinking", "notes");
