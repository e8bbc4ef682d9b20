// The language of the page: the texts of keys and of errors of the server.

import * as english from "./texts-en.js";
import * as german from "./texts-de.js";
import { storage } from "./storage.js";

/** @import { BoardView, Language, ServerError } from "./types.d.ts" */

/** @type {Record<string, Language>} */
export const LANGUAGES = { en: english, de: german };

const preferred = () => navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in LANGUAGES) ?? "en";

const chosen = storage.read("language", "");
export const language = chosen in LANGUAGES ? chosen : preferred();
const current = LANGUAGES[language];

/** @type {(text: string, values: Record<string, any>) => string} fills `{name}` and `{count:one|several}` */
const fill = (text, values) => text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, several) =>
  (one === undefined ? values[name] ?? "" : Number(values[name]) === 1 ? one : several));

/**
 * The text of a key. `piece`, the name of a piece, selects a special text of games with that piece.
 * @param {string} key
 * @param {Record<string, any>} values
 * @param {string} [piece]
 */
export function t(key, values = {}, piece = undefined) {
  for (const { texts } of [current, LANGUAGES.en]) {
    const text = texts[`${key}.${piece}`] ?? texts[key];
    if (text !== undefined) return fill(text, values);
  }
  return key;
}

/** @param {string} key */
export const hasText = (key) => key in current.texts || key in english.texts;

/**
 * A number of pieces as a word without the number: `disc`, `discs`.
 * @param {Pick<BoardView, "words">} board
 * @param {number} count
 */
export function pieceWord({ words: { piece, pieces } }, count) {
  if (hasText(piece)) return t(piece, { count });
  return count === 1 ? piece : pieces;
}

/**
 * The title of a game. Games without a translation have the title of the server.
 * @param {Pick<BoardView, "game" | "title">} board
 */
export const gameTitle = (board) => current.games[board.game] ?? board.title;
/** @param {BoardView} board */
export const gameAbout = (board) => current.about[board.game] ?? board.about;
/** @param {BoardView["formats"][0]} format */
export const formatAbout = ({ name, about }) => current.formats[name] ?? about;

/**
 * The text of an error of the server, and after a colon that of its cause.
 * @param {ServerError} error
 * @returns {string}
 */
export function errorText({ error, code, values = {}, cause }) {
  const key = `error.${code}`;
  const { side, game, title, piece } = values;
  const words = { ...values, side: side && t(`${side}`), game: current.games[game] ?? title };
  const text = hasText(key) ? t(key, words, `${piece}`) : error;
  return cause ? `${text}: ${errorText(cause)}` : text;
}

/**
 * A number as people of the language write it. `toFixed` rounds as the server does, which the language does not: 0.495
 * is a little less.
 * @type {(number: number, digits: number) => string}
 */
export const decimal = (number, digits) => (
  Number(number.toFixed(digits)).toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }));

/**
 * Translates the elements of the page: `data-t` is the key of the content, `data-t-label` and `data-t-title` those of
 * attributes.
 */
export function translatePage() {
  document.documentElement.lang = language;
  /** @type {(name: string, show: (element: Element, text: string) => void) => void} */
  const each = (name, show) => {
    for (const element of document.querySelectorAll(`[${name}]`)) show(element, t(element.getAttribute(name) ?? ""));
  };
  each("data-t", (element, text) => { element.textContent = text; });
  each("data-t-label", (element, text) => element.setAttribute("aria-label", text));
  each("data-t-title", (element, text) => element.setAttribute("title", text));
}
