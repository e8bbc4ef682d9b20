// Renders the state: the board, the players, the status and the move list.

import { Board } from "./board.js";
import { find, make, showMessage } from "./dom.js";
import { showGraph, showEvaluation } from "./evaluation.js";
import { count, otherSide, shortScore, sideName } from "./score.js";
import { SetUp } from "./setup.js";
import { SIDES, isEngine, isPass, mayMove, passMessage, playerName, result, state } from "./state.js";

export const board = new Board(find("board"));
export const setup = new SetUp(find("setup"));

/** Renders everything and updates the link. `move` is a move to animate. */
export function show(move) {
  const fragment = `#${state.game.fragment()}`;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
  showBoard(move);
  showPlayers();
  showStatus();
  showMoves();
  showEvaluation();
  showGraph();
}

export function showBoard(move) {
  const { game, touched } = state;
  const { view } = game;
  if (setup.open) {
    board.show({ pieces: setup.pieces, side: view.side, free: true });
    return;
  }
  const through = mayMove() ? game.movesThrough(touched) : [];
  const next = (moves) => [...new Set(moves.map((move) => move.points[touched.length]).filter((point) => point !== undefined))];
  board.show({
    pieces: view.pieces, side: view.side, last: view.last, touched, targets: next(through), move, values: moveValues(),
    changes: (point) => {
      const moves = through.filter((move) => move.points[touched.length] === point);
      return moves.length === 1 && moves[0].points.length === 1 ? moves[0].changes : [];
    },
  });
  find("hints").setAttribute("aria-pressed", Boolean(state.values));
}

/** The hint of each point that can be selected next: the value of the best move through it. */
function moveValues() {
  const { game, touched, values } = state;
  if (!values || values.key !== game.key()) return undefined;
  const shown = new Map();
  const places = new Map(game.view.legal.map((move) => [move.text, move.points]));
  for (const { score, moves } of values.lines) {
    const points = places.get(moves[0]);
    if (!points || !touched.every((point, at) => points[at] === point)) continue;
    const point = points[touched.length];
    const first = [...shown.values()][0];
    if (point === undefined || shown.has(point)) continue;
    const text = shortScore(score, game.board);
    shown.set(point, { text, exact: score.exact, best: !first || (first.best && first.text === text && first.exact === score.exact) });
  }
  return shown;
}

/** The side at the bottom of the board: the first to move, unless the board is flipped. */
const nearSide = () => (state.flipped ? otherSide(state.game.board.first) : state.game.board.first);

/** Draws an empty board and its players. */
export function build() {
  board.build(state.game.board, state.flipped);
  for (const [place, side] of [["far", otherSide(nearSide())], ["near", nearSide()]]) {
    const select = make("select", { "aria-label": `Player for ${sideName(side)}`, id: `player-${side}`, "data-side": side },
      make("option", { value: "person" }, "Human"),
      ...Array.from({ length: state.game.board.levels }, (_, at) => make("option", { value: at + 1 }, `Level ${at + 1}`)));
    select.value = state.players[side];
    find(place).replaceChildren(
      make("i", { class: `swatch ${side}` }), make("span", { class: "name" }, sideName(side)), select,
      make("span", { class: "hand", id: `hand-${side}` }), make("span", { class: "count", id: `count-${side}` }));
  }
}

function showPlayers() {
  const { view, board: { words } } = state.game;
  SIDES.forEach((side, at) => {
    find(`player-${side}`).parentElement.classList.toggle("turn", !view.end && view.side === side);
    const hand = view.in_hand?.[at] ?? 0;
    const place = find(`hand-${side}`);
    place.replaceChildren(...Array.from({ length: hand }, () => make("i", { class: side })));
    if (view.in_hand) {
      place.setAttribute("role", "img");
      place.setAttribute("aria-label", `${hand} in hand`);
    }
    const total = find(`count-${side}`);
    total.textContent = view.counts[at];
    total.title = `${count(view.counts[at], words.piece, words.pieces)} on the board`;
  });
  find("bar").classList.toggle("black-below", nearSide() === "black");
}

export function showStatus() {
  const { game, touched, paused } = state;
  const { view, board: { words } } = game;
  const thinking = Boolean(state.running.engine);
  find("thinking").hidden = !thinking;
  find("resume").hidden = !(paused && !view.end && isEngine(view.side)) || setup.open;
  if (setup.open) showMessage("Click the board to place or erase pieces.");
  else if (view.end) showMessage(`${result()}.`);
  else if (thinking) {
    showMessage(`${playerName(view.side)} is thinking`);
    find("status").classList.add("busy");
  } else if (touched.length) {
    const next = game.movesThrough(touched).map((move) => move.points[touched.length]);
    const opponent = otherSide(view.side);
    const isCapture = next.every((point) => view.pieces[point] === opponent);
    showMessage(isCapture ? `Mill! Choose a ${opponent} ${words.piece} to remove.` : `Choose where to move the ${words.piece}.`);
  } else if (isPass()) showMessage(passMessage());
  else showMessage(`${playerName(view.side)} to move.`);
}

function showMoves() {
  const { game, touched } = state;
  const list = find("moves");
  const offset = game.view.first === game.board.first ? 0 : 1;
  const cell = (text, ply) => make("button", {
    class: ply > game.ply ? "undone" : undefined, "aria-current": ply === game.ply ? "step" : undefined, "data-ply": ply,
  }, text);
  const rows = [];
  for (let at = -offset; at < game.moves.length; at += 2) {
    const texts = [at, at + 1].map((ply) => (ply < 0 ? "…" : game.moves[ply]));
    rows.push(make("li", {}, make("span", {}, `${(at + offset) / 2 + 1}.`),
      ...texts.map((text, nth) => (text === undefined ? "" : text === "…" ? make("i", {}, text) : cell(text === "pa" ? "pass" : text, at + nth + 1)))));
  }
  list.replaceChildren(...rows);
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
  const [atStart, atEnd] = [game.ply === 0, game.ply === game.moves.length];
  for (const id of ["first", "back"]) find(id).disabled = atStart || setup.open;
  for (const id of ["next", "last", "redo"]) find(id).disabled = atEnd || setup.open;
  find("undo").disabled = (atStart && !touched.length) || setup.open;
  find("chart").disabled = game.moves.length === 0 || setup.open;
  for (const id of ["load", "save", "share"]) find(id).disabled = setup.open;
  find("hints").disabled = Boolean(game.view.end) || setup.open;
  for (const button of list.querySelectorAll("button")) button.disabled = setup.open;
}
