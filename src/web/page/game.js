// The game that the page holds: its start and its moves, and the link that says the same.

import { ask } from "./api.js";

/** A name such as `nine-mens-morris-flying` as people write it. */
export function title(name, names) {
  const base = names.filter((other) => other !== name && name.startsWith(`${other}-`)).sort((a, b) => b.length - a.length)[0];
  const words = (text) => text.replaceAll("-", " ").replaceAll("mens", "men’s");
  const text = base ? `${title(base, names)}, ${words(name.slice(base.length + 1))}` : words(name);
  return text[0].toUpperCase() + text.slice(1);
}

export class Game {
  /** @param board what the server tells of the game */
  constructor(board, view) {
    this.board = board;
    this.take(view);
  }

  take(view) {
    this.view = view;
    this.start = view.start;
    this.moves = view.moves;
    this.ply = view.ply;
  }

  /** What a question tells of the game. */
  told() {
    return { game: this.board.game, start: this.start, moves: this.moves, ply: this.ply };
  }

  /** What stands for the position with its history. */
  key(ply = this.ply) {
    return [this.board.game, this.start ?? "", ...this.moves.slice(0, ply)].join(" ");
  }

  sideAt(ply) {
    const other = this.view.first === "black" ? "white" : "black";
    return ply % 2 === 0 ? this.view.first : other;
  }

  /** The moves that begin with these points. */
  movesThrough(touched) {
    return this.view.legal.filter((move) => touched.every((point, at) => move.points[at] === point));
  }

  /** @param isWanted says whether the answer is still wanted when it comes */
  async play(text, isWanted) {
    const view = await ask("move", { ...this.told(), move: text });
    if (isWanted()) this.take(view);
  }

  /** @param isWanted as of `play` */
  async jump(ply, isWanted) {
    const view = await ask("view", { ...this.told(), ply: Math.max(0, Math.min(ply, this.moves.length)) });
    if (isWanted()) this.take(view);
  }

  /** The link without its `#`. */
  fragment() {
    const fields = new URLSearchParams({ game: this.board.game });
    if (this.start) fields.set("start", this.start);
    if (this.moves.length) fields.set("moves", this.moves.join("."));
    if (this.ply !== this.moves.length) fields.set("ply", this.ply);
    return fields.toString();
  }

  /** What a link tells, as a question. */
  static told(fragment) {
    const fields = new URLSearchParams(fragment);
    const moves = (fields.get("moves") ?? "").split(".").filter(Boolean);
    const ply = Number.parseInt(fields.get("ply") ?? "", 10);
    return { game: fields.get("game"), start: fields.get("start"), moves, ...(ply >= 0 ? { ply } : {}) };
  }
}
