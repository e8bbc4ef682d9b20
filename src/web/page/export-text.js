// What is saved of a game as text: its moves with evaluations and marks, and the name of the file.

/** @import { MoveNode, Side } from "./types.d.ts" */

/**
 * What a game may have beside its moves, and the formats that keep it.
 * @type {Record<"variations" | "comments" | "evaluations" | "marks", string[]>}
 */
const KEPT = {
  variations: ["pgn", "playok", "sgf"], comments: ["pgn", "playok", "sgf"], evaluations: ["pgn", "playok", "sgf", "ggf"],
  marks: ["pgn", "playok"],
};

/** @param {string} format */
export const keepsVariations = (format) => KEPT.variations.includes(format);

/** The end of the main line. @param {MoveNode} root */
export function mainEnd(root) {
  let node = root;
  while (node.children.length) [node] = node.children;
  return node;
}

/**
 * All nodes of a tree.
 * @param {MoveNode} root
 */
function nodesOf(root) {
  const nodes = [root];
  for (let at = 0; at < nodes.length; at += 1) nodes.push(...nodes[at].children);
  return nodes;
}

/**
 * What a format cannot hold of a game: some of the keys of `KEPT`.
 * @param {MoveNode} root
 * @param {string} format
 */
export function lostIn(root, format) {
  const nodes = nodesOf(root);
  const has = {
    variations: nodes.some(({ children }) => children.length > 1), comments: nodes.some(({ note }) => note),
    evaluations: nodes.some(({ move, thought }) => move && thought), marks: nodes.some(({ severity }) => severity),
  };
  return /** @type {(keyof typeof KEPT)[]} */ (Object.keys(KEPT)).filter((kind) => has[kind] && !KEPT[kind].includes(format));
}

/**
 * A move with its mark and the evaluation of the position after it, for the side that moved: `f5?! {-2.5}`.
 * @param {MoveNode} node
 * @param {Side} mover
 */
function moveWord({ move, mark, thought }, mover) {
  const points = thought?.lines[0]?.score.points;
  const word = `${move}${mark}`;
  if (points === undefined) return word;
  // Without the sign of a zero.
  const value = Number((thought?.side === mover ? points : -points).toFixed(2)) || 0;
  return `${word} {${value < 0 ? "" : "+"}${value}}`;
}

/**
 * The moves of a game for a format: with all variations and comments, or those of the line to a node.
 * @param {MoveNode} root
 * @param {MoveNode} end
 * @param {string} format
 * @param {(ply: number) => Side} sideAt the side to move after a number of plies
 */
export function movesFor(root, end, format, sideAt) {
  /** @param {MoveNode} node */
  const word = (node) => moveWord(node, sideAt(node.ply - 1));
  return keepsVariations(format) ? root.write(word) : end.path().slice(1).map(word).join(" ");
}

/**
 * The name of a file: of the players, or else the game if one is unknown, and the date.
 * @param {{ names: string[], title: string, date: string }} game
 * @param {string} format
 */
export function fileName({ names, title, date }, format) {
  const end = { pgn: "pgn", playok: "pgn", ggf: "ggf", sgf: "sgf", svg: "svg", png: "png", gif: "gif" }[format] ?? "txt";
  const name = [names.every(Boolean) ? names.join(" - ") : title, date].filter(Boolean).join(" ");
  return `${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, "_").replace(/^\.+/, "")}.${end}`;
}
