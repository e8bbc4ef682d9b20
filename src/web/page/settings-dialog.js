// The dialog of the settings: the looks of the board and the page, sounds, and the language.

import { make, openDialog } from "./dom.js";
import { html, render } from "./lit-html.js";
import { LANGUAGES, language, t } from "./language.js";
import { hasSound, playSound, setSound } from "./sound.js";
import { storage } from "./storage.js";

/** @import { TemplateResult } from "./types.d.ts" */

const BOARDS = ["classic", "slate", "light"];
const THEMES = ["auto", "light", "dark"];

/** Applies the looks that were chosen. */
export function applyLooks() {
  const { dataset } = document.documentElement;
  dataset.board = storage.read("board", BOARDS[0]);
  dataset.theme = storage.read("theme", THEMES[0]);
  // The frame of the window has the color of the page.
  for (const meta of document.querySelectorAll("meta[data-theme]")) {
    const { theme } = /** @type {HTMLElement} */ (meta).dataset;
    const chosen = dataset.theme === theme ? "all" : "not all";
    meta.setAttribute("media", dataset.theme === "auto" ? `(prefers-color-scheme: ${theme})` : chosen);
  }
}

/** @typedef {{ target: HTMLInputElement | HTMLSelectElement }} Change */

/** @param {() => void} showKeys shows the list of keys */
export function showSettings(showKeys) {
  const host = make("div");
  const dialog = openDialog("settings-dialog", t("settings"), [host]);
  /** @type {(name: string) => (event: Change) => void} */
  const choose = (name) => ({ target }) => {
    storage.write(name, target.value);
    applyLooks();
  };
  /** @type {(key: string, name: string, values: string[]) => TemplateResult} */
  const choices = (key, name, values) => html`<fieldset><legend>${t(key)}</legend><div class="choices">
    ${values.map((value) => html`<label><input type="radio" name=${name} value=${value} @change=${choose(name)}
      .checked=${storage.read(name, values[0]) === value}>${t(`${name}.${value}`)}</label>`)}</div></fieldset>`;
  /** @param {{ target: HTMLInputElement }} event */
  const toggleSound = ({ target }) => {
    setSound(target.checked);
    playSound("move");
  };
  /** @param {Change} event */
  const chooseLanguage = ({ target }) => {
    storage.write("language", target.value);
    location.reload();
  };
  const options = Object.entries(LANGUAGES).map(([value, { name }]) => html`<option value=${value} lang=${value}
    ?selected=${value === language}>${name}</option>`);
  render(html`
    ${choices("boardTheme", "board", BOARDS)}${choices("theme", "theme", THEMES)}
    <label class="check"><input type="checkbox" id="sound" .checked=${hasSound()} @change=${toggleSound}> ${t("sounds")}</label>
    <label class="pair-line">${t("language")} <select id="language" @change=${chooseLanguage}>${options}</select></label>
    <button type="button" class="small" id="keys" @click=${() => {
    dialog.close();
    showKeys();
  }}>${t("keys")}</button>`, host);
}
