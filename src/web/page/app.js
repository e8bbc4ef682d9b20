// The entry point of the page: connects the controls and opens links.

import { ask } from "./api.js";
import { announce, find, make, reportErrors, showMessage } from "./dom.js";
import { followHistory, open, openFirst, redo, undo } from "./documents.js";
import { analyze } from "./engine.js";
import "./graph-panel.js";
import { listenToKeys, showKeys } from "./keys.js";
import { LANGUAGES, gameTitle, language, t, translatePage } from "./language.js";
import { listenToMoves } from "./moves.js";
import { listenToDrops, showOpenDialog } from "./open-dialog.js";
import { cancelSelection, drop, evaluate, jump, pick, proceed, touch } from "./play.js";
import { linkedExercise, showPracticeDialog } from "./practice.js";
import { showRecentGames } from "./recent.js";
import { board } from "./render.js";
import { goToMistake, review } from "./review.js";
import { showRules } from "./rules.js";
import { showSaveDialog } from "./save-dialog.js";
import { toggleSetUp } from "./setup.js";
import { abort, abortAll, changed, state } from "./state.js";
import { storage } from "./storage.js";

/**
 * The clicks on the board that are not yet handled. They are handled in order: a click may arrive while the previous
 * move is being requested.
 */
let pending = Promise.resolve();

/** Turns a setting on or off, and keeps it. */
function toggle(name) {
  state[name] = !state[name];
  storage.write(name, state[name]);
}

function flip() {
  toggle("flipped");
  changed("board");
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

async function chooseLines({ target }) {
  state.lines = Number(target.value);
  storage.write("lines", state.lines);
  changed("evaluation");
  if (state.evaluating && (state.game.node.thought?.lines.length ?? 0) < state.lines) await analyze();
}

async function openNew() {
  const hadMoves = state.game.root.children.length > 0;
  await open(state.game.board.game);
  if (hadMoves) announce(t("previousKept"));
}

function stop() {
  abort("engine");
  state.step += 1;
  state.paused = true;
  changed("position");
}

function resume() {
  state.paused = false;
  proceed();
}

function choosePlayer({ target }) {
  state.players = { ...state.players, [target.dataset.side]: target.value };
  storage.write(`players ${state.game.board.game}`, state.players);
  abortAll();
  resume();
}

function chooseLanguage({ target }) {
  storage.write("language", target.value);
  location.reload();
}

async function share() {
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  const text = t(isCopied ? "linkCopied" : "linkCopy");
  showMessage(text);
  announce(text);
}

/** What the buttons do, by their ids. */
const BUTTONS = {
  new: openNew, recent: showRecentGames, rules: showRules, undo, redo, flip, hints: toggleHints,
  evaluate: toggleEvaluation, deeper: analyze, first: () => jump(0), back: () => jump(state.game.ply - 1),
  next: () => jump(state.game.ply + 1), last: () => jump(state.game.moves.length), chart: review,
  "review-next": () => goToMistake(1), now: () => state.running.engine?.now(), stop, resume, arrange: toggleSetUp,
  load: showOpenDialog, save: showSaveDialog, share, practice: showPracticeDialog, keys: showKeys,
};

function listen() {
  const on = (id, event, work) => find(id).addEventListener(event, (detail) => reportErrors(() => work(detail)));
  for (const [id, work] of Object.entries(BUTTONS)) on(id, "click", () => work());
  const inOrder = (work) => (...points) => {
    pending = pending.then(() => work(...points)).catch((error) => showMessage(error.message, true));
  };
  board.onTouch = inOrder(touch);
  board.onPick = inOrder(pick);
  board.onDrop = inOrder(drop);
  board.onCancel = inOrder(cancelSelection);
  board.onEscape = cancelSelection;
  find("lines").value = state.lines;
  on("lines", "change", chooseLines);
  for (const place of ["far", "near"]) on(place, "change", choosePlayer);
  on("game", "change", ({ target }) => open(target.value));
  // Comes with every change of the address, also of its fragment alone.
  addEventListener("popstate", () => reportErrors(async () => {
    const exercise = linkedExercise();
    await followHistory();
    await exercise?.();
  }));
  const option = ([value, { name }]) => make("option", { value, lang: value }, name);
  find("language").replaceChildren(...Object.entries(LANGUAGES).map(option));
  find("language").value = language;
  on("language", "change", chooseLanguage);
  listenToMoves();
  listenToKeys(flip);
  listenToDrops();
}

translatePage();
reportErrors(async () => {
  state.boards = await ask("games");
  find("game").replaceChildren(...state.boards.map((board) => make("option", { value: board.game }, gameTitle(board))));
  const exercise = linkedExercise();
  await openFirst();
  await exercise?.();
  listen();
});
