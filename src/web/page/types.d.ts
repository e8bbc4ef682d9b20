// The shapes of the server's responses and of the page's own values, for the type check. This file is not served.
// The documentation of the module `web` and of `morello::session` describes the responses.

import type { MoveNode } from "./tree.js";
import type { Clock } from "./clock.js";
import type { Game } from "./game.js";
import type { SetUp } from "./setup.js";

export type { Board } from "./board.js";
export type { Look } from "./board-look.js";
export type { Clock } from "./clock.js";
export type { Frame } from "./gif.js";
export type { Game } from "./game.js";
export type { MoveNode } from "./tree.js";
export type { SetUp } from "./setup.js";
export type { TemplateResult } from "./lit-html.js";

export type Side = "black" | "white";
export type Severity = "inaccuracy" | "mistake" | "blunder";
/** A value for each side, Black first. */
export type Pair<T> = [T, T];

// The responses of the server

/** A kind of game. */
export interface BoardView {
  game: string;
  title: string;
  about: string;
  rules: { name: string; number: number | null }[];
  layout: Layout;
  words: { piece: string; pieces: string; captures: string; captured: string };
  /** Whether the margin of a win counts, as in Othello. */
  counts_margin: boolean;
  most_points: number;
  /** The side that moves first. */
  first: Side;
  /** The pieces in hand at the start, in games that have them. */
  in_hand: Pair<number> | null;
  levels: number;
  named_levels: string[];
  default_level: string;
  formats: { name: string; about: string; of_games: boolean; is_written: boolean }[];
  /** Whether the program has an opening book of the game. */
  has_book: boolean;
  /** The themes that its exercises can have. */
  themes: string[];
  /** The least losses of an inaccuracy, a mistake and a blunder. */
  severities: [number, number, number];
}

export interface Layout {
  rows: number;
  columns: number;
  points: { name: string; row: number; column: number }[];
  /** The pairs of points joined by a line; empty on a board of squares. */
  lines: [number, number][];
  /** The mills, three points each; none in games without mills. */
  mills: [number, number, number][];
}

/** A game and its position after `ply` moves. */
export interface GameView {
  game: string;
  /** The start position; null if it is the usual one. */
  start: string | null;
  /** All moves, including those after the position. */
  moves: string[];
  ply: number;
  position: string;
  first: Side;
  /** The side to move. */
  side: Side;
  /** The piece on each point. */
  pieces: Pieces;
  counts: Pair<number>;
  in_hand: Pair<number> | null;
  /** The legal moves; none if the game is over. */
  legal: Move[];
  last: Move | null;
  end: End | null;
  opening: { name: string; other_names: string[]; ply: number } | null;
  book: BookMove[];
  /** The limit of the scores of all other moves. */
  book_others: number | null;
}

export interface Move {
  text: string;
  /** Its points, in the order in which a user selects them. */
  points: number[];
  /** All points that it changes. */
  changes: number[];
  is_pass: boolean;
}

export interface End {
  /** The winner; null in a draw. */
  winner: Side | null;
  /** The points of Black. */
  points: number;
  /** An identifier, such as `blocked` or `repetition`. */
  reason: string;
  text: string;
}

export interface BookMove {
  text: string;
  score: number;
  is_exact: boolean;
  plies: number | null;
  depth: number;
}

/** A score for the side to move. */
export interface Score {
  points: number;
  exact: boolean;
  /** The plies to the end of the game, if they are known. */
  plies: number | null;
  text: string;
}

export interface Line {
  score: Score;
  moves: string[];
}

/** The result of a search so far. */
export interface SearchView {
  side: Side;
  /** The lines, best first. If the game is over, one line without moves. */
  lines: Line[];
  depth: number;
  /** In percent; 100 without selective pruning. */
  confidence: number;
  nodes: number;
  time_ms: number;
  source: "search" | "book" | "table";
  note: string | null;
}

/** A line of the response to a search: `waiting` before it, `thought` during it, `move` with the last one. */
export interface SearchLine {
  waiting?: number;
  thought?: SearchView;
  move?: string | null;
}

/** The review of a position, and of the move that was played there; null at the end of the game. */
export interface ReviewRow {
  ply: number;
  played: string | null;
  thought: SearchView;
  loss: number | null;
  severity: Severity | null;
}

/** The statistics of a side: its reviewed moves and their averages, null without moves. */
export interface SideSummary {
  moves: number;
  mean_loss: number | null;
  accuracy: number | null;
  agreement: number | null;
}

/** Why a move was bad, such as `gives_corner`. */
export interface Reason {
  name: string;
  point: string | null;
}

export interface ReviewSummary {
  sides: Pair<SideSummary>;
  phases: { name: string; sides: Pair<SideSummary> }[];
  /** Why moves were bad, by their plies; `point` is the name of a point. */
  reasons: (Reason & { ply: number })[];
  turning_point: { ply: number; side: Side; move: string | null; loss: number | null } | null;
}

