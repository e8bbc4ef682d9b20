// The page: who plays, what is shown, and what the engine is asked.

import { Refused, ask, follow } from "./api.js";
import { Board } from "./board.js";
import { prepareLoad, prepareSave } from "./dialogs.js";
import { Game, title } from "./game.js";
import { Graph } from "./graph.js";
import { amount, blackShare, brief, describe, otherSide, share, sideName } from "./score.js";
import { SetUp, make } from "./setup.js";

const SIDES = ["black", "white"];
/** How long a move or a pass is to be seen before the next, in milliseconds. */
const PAUSE = 450;
const PASS_PAUSE = 1100;

const find = (id) => document.getElementById(id);
const wait = (time) => new Promise((done) => { setTimeout(done, time); });

/** What is kept from visit to visit: how strong the players are, and what is switched on. */
const kept = {
  read: (key, other) => {
    try { return JSON.parse(localStorage.getItem(`morello ${key}`)) ?? other; } catch { return other; }
  },
  write: (key, value) => {
    try { localStorage.setItem(`morello ${key}`, JSON.stringify(value)); } catch { /* There is no place for it. */ }
  },
};

let boards = [];
let game;
let players = {};
/** The points touched of a move that is half chosen. */
let touched = [];
/** What a person does comes after what was done before, however quick: a click may come while the move before it is asked for. */
let doing = Promise.resolve();
/** Whether engines wait to be asked: after going back, or after a link. */
let paused = false;
let flipped = kept.read("flipped", false);
let evaluating = kept.read("evaluating", false);
/** What is under way: `engine`, `analysis`, `values`, `chart`; each an AbortController. */
const works = {};
/** What was thought of positions, by their keys. */
const thoughts = new Map();
/** The worth of moves, of the position with this key. */
let values = null;
let step = 0;

const board = new Board(find("board"), (point) => {
  doing = doing.then(() => touch(point)).catch((error) => tell(error.message, true));
}, () => { touched = []; show(); });
const graph = new Graph(find("graph"), (ply) => jump(ply));
const setup = new SetUp(find("setup"), () => showBoard(), (view) => {
  if (view) take(view, "The position is set up.");
  else {
    paused = isEngine(game.view.side);
    proceed();
  }
});

const names = () => boards.map(({ game }) => game);
const isEngine = (side) => players[side] !== "person";
const playerName = (side) => (isEngine(side) ? `${sideName(side)} (level ${players[side]})` : sideName(side));
/** Whether whoever is to move is a person at this page. */
const mayMove = () => !game.view.end && !works.engine && (paused || !isEngine(game.view.side)) && !isPass();
const isPass = () => game.view.legal.length === 1 && game.view.legal[0].is_pass;

