// Shows the game: its title, the board, the players, the status and the buttons.

import { Board } from "./board.js";
import { find, make, showMessage } from "./dom.js";
import { canRedoAction, canUndoAction } from "./documents.js";
import { lineButton } from "./evaluation.js";
import { gameAbout, gameTitle, pieceWord, t } from "./language.js";
import { closedMills } from "./mills.js";
import { bookScore, otherSide, share, shortScore, sideName } from "./score.js";
import {
  SIDES, isCapture, isEngine, isPass, levelName, mayMove, passMessage, playerName, result, shownMove,
  state, subscribe,
} from "./state.js";

/** The largest number of arrows. */
const MAX_ARROWS = 5;

export const board = new Board(find("board"), { textured: true });

function showBoard(move) {
  const { game, touched, setup } = state;
  const { view } = game;
  if (setup) {
    board.show({ pieces: setup.pieces, side: view.side, free: true });
    return;
  }
  const through = mayMove() && !state.practice?.isOver ? game.movesThrough(touched) : [];
  const targets = new Set(through.map((move) => move.points[touched.length]).filter((point) => point !== undefined));
  board.show({
    pieces: view.pieces, side: view.side, last: view.last, touched, targets: [...targets], move, ...moveValues(),
    movable: movable(), mill: touched.length && through.length && isCapture() ? openMill() : [],
    changes: (point) => {
      const moves = through.filter((move) => move.points[touched.length] === point);
      return moves.length === 1 && moves[0].points.length === 1 ? moves[0].changes : [];
    },
  });
  find("hints").setAttribute("aria-pressed", state.hinting);
}

/** The points of the men that may be dragged: none while a man is to be removed. */
function movable() {
  const { game, touched, practice } = state;
  if (!mayMove() || practice?.isOver || (touched.length && isCapture())) return [];
  const { legal, pieces, side } = game.view;
  return [...new Set(legal.map(({ points }) => points[0]).filter((point) => pieces[point] === side))];
}

/** The points of the mill that the selected move closes. */
function openMill() {
  const { game: { board: { layout }, view: { pieces, side } }, touched } = state;
  const after = [...pieces];
  if (touched.length > 1) after[touched[0]] = null;
  after[touched.at(-1)] = side;
  return closedMills(layout, after, touched.at(-1));
}

/**
 * The hints: a label at each point that can be selected next, with the best value through it, and arrows for the best
 * moves of pieces.
 */
