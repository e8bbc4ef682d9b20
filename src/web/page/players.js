// The strips of the players: who plays each side, the clock, the men in hand and captured, and the result.

import { clockText } from "./clock.js";
import { find } from "./dom.js";
import { html, nothing, render } from "./lit-html.js";
import { pieceWord, t } from "./language.js";
import { otherSide, sideName } from "./score.js";
import { SIDES, endAt, isEngine, levelName, nearSide, soleHuman, state, subscribe } from "./state.js";

/** @import { Side } from "./types.d.ts" */

/** The time below which a clock is red, in milliseconds. */
const LOW_TIME = 10000;

/** The name of the human of a side. @param {Side} side */
const humanName = (side) => state.game.details.names?.[SIDES.indexOf(side)]
  || (soleHuman() === side ? t("you") : sideName(side));

/** Who plays a side, as a choice. @param {Side} side */
function choice(side) {
  const { game: { board, details }, players, practice } = state;
  if (practice) return html`<span class="who">${practice.exercise?.side === side ? t("you") : sideName(side)}</span>`;
  const level = isEngine(side) ? players[side] : "";
  const levels = [...board.named_levels, ...(/^\d+$/.test(level) ? [level] : [])];
  /** @type {(value: string, text: string) => unknown} */
  const option = (value, text) => html`<option value=${value} ?selected=${players[side] === value}>${text}</option>`;
  return html`<select id="player-${side}" data-side=${side} aria-label=${t("playerFor", { side: sideName(side) })}
    title=${details.names?.[SIDES.indexOf(side)] ?? nothing}>
    ${option("person", humanName(side))}
    <optgroup label=${t("levelsByName")}>${levels.map((level) => option(level, levelName(level)))}</optgroup>
  </select>`;
}

/**
 * The men of the other side that were captured.
 * @param {Side} side
 * @param {number[]} inHand
 */
function taken(side, inHand) {
  const { game: { board, view } } = state;
  const other = SIDES.indexOf(otherSide(side));
  const all = view.in_hand && !state.setup ? board.in_hand : null;
  const count = all ? all[other] - inHand[other] - view.counts[other] : 0;
  if (count <= 0) return nothing;
  const label = t("taken", { count, pieces: pieceWord(board, count) });
  return html`<span class="taken" role="img" aria-label=${label} title=${label}>
    ${Array.from({ length: count }, () => html`<i class=${otherSide(side)}></i>`)}</span>`;
}

/** How the game ended for a side: `1`, `½` or `0`. @param {Side} side */
function outcome(side) {
  const end = endAt();
  if (!end || state.setup) return nothing;
  return html`<span class="result">${end.winner ? (end.winner === side ? t("won") : nothing) : t("drawShort")}</span>`;
}

/** @param {Side} side */
function clock(side) {
  if (!state.clock) return nothing;
  const time = state.clock.time(side);
  return html`<span class="clock ${time < LOW_TIME ? "low" : ""}" id="clock-${side}" role="timer"
    aria-label=${t("clockOf", { side: sideName(side) })}>${clockText(time)}</span>`;
}

/** @param {Side} side */
function strip(side) {
  const { game: { view, board }, setup } = state;
  const at = SIDES.indexOf(side);
  const pieces = setup ? setup.pieces : view.pieces;
  const inHand = (setup ? setup.inHand : view.in_hand) ?? [0, 0];
  const count = pieces.filter((piece) => piece === side).length;
  const hand = view.in_hand ? html`<span class="hand" id="hand-${side}" role="img"
    aria-label=${t("inHand", { count: inHand[at] })}>${Array.from({ length: inHand[at] }, () => html`<i class=${side}></i>`)}</span>` : nothing;
  return html`<i class="swatch ${side}"></i>${choice(side)}${hand}${taken(side, inHand)}${outcome(side)}
    <span class="count" id="count-${side}" title=${t("onBoard", { count, pieces: pieceWord(board, count) })}>${count}</span>
    ${clock(side)}`;
}

function showPlayers() {
  const near = nearSide();
  /** @type {(id: string, side: Side) => void} */
  const show = (id, side) => {
    render(strip(side), find(id));
    find(id).classList.toggle("turn", !endAt() && state.game.view.side === side);
  };
  show("far", otherSide(near));
  show("near", near);
}

subscribe(showPlayers, "board", "position", "clock", "thinking");
