// The mistakes of reviewed games that are kept in the browser, to practice them later.

import { storage } from "./storage.js";

/** @import { Game, Mistake, MoveNode } from "./types.d.ts" */

/** The largest number of mistakes that are kept. */
export const MAX_MISTAKES = 300;

/** @type {() => Mistake[]} the kept mistakes of all games, the newest first */
const all = () => storage.read("mistakes", []);

/** The kept mistakes of a kind of game, the newest first. @param {string} game */
export const keptMistakes = (game) => all().filter((mistake) => mistake.game === game);

/**
 * The mistake before a node of a reviewed game, as an exercise; undefined if the review does not tell enough.
 * @type {(game: Game, node: MoveNode, names: string[]) => Mistake | undefined}
 */
export function mistakeAt(game, node, names) {
  const { move, loss, better: answer, parent } = node;
  if (!move || loss === undefined || !parent?.view || !answer?.moves.length) return undefined;
  const { score: { points }, moves: [best] } = answer;
  if (best === move) return undefined;
  const { position, side } = parent.view;
  return {
    id: `${game.id} ${position}`, game: game.board.game, start: position, side, best: [best], outcome: null,
    // Only two moves were evaluated: the best one, and the one that was played.
    values: { [move]: points - loss, [best]: points }, played: move, answer, names,
    number: game.number(node),
    date: game.details.date ?? new Date(game.created).toISOString().slice(0, 10), isSolved: false, seen: 0,
  };
}

/** Keeps mistakes. What is known of the same position of the same game stays. @param {Mistake[]} mistakes */
export function keepMistakes(mistakes) {
  const old = all();
  const added = mistakes.map((mistake) => {
    const { isSolved, seen } = old.find(({ id }) => id === mistake.id) ?? mistake;
    return { ...mistake, isSolved, seen };
  });
  const others = old.filter(({ id }) => !added.some((mistake) => mistake.id === id));
  storage.write("mistakes", [...added, ...others].slice(0, MAX_MISTAKES));
}

/** Notes a try to find the move. @type {(id: string, isSolved: boolean, now?: number) => void} */
export function noteMistake(id, isSolved, now = Date.now()) {
  const noted = all().map((mistake) => (mistake.id === id ? { ...mistake, isSolved, seen: now } : mistake));
  storage.write("mistakes", noted);
}

/**
 * The mistake to practice next: an unsolved one, otherwise the one that was solved longest ago.
 * @type {(game: string, last?: string) => Mistake | undefined} `last` is asked again only if there is no other
 */
export function nextMistake(game, last) {
  const mistakes = keptMistakes(game);
  const others = mistakes.filter(({ id }) => id !== last);
  /** @type {(one: Mistake, other: Mistake) => number} */
  const order = (one, other) => Number(one.isSolved) - Number(other.isSolved) || one.seen - other.seen;
  return (others.length ? others : mistakes).sort(order)[0];
}
