// The language of the page: translates keys of `texts-en.js` and messages of the server.

import * as english from "./texts-en.js";
import * as german from "./texts-de.js";
import { storage } from "./storage.js";

export const LANGUAGES = { en: english, de: german };

const preferred = () => navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in LANGUAGES) ?? "en";

const chosen = storage.read("language", null);
export const language = chosen in LANGUAGES ? chosen : preferred();
const current = LANGUAGES[language];

/** Fills the `{name}` and `{count:one|several}` of a text. */
const fill = (text, values) => text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, several) =>
  (one === undefined ? values[name] ?? "" : Number(values[name]) === 1 ? one : several));

/** The text of a key. `piece`, the name of a piece, selects a special text of games with that piece. */
export function t(key, values = {}, piece = undefined) {
  for (const { texts } of [current, english]) {
    const text = texts[`${key}.${piece}`] ?? texts[key];
    if (text !== undefined) return fill(text, values);
  }
  return key;
}

export const hasText = (key) => key in current.texts || key in english.texts;

/** A number of pieces as a word without the number: `disc`, `discs`. */
export function pieceWord({ words: { piece, pieces } }, count) {
  if (hasText(piece)) return t(piece, { count });
  return count === 1 ? piece : pieces;
}

/** The title of a game. Games without a translation have the title of the server. */
export const gameTitle = (board) => current.games[board.game] ?? board.title;
export const gameAbout = (board) => current.about[board.game] ?? board.about;

/** Translates a message of the server as far as the language has its pattern. */
export function translateError(text) {
  for (const [pattern, translation] of current.errors) {
    const match = text.match(pattern);
    if (match) return translation.replace(/\$(\d)/g, (_, at) => translateError(match[at] ?? ""));
  }
  return text;
}

/** A number as people of the language write it. */
export const decimal = (number, digits) => (
  number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }));

/**
 * Translates the elements of the page: `data-t` is the key of the content, `data-t-label` and `data-t-title` those of
 * attributes.
 */
export function translatePage() {
  document.documentElement.lang = language;
  const each = (name, work) => document.querySelectorAll(`[${name}]`).forEach(work);
  each("data-t", (element) => { element.textContent = t(element.dataset.t); });
  each("data-t-label", (element) => element.setAttribute("aria-label", t(element.dataset.tLabel)));
  each("data-t-title", (element) => { element.title = t(element.dataset.tTitle); });
}
