/** A side. In the mill games, White moves first; in Othello, Black. */
export type Side = "black" | "white";

/** A value for each side. */
export interface BySide<T> {
  readonly black: T;
  readonly white: T;
}

/**
 * Why something failed. Wrong arguments are errors of their own: a `TypeError` or a `RangeError` that names the argument.
 * An aborted request is rejected with the reason of its signal, by default a `DOMException` with the name `AbortError`.
 */
export class MorelloError extends Error {
  /**
   * A fixed identifier. Among others:
   *
   * | code | |
   * | --- | --- |
   * | `illegal_move` | the move is not legal; `cause` says why, such as `flips_nothing` |
   * | `not_a_move_like` | the text is no move |
   * | `unknown_game` | there is no such game |
   * | `unknown_level` | there is no level with this name |
   * | `at` | the text cannot be read; `values` has `line` and `column`, and `cause` the reason |
   * | `not_solved` | `solve` reached its time limit |
   * | `request_too_long`, `game_too_long` | a text of more than 64 KiB, a game of more than 2000 plies |
   * | `file_missing` | a file of the engine cannot be loaded |
   * | `closed` | `close` was called meanwhile |
   * | `engine_failed` | the engine crashed; the next call starts it again |
   */
  readonly code: string;
  /** What the message names, such as the text of the move. */
  readonly values: Readonly<Record<string, string | number>>;
  /** The cause, if there is one; another `MorelloError` if it is of the engine. */
  readonly cause?: unknown;
  constructor(message: string, code: string, values?: Record<string, string | number>, cause?: unknown);
}

/** A game as plain data, as in JSON. */
export interface GameRecord {
  /** The name of the game, such as `othello`: see {@link games}. */
  readonly game: string;
  /** The start position, in the notation of the game; null or undefined if it is the usual one. */
  readonly start?: string | null;
  /** The moves from there, including passes. */
  readonly moves?: readonly string[];
}

/** The end of a game. */
export interface GameResult {
  /** The winner; null in a draw. */
  readonly winner: Side | null;
  /** The points of Black: in Othello the difference of discs, in which the winner gets the empty squares; else 1, 0 or -1. */
  readonly points: number;
  /** A fixed identifier of the reason, such as `full_board` or `repetition`. */
  readonly reason: string;
  /** The result in words. */
  readonly text: string;
}

/** What is known of a game, for {@link Position.format}. */
export interface GameDetails {
  /** The name of Black. */
  readonly black?: string;
  /** The name of White. */
  readonly white?: string;
  readonly event?: string;
  readonly date?: string;
}

/**
 * A position, with the moves that led to it. It never changes: a move returns another position. The first call loads the
 * engine; all other members answer at once.
 */
export class Position {
  private constructor();

  /**
   * Returns the start position of a game.
   * @param game its name, by default `othello`: see {@link games}
   * @throws {MorelloError} `unknown_game`
   */
  static start(game?: string): Promise<Position>;

  /**
   * Reads a position or a game in any text format of the game, such as PGN, a transcript (`f5d6c3`) or a board; of several
   * the first. The position is that after the last move.
   * @param game its name, by default `othello`
   * @throws {MorelloError} `at` if the text cannot be read, `unknown_game`
   */
  static parse(text: string, game?: string): Promise<Position>;

  /**
   * Returns the position after the moves of a record, such as that of {@link Position.toJSON}.
   * @throws {MorelloError} `unknown_game`, `illegal_move` and others if the record is wrong
   */
  static from(record: GameRecord | Position): Promise<Position>;

  /** The name of the game. */
  readonly game: string;
  /** The side to move. */
  readonly side: Side;
  /** The legal moves; none if the game is over. A side that must pass has one, `pass`. */
  readonly moves: readonly string[];
  /** Whether the game is over. */
  readonly isOver: boolean;
  /** The result; null before the end. */
  readonly result: GameResult | null;
  /** The piece on each point, in the order of `points` of {@link GameInfo}: in Othello a1, b1, … h8. */
  readonly pieces: readonly (Side | null)[];
  /** The number of pieces on the board. */
  readonly counts: BySide<number>;
  /** The number of pieces in hand; null in games without. */
  readonly inHand: BySide<number> | null;
  /** The start position; null if it is the usual one. */
  readonly start: string | null;
  /** The moves from the start to this position, including passes. */
  readonly history: readonly string[];
  /** The name of the opening; null if it has none. */
  readonly opening: string | null;
  /** The position before the last move; null at the start. */
  readonly previous: Position | null;

