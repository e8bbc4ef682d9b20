// The entry point of the page: connects the controls and opens links.

import { ask } from "./api.js";
import { board } from "./board-view.js";
import { announce, find, reportErrors, showMessage } from "./dom.js";
import { onFlag } from "./clock.js";
import { endGame, followHistory, followStorage, openFirst, redo, undo } from "./documents.js";
import { analyze } from "./engine.js";
import "./graph-panel.js";
import { listenToKeys, showKeys } from "./keys.js";
import { t, translatePage } from "./language.js";
import "./moves.js";
import { toggleShape } from "./notes.js";
import { listenToDrops, showOpenDialog } from "./open-dialog.js";
import { cancelSelection, drop, evaluate, jump, pick, proceed, runClock, step, touch } from "./play.js";
import "./players.js";
import { showPracticeDialog } from "./practice-dialog.js";
import { exerciseFragment, leave, linkedExercise, resumePractice } from "./practice-run.js";
import "./practice.js";
import { showRecentGames } from "./recent.js";
import { keep } from "./records.js";
import { goToMistake, review } from "./review-run.js";
import "./review.js";
import { offerDraw, resign } from "./result-dialog.js";
import { showRules } from "./rules.js";
import { showSaveDialog } from "./save-dialog.js";
import { otherSide } from "./score.js";
import { applyLooks, showSettings } from "./settings-dialog.js";
import { toggleSetUp } from "./setup.js";
import { rematch, showStartDialog } from "./start-dialog.js";
import { abort, abortAll, changed, state } from "./state.js";
import "./status.js";
import { listenToTabs, showTab } from "./tabs.js";
import { storage } from "./storage.js";
import { scriptAddress } from "./trusted.js";

/**
 * The clicks on the board that are not yet handled. They are handled in order: a click may arrive while the previous
 * move is being requested.
 * @type {Promise<unknown>}
 */
let pending = Promise.resolve();

/** The choice of the number of lines. @type {HTMLSelectElement} */
const lines = find("lines");

/** Turns a setting on or off, and keeps it. @param {"flipped" | "hinting" | "evaluating"} name */
function toggle(name) {
  state[name] = !state[name];
  storage.write(name, state[name]);
}

function flip() {
  toggle("flipped");
  changed("position");
}

async function toggleHints() {
  toggle("hinting");
  state.values = null;
  abort("values");
  changed("hints");
  if (state.hinting || state.evaluating) await evaluate();
}

async function toggleEvaluation() {
  toggle("evaluating");
  if (!state.evaluating) abort("analysis");
  state.failure = "";
  changed("evaluation");
  if (state.evaluating) await evaluate();
}

async function chooseLines() {
  state.lines = Number(lines.value);
  storage.write("lines", state.lines);
  changed("evaluation");
  if (state.evaluating && (state.game.node.thought?.lines.length ?? 0) < state.lines) await analyze();
}

function stop() {
  abort("engine");
  state.step += 1;
  state.paused = true;
  runClock();
  changed("position");
}

function resume() {
  state.paused = false;
  proceed();
}

/** @param {Event} event */
function choosePlayer({ target }) {
  if (!(target instanceof HTMLSelectElement) || !target.dataset.side) return;
  state.players = { ...state.players, [target.dataset.side]: target.value };
  storage.write(`players ${state.game.board.game}`, state.players);
  abortAll();
  resume();
}

async function reviewGame() {
  showTab("review");
  await review();
}

/** Whether the page has an address that only this computer has. */
const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

/**
 * Shares a link to the position or the exercise. A link that only this computer can open is of no use to others: shares
 * the moves.
 */
async function share() {
  const { game, practice } = state;
  const url = new URL(location.href);
  if (practice?.exercise) url.hash = exerciseFragment(practice.exercise);
  const moves = isLocal && !game.start ? game.moves.join(" ") : "";
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    // It fails if the user shares nothing after all.
    await navigator.share(moves ? { text: moves } : { url: url.href }).catch(() => {});
    return;
  }
  const isCopied = await navigator.clipboard?.writeText(moves || url.href).then(() => true, () => false);
  // The address bar has the link to the game of before the practice.
  const text = practice && !isCopied ? url.href : t(`${moves ? "moves" : "link"}${isCopied ? "Copied" : "Copy"}`);
  showMessage(text);
  announce(text);
}

/** What the buttons do, by their ids. */
const BUTTONS = {
  new: showStartDialog, recent: showRecentGames, rules: showRules, undo, redo, flip, hints: toggleHints,
  evaluate: toggleEvaluation, deeper: analyze, first: () => jump(0), back: () => step(-1), next: () => step(1),
  last: () => jump(state.game.moves.length), chart: reviewGame, draw: offerDraw, resign, rematch,
  "review-next": () => goToMistake(1), now: () => state.running.engine?.now?.(), stop, resume, arrange: toggleSetUp,
  load: showOpenDialog, save: showSaveDialog, share, practice: showPracticeDialog,
  settings: () => showSettings(showKeys),
};

function listen() {
  /** @type {(id: string, event: string, work: (event: Event) => unknown) => void} */
  const on = (id, event, work) => find(id).addEventListener(event, (detail) => reportErrors(() => work(detail)));
  for (const [id, work] of Object.entries(BUTTONS)) on(id, "click", () => work());
  /** @type {(work: (...points: number[]) => unknown) => (...points: number[]) => void} */
  const inOrder = (work) => (...points) => {
    pending = pending.then(() => work(...points)).catch((error) => showMessage(error.message, true));
  };
  board.onTouch = inOrder(touch);
  board.onPick = inOrder(pick);
  board.onDrop = inOrder(drop);
  board.onCancel = inOrder(cancelSelection);
  board.onShape = toggleShape;
  board.onEscape = cancelSelection;
  onFlag((side) => endGame(otherSide(side), "time"));
  lines.value = String(state.lines);
  on("lines", "change", chooseLines);
  for (const place of ["far", "near"]) on(place, "change", choosePlayer);
  // A choice in the menu closes it before its dialog opens, which gives the focus back to the button of the menu.
  const menu = find("menu");
  menu.addEventListener("click", () => menu.matches(":popover-open") && menu.hidePopover(), true);
  // Another tab of the browser may play on in the same game.
  addEventListener("storage", followStorage);
  // The clock is as it is now after a reload.
  addEventListener("pagehide", keep);
  // Comes with every change of the address, also of its fragment alone.
  addEventListener("popstate", () => reportErrors(async () => {
    const exercise = linkedExercise();
    if (!state.practice || !history.state?.practice) await leave();
    await followHistory();
    await exercise?.();
  }));
  listenToTabs();
  listenToKeys(flip);
  listenToDrops();
}

/** Offers nothing but another visit, where the server does not run. @type {(error: Error) => never} */
const offerRetry = (error) => {
  const retry = find("retry");
  retry.onclick = () => location.reload();
  retry.hidden = false;
  document.body.classList.add("alone");
  throw error;
};

// It keeps the page, where the browser allows it: with https, and on the machine of the server.
navigator.serviceWorker?.register(scriptAddress("service-worker.js")).catch(() => {});
applyLooks();
translatePage();
reportErrors(async () => {
  state.boards = await ask("games").catch(offerRetry);
  const exercise = history.state?.practice ? resumePractice : linkedExercise();
  await openFirst();
  await exercise?.();
  listen();
});
