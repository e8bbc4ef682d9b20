// The dialog that begins to practice: what, how hard, and how it went so far.

import { ask } from "./api.js";
import { addCards, allCards, hasCards, removeCards } from "./cards.js";
import { download, make, openDialog, reportErrors } from "./dom.js";
import { html, nothing, render } from "./lit-html.js";
import { t } from "./language.js";
import { keptMistakes } from "./mistakes.js";
import { lessonOf } from "./openings.js";
import { begin, readExercises } from "./practice-run.js";
import { hasProgress, progressOf, resetProgress } from "./progress.js";
import { sideName } from "./score.js";
import { SIDES, state } from "./state.js";
import { storage } from "./storage.js";

/**
 * @import { PracticeSource } from "./types.d.ts"
 *
 * @typedef {Pick<PracticeSource, "kind" | "difficulty" | "theme" | "empties" | "side" | "max_loss" | "replies"> & { from?: string }} Choice
 */

const EMPTIES = [6, 8, 10, 12, 14];
/** @type {("easy" | "medium" | "hard")[]} */
const DIFFICULTIES = ["easy", "medium", "hard"];
/** The tolerances of openings, in points. */
const TOLERANCES = [0, 1, 2];
/** @type {("frequency" | "tricky")[]} */
const REPLIES = ["frequency", "tricky"];

