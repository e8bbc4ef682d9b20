// The dialog that saves the whole game as text, or as an image.

import { ask } from "./api.js";
import { download, make, openDialog, renderCode, withErrors } from "./dom.js";
import { playerNames } from "./documents.js";
import { saveGif, savePng, saveSvg, showSheet } from "./images.js";
import { formatAbout, t } from "./language.js";
import { sideName } from "./score.js";
import { SIDES, state } from "./state.js";

/** @import { BoardView } from "./types.d.ts" */

/** The format that was used last. */
let last = "";

export function showSaveDialog() {
  const { game } = state;
  const { board } = game;
  const writable = board.formats.filter((format) => format.is_written);
  /** @param {BoardView["formats"][0]} format */
  const option = ({ name, of_games: isOfGames }) => (
    make("option", { value: name }, t(isOfGames ? "formatGame" : "formatPosition", { name })));
  const format = make("select", { id: "save-format" }, ...writable.map(option));
  if (writable.some(({ name }) => name === last)) format.value = last;
  const names = playerNames();
  const sides = SIDES.map((side, at) => (
    make("input", { id: `save-${side}`, autocomplete: "off", maxlength: 60, value: names[at] })));
  const text = make("textarea", {
    id: "save-text", rows: 7, readonly: true, spellcheck: "false", "aria-label": t("textToSave"),
  });
  const about = make("p", { class: "quiet", id: "save-about" });
  const note = make("p", { class: "quiet" });
  const error = make("p", { class: "error", id: "save-error", role: "alert" });
  const copy = make("button", { type: "button", id: "save-copy", onclick: async () => {
    const isCopied = await navigator.clipboard?.writeText(text.value).then(() => true, () => false);
    if (isCopied) copy.textContent = t("copied");
    else text.select();
  } }, t("copy"));
  const save = make("button", { type: "button", class: "primary", id: "save-do", onclick: () => {
    const end = ["ggf", "pgn"].includes(format.value) ? format.value : "txt";
    download(new Blob([text.value], { type: "text/plain" }), `${board.game}.${end}`);
  } }, t("download"));
  /** @type {(id: string, key: string, work: (note: Element) => unknown) => HTMLButtonElement} */
  const image = (id, key, work) => (
    make("button", { type: "button", class: "small", id, onclick: () => withErrors(error, () => work(note)) }, t(key)));
  const dialog = openDialog("save-dialog", t("saveTitle"), [
    make("div", { class: "pair" }, ...SIDES.map((side, at) => make("label", {}, sideName(side), sides[at]))),
    make("label", { for: "save-format" }, t("format")), format, about, text, note, error,
    make("div", { class: "buttons", role: "group", "aria-label": t("imageTitle") },
      image("image-svg", "imageSvg", saveSvg), image("image-png", "imagePng", savePng),
      image("image-gif", "imageGif", saveGif), image("image-sheet", "imageSheet", showSheet)),
  ], [copy, save]);
  dialog.addEventListener("submit", (event) => event.preventDefault());
  const write = () => withErrors(error, async () => {
    last = format.value;
    text.value = "";
    copy.textContent = t("copy");
    const chosen = board.formats.find(({ name }) => name === format.value);
    about.replaceChildren(...renderCode(chosen ? formatAbout(chosen) : ""));
    note.textContent = chosen?.of_games && game.root.variations() ? t("saveVariations") : "";
    // A position is the one on the board; a game is saved as a whole, wherever the user is in it.
    const request = game.request(chosen?.of_games ? game.lineEnd : game.node);
    const body = { ...request, format: format.value, names: sides.map((side) => side.value) };
    text.value = `${(await ask("save", body)).text}\n`;
  });
  for (const element of [format, ...sides]) element.addEventListener("input", write);
  write();
}
