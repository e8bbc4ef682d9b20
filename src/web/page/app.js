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
import { cancelSelection, evaluate, jump, proceed, touch } from "./play.js";
import { showPracticeDialog } from "./practice.js";
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

function flip() {
  state.flipped = !state.flipped;
  storage.write("flipped", state.flipped);
  changed("board");
  changed("position");
}

function listen() {
  const on = (id, work) => find(id).addEventListener("click", () => reportErrors(work));
  board.onTouch = (point) => {
    pending = pending.then(() => touch(point)).catch((error) => showMessage(error.message, true));
  };
  board.onEscape = cancelSelection;
  on("new", async () => {
    const hadMoves = state.game.root.children.length > 0;
    await open(state.game.board.game);
    if (hadMoves) announce(t("previousKept"));
  });
  on("recent", showRecentGames);
  on("undo", undo);
  on("redo", redo);
  on("first", () => jump(0));
  on("back", () => jump(state.game.ply - 1));
  on("next", () => jump(state.game.ply + 1));
  on("last", () => jump(state.game.moves.length));
  on("chart", review);
  on("review-next", () => goToMistake(1));
  on("flip", flip);
  on("hints", async () => {
    state.hinting = !state.hinting;
    storage.write("hinting", state.hinting);
    state.values = null;
    abort("values");
    changed("hints");
    if (state.hinting || state.evaluating) await evaluate();
  });
  on("evaluate", async () => {
    state.evaluating = !state.evaluating;
    storage.write("evaluating", state.evaluating);
    if (!state.evaluating) abort("analysis");
    state.failure = "";
    changed("evaluation");
    if (state.evaluating) await evaluate();
  });
  find("lines").value = state.lines;
  find("lines").addEventListener("change", ({ target }) => {
    state.lines = Number(target.value);
    storage.write("lines", state.lines);
    changed("evaluation");
    if (state.evaluating && (state.game.node.thought?.lines.length ?? 0) < state.lines) reportErrors(analyze);
  });
  on("deeper", analyze);
  on("now", () => state.running.engine?.now());
  on("stop", () => {
    abort("engine");
    state.step += 1;
    state.paused = true;
    changed("position");
  });
  on("resume", () => {
    state.paused = false;
    proceed();
  });
  on("arrange", toggleSetUp);
  on("load", showOpenDialog);
  on("save", showSaveDialog);
  on("rules", showRules);
  on("practice", showPracticeDialog);
  on("keys", showKeys);
  on("share", async () => {
    const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    const text = t(isCopied ? "linkCopied" : "linkCopy");
    showMessage(text);
    announce(text);
  });
  for (const place of ["far", "near"]) {
    find(place).addEventListener("change", ({ target }) => {
      state.players = { ...state.players, [target.dataset.side]: target.value };
      storage.write(`players ${state.game.board.game}`, state.players);
      abortAll();
      state.paused = false;
      proceed();
    });
  }
  find("game").addEventListener("change", (event) => reportErrors(() => open(event.target.value)));
  addEventListener("popstate", () => reportErrors(followHistory));
  addEventListener("hashchange", () => reportErrors(followHistory));
  const option = ([value, { name }]) => make("option", { value, lang: value }, name);
  find("language").replaceChildren(...Object.entries(LANGUAGES).map(option));
  find("language").value = language;
  find("language").addEventListener("change", ({ target }) => {
    storage.write("language", target.value);
    location.reload();
  });
  listenToMoves();
  listenToKeys(flip);
  listenToDrops();
}

translatePage();
reportErrors(async () => {
  state.boards = await ask("games");
  find("game").replaceChildren(...state.boards.map((board) => make("option", { value: board.game }, gameTitle(board))));
  await openFirst();
  listen();
});
