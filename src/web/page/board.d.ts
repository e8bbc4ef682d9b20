// The types of what the page uses of board.js.

import type { BoardView, Move, Side } from "./types.d.ts";

/** A hint: the value of a point or of an arrow. */
export interface Value {
  text: string;
  exact?: boolean;
  best?: boolean;
  /** Its place between the best hint, 1, and one that loses much, 0. */
  rank?: number;
}

/** A hint from one point to another. */
export interface Arrow extends Value {
  from: number;
  to: number;
}

/** What a board shows. */
export interface Show {
  pieces: (Side | null)[];
  /** The side to move. */
  side: Side;
  /** A move to animate. */
  move?: Move;
  /** The last move. */
  last?: Pick<Move, "points"> | null;
  /** The points that are selected so far, and those that can be selected next. */
  touched?: number[];
  targets?: number[];
  /** The points of pieces that may be dragged. */
  movable?: number[];
  /** The points of a move that waits for its turn. */
  premove?: number[];
  /** The points of closed mills, three by three. */
  mill?: number[];
  /** The points that a selection would change. */
  changes?: (point: number) => number[];
  /** The hint of each target, and those for screen readers. */
  values?: Map<number, Value>;
  spoken?: Map<number, Value>;
  /** The best first. */
  arrows?: Arrow[];
  /** Whether every point can be selected. */
  free?: boolean;
}

export class Board {
  constructor(host: HTMLElement, options?: { textured?: boolean; still?: boolean });
  svg: SVGSVGElement;
  /** A point was clicked. */
  onTouch: (point: number) => void;
  /** The selection was cancelled. */
  onEscape: () => void;
  /** A piece is being dragged from a point, was dropped on another, or beside the points. */
  onPick: (point: number) => void;
  onDrop: (from: number, to: number) => void;
  onCancel: () => void;
  /** Draws an empty board. */
  build(board: BoardView, flipped: boolean): void;
  show(show: Show): void;
}