  /**
   * Returns the position after a move.
   * @throws {MorelloError} `illegal_move`, `game_over` and others if it cannot be played
   */
  play(move: string): Position;

  /**
   * Writes the game in a format, such as `pgn`: see `formats` of {@link GameInfo}.
   * @throws {MorelloError} if the format is unknown, cannot be written or cannot represent the game
   */
  format(name: string, details?: GameDetails): string;

  /** Returns the position, without its history, in the notation of the game. `Position.parse` reads it. */
  toString(): string;

  /** Returns the game as plain data. `Position.from` reads it. */
  toJSON(): { game: string; start: string | null; moves: readonly string[] };
}

/** A position: a text is read as one of Othello. */
export type PositionLike = Position | GameRecord | string;

/** A game. */
export interface GameInfo {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The side that moves first. */
  readonly first: Side;
  /** The points of the board. */
  readonly points: readonly { readonly name: string; readonly row: number; readonly column: number }[];
  /** The pairs of points that a line joins; none on a board of squares. */
  readonly lines: readonly (readonly [number, number])[];
  /** The pieces in hand at the start; null in games without. */
  readonly inHand: BySide<number> | null;
  /** Whether the margin of a win counts, as in Othello. */
  readonly countsMargin: boolean;
  /** The highest level of play. */
  readonly levels: number;
  /** The levels with a name, from the weakest. */
  readonly namedLevels: readonly string[];
  readonly formats: readonly { readonly name: string; readonly about: string; readonly isOfGames: boolean; readonly isWritten: boolean }[];
}

/** Returns the games that the engine plays. */
export function games(): Promise<readonly GameInfo[]>;

/** A line of play, and the score of its first move. */
export interface Line {
  /** Points for the side to move: discs in Othello; else from -1, a loss, to 1, a win. */
  score: number;
  /** Whether the score is proved to be the result of best play. */
  exact: boolean;
  /** The plies to the end of the game, if they are known. */
  plies: number | null;
  /** The score in words, such as `+4`, `≥ +2`, `+1.3` (an estimate), `win in 13 plies`. */
  text: string;
  moves: string[];
}

/** The result of a search. */
export interface SearchResult {
  /** The side to move, whose scores these are. */
  side: Side;
  /** The score of the best line, in points for the side to move: see {@link Line}. */
  score: number;
  /** Whether that score is proved. */
  exact: boolean;
  /** The plies to the end of the game, if they are known. */
  plies: number | null;
  /** The score in words. */
  text: string;
  /** The best move; null if the game is over. */
  best: string | null;
  /** The lines, best first. If the game is over, one without moves. */
  lines: Line[];
  /** The depth of the last complete iteration, in plies. */
  depth: number;
  /** The confidence of selective pruning in that iteration, in percent; 100 without it. */
  confidence: number;
  /** The positions visited. */
  nodes: number;
  /** Milliseconds. */
  time: number;
  /** Where the result comes from: an opening book and endgame tables are part of the package. */
  source: "search" | "book" | "table";
}

/** Options of requests that take time. */
export interface Abortable {
  /** Ends the request, which is rejected with the reason of the signal. */
  signal?: AbortSignal;
}

/** The limits of a search: it ends at the first that it reaches. Without a limit, it takes one second. */
export interface SearchOptions extends Abortable {
  /** Plies, from 1 to 1000. */
  depth?: number;
  /** Milliseconds, at most a day. */
  time?: number;
  /** Positions, at least 1. */
  nodes?: number;
  /** A level of play from 1 to 60, which sets the other limits, and solves the last squares of Othello. */
  level?: number;
  /** The number of best moves to report, from 1 to 10; by default 1. */
  lines?: number;
  /** Gets the result so far, each time that it changes. */
  onUpdate?: (result: SearchResult) => void;
}