function moveValues() {
  const { game, touched, values } = state;
  if (!values || values.node !== game.node || state.practice) return {};
  const [labels, arrows] = [new Map(), []];
  const places = new Map(game.view.legal.map((move) => [move.text, move.points]));
  let first;
  for (const { score, moves } of values.lines) {
    const points = places.get(moves[0]);
    if (!points || !touched.every((point, at) => points[at] === point)) continue;
    const text = shortScore(score, game.board);
    const isBest = !first || (first.text === text && first.exact === score.exact);
    const label = { text, exact: score.exact, best: isBest, rank: isBest ? 1 : rank(score, values.lines[0].score) };
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
  // An arrow has its own label, and those of all men would hide the board.
  return { values: arrows.length ? new Map() : labels, spoken: labels, arrows };
}

/** How good a score is beside the best: from 1 to 0, the loss of a blunder. */
function rank(score, best) {
  const { board: kind } = state.game;
  const loss = share(best.points, kind) - share(score.points, kind);
  return 1 - Math.min(1, loss / (2 * kind.severities.at(-1)));
}

/** The side at the bottom of the board: the first to move, unless the board is flipped. */
const nearSide = () => (state.flipped ? otherSide(state.game.board.first) : state.game.board.first);

/** Shows the title of the game, an empty board and its players. */
function build() {
  const { board: kind } = state.game;
  find("game").value = kind.game;
  document.title = `${gameTitle(kind)} · morello`;
  find("about").textContent = `${gameAbout(kind).replaceAll("'", "’")}.`;
  board.build(kind, state.flipped);
  const option = (level) => make("option", { value: level }, levelName(level));
  const numbers = Array.from({ length: kind.levels }, (_, at) => `${at + 1}`);
  for (const [place, side] of [["far", otherSide(nearSide())], ["near", nearSide()]]) {
    const label = t("playerFor", { side: sideName(side) });
    const select = make("select", { "aria-label": label, id: `player-${side}`, "data-side": side },
      make("option", { value: "person" }, t("human")),
      make("optgroup", { label: t("levelsByName") }, ...kind.named_levels.map(option)),
      make("optgroup", { label: t("levelsByNumber") }, ...numbers.map(option)));
    select.value = state.players[side];
    find(place).replaceChildren(
      make("i", { class: `swatch ${side}` }), make("span", { class: "name" }, sideName(side)), select,
      make("span", { class: "hand", id: `hand-${side}` }), make("span", { class: "count", id: `count-${side}` }));
  }
}

function showPlayers() {
  const { game: { view, board: kind }, setup } = state;
  const pieces = setup ? setup.pieces : view.pieces;
  const hands = setup ? setup.inHand : view.in_hand;
  SIDES.forEach((side, at) => {
    find(`player-${side}`).parentElement.classList.toggle("turn", !view.end && view.side === side);
    const hand = view.in_hand ? hands[at] : 0;
    const place = find(`hand-${side}`);
    place.replaceChildren(...Array.from({ length: hand }, () => make("i", { class: side })));
    if (view.in_hand) {
      place.setAttribute("role", "img");
      place.setAttribute("aria-label", t("inHand", { count: hand }));
    }
    const total = find(`count-${side}`);
    const count = pieces.filter((piece) => piece === side).length;
    total.textContent = count;
    total.title = t("onBoard", { count, pieces: pieceWord(kind, count) });
  });
  find("bar").classList.toggle("black-below", nearSide() === "black");
}

function showStatus() {
  const { game, touched, paused, setup } = state;
  const { view, board: kind } = game;
  const thinking = Boolean(state.running.engine);
  find("thinking").hidden = !thinking;
  find("resume").hidden = !(paused && !view.end && isEngine(view.side)) || Boolean(setup);
  find("opening").textContent = view.opening && !setup ? t("opening", { name: view.opening.name }) : "";
  showBook();
  if (setup) showMessage(t("setUpStatus"));
  else if (view.end) showMessage(result());
  else if (thinking) {
    showMessage(t("thinking", { player: playerName(view.side) }));
    find("status").classList.add("busy");
  } else if (touched.length) {
    const { piece } = kind.words;
    const opponent = t(`${otherSide(view.side)}Piece`);
    const values = { side: opponent, piece: pieceWord(kind, 1) };
    showMessage(isCapture() ? t("mill", values, piece) : t("moveTo", values, piece));
  } else if (isPass()) showMessage(passMessage());
  else showMessage(t("toMove", { player: playerName(view.side) }));
}

/** The most moves of the opening book that are shown. Books of mill games know all moves of the first plies. */
const BOOK_MOVES = 12;

/** Shows the best moves of the opening book, each of which can be played. */
function showBook() {
  const { game } = state;
  const moves = state.setup || state.practice ? [] : game.view.book.slice(0, BOOK_MOVES);
  const button = ({ text, score, is_exact, plies }) => (
    lineButton(game.node, [text], `${shownMove(text)} ${bookScore(score, is_exact, plies, game.board)}`));
  find("book").replaceChildren(...(moves.length ? [t("book"), ...moves.map(button)] : []));
}

/** Enables the buttons that can be used. */
function showButtons() {
  const { game, touched, setup } = state;
  const [atStart, atEnd] = [game.ply === 0, !game.node.children.length];
  const closed = Boolean(setup || state.practice);
  for (const id of ["first", "back"]) find(id).disabled = atStart || closed;
  for (const id of ["next", "last"]) find(id).disabled = atEnd || closed;
  find("redo").disabled = (atEnd && !canRedoAction()) || closed;
  find("undo").disabled = (atStart && !touched.length && !canUndoAction()) || closed;
  find("chart").disabled = game.moves.length === 0 || closed;
  for (const id of ["load", "save", "share", "recent", "practice"]) find(id).disabled = Boolean(setup);
  find("hints").disabled = closed;
}

subscribe(build, "board");
subscribe(showBoard, "position", "hints");
subscribe(showPlayers, "position");
subscribe(showStatus, "position", "thinking");
subscribe(showButtons, "position", "undo");
