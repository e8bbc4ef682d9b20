// The page begins here: what can be clicked, and where a link leads.

import { Refused, ask } from "./api.js";
import { prepareLoad, prepareSave } from "./dialogs.js";
import { announce, attempt, find, make, tell } from "./dom.js";
import { graph, showGraph, showThought } from "./evaluation.js";
import { Game, title } from "./game.js";
import { jump, letGo, open, proceed, redo, take, touch, undo } from "./play.js";
import { board, build, setup, show, showBoard } from "./show.js";
import { SIDES, halt, haltAll, isEngine, kept, names, state } from "./state.js";
import { analyze, chart, value } from "./think.js";

/** What a person does comes after what was done before, however quick: a click may come while the move before it is asked for. */
let doing = Promise.resolve();

function listen() {
  const on = (id, work) => find(id).addEventListener("click", () => attempt(work));
  board.onTouch = (point) => {
    doing = doing.then(() => touch(point)).catch((error) => tell(error.message, true));
  };
  board.onEscape = letGo;
  graph.onJump = jump;
  setup.onShow = () => showBoard();
  setup.onDone = (view) => {
    if (view) take(view, "The position is set up.");
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
  on("forth", () => jump(state.game.ply + 1));
  on("last", () => jump(state.game.moves.length));
  find("moves").addEventListener("click", ({ target }) => target.dataset.ply && jump(Number(target.dataset.ply)));
  on("values", value);
  on("chart", chart);
  on("flip", () => {
    state.flipped = !state.flipped;
    kept.write("flipped", state.flipped);
    build();
    show();
  });
  on("evaluate", async () => {
    state.evaluating = !state.evaluating;
    kept.write("evaluating", state.evaluating);
    showThought();
    if (state.evaluating && !state.works.engine && !setup.open) await analyze();
    else halt("analysis");
  });
  on("now", () => state.works.engine?.now());
  on("stop", () => {
    halt("engine");
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
    haltAll();
    state.touched = [];
    setup.begin(state.game.board, state.game.view);
    show();
    find("setup").scrollIntoView({ block: "nearest" });
  });
  on("share", async () => {
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    tell("The address of this page is the link: it was copied.");
    announce("The link was copied.");
  });
  for (const place of ["far", "near"]) {
    find(place).addEventListener("change", ({ target }) => {
      state.players[target.dataset.side] = target.value;
      kept.write(`players ${state.game.board.game}`, state.players);
      haltAll();
      state.paused = false;
      proceed();
    });
  }
  find("game").addEventListener("change", (event) => attempt(() => open(event.target.value)));
  addEventListener("hashchange", () => attempt(fromLink));
  addEventListener("resize", () => state.game && showGraph());
  prepareLoad(() => state.game.board, (view, more) => {
    take(view, `A game of ${view.moves.length} plies is loaded.`);
    if (more) tell("The first of several was loaded.");
  });
  prepareSave(() => state.game, () => SIDES.map((side) => (isEngine(side) ? `morello level ${state.players[side]}` : "")));
}

/** Shows what the link tells; a new game of Othello if it tells nothing. */
async function fromLink() {
  const told = Game.told(location.hash.slice(1));
  const isKnown = state.boards.some(({ game }) => game === told.game);
  const name = isKnown ? told.game : state.boards[0].game;
  try {
    if (told.game && !isKnown) throw new Refused(`there is no game \`${told.game}\``);
    await open(name, { ...told, game: name }, told.moves.length || told.start ? "A game from a link." : "");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await open(name);
    tell(`The link cannot be followed: ${error.message}`, true);
  }
}

attempt(async () => {
  state.boards = await ask("games");
  find("game").replaceChildren(...state.boards.map(({ game }) => make("option", { value: game }, title(game, names()))));
  await fromLink();
  listen();
});
