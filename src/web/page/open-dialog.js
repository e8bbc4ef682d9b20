// Opens games and positions from text and files: the dialog, files that are dropped on the page, and the list to choose
// from.

import { RequestError, ask } from "./api.js";
import { HUMANS, open, openLink, shortResult } from "./documents.js";
import { find, make, openDialog, renderCode, reportErrors, showMessage, withErrors } from "./dom.js";
import { errorText, formatAbout, gameTitle, t } from "./language.js";
import { knownBoard, state } from "./state.js";

/** @import { Details, FileEntry, Responses, ServerError } from "./types.d.ts" */

/** The largest file, in bytes; the server has the same limit. */
const MAX_BYTES = 12 << 20;

/** The fragment of a link to this page in a text; undefined if the text is something else. @param {string} text */
const linkIn = (text) => text.trim().match(/^\S*#(game=\S+)$/)?.[1];

export function showOpenDialog() {
  const text = make("textarea", { id: "load-text", rows: 7, spellcheck: "false", autocomplete: "off" });
  const error = make("p", { class: "error", id: "load-error", role: "alert" });
  const load = make("button", { type: "submit", class: "primary", id: "load-do" }, t("loadDo"));
  const formats = state.game.board.formats.map((format) => make("li", {}, ...renderCode(formatAbout(format))));
  /** @param {{ target: HTMLInputElement }} event */
  const chooseFiles = ({ target }) => {
    const files = [...(target.files ?? [])];
    target.value = "";
    withErrors(error, async () => {
      await openFiles(files);
      dialog.close();
    });
  };
  const dialog = openDialog("load-dialog", t("loadTitle"), [
    make("label", { for: "load-text" }, t("loadText")),
    make("ul", { class: "formats" }, ...formats),
    text,
    make("label", { for: "load-file" }, t("loadFile")),
    make("input", { id: "load-file", type: "file", multiple: true, onchange: chooseFiles }),
    error,
  ], [load], t("cancel"));
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    withErrors(error, async () => {
      const link = linkIn(text.value);
      if (link) await openLink(link, true);
      else await openBlob(new Blob([text.value]));
      dialog.close();
    });
  });
  text.focus();
}

/** Opens files: their only game, or a list to choose from. @param {File[]} files */
async function openFiles(files) {
  const file = files.length === 1 ? files[0] : await joined(files);
  if (file.size > MAX_BYTES) throw new RequestError(t("tooLarge", { size: MAX_BYTES >> 20 }));
  // A file that is removed meanwhile cannot be read.
  await openBlob(new Blob([await file.arrayBuffer()]));
}

/** Several files as one. Those of a WTHOR database, games and names, have no text between them. @param {File[]} files */
async function joined(files) {
  const between = files.some(({ name }) => /\.(wtb|jou|trn)$/i.test(name)) ? "" : "\n";
  const parts = [];
  for (const file of files) parts.push(await file.arrayBuffer(), between);
  return new Blob(parts);
}

/** @param {Blob} blob */
async function openBlob(blob) {
  // A file of another game is opened as that game.
  const { game, games, more } = await ask(`open/${state.game.board.game}/0`, blob);
  /** @param {number} skip */
  const request = (skip) => ask(`open/${game}/${skip}`, blob);
  const valid = games.filter(({ error }) => !error);
  if (!games.length) throw new RequestError(t("chooseNone"));
  if (!valid.length) throw new RequestError(problemOf(games[0]));
  if (games.length === 1 && !more) await openEntry(game, games[0]);
  else choose(game, games, more, request);
}

/**
 * @param {string} game
 * @param {FileEntry} entry
 */
async function openEntry(game, { start, moves, tree, names, event, date, points, notes }) {
  const known = Object.entries({ names: names.some(Boolean) ? names : null, event, date, points });
  /** @type {Details} */
  const details = Object.fromEntries(known.filter(([, value]) => (value ?? null) !== null));
  const count = moves.length;
  const isOther = game !== state.game.board.game;
  const message = isOther ? t("loadedAs", { count, game: gameTitle(knownBoard(game)) }) : t("loaded", { count });
  await open(game, { game, start, moves }, message, {
    details, tree, players: moves.length ? HUMANS : undefined,
  });
  if (notes) showMessage(notesText(notes));
  else if (isOther) showMessage(message);
}

/** What is wrong with an entry. @param {FileEntry} entry */
const problemOf = ({ error = "", code, values, cause }) => error && errorText({ error, code, values, cause });

/** What was left out of the text of an entry. @param {ServerError[]} notes */
const notesText = (notes) => notes.map(errorText).join("; ");

/** @param {FileEntry} entry */
const nameOf = (entry) => problemOf(entry) || (entry.names.some(Boolean)
  ? entry.names.map((name) => name ?? "?").join(" – ")
  : entry.moves.length ? entry.moves.slice(0, 8).join(" ") : t("position"));

/**
 * Shows the list of the entries of a file.
 * @param {string} game
 * @param {FileEntry[]} games
 * @param {boolean} more whether there are more
 * @param {(skip: number) => Promise<Responses["open/"]>} request returns the entries after some
 */
function choose(game, games, more, request) {
  const error = make("p", { class: "error", role: "alert" });
  const list = make("ul", { class: "entries", id: "choose-list" });
  const label = t("chooseFilter");
  const filter = make("input", {
    id: "choose-filter", type: "search", placeholder: label, "aria-label": label, oninput: () => fill(),
  });
  const readMore = () => withErrors(error, async () => {
    const next = await request(games.length);
    games = [...games, ...next.games];
    more = next.more;
    fill();
  });
  const moreButton = make("button", { type: "button", id: "choose-more", onclick: readMore }, t("chooseMore"));
  const title = () => t("chooseTitle", { count: `${games.length}${more ? "+" : ""}` });
  const dialog = openDialog("choose-dialog", title(), [filter, list, error], [moreButton], t("cancel"));
  /** @param {FileEntry} entry */
  const pick = (entry) => withErrors(error, async () => {
    await openEntry(game, entry);
    dialog.close();
  });
  /** @param {FileEntry} entry */
  const item = (entry) => {
    const { error: problem, points, scored, moves, event, date, notes } = entry;
    const facts = [
      shortResult({ game, points, scored }), t("plies", { count: moves.length }), event, date,
      notes && notesText(notes),
    ];
    return make("li", {}, make("button", { type: "button", disabled: Boolean(problem), onclick: () => pick(entry) },
      make("b", {}, nameOf(entry)),
      make("span", { class: "quiet" }, problem ? "" : facts.filter(Boolean).join(" · "))));
  };
  const fill = () => {
    find("choose-dialog-title").textContent = title();
    moreButton.hidden = !more;
    const words = filter.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const shown = games.filter((entry) => {
      const text = [nameOf(entry), entry.event, entry.date].join(" ").toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    });
    list.replaceChildren(...shown.map(item));
  };
  fill();
}

/** Lets the user drop files anywhere on the page. */
export function listenToDrops() {
  const hint = find("drop");
  /** @param {DragEvent} event */
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    hint.hidden = false;
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) hint.hidden = true; });
  addEventListener("drop", async (event) => {
    hint.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    await reportErrors(() => openFiles([...(event.dataTransfer?.files ?? [])]));
  });
}