export function showPracticeDialog() {
  const { board: { game, counts_margin, layout, themes } } = state.game;
  const kept = keptMistakes(game);
  /** The game of the user, also during a practice. */
  const own = state.practice?.before.game ?? state.game;
  const found = counts_margin ? "endgame" : "puzzle";
  const open = kept.filter(({ isSolved }) => !isSolved).length;
  const sizes = EMPTIES.filter((count) => 2 * count <= layout.points.length);
  /** @type {Choice} */
  const last = {
    empties: 8, difficulty: "easy", theme: "", side: "black", max_loss: 0, replies: "frequency", from: "start",
    ...storage.read("practice", {}), kind: found,
  };
  const values = {
    ...last,
    empties: sizes.includes(last.empties ?? 0) ? last.empties : sizes.at(-1),
    theme: themes.includes(last.theme ?? "") ? last.theme : "",
  };
  /** @type {File | undefined} */
  let file;
  /** What is learnt of the openings that are chosen, and their source as text. */
  let [status, statusOf] = ["", ""];
  const host = make("div");
  const start = make("button", { type: "submit", class: "primary", id: "practice-do" }, t("practiceStart"));
  const content = [make("p", {}, t("practiceIntro")), host];
  const dialog = openDialog("practice-dialog", t("practiceTitle"), content, [start], t("cancel"));

  /** @type {(choice: Choice) => PracticeSource} the source of what is chosen */
  const sourceOf = ({ kind, difficulty, theme, empties, side, max_loss, replies, from }) => ({
    kind, game, ...(kind === found ? { difficulty, theme: theme || undefined } : {}),
    ...(kind === "endgame" ? { empties } : {}),
    ...(kind === "openings" ? { side, max_loss, replies, ...(from === "board" ? own.request() : {}) } : {}),
  });
  /** @type {(change: Partial<Choice>, name: string, content: string, isDisabled?: boolean) => unknown} */
  const option = (change, name, content, isDisabled = false) => {
    const choose = () => {
      Object.assign(values, change);
      show();
    };
    const [[key, value]] = Object.entries(change);
    const isChosen = values[/** @type {keyof Choice} */ (key)] === value;
    // Those of endgames and puzzles are beside their difficulties, those of openings are cards.
    const { tried, solved } = progressOf(sourceOf({ ...values, ...change }));
    return html`<label><input type="radio" name=${name} value=${value} .checked=${isChosen}
      ?disabled=${isDisabled} @change=${choose}><span>${content}${tried && value !== found && values.kind !== "openings" && value !== "openings"
        ? html`<small>${t("practiceProgress", { solved, tried })}</small>` : nothing}</span></label>`;
  };
  /** @type {(legend: string, options: unknown[], style?: string) => unknown} */
  const group = (legend, options, style = "") => html`<fieldset><legend>${t(legend)}</legend>
    <div class="choices ${style}">${options}</div></fieldset>`;
  const details = {
    endgame: () => (
      group("practiceEmpties", sizes.map((empties) => option({ empties }, "empties", `${empties}`)), "sizes")),
    own: () => html`<p class="quiet none">${t("practiceOwnCount", { count: kept.length, open })}</p>`,
    openings: () => html`
      ${group("openingsSide", SIDES.map((side) => option({ side }, "side", sideName(side))))}
      ${group("openingsFrom", ["start", "board"].map((from) => option({ from }, "from", t(`openingsFrom.${from}`))))}
      ${counts_margin ? group("openingsLoss", TOLERANCES.map((max_loss) => (
        option({ max_loss }, "max_loss", `${max_loss}`))), "sizes") : nothing}
      ${group("openingsReplies", REPLIES.map((replies) => option({ replies }, "replies", t(`openingsReplies.${replies}`))))}
      <p class="quiet none" id="openings-status">${t("openingsAbout")} ${status}</p>
      <label for="cards-file">${t("openingsLoad")}</label>
      <input id="cards-file" type="file" accept=".jsonl" @change=${loadCards}>`,
    file: () => html`<label for="practice-file">${t("practiceFile")}</label>
      <input id="practice-file" type="file" accept=".jsonl" @change=${choose}>`,
  };
  /** @param {{ target: HTMLInputElement }} event */
  const choose = ({ target: { files } }) => {
    file = files?.[0];
    show();
  };
  const saveCards = async () => {
    const { text } = await ask("cards", { cards: allCards() });
    download(new Blob([text], { type: "application/jsonl" }), "cards.jsonl");
  };
  /** @param {{ target: HTMLInputElement }} event */
  const loadCards = ({ target: { files } }) => reportErrors(async () => {
    const { cards } = await ask("cards", { text: await files?.[0]?.text() ?? "" });
    addCards(cards);
    statusOf = "";
    show();
  });
  /** @type {(id: string, key: string, work: () => void) => unknown} */
  const button = (id, key, work) => html`<button type="button" class="small" id=${id} @click=${work}>${t(key)}</button>`;
  /** Finds out what is learnt of the openings that are chosen. */
  const showStatus = async () => {
    const source = sourceOf(values);
    const asked = JSON.stringify(source);
    if (asked === statusOf) return;
    [status, statusOf] = ["", asked];
    const lesson = await lessonOf(source);
    if (asked !== statusOf || !dialog.isConnected) return;
    status = t(lesson.positions ? "openingsStatus" : "openingsNone", lesson);
    show();
  };
  const reset = () => {
    statusOf = "";
    resetProgress();
    removeCards();
    show();
    start.focus();
  };
  const show = () => {
    const { kind } = values;
    start.disabled = kind === "file" && !file;
    if (kind === "openings") reportErrors(showStatus);
    render(html`
      ${group("practiceKind", [
        option({ kind: found }, "kind", t(`practice.${found}`)),
        ...(state.game.board.has_book ? [option({ kind: "openings" }, "kind", t("practice.openings"))] : []),
        option({ kind: "own" }, "kind", t("practice.own"), !kept.length),
        option({ kind: "file" }, "kind", t("practice.file")),
      ])}
      ${kept.length || kind === "openings" ? nothing : html`<p class="quiet none">${t("practiceOwnNone")}</p>`}
      ${kind in details ? details[/** @type {keyof typeof details} */ (kind)]() : nothing}
      ${kind === found ? group("difficulty", DIFFICULTIES.map((difficulty) => (
        option({ difficulty }, "difficulty", t(`difficulty.${difficulty}`))))) : nothing}
      ${kind === found ? group("practiceTheme", ["", ...themes].map((theme) => (
        option({ theme }, "theme", t(`practiceTheme.${theme || "any"}`))))) : nothing}
      <div class="buttons">
        ${kind === "openings" && hasCards() ? button("cards-save", "openingsSave", () => reportErrors(saveCards)) : nothing}
        ${hasProgress() || hasCards() ? button("practice-reset", "practiceReset", reset) : nothing}
      </div>`, host);
  };
  show();
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    const { kind, from, ...choices } = values;
    storage.write("practice", choices);
    const source = sourceOf(values);
    reportErrors(async () => {
      if (file && source.kind === "file") source.exercises = await readExercises(file);
      await begin(source);
    });
  });
  /** @type {HTMLInputElement | null} */
  const checked = host.querySelector("input:checked");
  checked?.focus();
}
