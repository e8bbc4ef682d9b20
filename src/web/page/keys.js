// The keys of the page outside of fields and dialogs, and typed moves.

import { redo, undo } from "./documents.js";
import { announce, find, make, openDialog, reportErrors } from "./dom.js";
import { t } from "./language.js";
import { cancelSelection, jump, playByHand, step } from "./play.js";
import { end, nextExercise, showSolution } from "./practice-run.js";
import { goToMistake } from "./review-run.js";
import { mayMove, state } from "./state.js";

/** How long an `f` waits for the rest of a move before it flips the board, in milliseconds. */
const FLIP_DELAY = 700;

let typed = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text */
function showTyped(text) {
  typed = text;
  clearTimeout(timer);
  find("typed").textContent = text ? t("typing", { text }) : "";
  find("typed").hidden = !text;
}

async function finishTyped() {
  const text = typed;
  showTyped("");
  await playByHand(text);
}

/** Handles a key of a move; returns whether it is one. @param {string} key */
function type(key) {
  const isStart = /^[a-hA-H]$/.test(key);
  const isRest = typed && /^[a-hA-HxX\d-]$/.test(key);
  if (key === "Backspace" && typed) showTyped(typed.slice(0, -1));
  else if (key === "Enter" && typed) reportErrors(finishTyped);
  else if (key === "Escape" && typed) showTyped("");
  else if ((isStart || isRest) && mayMove()) {
    showTyped(typed + key.toLowerCase());
    const legal = state.game.view.legal.map(({ text }) => text).filter((text) => text.startsWith(typed));
    // The only move that begins so needs no Enter.
    if (legal.length === 1 && legal[0] === typed) reportErrors(finishTyped);
    else announce(t("typing", { text: typed }));
  } else return false;
  return true;
}

/** What the keys do in a practice. @returns {Record<string, () => unknown>} */
const practiceActions = () => ({
  n: nextExercise, s: showSolution, "?": showKeys,
  Escape: () => (state.touched.length ? cancelSelection() : end()),
  ...(state.practice?.isOver ? { Enter: nextExercise } : {}),
});

/** @param {() => void} flip flips the board */
export function listenToKeys(flip) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || state.setup || document.querySelector("dialog[open]")) return;
    // The target of an event without a focused element may be the document.
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input:not([type=radio]), select, textarea")) return;
    const { moves } = state.game;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isControl = event.ctrlKey || event.metaKey;
    const isPlain = !isControl && !event.altKey;
    /** @type {Record<string, () => unknown>} */
    const actions = isControl
      ? { z: () => (event.shiftKey ? redo() : undo()), y: redo }
      : event.altKey ? {} : state.practice ? practiceActions() : {
        ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => jump(0),
        End: () => jump(moves.length), ArrowDown: () => goToMistake(1), ArrowUp: () => goToMistake(-1),
        "?": showKeys, Escape: () => (state.touched.length || state.premove.length) && cancelSelection(),
      };
    // Buttons act on Enter themselves.
    const isPress = key === "Enter" && target?.closest("button");
    if (key === "F" || (key === "f" && event.shiftKey)) flip();
    else if (isPlain && !isPress && !state.practice?.isOver && type(key)) {
      if (typed === "f") {
        timer = setTimeout(() => {
          showTyped("");
          flip();
        }, FLIP_DELAY);
      }
    } else if (key === "f" && isPlain) flip();
    else if (key in actions && !isPress && !(state.practice && isControl)) {
      // Up and down scroll the page unless there are mistakes to go to.
      if ((key === "ArrowUp" || key === "ArrowDown") && !state.review?.summary) return;
      reportErrors(actions[key]);
    } else return;
    event.preventDefault();
  });
}

export function showKeys() {
  const example = state.game.view.legal.find(({ is_pass }) => !is_pass)?.text ?? "f5";
  const rows = [
    ["← →", "keyArrows"], ["Home End", "keyHome"], ["Ctrl+Z Ctrl+Y", "keyUndo"], ["↑ ↓", "keyUpDown"],
    ["F", "keyFlip"], [`${example.slice(0, 1)} ${example.slice(1, 2)} …`, "keyType"], ["Esc", "keyEscape"],
    ["Tab", "keyTab"], ["Enter N", "keyNextExercise"], ["S", "keySolution"], ["?", "keyHelp"],
  ];
  /** @param {string[]} row */
  const row = ([keys, text]) => [
    make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key))), make("dd", {}, t(text, { example })),
  ];
  openDialog("keys-dialog", t("keysTitle"), [make("dl", { class: "keys" }, ...rows.flatMap(row))]);
}
