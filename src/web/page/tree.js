// A tree of moves: the main line and variations. The first child of a node continues its line, the others are
// variations. A position may have a comment and drawn shapes.

/** @import { GameView, Line, Reason, SearchView, Severity } from "./types.d.ts" */

/** The text of a pass. */
export const PASS = "pa";
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Shapes in a text: `[%csl Ge5]` marks points, `[%cal Gd2d6]` draws arrows. The first letter is the color. */
const SHAPES = /\[%c[sa]l\s+([^\]]*)\]\s*/g;
/** The tag of a shape: that of points if it names one. @param {string} shape */
const tagOf = (shape) => (shape.length > 3 ? "cal" : "csl");

export class MoveNode {
  /**
   * The root has no move and no parent.
   * @param {string | null} move
   * @param {MoveNode | null} parent
   */
  constructor(move = null, parent = null) {
    this.move = move;
    this.parent = parent;
    /** @type {MoveNode[]} */
    this.children = [];
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
    /** @type {MoveNode | undefined} the child that was visited last, which `next` goes to */
    this.recent = undefined;
    // What is known of the position and of the move to it.
    /** @type {GameView | undefined} the server's view */
    this.view = undefined;
    /** @type {SearchView | undefined} the best evaluation */
    this.thought = undefined;
    /** @type {number | undefined} the loss of the move */
    this.loss = undefined;
    /** @type {Severity | undefined} */
    this.severity = undefined;
    /** @type {Line | undefined} the best line instead of the move, of the search that its loss is from */
    this.better = undefined;
    /** @type {Reason | undefined} why the move was bad */
    this.reason = undefined;
    // What the user wrote and drew at the position.
    this.comment = "";
    /** @type {string[]} such as `Ge5`, a point, and `Gd2d6`, an arrow */
    this.shapes = [];
  }

  /** Sets the comment, which has no braces and one line. @param {string} text */
  setComment(text) {
    this.comment = text.replace(/\{/g, "(").replace(/\}/g, ")").replace(/\s+/g, " ").trim();
  }

  /** The comment and the shapes as a text without braces, as PGN has them. */
  get note() {
    const tags = ["csl", "cal"].flatMap((tag) => {
      const shapes = this.shapes.filter((shape) => tagOf(shape) === tag);
      return shapes.length ? `[%${tag} ${shapes.join(",")}]` : [];
    });
    return [...tags, this.comment].filter(Boolean).join(" ");
  }

  set note(text) {
    this.shapes = [...text.matchAll(SHAPES)].flatMap(([, list]) => list.split(",").map((shape) => shape.trim()))
      .filter(Boolean);
    this.setComment(text.replace(SHAPES, ""));
  }

  /** The child after a move; added if there is none. @param {string} move */
  child(move) {
    let node = this.children.find((child) => child.move === move);
    if (!node) {
      node = new MoveNode(move, this);
      this.children.push(node);
    }
    return node;
  }

  /** The mark of the move to this node: `??` of a blunder. */
  get mark() {
    return this.severity ? MARKS[this.severity] : "";
  }

  /** Whether the move to this node was a mistake or worse. */
  get isMistake() {
    return this.severity === "mistake" || this.severity === "blunder";
  }

  /** @returns {MoveNode | undefined} */
  get next() {
    return this.recent && this.children.includes(this.recent) ? this.recent : this.children[0];
  }

