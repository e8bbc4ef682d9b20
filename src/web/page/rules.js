// The rules of the game on the board, with pictures.

import { Board } from "./board.js";
import { make, openDialog } from "./dom.js";
import { title } from "./game.js";
import { gameAbout, pieceWord, t } from "./language.js";
import { sideName } from "./score.js";
import { names, state } from "./state.js";

/** What distinguishes the mill games. Games that are not listed show only the rules that all share. */
const MILLS = {
  "nine-mens-morris": {},
  "nine-mens-morris-flying": { flying: true },
  "nine-mens-morris-protected": { protected: true },
  "nine-mens-morris-flying-protected": { flying: true, protected: true },
  morabaraba: { flying: true, tenMoves: true },
  "morabaraba-full-draw": { flying: true, tenMoves: true, fullDraw: true },
  "morabaraba-no-return": { flying: true, tenMoves: true, noReturn: true },
  "lasker-morris": { flying: true, early: true },
  "six-mens-morris": {},
  "three-mens-morris": { firstMill: true },
};

/** A picture of a board: `black` and `white` are the names of points with pieces, `marks` the points to mark, and `arrow` a move. */
function picture({ black = "", white = "", marks = "", arrow = "", last = "" }) {
  const { board } = state.game;
  const host = make("div", { class: "picture", role: "img", "aria-hidden": "true" });
  const drawing = new Board(host);
  drawing.build(board, false);
  const numbers = (text) => text.split(" ").filter(Boolean).map((name) => board.layout.points.findIndex((point) => point.name === name)).filter((at) => at >= 0);
  const pieces = board.layout.points.map(() => null);
  numbers(black).forEach((at) => { pieces[at] = "black"; });
  numbers(white).forEach((at) => { pieces[at] = "white"; });
  const [from, to] = numbers(arrow);
  drawing.show({
    pieces, side: "white", targets: numbers(marks), last: last ? { points: numbers(last) } : undefined,
    arrows: to === undefined ? [] : [{ from, to, text: "", best: true }],
  });
  for (const element of host.querySelectorAll("[tabindex], svg")) element.removeAttribute("tabindex");
  return host;
}

const section = (key, values, ...pictures) => make("section", {}, make("div", {}, make("h3", {}, t(`${key}Title`)), make("p", {}, t(key, { ...values, piece: pieceWord(state.game.board, 1) }, state.game.board.words.piece))),
  pictures.length ? make("div", { class: "pictures" }, ...pictures) : "");

function othelloRules({ layout: { rows } }) {
  const n = rows / 2;
  const [a, b] = ["abcdefgh"[n - 1], "abcdefgh"[n]];
  const next = "abcdefgh"[n + 1] ?? b;
  const [white, black] = [`${a}${n} ${b}${n + 1}`, `${b}${n} ${a}${n + 1}`];
  const move = `${next}${n + 1}`;
  return [
    section("ruleAim", { size: rows * rows }),
    section("ruleFlip", { move }, picture({ white, black, marks: move }), picture({ white: `${a}${n}`, black: `${black} ${b}${n + 1} ${move}`, last: move })),
    section("rulePass", {}),
    section("ruleEnd", {}),
  ];
}

function millRules(board) {
  const rules = MILLS[board.game] ?? {};
  const men = board.in_hand[0];
  const values = { men, pieces: pieceWord(board, 2), first: sideName(board.first) };
  const { points } = board.layout;
  const has = (name) => points.some((point) => point.name === name);
  // Three points of a mill, a point to place on, and a piece to remove, on every board of the mill games.
  const mill = ["a1 d1 g1", "a1 b1 c1", "a1 c1 e1"].find((line) => line.split(" ").every(has)) ?? "";
  const other = ["a7", "a3", "e5"].find(has);
  const second = ["g7", "c3", "a5"].find(has);
  const parts = [section("rulePlace", values, picture({ white: mill.split(" ")[0], black: other, marks: second }))];
  if (rules.firstMill) parts.push(section("ruleFirstMill", values, picture({ white: mill, black: other })));
  else parts.push(section("ruleMill", values, picture({ white: mill, black: `${other} ${second}`, marks: `${other} ${second}` })));
  parts.push(section(rules.early ? "ruleMoveEarly" : "ruleMove", values, picture({ white: mill.split(" ")[1], black: other, arrow: mill.split(" ").slice(1).join(" ") })));
  if (rules.flying) parts.push(section("ruleFly", values, picture({ white: mill, black: other, arrow: `${mill.split(" ")[0]} ${second}` })));
  else parts.push(section("ruleNoFly", values));
  if (rules.protected) parts.push(section("ruleProtected", values));
  if (rules.noReturn) parts.push(section("ruleNoReturn", values));
  parts.push(section(rules.firstMill ? "ruleEndFirstMill" : "ruleEndMill", values));
  if (rules.fullDraw) parts.push(section("ruleFullDraw", values));
  if (rules.tenMoves) parts.push(section("ruleTenMoves", values));
  return parts;
}

export function showRules() {
  const { board } = state.game;
  openDialog("rules-dialog", t("rulesTitle", { game: title(board.game, names()) }), [
    make("p", {}, `${gameAbout(board).replaceAll("'", "’")}.`),
    make("div", { class: "rules" }, ...(board.counts_margin ? othelloRules(board) : millRules(board))),
  ]);
}
