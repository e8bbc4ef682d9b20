// How well the positions of openings were learnt: the cards of the trainer, kept in the browser.

import { storage } from "./storage.js";

/** @import { Card, OpeningQuestion } from "./types.d.ts" */

/** The new positions of a day. */
export const NEW_A_DAY = 10;

/** @type {() => Record<string, Card>} the cards of all games */
const all = () => storage.read("opening cards", {});

/** A position has a card for each right answer. @param {Card} card */
const keyOf = ({ game, position, answer }) => `${game} ${position} ${answer ?? ""}`;

/** The time of the trainer, in seconds since the beginning of 1970. */
export const seconds = (now = Date.now()) => Math.floor(now / 1000);

/** The cards of all games. */
export const allCards = () => Object.values(all());

/** The cards of a kind of game. @param {string} game */
export const cardsOf = (game) => allCards().filter((card) => card.game === game);

/** The new positions that may still be asked on the day of a time in milliseconds. */
export function newLeft(now = Date.now()) {
  const { day, count } = storage.read("opening day", { day: "", count: 0 });
  return day === dayOf(now) ? Math.max(NEW_A_DAY - count, 0) : NEW_A_DAY;
}

/** @param {number} now */
const dayOf = (now) => new Date(now).toDateString();

/**
 * Keeps the card of a position after its first answer.
 * @type {(question: OpeningQuestion, move: string | null, now?: number) => void} the move is null if it was wrong
 */
export function keepAnswer({ is_new, right, wrong }, move, now = Date.now()) {
  const card = (move && right[move]) || wrong;
  const cards = { ...all(), [keyOf(card)]: card };
  if (card.answer) delete cards[keyOf({ ...card, answer: undefined })];
  storage.write("opening cards", cards);
  if (is_new) storage.write("opening day", { day: dayOf(now), count: NEW_A_DAY - newLeft(now) + 1 });
}

/** Adds cards of another place; of a position and answer, the card with more answers counts. @param {Card[]} cards */
export function addCards(cards) {
  /** @param {Card} [card] */
  const answers = (card) => (card ? card.right + card.wrong : -1);
  const known = all();
  for (const card of cards) if (answers(card) >= answers(known[keyOf(card)])) known[keyOf(card)] = card;
  storage.write("opening cards", known);
}

export const hasCards = () => allCards().length > 0;

/** Forgets what was learnt. */
export function removeCards() {
  storage.remove("opening cards");
  storage.remove("opening day");
}