/** A position whose best move is to be found. */
export interface Exercise {
  game: string;
  start: string;
  side: Side;
  /** The moves that count as right, the best first. */
  best: string[];
  /** The points of moves, for the side to move; empty if only the result of the position is known. */
  values: Record<string, number>;
  outcome: "win" | "draw" | null;
  played?: string;
  difficulty?: "easy" | "medium" | "hard";
  themes?: string[];
  source?: string;
}

/** A position or game of a file, or the error of an invalid record. */
export interface FileEntry extends Partial<ServerError> {
  line: number;
  start?: string;
  moves: string[];
  /** The moves with variations and comments, as `MoveNode.write` writes them. */
  tree?: string;
  names: Pair<string | null>;
  event: string | null;
  date: string | null;
  /** The points by which Black won, if they are known. */
  points: number | null;
  /** Whether they are a score: if not, only the winner is known. */
  scored: boolean;
  notes?: ServerError[];
}

/** An error of the server: its text in English, and what the page writes in its language. */
export interface ServerError {
  error: string;
  /** The text is that of `error.CODE`, with these values. */
  code?: string;
  values?: Record<string, string | number>;
  cause?: ServerError;
}

/** The fields of a request that describe a game. */
export interface GameRequest {
  game: string;
  start?: string | null;
  moves?: string[];
  ply?: number;
}

/** The response to each request. */
export interface Responses {
  games: BoardView[];
  view: GameView;
  line: { views: GameView[] };
  /** An unfinished selection of points has other fields, which the page does not read. */
  move: GameView;
  arrange: GameView;
  load: { view: GameView; more: boolean };
  save: { text: string };
  exercise: Exercise;
  lesson: Lesson;
  /** A file of the cards in the request, or the cards of the file in the request. */
  cards: { text: string; cards: Card[] };
  refute: Refutation;
  [open: `open/${string}`]: { game: string; games: FileEntry[]; more: boolean };
}

/** The lines of each request that is answered with lines, and `done` of the last. */
export interface Streams {
  choose: { line: SearchLine; done: { cut: boolean } };
  analyze: { line: SearchLine; done: { cut: boolean } };
  values: { line: SearchLine; done: { cut: boolean } };
  review: { line: { waiting?: number; row?: ReviewRow }; done: { cut: boolean; summary: ReviewSummary | null } };
}

// The page's own values

/** The texts of a language. */
export interface Language {
  name: string;
  texts: Record<string, string>;
  games: Record<string, string>;
  about: Record<string, string>;
  formats: Record<string, string>;
}

/** `person` or a level for each side. */
export type Players = Record<Side, string>;

/** What is known of a game from a file. */
export interface Details {
  names?: Pair<string | null>;
  event?: string;
  date?: string;
  points?: number;
}

/** A game as it is kept: its tree as text, and where it was left. */
export interface GameRecord {
  id: string;
  game: string;
  start: string | null;
  tree: string;
  /** The moves of the line, separated by spaces, and the ply of the position in it. */
  line: string;
  at: number;
  created: number;
  details: Details;
  players: Players;
  verdict?: Verdict | null;
  clock?: ClockRecord;
  /** The tree as it is stored, if it is another. */
  stored?: string;
}

/** An end of a game other than by its rules, after the moves of a line. */
export interface Verdict {
  winner: Side | null;
  reason: "resigned" | "agreed" | "time";
  line: string;
}

/** The time of both sides: seconds at the start and for each move, and the milliseconds that are left. */
export interface ClockRecord {
  base: number;
  increment: number;
  left?: Record<Side, number>;
}

/** A game in the list of recent games. */
export interface Description {
  id: string;
  game: string;
  changed: number;
  created: number;
  plies: number;
  variations: number;
  opening?: string;
  names: string[];
  event?: string;
  /** The points of Black; null if the game is not over. */
  points: number | null;
  /** Whether they are a score: if not, only the winner is known. */
  scored?: boolean;
}

/** An action that can be undone: the game before and after it. */
export interface Action {
  before: GameRecord;
  after: GameRecord;
}

/** What is shown of a position's evaluation. */
export interface Evaluation {
  /** From 0, lost for Black, to 1, won. */
  share: number;
  text: string;
  exact: boolean;
  /** The result of the search; none at the end of the game. */
  thought?: SearchView;
}

/** A point of the evaluation graph. */
export interface GraphPoint {
  /** From 0, lost for Black, to 1, won; null if unknown. */
  share: number | null;
  exact: boolean;
  words?: string;
  /** The name of the move. */
  name: string;
  severity?: Severity;
}

/** The value of every move of a position. */
export interface Hints {
  node: MoveNode;
  lines: Line[];
}

/** A search that runs; that of an engine's move can be told to move at once. */
export type RunningSearch = AbortController & { now?: () => void };

/** The review of a line: its nodes, the number that are reviewed, and the statistics at the end. */
export interface Review {
  line: MoveNode[];
  done: number;
  summary: ReviewSummary | null;
  cut: boolean;
}