/**
 * Searches the best moves, in workers. Several searches may run at a time. In Othello, a search with a limit of time alone
 * solves the position from 20 empty squares. Positions of the opening books and endgame tables are answered at once, with the
 * `depth` of what is known.
 * @throws {MorelloError}
 */
export function search(position: PositionLike, options?: SearchOptions): Promise<SearchResult>;

export interface SolveOptions extends Abortable {
  /** Milliseconds, at most a day; by default, the search ends when the position is solved. */
  time?: number;
  /** The number of best moves to solve, from 1 to 10; by default 1. */
  lines?: number;
  /** Gets the result so far. */
  onUpdate?: (result: SearchResult) => void;
}

/** The result of best play. */
export interface Solution extends SearchResult {
  exact: true;
  /** The result for the side to move. */
  outcome: "win" | "draw" | "loss";
}

/**
 * Solves a position: Othello with up to some 24 empty squares in seconds. In the mill games, wins that are near and
 * positions of the opening books and endgame tables are solved; for others, set `time`.
 * @throws {MorelloError} `not_solved` if the time is over before
 */
export function solve(position: PositionLike, options?: SolveOptions): Promise<Solution>;

export interface ChooseOptions extends Abortable {
  /** A level from 1 to 60, or the name of one, such as `casual` (see {@link GameInfo}), which makes mistakes; by default 9. */
  level?: number | string;
  /** Milliseconds, at most 10 seconds, which is the default. */
  time?: number;
}

/** Chooses a move to play; null if the game is over. */
export function choose(position: PositionLike, options?: ChooseOptions): Promise<string | null>;

export type Severity = "inaccuracy" | "mistake" | "blunder";

/** A position of a reviewed game. */
export interface ReviewRow {
  /** The number of moves before it. */
  ply: number;
  /** The move that was played there; null at the end. */
  played: string | null;
  /** What the move lost against the best one, in points; null if unknown. */
  loss: number | null;
  /** How bad the move is; null if it is not, or if the loss is unknown. */
  severity: Severity | null;
  result: SearchResult;
}

/** The moves of a side. Without moves, the averages are null. */
export interface SideSummary {
  /** The number of reviewed moves. */
  moves: number;
  /** Points a move. */
  meanLoss: number | null;
  /** Percent: 100 if no move lost anything. */
  accuracy: number | null;
  /** The share of moves that lost nothing, in percent. */
  agreement: number | null;
}

export interface ReviewSummary extends BySide<SideSummary> {
  phases: ({ name: string } & BySide<SideSummary>)[];
  /** Why moves were bad: the plies before the move, a fixed identifier such as `gives_corner`, and a point. */
  reasons: { ply: number; name: string; point: string | null }[];
  /** The move that decided the game; null if there is none. */
  turningPoint: { ply: number; side: Side; move: string | null; loss: number | null } | null;
}

export interface Review {
  /** Positions with a choice of moves, in order. */
  rows: ReviewRow[];
  /** Null if no move was reviewed. */
  summary: ReviewSummary | null;
}

export interface ReviewOptions extends Abortable {
  /** A level of the searches from 1 to 60. The default takes seconds a game. */
  level?: number;
  /** The most positions visited in a search, at most 5 million. */
  nodes?: number;
  /** Called with each row, as soon as it is known, and the number of moves of the game. */
  onProgress?: (progress: { row: ReviewRow; plies: number }) => void;
}

/** Reviews a game: the moves that led to the position. */
export function review(position: PositionLike, options?: ReviewOptions): Promise<Review>;

/** Ends all workers and frees their memory. Requests that run are rejected with the code `closed`. The next one starts new workers. */
export function close(): Promise<void>;

/**
 * Says where the engine is, and how much it may use. Call it before anything else.
 * @param options.folder the address of the folder `engine` of the package; by default that beside `index.js`
 * @param options.threads the most threads of a search, from 1 to 256; by default the number of cores. Where threads cannot
 *   share memory, there is one.
 */
export function configure(options: { folder?: URL | string; threads?: number }): void;
