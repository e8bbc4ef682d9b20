import { checkText, checkTexts, wrongType } from "./errors.js";
import { ask, loadRules } from "./rules.js";

const deepFreeze = (value) => {
  if (value !== null && typeof value === "object") Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
};
const pair = (values) => values && deepFreeze({ black: values[0], white: values[1] });

/** Only this module makes positions. */
const KEY = Symbol("key");

export class Position {
  /** The answer of the engine, with the position. */
  #view;
  #previous;

  constructor(key, view, previous) {
    if (key !== KEY) throw new TypeError("use Position.start, Position.parse or Position.from");
    this.#view = deepFreeze(view);
    this.#previous = previous;
  }

  static async start(game = "othello") {
    return Position.from({ game: checkText("game", game) });
  }

  static async parse(text, game = "othello") {
    const request = { text: checkText("text", text), game: checkText("game", game) };
    await loadRules();
    return new Position(KEY, ask("load", request).view);
  }

  static async from(record) {
    if (record instanceof Position) return record;
    if (record === null || typeof record !== "object") throw wrongType("record", "an object with a game", record);
    const { game, start, moves } = record;
    const request = {
      game: checkText("record.game", game),
      start: start === undefined || start === null ? null : checkText("record.start", start),
      moves: moves === undefined ? [] : checkTexts("record.moves", moves),
    };
    await loadRules();
    return new Position(KEY, ask("view", request));
  }

  get game() {
    return this.#view.game;
  }

  get side() {
    return this.#view.side;
  }

  get moves() {
    return this.isOver ? Object.freeze([]) : Object.freeze(this.#view.legal.map(({ text }) => text));
  }

  get isOver() {
    return this.#view.end !== null;
  }

  get result() {
    return this.#view.end;
  }

  get pieces() {
    return this.#view.pieces;
  }

  get counts() {
    return pair(this.#view.counts);
  }

  get inHand() {
    return pair(this.#view.in_hand);
  }

  get start() {
    return this.#view.start;
  }

  get history() {
    return this.#view.moves;
  }

  get opening() {
    return this.#view.opening?.name ?? null;
  }

  get previous() {
    const { game, start, moves } = this.#view;
    if (!moves.length) return null;
    this.#previous ??= new Position(KEY, ask("view", { game, start, moves: moves.slice(0, -1) }));
    return this.#previous;
  }

  play(move) {
    checkText("move", move);
    return new Position(KEY, ask("move", { ...this.toJSON(), move }), this);
  }

  format(name, details = {}) {
    checkText("name", name);
    if (details === null || typeof details !== "object") throw wrongType("details", "an object", details);
    const { black = "", white = "", event, date } = details;
    const text = (key, value) => (value === undefined ? undefined : checkText(`details.${key}`, value));
    const names = [checkText("details.black", black), checkText("details.white", white)];
    const request = { names, event: text("event", event), date: text("date", date) };
    return ask("save", { ...this.toJSON(), format: name, ...request }).text;
  }

  toString() {
    return this.#view.position;
  }

  toJSON() {
    const { game, start, moves } = this.#view;
    return { game, start, moves };
  }
}

/** Returns the position of an argument: a position, a record, or a text of Othello. */
export async function positionOf(value) {
  if (typeof value === "string") return Position.parse(value);
  if (value === null || typeof value !== "object") {
    throw wrongType("position", "a Position, a text or an object with a game", value);
  }
  return Position.from(value);
}

export async function games() {
  await loadRules();
  return deepFreeze(ask("games").map((board) => ({
    name: board.game,
    title: board.title,
    about: board.about,
    first: board.first,
    points: board.layout.points,
    lines: board.layout.lines,
    inHand: board.in_hand && { black: board.in_hand[0], white: board.in_hand[1] },
    countsMargin: board.counts_margin,
    levels: board.levels,
    namedLevels: board.named_levels,
    formats: board.formats.map(({ name, about, of_games, is_written }) => (
      { name, about, isOfGames: of_games, isWritten: is_written })),
  })));
}