  /** The nodes from the root to this one. */
  path() {
    const nodes = [];
    for (let /** @type {MoveNode | null} */ node = this; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The path, continued to the end of the line. */
  line() {
    const nodes = this.path();
    for (let node = this.next; node; node = node.next) nodes.push(node);
    return nodes;
  }

  /** The last node of the line. */
  get lineEnd() {
    /** @type {MoveNode} */
    let node = this;
    while (node.next) node = node.next;
    return node;
  }

  /** The moves that lead to this node. */
  moves() {
    return this.path().flatMap(({ move }) => move ?? []);
  }

  /** Makes this node the one that `next` leads to from all nodes before it. */
  visit() {
    for (let /** @type {MoveNode} */ node = this; node.parent; node = node.parent) node.parent.recent = node;
  }

  /** The first node of the variation that this node belongs to; undefined on the main line. */
  variationStart() {
    return this.path().findLast((node) => node.parent && node.parent.children[0] !== node);
  }

  /** Adds moves after this node; returns the last node. @param {string[]} moves */
  add(moves) {
    return moves.reduce((node, move) => node.child(move), /** @type {MoveNode} */ (this));
  }

  /** Removes this node, which is not the root, from the tree. */
  remove() {
    const parent = /** @type {MoveNode} */ (this.parent);
    parent.children = parent.children.filter((child) => child !== this);
  }

  /** Makes this node the one that continues the line of its parent; the others become variations. */
  makeFirst() {
    const parent = /** @type {MoveNode} */ (this.parent);
    parent.children = [this, ...parent.children.filter((child) => child !== this)];
  }

  /** Makes the line to this node the main line. */
  promote() {
    for (let /** @type {MoveNode} */ node = this; node.parent; node = node.parent) node.makeFirst();
  }

  /** The number of nodes after this one. @returns {number} */
  count() {
    return this.children.reduce((sum, child) => sum + 1 + child.count(), 0);
  }

  /** The number of variations after this node. @returns {number} */
  variations() {
    return this.children.reduce((sum, child) => sum + child.variations(), Math.max(0, this.children.length - 1));
  }

  /**
   * Writes the moves after this node, with variations in parentheses and notes in braces:
   * `f5 {good} d6 (f6 e6) c3`. A note of this node comes first.
   * @param {(node: MoveNode) => string} wordOf writes a move
   * @returns {string}
   */
  write(wordOf = ({ move }) => move ?? "") {
    /** @param {MoveNode} node */
    const noteOf = (node) => (node.note ? `{${node.note}}` : "");
    const words = [noteOf(this)];
    // A loop along the line, since a recursion of hundreds of plies is slow.
    for (let /** @type {MoveNode} */ node = this; node.children.length;) {
      const [first, ...others] = node.children;
      const variations = others.map((other) => `(${[wordOf(other), other.write(wordOf)].filter(Boolean).join(" ")})`);
      words.push(wordOf(first), noteOf(first), ...variations);
      node = first;
    }
    return words.filter(Boolean).join(" ");
  }

  /** Adds the moves and notes of a text written by `write`. @param {string} text */
  read(text) {
    /** @type {MoveNode[]} */
    const stack = [];
    /** @type {MoveNode} */
    let node = this;
    for (const [word] of String(text).matchAll(/\{[^}]*\}|[()]|[^\s(){}]+/g)) {
      if (word === "(") {
        if (!node.parent) return;
        stack.push(node);
        node = node.parent;
      } else if (word === ")") {
        const before = stack.pop();
        if (!before) return;
        node = before;
      } else if (word.startsWith("{")) node.note = word.slice(1, -1);
      else node = node.child(word);
    }
  }

  /**
   * Makes the changes between an older state of another tree and that tree here, too: new moves, notes, and deletions
   * of what has not changed here, except on the way to a node.
   * @param {MoveNode} other
   * @param {MoveNode} [old]
   * @param {MoveNode[]} way the nodes that stay
   */
  merge(other, old, way = []) {
    if (other.note !== (old?.note ?? "")) this.note = other.note;
    for (const gone of old?.children ?? []) {
      const mine = this.children.find(({ move }) => move === gone.move);
      if (!mine || way.includes(mine) || other.children.some(({ move }) => move === gone.move)) continue;
      if (mine.note === gone.note && mine.write() === gone.write()) mine.remove();
    }
    for (const child of other.children) {
      const before = old?.children.find(({ move }) => move === child.move);
      // What was there before and no longer is was deleted.
      if (before && !this.children.some(({ move }) => move === child.move)) continue;
      this.child(child.move ?? "").merge(child, before, way);
    }
  }

  /** Takes over what is known of the positions and moves of another state of the tree. @param {MoveNode} other */
  learn({ children, view, thought, loss, severity, reason, better }) {
    Object.assign(this, { view: this.view ?? view, thought, loss, severity, reason, better });
    for (const child of this.children) {
      const same = children.find(({ move }) => move === child.move);
      if (same) child.learn(same);
    }
  }

  /** The tree of a text written by `write`. @param {string} text */
  static parse(text) {
    const root = new MoveNode();
    root.read(text);
    return root;
  }

  /** The node after these moves, as far as they are in the tree. @param {string[]} moves */
  find(moves) {
    /** @type {MoveNode} */
    let node = this;
    for (const move of moves) {
      const child = node.children.find((child) => child.move === move);
      if (!child) return node;
      node = child;
    }
    return node;
  }
}
