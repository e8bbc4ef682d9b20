// The dialog that starts a game: which one, against whom, as which side, and with which clock.

import { make, openDialog, reportErrors } from "./dom.js";
import { FIRST_LEVEL, open } from "./documents.js";
import { html, nothing, render } from "./lit-html.js";
import { gameAbout, gameTitle, t } from "./language.js";
import { miniature } from "./miniature.js";
import { otherSide, sideName } from "./score.js";
import { SIDES, changed, knownBoard, levelName, state } from "./state.js";
import { storage } from "./storage.js";

/**
 * @import { BoardView, Players, Side, TemplateResult } from "./types.d.ts"
 *
 * @typedef {Record<"game" | "opponent" | "side" | "clock", string>} Values what is chosen
 * @typedef {{ key: string, content: string | TemplateResult, title?: string }} Option
 */

/**
 * The games by families, such as `othello` and `othello-6x6`: the name of one game begins the names of the others. The
 * first of each family is offered at once; the others are under "More".
 */
function families() {
  const names = state.boards.map(({ game }) => game);
  const roots = names.filter((name) => !names.some((other) => name.startsWith(`${other}-`)));
  return roots.map((root) => state.boards.filter(({ game }) => `${game}-`.startsWith(`${root}-`)));
}

/** The strengths that are offered at once; the others are under "More". */
const STRENGTHS = [FIRST_LEVEL, "casual", "amateur", "club", "expert"];
/** The clocks: minutes for a side, and seconds added for each move. */
const CLOCKS = [[3, 2], [5, 3], [10, 5], [30, 20]];

/** @param {number[]} clock */
const clockKey = ([minutes, seconds]) => `${minutes}+${seconds}`;

/** What was chosen last. @returns {Values} */
const chosen = () => ({
  opponent: FIRST_LEVEL, side: "first", clock: "none", ...storage.read("start", {}), game: state.game.board.game,
});

/**
 * A choice of one of several values, drawn as buttons.
 * @param {string} name
 * @param {Option[]} options
 * @param {string} value
 * @param {(value: string) => void} choose
 */
function choice(name, options, value, choose) {
  return options.map(({ key, content, title }) => html`<label title=${title ?? nothing}>
    <input type="radio" name=${name} value=${key} .checked=${key === value}
      @change=${() => choose(key)}>${content}</label>`);
}

/** @type {(choice: string, board: BoardView) => Side} the side that a human plays; at random if it is left to chance */
function sideOf(choice, board) {
  if (choice === "random") return SIDES[Math.floor(Math.random() * 2)];
  return choice === "first" ? board.first : otherSide(board.first);
}

/** Starts the game that was chosen. @param {Values} values */
async function start({ game, opponent, side, clock }) {
  const own = sideOf(side, knownBoard(game));
  /** @type {Players} */
  const players = { black: opponent, white: opponent, [own]: "person" };
  storage.write("start", { opponent, side, clock });
  storage.write(`players ${game}`, players);
  const [base, increment] = clock.split("+").map(Number);
  await open(game, { game }, "", { players, clock: clock === "none" ? null : { base: base * 60, increment } });
}

/** Another game with the same players, who change sides, and the same clock. */
export async function rematch() {
  const { game: { board }, players, clock } = state;
  const swapped = { black: players.white, white: players.black };
  const again = clock && { base: clock.base, increment: clock.increment };
  await open(board.game, { game: board.game }, "", { players: swapped, clock: again });
}

export function showStartDialog() {
  const values = chosen();
  const host = make("div");
  const begin = make("button", { type: "submit", class: "primary", id: "start-do" }, t("start"));
  const dialog = openDialog("start-dialog", t("new"), [host], [begin], t("cancel"));
  /** @type {(name: keyof Values) => (value: string) => void} */
  const set = (name) => (value) => {
    values[name] = value;
    show();
  };
  const groups = families();
  /** @returns {Option[]} */
  const games = () => groups.map(([board]) => ({
    key: board.game, content: html`${miniature(board)}<span>${gameTitle(board)}</span>`, title: gameAbout(board),
  }));
  /** @returns {Option[]} */
  const strengths = () => [
    ...STRENGTHS.map((level) => ({ key: level, content: levelName(level) })),
    { key: "person", content: t("twoHumans") },
  ];
  /** @returns {Option[]} */
  const sides = () => {
    const { first } = knownBoard(values.game);
    /** @param {Side} side */
    const swatch = (side) => html`<i class="swatch ${side}"></i>${sideName(side)}`;
    return [
      { key: "first", content: swatch(first) }, { key: "second", content: swatch(otherSide(first)) },
      { key: "random", content: t("randomSide") },
    ];
  };
  /** @returns {Option[]} */
  const clocks = () => [
    { key: "none", content: t("noClock") }, ...CLOCKS.map(clockKey).map((key) => ({ key, content: key })),
  ];
  /**
   * The values that are not offered at once.
   * @type {(key: string, name: keyof Values, offered: Option[], groups: [string, Option[]][]) => TemplateResult}
   */
  const more = (key, name, offered, groups) => {
    const isOffered = offered.some((option) => option.key === values[name]);
    /** @param {Option} option */
    const item = ({ key, content, title }) => html`<option value=${key} title=${title ?? nothing}
      ?selected=${!isOffered && key === values[name]}>${content}</option>`;
    /** @param {{ target: HTMLSelectElement }} event */
    const choose = ({ target }) => set(name)(target.value);
    return html`<p class="quiet more-choices"><select id="start-more-${name}" class=${isOffered ? "" : "chosen"}
      aria-label=${t(key)} @change=${choose}>
      <option value="" ?selected=${isOffered} disabled>${t(key)}</option>
      ${groups.map(([label, options]) => html`<optgroup label=${label}>${options.map(item)}</optgroup>`)}</select></p>`;
  };
  const levels = () => {
    const board = knownBoard(values.game);
    const numbers = Array.from({ length: board.levels }, (_, at) => `${at + 1}`);
    /** @type {(levels: string[]) => Option[]} */
    const options = (levels) => levels.map((level) => ({ key: level, content: levelName(level) }));
    return more("moreLevels", "opponent", strengths(), [
      [t("levelsByName"), options(board.named_levels)], [t("levelsByNumber"), options(numbers)],
    ]);
  };
  /** @type {(family: BoardView[]) => [string, Option[]]} */
  const variants = ([main, ...others]) => [gameTitle(main).split(",")[0], others.map((board) => (
    { key: board.game, content: gameTitle(board), title: gameAbout(board) }))];
  /** @type {(key: string, name: keyof Values, style: string, options: Option[], others?: unknown) => TemplateResult} */
  const group = (key, name, style, options, others = nothing) => html`<fieldset><legend>${t(key)}</legend>
    <div class="choices ${style}">${choice(name, options, values[name], set(name))}</div>${others}</fieldset>`;
  const otherGames = () => more("moreGames", "game", games(), groups.filter(({ length }) => length > 1).map(variants));
  const show = () => render(html`
    ${group("game", "game", "boards", games(), otherGames())}
    ${group("opponent", "opponent", "", strengths(), levels())}
    ${values.opponent === "person" ? nothing : group("yourSide", "side", "", sides())}
    ${group("clock", "clock", "", clocks())}`, host);
  show();
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    reportErrors(() => start(values));
  });
  /** @type {HTMLElement | null} */
  const game = host.querySelector("input[name=game]:checked, #start-more-game");
  game?.focus();
}