/** An exercise, and what is known of its solution and of the game that it is from. */
export interface AskedExercise extends Exercise {
  /** The best line, with the value of the position if it is known. */
  answer?: { score: Score | null; moves: string[] };
  /** The names or levels of the players, Black first; empty for a human without a name. */
  names?: string[];
  date?: string;
  /** The number of the move that was played, as the list of moves has it. */
  number?: number;
  id?: string;
  /** Why the last wrong move is wrong. */
  refutation?: Refutation | null;
}

/** A mistake of a reviewed game that is kept. */
export interface Mistake extends AskedExercise {
  id: string;
  /** Whether it was found at the first try when it was last practiced, and when that was. */
  isSolved: boolean;
  seen: number;
}

/** How well a position of an opening was learnt. */
export interface Card {
  game: string;
  position: string;
  box: number;
  /** When it is asked again, in seconds since the beginning of 1970. */
  due: number;
  answer?: string;
  right: number;
  wrong: number;
}

/** A position of an opening whose move is asked. */
export interface OpeningQuestion extends AskedExercise {
  /** The moves of the line before the position. */
  moves: string[];
  is_new: boolean;
  /** The card after a wrong answer, and after each right one. */
  wrong: Card;
  right: Record<string, Card>;
}

/** The questions of a line, and the numbers of positions. */
export interface Lesson {
  questions: OpeningQuestion[];
  positions: number;
  new: number;
  learnt: number;
  due: number;
  next_due: number | null;
}

/** Why a move is wrong. */
export interface Refutation {
  loss: number | null;
  line: string[];
  reason: Reason | null;
}

/** Where the exercises of a practice come from: the fields of the request, or a list. */
export interface PracticeSource {
  kind: "endgame" | "puzzle" | "own" | "file" | "link" | "mistake" | "openings";
  game: string;
  empties?: number;
  difficulty?: "easy" | "medium" | "hard";
  theme?: string;
  start?: string | null;
  exercises?: AskedExercise[];
  /** The side that learns openings, the line at which they begin, the tolerance in points, and the order of replies. */
  side?: Side;
  moves?: string[];
  max_loss?: number;
  replies?: "frequency" | "tricky";
}

/** How many exercises were tried, solved at the first try, and solved in a row: now and at best. */
export interface Progress {
  tried: number;
  solved: number;
  streak: number;
  best: number;
}

/** A review as it is kept: the moves of its line, and what it says about each position. */
export interface KeptReview extends Pick<Review, "summary" | "cut"> {
  moves: string[];
  rows: Partial<Pick<MoveNode, "thought" | "loss" | "severity" | "reason" | "better">>[];
}

export interface Practice {
  source: PracticeSource;
  check: (played: string) => Promise<void>;
  /** What comes back at the end. */
  before: { game: Game; review: Review | null };
  tried: number;
  solved: number;
  /** The number of the exercise, counted from 0. */
  number: number;
  exercise: AskedExercise | null;
  /** The position of the exercise. */
  node?: MoveNode;
  /** The wrong moves so far, with their losses if they are known. */
  tries: { move: string; loss: number | null }[];
  result: "" | "checking" | "wrong" | "right" | "shown";
  /** The move that was played last. */
  move: string;
  /** Whether the exercise is not counted yet. */
  isFirst: boolean;
  /** Whether no move is asked for. */
  isOver: boolean;
  /** Whether the solution is being played. */
  isShowing: boolean;
}

/** The state of the page. */
export interface State {
  boards: BoardView[];
  game: Game;
  players: Players;
  touched: number[];
  premove: number[];
  paused: boolean;
  flipped: boolean;
  evaluating: boolean;
  hinting: boolean;
  lines: number;
  tab: string;
  clock: Clock | null;
  opponentScore: number | null;
  running: Partial<Record<"engine" | "analysis" | "values" | "review", RunningSearch>>;
  values: Hints | null;
  review: Review | null;
  failure: string;
  practice: Practice | null;
  setup: SetUp | null;
  step: number;
  isNewEntry: boolean;
}

/** The parts of the state that views can show. */
export type Part = "board" | "position" | "thinking" | "evaluation" | "hints" | "review" | "undo" | "clock" | "tab"
  | "ended" | "notes";

// The board

/** The piece on each point. */
export type Pieces = (Side | null)[];

/** Where something is in the image of the board. */
export interface Place {
  x: number;
  y: number;
}

/** A rectangle. That of a label has its center as its place, others their corner. */
export interface Box extends Place {
  width: number;
  height: number;
}

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
  pieces: Pieces;
  /** The side to move. */
  side: Side;
  /** A move to animate. */
  move?: Move;
  /** The last move. */
  last?: { points: number[]; changes?: number[] } | null;
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
  /** What the user has drawn. */
  shapes?: string[];
  /** Whether every point can be selected. */
  free?: boolean;
}

/** The elements of a point, and what was drawn there last. */
export interface Cell {
  group: SVGGElement;
  man?: SVGElement;
  name: string;
  label: string;
}

/** The addresses of the images of the board's textures. */
export interface Textures {
  wood: string;
  cloth: string;
}
