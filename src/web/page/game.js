// The game on the page: the tree of its moves, the position on the board and the link to it.

import { ask } from "./api.js";
import { MoveNode, PASS } from "./tree.js";

/** The fewest positions of a line that are fetched together. */
const MIN_FETCHED = 2;

/** @import { BoardView, GameRecord, GameView, Side } from "./types.d.ts" */

/** The discs on the board at the start of Othello. */
const FIRST_DISCS = 4;

/** The number of moves that place a disc. @param {string[]} moves */
const placing = (moves) => moves.filter((move) => move !== PASS).length;

/** A name for a game that no other game of this browser has. */
const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

export class Game {
  /**
   * @param {BoardView} board
   * @param {GameView} view the game on the board
   * @param {Partial<GameRecord>} record what is kept of it: its id, its tree as text, and its details
   */
  constructor(board, view, { id = newId(), tree = "", stored = tree, details = {}, created = Date.now(), verdict = null } = {}) {
    this.board = board;
    this.id = id;
    this.details = details;
    this.created = created;
    /** How the game ended other than by its rules, after which moves. */
    this.verdict = verdict;
    this.start = view.start;
    this.first = view.first;
    this.root = new MoveNode();
    /** The tree as it was last stored or read by this page. */
    this.stored = stored;
    this.root.read(tree);
    /** The position on the board. */
    this.node = this.root;
    this.update(view);
  }

  /** Adds the moves of a view to the tree and shows its position. @param {GameView} view */
  update(view) {
    const end = this.root.add(view.moves);
    end.visit();
    this.node = this.root.add(view.moves.slice(0, view.ply));
    this.node.view = view;
  }

  /** The server's view of the position on the board. Its moves are those before the position. */
  get view() {
    return /** @type {GameView} */ (this.node.view);
  }

  get ply() {
    return this.node.ply;
  }

  /** The moves of the line on the board, including those after the position. */
  get moves() {
    return this.line().flatMap(({ move }) => move ?? []);
  }

  /** The nodes of the line on the board. */
  line() {
    return this.node.line();
  }

  /** The last node of the line on the board. */
  get lineEnd() {
    return this.node.lineEnd;
  }

  /** The fields that describe the position and the moves before it in a request. */
  request(node = this.node) {
    return { game: this.board.game, start: this.start, moves: node.moves() };
  }

  /** The side to move after a number of plies. @param {number} ply */
  sideAt(ply) {
    /** @type {Side} */
    const other = this.first === "black" ? "white" : "black";
    return ply % 2 === 0 ? this.first : other;
  }

  /**
   * Whether the move to a node is the second of its pair: of the side that does not begin games.
   * @param {MoveNode} node
   */
  isSecond({ ply }) {
    return this.sideAt(ply - 1) !== this.board.first;
  }

  /**
   * The number of the move to a node as players count. In Othello every new disc has its own number, and passes have
   * none; in other games a number stands for a move of each side.
   * @param {MoveNode} node
   */
  number(node) {
    if (this.board.counts_margin) {
      const [black, white] = this.view.counts;
      return black + white - FIRST_DISCS - placing(this.node.moves()) + placing(node.moves());
    }
    return Math.floor((node.ply - 1 + (this.first === this.board.first ? 0 : 1)) / 2) + 1;
  }

  /**
   * How the game ended at a node other than by its rules; null if it did not.
   * @param {MoveNode} node
   */
  verdictAt(node) {
    const { verdict } = this;
    return verdict && node.ply === verdict.line.split(" ").filter(Boolean).length
      && node.moves().join(" ") === verdict.line ? { points: null, ...verdict } : null;
  }

  /** The moves that begin with these points. @param {number[]} touched */
  movesThrough(touched) {
    return this.view.legal.filter((move) => touched.every((point, at) => move.points[at] === point));
  }

  /**
   * @param {string} text
   * @param {() => boolean} isWanted whether the response is still wanted when it arrives
   */
  async play(text, isWanted) {
    const view = await ask("move", { ...this.request(), move: text });
    if (isWanted()) this.update(view);
  }

  /** Returns the view of a node, from the server if it is not known. @param {MoveNode} node */
  async viewOf(node) {
    if (!node.view) await this.fetch(node);
    return /** @type {GameView} */ (node.view);
  }

  /** Fetches the positions of the whole line through a node, so that going through it needs no requests. */
  async fetch(node = this.node) {
    const line = node.line();
    if (line.filter(({ view }) => !view).length < MIN_FETCHED) {
      node.view ??= await ask("view", this.request(node));
      return;
    }
    const { views } = await ask("line", this.request(node.lineEnd));
    line.forEach((passed, ply) => { passed.view ??= views[ply]; });
  }

  /**
   * Shows the position of a node.
   * @param {MoveNode} node
   * @param {() => boolean} isWanted as in `play`
   */
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
    if (this.ply !== moves.length) fields.set("ply", String(this.ply));
    return fields.toString();
  }

  /** Reads the fragment of a link into the fields of a request. @param {string} fragment */
  static parseLink(fragment) {
    const fields = new URLSearchParams(fragment);
    const moves = (fields.get("moves") ?? "").split(".").filter(Boolean);
    const ply = Number.parseInt(fields.get("ply") ?? "", 10);
    return { game: fields.get("game"), start: fields.get("start"), moves, ...(ply >= 0 ? { ply } : {}) };
  }
}
