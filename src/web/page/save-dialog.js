// The dialog that saves the whole game as text, or as an image.

import { ask } from "./api.js";
import { playerNames } from "./documents.js";
import { download, make, openDialog, renderCode, withErrors } from "./dom.js";
import { fileName, keepsVariations, lostIn, mainEnd, movesFor } from "./export-text.js";
import { saveGif, savePng, saveSvg } from "./images.js";
import { formatAbout, gameTitle, language, t } from "./language.js";
import { html, nothing, render } from "./lit-html.js";
import { keep } from "./records.js";
import { sideName } from "./score.js";
import { showSheet } from "./sheet.js";
import { SIDES, changed, state } from "./state.js";

/** The format that was used last; at first the one that keeps the most. */
let last = "pgn";

/** The date on which a game was played here; unknown for those of files. */
function ownDate() {
  const { details, created } = state.game;
  if (Object.keys(details).length) return details.date ?? "";
  const date = new Date(created);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The items of a list in a sentence. @param {string[]} items */
const listed = (items) => new Intl.ListFormat(language).format(items);

/** What is known of the game, as the user may change it. */
const known = () => ({ names: playerNames(), event: state.game.details.event ?? "", date: ownDate() });

/**
 * The request that writes the game. A position is the one on the board. A game is saved as a whole, wherever the user is
 * in it.
 * @param {ReturnType<typeof known>} values
 * @param {string} format
 * @param {boolean} isGame
 */
function request(values, format, isGame) {
  const { game } = state;
  if (!isGame) return { ...game.request(), format };
  const end = keepsVariations(format) ? mainEnd(game.root) : game.lineEnd;
  const tree = movesFor(game.root, end, format, (ply) => game.sideAt(ply));
  const verdict = game.verdictAt(end);
  return { ...game.request(end), ...values, points: game.details.points, verdict, tree, format };
}

export function showSaveDialog() {
  const { game } = state;
  const { board } = game;
  const formats = board.formats.filter((format) => format.is_written);
  const values = known();
  let format = formats.find(({ name }) => name === last) ?? formats[0];
  let text = "";
  let isCopied = false;
  /** The number of the last request, to detect responses that arrive too late. */
  let asked = 0;
  const host = make("div", { class: "fields" });
  const note = make("p", { class: "quiet" });
  const error = make("p", { class: "error", id: "save-error", role: "alert" });
  const copy = make("button", { type: "button", id: "save-copy", onclick: async () => {
    isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    if (!isCopied) host.querySelector("textarea")?.select();
    show();
  } });
  /** @param {string} kind */
  const nameOf = (kind) => fileName({ ...values, title: gameTitle(board) }, kind);
  const save = make("button", { type: "button", class: "primary", id: "save-do",
    onclick: () => download(new Blob([text], { type: "text/plain" }), nameOf(format.name)) }, t("download"));
  const write = () => withErrors(error, async () => {
    const number = (asked += 1);
    last = format.name;
    const answer = await ask("save", request(values, format.name, format.of_games));
    if (number !== asked) return;
    text = `${answer.text.trimEnd()}\n`;
    isCopied = false;
    show();
  });
  /** Keeps what the user changed of the game. @param {() => void} set */
  const change = (set) => {
    set();
    const { names, event, date } = values;
    Object.assign(game.details, { names: [...names], event, date });
    keep();
    changed("position");
    write();
  };
  /** @type {(id: string, label: string, value: string, set: (value: string) => void) => unknown} */
  const field = (id, label, value, set) => html`<label>${label}<input id="save-${id}" autocomplete="off" maxlength="60"
    .value=${value} @change=${(/** @type {any} */ { target }) => change(() => set(target.value))}></label>`;
  /** @type {(kind: string, key: string, work: () => unknown) => unknown} */
  const image = (kind, key, work) => html`<button type="button" class="small" id="image-${kind}"
    @click=${() => withErrors(error, work)}>${t(key)}</button>`;
  /** @param {typeof format} option */
  const option = (option) => html`<option value=${option.name} ?selected=${option === format}>
    ${t(option.of_games ? "formatGame" : "formatPosition", { name: option.name })}</option>`;
  const choose = (/** @type {any} */ { target }) => {
    format = formats[target.selectedIndex];
    write();
  };
  const show = () => {
    const lost = format.of_games ? lostIn(game.root, format.name).map((kind) => t(`lost.${kind}`)) : [];
    copy.textContent = t(isCopied ? "copied" : "copy");
    render(html`
      <div class="pair">
        ${SIDES.map((side, at) => field(side, sideName(side), values.names[at], (name) => { values.names[at] = name; }))}
        ${field("event", t("event"), values.event, (event) => { values.event = event; })}
        ${field("date", t("date"), values.date, (date) => { values.date = date; })}
      </div>
      <label for="save-format">${t("format")}</label>
      <select id="save-format" @input=${choose}>${formats.map(option)}</select>
      <p class="quiet" id="save-about">${renderCode(formatAbout(format))}</p>
      <textarea id="save-text" rows="7" readonly spellcheck="false" aria-label=${t("textToSave")} .value=${text}></textarea>
      <p class="quiet" id="save-lost">${lost.length ? t("saveLost", { what: listed(lost) }) : nothing}</p>
      ${note}${error}
      <div class="buttons" role="group" aria-label=${t("imageTitle")}>
        ${image("svg", "imageSvg", () => saveSvg(nameOf("svg")))}
        ${image("png", "imagePng", () => savePng(nameOf("png")))}
        ${image("gif", "imageGif", () => saveGif(nameOf("gif"), note))}
        ${image("sheet", "imageSheet", showSheet)}
      </div>`, host);
  };
  show();
  const dialog = openDialog("save-dialog", t("saveTitle"), [host], [copy, save]);
  dialog.addEventListener("submit", (event) => event.preventDefault());
  write();
}
