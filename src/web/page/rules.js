// The rules of the game on the board, as the server names them, with pictures.

import { Board } from "./board.js";
import { make, openDialog } from "./dom.js";
import { gameAbout, gameTitle, hasText, pieceWord, t } from "./language.js";
import { sideName } from "./score.js";
import { state } from "./state.js";

/**
 * @import { BoardView, Side } from "./types.d.ts"
 *
 * @typedef {object} Picture what a picture of the board shows, by the names of points
 * @property {string} [black] the points with pieces
 * @property {string} [white]
 * @property {string} [marks] the points to mark
 * @property {string} [arrow] a move
 * @property {string} [last] the last move
 */

/**
 * What the pictures of each rule show.
 * @param {BoardView} board
 * @returns {Record<string, Picture[]>}
 */
function picturesOf({ layout: { rows, points } }) {
  /** @param {string} name */
  const has = (name) => points.some((point) => point.name === name);
  // The squares in the middle of a board of Othello, and one beside them.
  const n = rows / 2;
  const [a, b, c] = "abcdefgh".slice(n - 1, n + 2);
  const [white, black, move] = [`${a}${n} ${b}${n + 1}`, `${b}${n} ${a}${n + 1}`, `${c}${n + 1}`];
  // Three points of a mill, a point to place on, and a piece to remove, on every board of the mill games.
  const mill = ["a1 d1 g1", "a1 b1 c1", "a1 c1 e1"].find((line) => line.split(" ").every(has)) ?? "";
  const [one, two, three] = mill.split(" ");
  const other = ["a7", "a3", "e5"].find(has);
  const second = ["g7", "c3", "a5"].find(has);
  const step = [{ white: two, black: other, arrow: `${two} ${three}` }];
  const removals = [{ white: mill, black: `${other} ${second}`, marks: `${other} ${second}` }];
  return {
    flip: [{ white, black, marks: move }, { white: `${a}${n}`, black: `${black} ${b}${n + 1} ${move}`, last: move }],
    place: [{ white: one, black: other, marks: second }],
    mill: removals,
    "mill-any": removals,
    "first-mill": [{ white: mill, black: other }],
    move: step,
    "move-early": step,
    fly: [{ white: mill, black: other, arrow: `${one} ${second}` }],
  };
}

/**
 * A picture of the board; empty if the board lacks one of the points.
 * @param {BoardView} board
 * @param {Picture} shown
 */
function picture(board, { black = "", white = "", marks = "", arrow = "", last = "" }) {
  /** @param {string} name */
  const number = (name) => board.layout.points.findIndex((point) => point.name === name);
  /** @param {string} text */
  const numbers = (text) => text.split(" ").filter(Boolean).map(number);
  if ([black, white, marks, arrow, last].flatMap(numbers).includes(-1)) return "";
  const host = make("div", { class: "picture", role: "img", "aria-hidden": "true" });
  const drawing = new Board(host, { still: true });
  drawing.build(board, false);
  /** @type {(Side | null)[]} */
  const pieces = board.layout.points.map(() => null);
  numbers(black).forEach((at) => { pieces[at] = "black"; });
  numbers(white).forEach((at) => { pieces[at] = "white"; });
  const [from, to] = numbers(arrow);
  drawing.show({
    pieces, side: "white", targets: numbers(marks), last: last ? { points: numbers(last) } : undefined,
    arrows: to === undefined ? [] : [{ from, to, text: "", best: true }],
  });
  return host;
}

export function showRules() {
  const { board } = state.game;
  const pictures = picturesOf(board);
  const words = {
    first: sideName(board.first), piece: pieceWord(board, 1), pieces: pieceWord(board, 2), move: pictures.flip[0].marks,
  };
  /** @param {BoardView["rules"][0]} rule */
  const section = ({ name, number }) => {
    const drawn = (pictures[name] ?? []).map((marks) => picture(board, marks)).filter(Boolean);
    return make("section", {},
      make("div", {}, make("h3", {}, t(`ruleTitle.${name}`, { number })),
        make("p", {}, t(`rule.${name}`, { ...words, number }, board.words.piece))),
      drawn.length ? make("div", { class: "pictures" }, ...drawn) : "");
  };
  openDialog("rules-dialog", t("rulesTitle", { game: gameTitle(board) }), [
    make("p", {}, `${gameAbout(board).replaceAll("'", "’")}.`),
    make("div", { class: "rules" }, ...board.rules.filter(({ name }) => hasText(`rule.${name}`)).map(section)),
  ]);
}
