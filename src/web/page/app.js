// The entry point of the page: connects the controls and opens links.

import { RequestError, ask } from "./api.js";
import { prepareLoad, prepareSave } from "./dialogs.js";
import { announce, find, make, reportErrors, showMessage } from "./dom.js";
import { analyze, evaluateGame, evaluateMoves } from "./engine.js";
import { graph, showEvaluation, showGraph } from "./evaluation.js";
import { Game, title } from "./game.js";
import { cancelSelection, jump, loadView, open, proceed, redo, touch, undo } from "./play.js";
import { board, build, setup, show, showBoard } from "./render.js";
import { count } from "./score.js";
import { SIDES, abort, abortAll, isEngine, names, state, storage } from "./state.js";

/** The clicks on the board that are not yet handled. They are handled in order: a click may arrive while the previous move is being requested. */
let pending = Promise.resolve();

function listen() {
  const on = (id, work) => find(id).addEventListener("click", () => reportErrors(work));
  board.onTouch = (point) => {
    pending = pending.then(() => touch(point)).catch((error) => showMessage(error.message, true));
  };
  board.onEscape = cancelSelection;
  graph.onJump = jump;
  setup.onShow = () => showBoard();
  setup.onDone = (view) => {
    if (view) loadView(view, "Position set up.");
    else {
      state.paused = isEngine(state.game.view.side);
      proceed();
    }
  };
  on("new", () => open(state.game.board.game));
  on("undo", undo);
  on("redo", redo);
  on("first", () => jump(0));
  on("back", () => jump(state.game.ply - 1));
  on("next", () => jump(state.game.ply + 1));
  on("last", () => jump(state.game.moves.length));
  find("moves").addEventListener("click", ({ target }) => target.dataset.ply && jump(Number(target.dataset.ply)));
  on("hints", evaluateMoves);
  on("chart", evaluateGame);
  on("flip", () => {
    state.flipped = !state.flipped;
    storage.write("flipped", state.flipped);
    build();
    show();
  });
  on("evaluate", async () => {
    state.evaluating = !state.evaluating;
    storage.write("evaluating", state.evaluating);
    showEvaluation();
    if (state.evaluating && !state.running.engine && !setup.open) await analyze();
    else abort("analysis");
  });
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
    find("setup").scrollIntoView({ block: "nearest" });
  });
  on("share", async () => {
    const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    const text = isCopied ? "Link copied" : "Copy the link from the address bar.";
    showMessage(text);
    announce(text);
  });
  for (const place of ["far", "near"]) {
    find(place).addEventListener("change", ({ target }) => {
      state.players[target.dataset.side] = target.value;
      storage.write(`players ${state.game.board.game}`, state.players);
      abortAll();
      state.paused = false;
      proceed();
    });
  }
  find("game").addEventListener("change", (event) => reportErrors(() => open(event.target.value)));
  addEventListener("hashchange", () => reportErrors(openLink));
  addEventListener("resize", () => state.game && showGraph());
  prepareLoad(() => state.game.board, (view, more) => {
    loadView(view, `Game loaded (${count(view.moves.length, "move")}).`);
    if (more) showMessage("The text contains several games. The first one was loaded.");
  });
  prepareSave(() => state.game, () => SIDES.map((side) => (isEngine(side) ? `morello level ${state.players[side]}` : "")));
}

/** Opens the game of the link, or a new game of Othello if the link names none. */
async function openLink() {
  const linked = Game.parseLink(location.hash.slice(1));
  const isKnown = state.boards.some(({ game }) => game === linked.game);
  const name = isKnown ? linked.game : state.boards[0].game;
  try {
    if (linked.game && !isKnown) throw new RequestError(`unknown game \`${linked.game}\``);
    await open(name, { ...linked, game: name }, linked.moves.length || linked.start ? "Game opened from the link." : "");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    await open(name);
    showMessage(`Could not open the link. ${error.message}`, true);
  }
}

reportErrors(async () => {
  state.boards = await ask("games");
  find("game").replaceChildren(...state.boards.map(({ game }) => make("option", { value: game }, title(game, names()))));
  await openLink();
  listen();
});
