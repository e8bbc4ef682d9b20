// The game on the page: the tree of its moves, the position on the board and the link to it.

import { ask } from "./api.js";
import { MoveNode } from "./tree.js";

/** The fewest positions of a line that are fetched together. */
const MIN_FETCHED = 2;

/** A name for a game that no other game of this browser has. */
const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

export class Game {
  /**
   * @param board the server's description of the game
   * @param view the server's view of the game on the board
   * @param record the id, the tree as text, and the details of a game from the list of recent games or from a file
   */
  constructor(board, view, { id = newId(), tree = "", details = {}, created = Date.now(), verdict = null } = {}) {
    Object.assign(this, { board, id, details, created, verdict, start: view.start, first: view.first });
    this.root = new MoveNode();
    /** The tree as it was last stored or read by this page. */
    this.stored = tree;
    this.root.read(tree);
    this.update(view);
  }

  /** Adds the moves of a view to the tree and shows its position. */
  update(view) {
    const end = this.root.add(view.moves);
    end.visit();
    this.node = this.root.add(view.moves.slice(0, view.ply));
    this.node.view = view;
  }

  /** The server's view of the position on the board. Its moves are those before the position. */
  get view() {
    return this.node.view;
  }

  get ply() {
    return this.node.ply;
  }

  /** The moves of the line on the board, including those after the position. */
  get moves() {
    return this.line().slice(1).map((node) => node.move);
  }

  /** The nodes of the line on the board. */
  line() {
    return this.node.line();
  }

  /** The fields that describe the position and the moves before it in a request. */
  request(node = this.node) {
    return { game: this.board.game, start: this.start, moves: node.moves() };
  }

  sideAt(ply) {
    const other = this.first === "black" ? "white" : "black";
    return ply % 2 === 0 ? this.first : other;
  }

  /** How the game ended at a node other than by its rules; null if it did not. */
  verdictAt(node) {
    const { verdict } = this;
    return verdict && node.ply === verdict.line.split(" ").filter(Boolean).length
      && node.moves().join(" ") === verdict.line ? { points: null, ...verdict } : null;
  }

  /** The moves that begin with these points. */
  movesThrough(touched) {
    return this.view.legal.filter((move) => touched.every((point, at) => move.points[at] === point));
  }

  /** @param isWanted returns whether the response is still wanted when it arrives */
  async play(text, isWanted) {
    const view = await ask("move", { ...this.request(), move: text });
    if (isWanted()) this.update(view);
  }

  /** Returns the view of a node, from the server if it is not known. */
  async viewOf(node) {
    if (!node.view) await this.fetch(node);
    return node.view;
  }

  /** Fetches the positions of the whole line through a node, so that going through it needs no requests. */
  async fetch(node = this.node) {
    const line = node.line();
    if (line.filter(({ view }) => !view).length < MIN_FETCHED) {
      node.view ??= await ask("view", this.request(node));
      return;
    }
    const { views } = await ask("line", this.request(line.at(-1)));
    line.forEach((passed, ply) => { passed.view ??= views[ply]; });
  }

  /** Shows the position of a node. @param isWanted as in `play` */
  async go(node, isWanted) {
    await this.viewOf(node);
    if (!isWanted()) return;
    this.node = node;
    node.visit();
  }

  /** The fragment of the link, without `#`. */
  fragment() {
    const fields = new URLSearchParams({ game: this.board.game });
    if (this.start) fields.set("start", this.start);
    const { moves } = this;
    if (moves.length) fields.set("moves", moves.join("."));
    if (this.ply !== moves.length) fields.set("ply", this.ply);
    return fields.toString();
  }

  /** Reads the fragment of a link into the fields of a request. */
  static parseLink(fragment) {
    const fields = new URLSearchParams(fragment);
    const moves = (fields.get("moves") ?? "").split(".").filter(Boolean);
    const ply = Number.parseInt(fields.get("ply") ?? "", 10);
    return { game: fields.get("game"), start: fields.get("start"), moves, ...(ply >= 0 ? { ply } : {}) };
  }
}
