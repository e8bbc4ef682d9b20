// The dialog that starts a game: which one, against whom, as which side, and with which clock.

import { setClock } from "./clock.js";
import { openDialog, reportErrors } from "./dom.js";
import { FIRST_LEVEL, open } from "./documents.js";
import { html, nothing, render } from "./lit-html.js";
import { gameAbout, gameTitle, t } from "./language.js";
import { miniature } from "./miniature.js";
import { otherSide, sideName } from "./score.js";
import { SIDES, boardOf, changed, levelName, state } from "./state.js";
import { storage } from "./storage.js";

/** The strengths that are offered at once; the others are under "More". */
const STRENGTHS = [FIRST_LEVEL, "casual", "amateur", "club", "expert"];
/** The clocks: minutes for a side, and seconds added for each move. */
const CLOCKS = [[3, 2], [5, 3], [10, 5], [30, 20]];

const clockKey = ([minutes, seconds]) => `${minutes}+${seconds}`;

/** What was chosen last. */
const chosen = () => ({
  opponent: FIRST_LEVEL, side: "first", clock: "none", ...storage.read("start", {}), game: state.game.board.game,
});

/** A choice of one of several values, drawn as buttons. */
function choice(name, options, value, choose) {
  return options.map(([key, content, title = nothing]) => html`<label title=${title}>
    <input type="radio" name=${name} value=${key} .checked=${key === value} @change=${() => choose(key)}>${content}</label>`);
}

/** The side that a human plays; at random if it is left to chance. */
function sideOf(choice, board) {
  if (choice === "random") return SIDES[Math.floor(Math.random() * 2)];
  return choice === "first" ? board.first : otherSide(board.first);
}

/** Starts the game that was chosen. */
async function start({ game, opponent, side, clock }) {
  const board = boardOf(game);
  const own = sideOf(side, board);
  const players = { [own]: "person", [otherSide(own)]: opponent };
  storage.write("start", { opponent, side, clock });
  storage.write(`players ${game}`, players);
  await open(game, { game }, "", {}, players);
  const [base, increment] = clock.split("+").map(Number);
  if (clock !== "none") setClock({ base: base * 60, increment });
  changed("clock");
}

/** Another game with the same players, who change sides, and the same clock. */
export async function rematch() {
  const { game: { board }, players, clock } = state;
  const swapped = { black: players.white, white: players.black };
  await open(board.game, { game: board.game }, "", {}, swapped);
  if (clock) setClock({ base: clock.base, increment: clock.increment });
  changed("clock");
}

export function showStartDialog() {
  const values = chosen();
  const dialog = openDialog("start-dialog", t("new"), [document.createElement("div")], [], t("cancel"));
  const form = dialog.querySelector("form");
  const host = form.querySelector("div");
  const set = (name) => (value) => {
    values[name] = value;
    show();
  };
  const games = () => state.boards.map((board) => (
    [board.game, html`${miniature(board)}<span>${gameTitle(board)}</span>`, gameAbout(board)]));
  const strengths = () => [...STRENGTHS.map((level) => [level, levelName(level)]), ["person", t("twoHumans")]];
  const sides = () => {
    const { first } = boardOf(values.game);
    const swatch = (side) => html`<i class="swatch ${side}"></i>${sideName(side)}`;
    return [["first", swatch(first)], ["second", swatch(otherSide(first))], ["random", t("randomSide")]];
  };
  const clocks = () => [["none", t("noClock")], ...CLOCKS.map((clock) => [clockKey(clock), clockKey(clock)])];
  const levels = () => {
    const board = boardOf(values.game);
    const numbers = Array.from({ length: board.levels }, (_, at) => `${at + 1}`);
    const isOffered = STRENGTHS.includes(values.opponent) || values.opponent === "person";
    const option = (level) => html`<option value=${level} ?selected=${!isOffered && level === values.opponent}>${levelName(level)}</option>`;
    return html`<select id="start-level" aria-label=${t("moreLevels")} @change=${({ target }) => set("opponent")(target.value)}>
      <option value="" ?selected=${isOffered} disabled>${t("moreLevels")}</option>
      <optgroup label=${t("levelsByName")}>${board.named_levels.map(option)}</optgroup>
      <optgroup label=${t("levelsByNumber")}>${numbers.map(option)}</optgroup></select>`;
  };
  const group = (key, name, style, options) => html`<fieldset><legend>${t(key)}</legend>
    <div class="choices ${style}">${choice(name, options, values[name], set(name))}</div></fieldset>`;
  const show = () => render(html`
    ${group("game", "game", "boards", games())}
    ${group("opponent", "opponent", "", strengths())}
    <p class="quiet more-levels">${levels()}</p>
    ${values.opponent === "person" ? nothing : group("yourSide", "side", "", sides())}
    ${group("clock", "clock", "", clocks())}`, host);
  show();
  render(html`<button type="submit" class="primary" id="start-do">${t("start")}</button>`, form.querySelector(".buttons"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    reportErrors(() => start(values));
  });
  form.querySelector("input:checked")?.focus();
}
