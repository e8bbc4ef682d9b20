// The entry point of the page: connects the controls and opens links.

import { ask } from "./api.js";
import { announce, find, make, reportErrors, showMessage } from "./dom.js";
import { followHistory, open, openFirst, openView } from "./documents.js";
import { analyze } from "./engine.js";
import { showEvaluation } from "./evaluation.js";
import { graph, showGraph } from "./graph-panel.js";
import { listenToKeys, showKeys } from "./keys.js";
import { LANGUAGES, gameTitle, language, t, translatePage } from "./language.js";
import { listenToMoves } from "./moves.js";
import { listenToDrops, showOpenDialog } from "./open-dialog.js";
import { cancelSelection, evaluate, jump, proceed, redo, touch, undo } from "./play.js";
import { showPracticeDialog } from "./practice.js";
import { showRecentGames } from "./recent.js";
import { board, build, setup, show, showBoard, showSetUp } from "./render.js";
import { goToMistake, review } from "./review.js";
import { showRules } from "./rules.js";
import { showSaveDialog } from "./save-dialog.js";
import { abort, abortAll, isEngine, state } from "./state.js";
import { storage } from "./storage.js";

/** The clicks on the board that are not yet handled. They are handled in order: a click may arrive while the previous move is being requested. */
let pending = Promise.resolve();

function flip() {
  state.flipped = !state.flipped;
  storage.write("flipped", state.flipped);
  build();
  show();
}

function listen() {
  const on = (id, work) => find(id).addEventListener("click", () => reportErrors(work));
  board.onTouch = (point) => {
    pending = pending.then(() => touch(point)).catch((error) => showMessage(error.message, true));
  };
  board.onEscape = cancelSelection;
  graph.onJump = jump;
  setup.onShow = showSetUp;
  setup.onDone = (view) => {
    if (view) reportErrors(() => openView(view, t("setUpDone")));
    else {
      state.paused = isEngine(state.game.view.side);
      proceed();
    }
  };
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
    showBoard();
    showEvaluation();
    if (state.hinting || state.evaluating) await evaluate();
  });
  on("evaluate", async () => {
    state.evaluating = !state.evaluating;
    storage.write("evaluating", state.evaluating);
    if (!state.evaluating) abort("analysis");
    state.failure = "";
    showEvaluation();
    if (state.evaluating) await evaluate();
  });
  find("lines").value = state.lines;
  find("lines").addEventListener("change", ({ target }) => {
    state.lines = Number(target.value);
    storage.write("lines", state.lines);
    showEvaluation();
    if (state.evaluating && (state.game.node.thought?.lines.length ?? 0) < state.lines) reportErrors(analyze);
  });
  on("deeper", analyze);
  on("now", () => state.running.engine?.now());
  on("stop", () => {
    abort("engine");
    state.step += 1;
    state.paused = true;
    show();
  });
  on("resume", () => {
    state.paused = false;
    proceed();
  });
  on("arrange", () => {
    if (setup.open) {
      setup.finish();
      return;
    }
    abortAll();
    state.touched = [];
    setup.begin(state.game.board, state.game.view);
    show();
    // On a phone the board comes into view; the brushes are fixed at the bottom.
    const isNarrow = matchMedia("(max-width: 60rem)").matches;
    find(isNarrow ? "board" : "setup").scrollIntoView({ block: isNarrow ? "start" : "nearest" });
  });
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
  addEventListener("resize", () => state.game && showGraph());
  find("language").replaceChildren(...Object.entries(LANGUAGES).map(([value, { name }]) => make("option", { value, lang: value }, name)));
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