function announce(text) {
  const place = find("announcer");
  // The same words once more are news, too.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

function tell(text, isError = false) {
  find("status").textContent = text;
  find("status").classList.toggle("error", isError);
  find("status").classList.remove("busy");
}

/** Runs what a person asked for, and tells what is wrong with it. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Refused)) throw error;
    tell(error.message, true);
    announce(error.message);
  }
}

function halt(...kinds) {
  for (const kind of kinds) {
    works[kind]?.abort();
    delete works[kind];
  }
}

function haltAll() {
  step += 1;
  halt("engine", "analysis", "values", "chart");
}

/** Begins a new game of a kind. */
async function open(name, told = { game: name }, from = "") {
  haltAll();
  const view = await ask("view", told);
  const kind = boards.find((board) => board.game === view.game);
  game = new Game(kind, view);
  players = kept.read(`players ${name}`, { [kind.first]: "person", [otherSide(kind.first)]: "4" });
  touched = [];
  values = null;
  paused = from !== "";
  thoughts.clear();
  find("game").value = name;
  document.title = `${title(name, names())} · morello`;
  if (setup.open) setup.close();
  board.build(kind, flipped);
  seats();
  announce(from || `${title(name, names())}: a new game.`);
  proceed();
}

/** Takes a position or game from elsewhere. */
function take(view, words) {
  haltAll();
  if (setup.open) setup.close();
  game.take(view);
  touched = [];
  values = null;
  paused = isEngine(view.side);
  announce(words);
  proceed();
}

/** Shows where the game stands, and lets whoever is to move do so. */
async function proceed(move) {
  const now = (step += 1);
  show(move);
  if (setup.open) return;
  const { view } = game;
  const atEnd = view.ply === view.moves.length;
  if (isPass() && atEnd) {
    const words = `${sideName(view.side)} has no move and passes.`;
    tell(words);
    announce(words);
    await wait(PASS_PAUSE);
    if (now === step) attempt(() => play(view.legal[0].text));
  } else if (!view.end && isEngine(view.side) && !paused) {
    attempt(() => engineMoves(now));
  } else if (evaluating) {
    attempt(() => analyze());
  }
}

/** Plays a move of whoever is to move. */
async function play(text) {
  const { side, legal } = game.view;
  const move = legal.find((move) => move.text === text);
  const now = step;
  const before = game.view;
  await game.play(text, () => now === step);
  if (now !== step) return;
  halt("analysis", "values", "chart");
  touched = [];
  values = null;
  const flips = move && !move.is_pass ? move.changes.length - move.points.length : 0;
  const captures = move && before.counts[SIDES.indexOf(otherSide(side))] > game.view.counts[SIDES.indexOf(otherSide(side))] && flips <= 0;
  const words = [`${sideName(side)} ${move?.is_pass ? "passes" : spell(text)}`];
  if (flips > 0) words.push(`${flips} ${flips === 1 ? game.board.words.piece : game.board.words.pieces} turned`);
  else if (captures) words.push(`a ${game.board.words.piece} ${game.board.words.captured}`);
  announce(`${words.join(", ")}. ${game.view.end ? `${result()}.` : `${playerName(game.view.side)} to move.`}`);
  proceed(move);
}

/** A move for the ear. */
const spell = (text) => text.replace("-", " to ").replace("x", ` ${game.board.words.captures} `);

const result = () => {
  const { text } = game.view.end;
  return text[0].toUpperCase() + text.slice(1);
};

async function engineMoves(now) {
  halt("analysis", "engine");
  const { side } = game.view;
  const work = (works.engine = new AbortController());
  let [best, waits, hurries] = [undefined, false, false];
  work.now = () => {
    if (best) work.abort("now");
    // It moves as soon as it has a move at all.
    else hurries = true;
  };
  showStatus();
  const begun = performance.now();
  try {
    await follow("choose", { ...game.told(), level: Number(players[side]) }, work.signal, ({ thought, waiting }) => {
      if (waiting !== undefined) {
        waits = true;
        tell(`${playerName(side)} waits: ${waiting ? `${waiting} before it` : "it is next"}`);
      }
      if (!thought) return;
      if (waits) {
        waits = false;
        showStatus();
      }
      best = thought.lines[0]?.moves[0] ?? best;
      remember(thought);
      if (best && hurries) work.abort("now");
    });
  } catch (error) {
    if (work.signal.reason !== "now") {
      if (works.engine === work) halt("engine");
      if (error.name !== "AbortError") paused = true;
      showStatus();
      throw error;
    }
  }
  await wait(Math.max(0, PAUSE - (performance.now() - begun)));
  if (now !== step) return;
  delete works.engine;
  if (best) await play(best);
}

/** Thinks about the position on the board, as long as it is there. */
async function analyze() {
  halt("analysis");
  if (game.view.end) return;
  const work = (works.analysis = new AbortController());
  for (let cut = true; cut && works.analysis === work;) {
    const done = await follow("analyze", game.told(), work.signal, ({ thought }) => thought && works.analysis === work && remember(thought));
    cut = done.cut;
    if (cut) await wait(PAUSE);
  }
}

/** Keeps what was thought of the position on the board, and shows it. */
function remember(thought) {
  const before = thoughts.get(game.key());
  if (before && before.depth > thought.depth && !thought.lines[0]?.score.exact) return;
  thoughts.set(game.key(), thought);
  showThought();
  showGraph();
}

/** Finds what every move is worth, and writes it on the board. */
async function value() {
  if (works.values || values) {
    halt("values");
    values = null;
    showBoard();
    return;
  }
  if (game.view.end) return;
  halt("analysis");
  const [work, key] = [(works.values = new AbortController()), game.key()];
  values = { key, lines: [] };
  showBoard();
  try {
    for (let cut = true; cut && works.values === work;) {
      const done = await follow("values", game.told(), work.signal, ({ thought }) => {
        if (!thought || works.values !== work) return;
        values = { key, lines: thought.lines };
        showBoard();
        remember(thought);
      });
      cut = done.cut && values.lines.some((line) => !line.score.exact);
      if (cut) await wait(PAUSE);
    }
  } finally {
    if (works.values === work) delete works.values;
  }
  const best = values?.lines[0];
  if (best) announce(`The best move is ${spell(best.moves[0])}: ${describe(best.score, game.view.side, game.board)}.`);
}

/** Judges every position of the game. */
async function chart() {
  if (works.chart) {
    halt("chart");
    showGraph();
    return;
  }
  halt("analysis");
  const work = (works.chart = new AbortController());
  const told = { ...game.told(), ply: undefined };
  find("chart").textContent = "Stop";
  try {
    let from = 0;
    const read = ({ thought, ply }) => {
      if (!thought || works.chart !== work) return;
      from = ply + 1;
      const before = thoughts.get(game.key(ply));
      if (!before || before.depth <= thought.depth) thoughts.set(game.key(ply), thought);
      showGraph();
      if (ply === game.ply) showThought();
    };
    for (let cut = true; cut && works.chart === work;) cut = (await follow("graph", { ...told, from }, work.signal, read)).cut;
  } finally {
    if (works.chart === work) delete works.chart;
    find("chart").textContent = "Evaluate game";
  }
}

/** A point of the board was chosen. */
async function touch(point) {
  if (setup.open) {
    setup.touch(point);
    return;
  }
  if (game.view.end) {
    tell(`The game is over: ${game.view.end.text}.`);
    return;
  }
  if (!mayMove()) return;
  if (touched.length && touched.at(-1) === point) {
    touched = [];
    show();
    return;
  }
  for (const begun of [touched, []]) {
    const next = [...begun, point];
    const moves = game.movesThrough(next).filter((move) => move.points.length);
    const whole = moves.find((move) => move.points.length === next.length);
    if (whole && begun.length < touched.length) {
      // Not what was begun: a slip is not to be a move at once.
      touched = [];
      show();
      return;
    }
    if (whole) {
      paused = false;
      await attempt(() => play(whole.text));
      return;
    }
    if (moves.length) {
      touched = next;
      show();
      announce(find("status").textContent);
      return;
    }
  }
  // Only the server knows why not.
  await attempt(() => ask("move", { ...game.told(), touched: [...touched, point] }));
}

async function jump(ply) {
  haltAll();
  const now = step;
  await attempt(async () => {
    await game.jump(ply, () => now === step);
    if (now !== step) return;
    touched = [];
    values = null;
    paused = isEngine(game.view.side);
    announce(`After ${game.ply} of ${game.moves.length} plies. ${game.view.end ? result() : `${sideName(game.view.side)} to move`}.`);
    await proceed();
  });
}

/** Takes back to where a person moves: one ply between people, else one's own move and the answer to it. */
async function undo() {
  if (touched.length) {
    touched = [];
    show();
    return;
  }
  let ply = game.ply - 1;
  while (ply > 0 && isEngine(game.sideAt(ply)) && !isEngine(otherSide(game.sideAt(ply)))) ply -= 1;
  await jump(Math.max(ply, 0));
  // A pass is none's own move.
  if (isPass() && game.ply > 0) await undo();
}

async function redo() {
  let ply = game.ply + 1;
  while (ply < game.moves.length && isEngine(game.sideAt(ply)) && !isEngine(otherSide(game.sideAt(ply)))) ply += 1;
  await jump(ply);
}

// What is shown.

function show(move) {
  const fragment = `#${game.fragment()}`;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
  showBoard(move);
  showSeats();
  showStatus();
  showMoves();
  showThought();
  showGraph();
}

function showBoard(move) {
  const { view } = game;
  if (setup.open) {
    board.show({ pieces: setup.pieces, side: view.side, free: true });
    return;
  }
  const through = mayMove() ? game.movesThrough(touched) : [];
  const next = (moves) => [...new Set(moves.map((move) => move.points[touched.length]).filter((point) => point !== undefined))];
  board.show({
    pieces: view.pieces, side: view.side, last: view.last, touched, targets: next(through), move, values: worth(),
    changes: (point) => {
      const moves = through.filter((move) => move.points[touched.length] === point);
      return moves.length === 1 && moves[0].points.length === 1 ? moves[0].changes : [];
    },
  });
  find("values").setAttribute("aria-pressed", Boolean(values));
}

/** The worth of each point that may be chosen next: that of the best move through it. */
function worth() {
  if (!values || values.key !== game.key()) return undefined;
  const shown = new Map();
  const places = new Map(game.view.legal.map((move) => [move.text, move.points]));
  for (const { score, moves } of values.lines) {
    const points = places.get(moves[0]);
    if (!points || !touched.every((point, at) => points[at] === point)) continue;
    const point = points[touched.length];
    const first = [...shown.values()][0];
    if (point === undefined || shown.has(point)) continue;
    const text = brief(score, game.board);
    shown.set(point, { text, exact: score.exact, best: !first || (first.best && first.text === text && first.exact === score.exact) });
  }
  return shown;
}

function seats() {
  for (const [place, side] of [["far", otherSide(nearSide())], ["near", nearSide()]]) {
    const select = make("select", { "aria-label": `Who plays ${sideName(side)}`, id: `player-${side}` },
      make("option", { value: "person" }, "Person"),
      ...Array.from({ length: game.board.levels }, (_, at) => make("option", { value: at + 1 }, `Level ${at + 1}`)));
    select.value = players[side];
    select.addEventListener("change", () => {
      players[side] = select.value;
      kept.write(`players ${game.board.game}`, players);
      haltAll();
      paused = false;
      proceed();
    });
    find(place).replaceChildren(
      make("i", { class: `swatch ${side}` }), make("span", { class: "name" }, sideName(side)), select,
      make("span", { class: "hand", id: `hand-${side}` }), make("span", { class: "count", id: `count-${side}` }));
  }
}

/** The side at the lower end of the board: whoever begins, unless it is flipped. */
const nearSide = () => (flipped ? otherSide(game.board.first) : game.board.first);

function showSeats() {
  const { view, board: { words } } = game;
  SIDES.forEach((side, at) => {
    const seat = find(`player-${side}`).parentElement;
    seat.classList.toggle("turn", !view.end && view.side === side);
    const hand = view.in_hand?.[at] ?? 0;
    const place = find(`hand-${side}`);
    place.replaceChildren(...Array.from({ length: hand }, () => make("i", { class: side })));
    if (view.in_hand) {
      place.setAttribute("role", "img");
      place.setAttribute("aria-label", `${hand} in hand`);
    }
    const count = find(`count-${side}`);
    count.textContent = view.counts[at];
    count.title = `${view.counts[at]} ${view.counts[at] === 1 ? words.piece : words.pieces} on the board`;
  });
  const bar = find("bar");
  bar.classList.toggle("black-below", nearSide() === "black");
}

function showStatus() {
  const { view, board: { words } } = game;
  const thinking = Boolean(works.engine);
  find("thinking").hidden = !thinking;
  find("resume").hidden = !(paused && !view.end && isEngine(view.side)) || setup.open;
  if (setup.open) tell("Click on the board to put pieces there.");
  else if (view.end) tell(`${result()}.`);
  else if (thinking) {
    tell(`${playerName(view.side)} is thinking`);
    find("status").classList.add("busy");
  } else if (touched.length) {
    const next = game.movesThrough(touched).map((move) => move.points[touched.length]);
    const prey = next.every((point) => view.pieces[point] === otherSide(view.side));
    tell(prey ? `${sideName(view.side)} ${words.captures}: choose the ${words.piece}.` : `Choose where the ${words.piece} goes.`);
  } else if (isPass()) tell(`${sideName(view.side)} has no move and passes.`);
  else tell(`${playerName(view.side)} to move.`);
}

function showMoves() {
  const list = find("moves");
  const offset = game.view.first === game.board.first ? 0 : 1;
  const cell = (text, ply) => make("button", {
    class: ply > game.ply ? "undone" : undefined, "aria-current": ply === game.ply ? "step" : undefined, onclick: () => jump(ply),
  }, text);
  const rows = [];
  for (let at = -offset; at < game.moves.length; at += 2) {
    const texts = [at, at + 1].map((ply) => (ply < 0 ? "…" : game.moves[ply]));
    rows.push(make("li", {}, make("span", {}, `${(at + offset) / 2 + 1}.`),
      ...texts.map((text, nth) => (text === undefined ? "" : text === "…" ? make("i", {}, text) : cell(text === "pa" ? "pass" : text, at + nth + 1)))));
  }
  list.replaceChildren(...rows);
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
  const [atStart, atEnd] = [game.ply === 0, game.ply === game.moves.length];
  for (const id of ["first", "back"]) find(id).disabled = atStart || setup.open;
  for (const id of ["forth", "last", "redo"]) find(id).disabled = atEnd || setup.open;
  find("undo").disabled = (atStart && !touched.length) || setup.open;
  find("chart").disabled = game.moves.length === 0 || setup.open;
  for (const id of ["load", "save", "share"]) find(id).disabled = setup.open;
  find("values").disabled = Boolean(game.view.end) || setup.open;
  for (const button of list.querySelectorAll("button")) button.disabled = setup.open;
}

/** Black's share and the words of what is known of a ply. */
function known(ply) {
  const { view, board: kind } = game;
  if (view.end && ply === view.ply) return { share: share(kind.counts_margin ? view.end.points : Math.sign(view.end.points), kind), text: result() };
  const thought = thoughts.get(game.key(ply));
  const score = thought?.lines[0]?.score;
  if (!score) return null;
  return { share: blackShare(score, thought.side, kind), text: describe(score, thought.side, kind), thought };
}

function showThought() {
  const now = known(game.ply);
  const bar = find("bar");
  const isShown = Boolean(now) && (evaluating || Boolean(values) || Boolean(game.view.end));
  bar.classList.toggle("on", isShown);
  if (isShown) {
    bar.firstElementChild.style.flexBasis = `${(now.share * 100).toFixed(1)}%`;
    bar.setAttribute("aria-valuenow", Math.round(now.share * 100));
    bar.setAttribute("aria-valuetext", now.text);
  }
  const place = find("evaluation");
  find("evaluate").setAttribute("aria-checked", evaluating);
  if (!isShown) {
    place.replaceChildren(make("p", { class: "quiet" }, evaluating ? (works.engine ? "The engine is at its own move." : "Thinking…") : "Switch it on to see what the engine thinks of each position."));
    return;
  }
  const { thought } = now;
  const parts = [make("p", { class: "score" }, now.text)];
  if (thought) {
    const exact = thought.lines[0].score.exact;
    const speed = `${amount(thought.nodes)} nodes, ${(thought.time_ms / 1000).toFixed(1)} s`;
    parts.push(make("p", { class: "facts" }, `${exact ? "Exact" : `Depth ${thought.depth}${thought.confidence < 100 ? ` at ${thought.confidence} %` : ""}`} · ${speed}`));
    parts.push(make("p", { class: "line" }, thought.lines[0].moves.join(" ")));
    if (thought.note) parts.push(make("p", { class: "quiet" }, thought.note));
  }
  if (values) parts.push(make("p", { class: "facts" }, `On the board: what each move is worth to ${sideName(game.view.side)}. Values in a frame are exact.`));
  place.replaceChildren(...parts);
}

function showGraph() {
  const shares = Array.from({ length: game.moves.length + 1 }, (_, ply) => known(ply)?.share ?? null);
  graph.show(shares, game.ply, known(game.ply)?.text);
}

// What can be clicked.

function listen() {
  const on = (id, work) => find(id).addEventListener("click", () => attempt(work));
  on("new", () => open(game.board.game));
  on("undo", undo);
  on("redo", redo);
  on("first", () => jump(0));
  on("back", () => jump(game.ply - 1));
  on("forth", () => jump(game.ply + 1));
  on("last", () => jump(game.moves.length));
  on("values", value);
  on("chart", chart);
  on("flip", () => {
    flipped = !flipped;
    kept.write("flipped", flipped);
    board.build(game.board, flipped);
    seats();
    show();
  });
  on("evaluate", async () => {
    evaluating = !evaluating;
    kept.write("evaluating", evaluating);
    showThought();
    if (evaluating && !works.engine && !setup.open) await analyze();
    else halt("analysis");
  });
  on("now", () => works.engine?.now());
  on("stop", () => {
    halt("engine");
    step += 1;
    paused = true;
    show();
  });
  on("resume", () => {
    paused = false;
    proceed();
  });
  on("arrange", () => {
    if (setup.open) {
      setup.finish();
      return;
    }
    haltAll();
    touched = [];
    setup.begin(game.board, game.view);
    show();
    find("setup").scrollIntoView({ block: "nearest" });
  });
  on("share", async () => {
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    tell("The address of this page is the link: it was copied.");
    announce("The link was copied.");
  });
  find("game").addEventListener("change", (event) => attempt(() => open(event.target.value)));
  addEventListener("hashchange", () => attempt(fromLink));
  addEventListener("resize", () => game && showGraph());
  prepareLoad(() => game.board, (view, more) => {
    take(view, `A game of ${view.moves.length} plies is loaded.`);
    if (more) tell("The first of several was loaded.");
  });
  prepareSave(() => game, () => SIDES.map((side) => (isEngine(side) ? `morello level ${players[side]}` : "")));
}

/** Shows what the link tells; a new game of Othello if it tells nothing. */
async function fromLink() {
  const told = Game.told(location.hash.slice(1));
  const isKnown = boards.some(({ game }) => game === told.game);
  const name = isKnown ? told.game : boards[0].game;
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
  boards = await ask("games");
  find("game").replaceChildren(...boards.map(({ game }) => make("option", { value: game }, title(game, names()))));
  await fromLink();
  listen();
});
