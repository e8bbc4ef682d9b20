// A tree of moves: the main line and variations. The first child of a node continues its line, the others are
// variations.

export class MoveNode {
  constructor(move = null, parent = null) {
    Object.assign(this, { move, parent, children: [], ply: parent ? parent.ply + 1 : 0 });
    /** The child that was visited last, which `next` goes to. */
    this.recent = undefined;
    /** The server's view of the position, its best evaluation and the loss of the move to it, as far as known. */
    Object.assign(this, { view: undefined, thought: undefined, loss: undefined, severity: undefined });
  }

  /** The child after a move; added if there is none. */
  child(move) {
    let node = this.children.find((child) => child.move === move);
    if (!node) {
      node = new MoveNode(move, this);
      this.children.push(node);
    }
    return node;
  }

  /** Whether the move to this node was a mistake or worse. */
  get isMistake() {
    return this.severity === "mistake" || this.severity === "blunder";
  }

  get next() {
    return this.children.includes(this.recent) ? this.recent : this.children[0];
  }

  /** The nodes from the root to this one. */
  path() {
    const nodes = [];
    for (let node = this; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The path, continued to the end of the line. */
  line() {
    const nodes = this.path();
    for (let node = this.next; node; node = node.next) nodes.push(node);
    return nodes;
  }

  /** The moves that lead to this node. */
  moves() {
    return this.path().slice(1).map((node) => node.move);
  }

  /** Makes this node the one that `next` leads to from all nodes before it. */
  visit() {
    for (let node = this; node.parent; node = node.parent) node.parent.recent = node;
  }

  /** The first node of the variation that this node belongs to; undefined on the main line. */
  variationStart() {
    return this.path().findLast((node) => node.parent && node.parent.children[0] !== node);
  }

  /** Adds moves after this node; returns the last node. */
  add(moves) {
    return moves.reduce((node, move) => node.child(move), this);
  }

  remove() {
    const { parent } = this;
    parent.children = parent.children.filter((child) => child !== this);
  }

  /** Makes this node the one that continues the line of its parent; the others become variations. */
  makeFirst() {
    const { parent } = this;
    parent.children = [this, ...parent.children.filter((child) => child !== this)];
  }

  /** Makes the line to this node the main line. */
  promote() {
    for (let node = this; node.parent; node = node.parent) node.makeFirst();
  }

  count() {
    return this.children.reduce((sum, child) => sum + 1 + child.count(), 0);
  }

  /** The number of variations after this node. */
  variations() {
    return this.children.reduce((sum, child) => sum + child.variations(), Math.max(0, this.children.length - 1));
  }

  /** Writes the moves after this node, with variations in parentheses: `f5 d6 (f6 e6) c3`. */
  write() {
    const words = [];
    // A loop along the line, since a recursion of hundreds of plies is slow.
    for (let node = this; node.children.length;) {
      const [first, ...others] = node.children;
      words.push(first.move, ...others.map((other) => `(${[other.move, other.write()].filter(Boolean).join(" ")})`));
      node = first;
    }
    return words.join(" ");
  }

  /** Adds the moves of a text written by `write`. */
  read(text) {
    const stack = [];
    let node = this;
    for (const [word] of String(text).matchAll(/[()]|[^\s()]+/g)) {
      if (word === "(") {
        if (!node.parent) return;
        stack.push(node);
        node = node.parent;
      } else if (word === ")") {
        if (!stack.length) return;
        node = stack.pop();
      } else node = node.child(word);
    }
  }

  /** The node after these moves, as far as they are in the tree. */
  find(moves) {
    let node = this;
    for (const move of moves) {
      const child = node.children.find((child) => child.move === move);
      if (!child) return node;
      node = child;
    }
    return node;
  }
}
