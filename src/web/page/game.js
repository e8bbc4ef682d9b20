// The game on the page: its start position, its moves and its link.

import { ask } from "./api.js";

/**
 * The title of a game, such as `Morabaraba, no return`. In nine men's morris as most people know it men may fly, so the titles mark the games
 * without flying.
 */
export function title(name, names) {
  const nine = name.match(/^nine-mens-morris(-flying)?(?:-(.+))?$/);
  if (nine) return ["Nine men’s morris", ...(nine[1] ? [] : ["no flying"]), ...(nine[2] ? [nine[2].replaceAll("-", " ")] : [])].join(", ");
  const base = names.filter((other) => other !== name && name.startsWith(`${other}-`)).sort((a, b) => b.length - a.length)[0];
  const words = (text) => text.replaceAll("-", " ").replaceAll("mens", "men’s");
  const text = base ? `${title(base, names)}, ${words(name.slice(base.length + 1))}` : words(name);
  return text[0].toUpperCase() + text.slice(1);
}

export class Game {
  /** @param board the server's description of the game */
  constructor(board, view) {
    this.board = board;
    this.update(view);
  }

  update(view) {
    this.view = view;
    this.start = view.start;
    this.moves = view.moves;
    this.ply = view.ply;
  }

  /** The fields that describe the game in a request. */
  request() {
    return { game: this.board.game, start: this.start, moves: this.moves, ply: this.ply };
  }

  /** A key of the position with its history. */
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

  /** @param isWanted returns whether the response is still wanted when it arrives */
  async play(text, isWanted) {
    const view = await ask("move", { ...this.request(), move: text });
    if (isWanted()) this.update(view);
  }

  /** @param isWanted as in `play` */
  async jump(ply, isWanted) {
    const view = await ask("view", { ...this.request(), ply: Math.max(0, Math.min(ply, this.moves.length)) });
    if (isWanted()) this.update(view);
  }

  /** The fragment of the link, without `#`. */
  fragment() {
    const fields = new URLSearchParams({ game: this.board.game });
    if (this.start) fields.set("start", this.start);
    if (this.moves.length) fields.set("moves", this.moves.join("."));
    if (this.ply !== this.moves.length) fields.set("ply", this.ply);
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
