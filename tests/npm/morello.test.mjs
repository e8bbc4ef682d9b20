// What the functions of the package return, and how they fail.

import assert from "node:assert/strict";
import test, { after } from "node:test";

import { morello } from "./installed.mjs";

const { MorelloError, Position, choose, close, configure, games, review, search, solve } = morello;

after(close);

/** Checks that a call fails with an error of this kind, whose message matches. */
async function fails(call, kind, message) {
  const error = await Promise.resolve().then(call).then(() => assert.fail("no error"), (reason) => reason);
  assert.ok(error instanceof kind, String(error));
  assert.match(`${error.code ?? ""} ${error.message}`, message);
  return error;
}

const FFO = [
  ["O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, ["a2"]],
  ["-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, ["h4"]],
  ["--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, ["g2"]],
];

test("positions of the endgame test are solved", async () => {
  for (const [text, score, best] of FFO) {
    const solution = await solve(await Position.parse(text));
    assert.deepEqual([solution.score, solution.exact, solution.side], [score, true, "black"]);
    assert.equal(solution.outcome, score > 0 ? "win" : "draw");
    assert.ok(best.includes(solution.best), solution.best);
  }
});

test("a position knows its game", async () => {
  const start = await Position.start();
  assert.deepEqual([start.game, start.side, start.moves], ["othello", "black", ["d3", "c4", "f5", "e6"]]);
  assert.deepEqual([start.previous, start.result, start.isOver, start.start, start.inHand], [null, null, false, null, null]);
  const position = start.play("f5").play("f6").play("e6");
  assert.deepEqual([position.history, position.opening], [["f5", "f6", "e6"], "Diagonal"]);
  assert.deepEqual([position.counts, position.pieces[36]], [{ black: 5, white: 2 }, "black"]);
  assert.deepEqual(start.history, []);
  assert.equal((await Position.from(JSON.parse(JSON.stringify(position)))).toString(), String(position));
  assert.equal((await Position.from(position)), position);
  assert.deepEqual((await Position.from(position.toJSON())).previous.history, ["f5", "f6"]);
  assert.equal(String((await Position.parse(String(position)))), String(position));
  assert.match(position.format("pgn", { black: "Anna" }), /\[Black "Anna"\][^]*1\. f5 f6 2\. e6/);
  for (const change of [
    () => { position.history[0] = "d3"; }, () => { position.pieces.length = 0; }, () => { position.moves.push("a1"); },
    () => { position.side = "white"; }, () => { position.counts.black = 0; },
  ]) assert.throws(change, TypeError);
  const names = await games();
  assert.equal(names.length, 13);
  for (const { name, points, first } of names) {
    let game = await Position.start(name);
    assert.deepEqual([game.side, game.pieces.length], [first, points.length]);
    for (let ply = 0; ply < 12 && !game.isOver; ply += 1) game = game.play(game.moves[(ply * 7) % game.moves.length]);
    assert.equal(String((await Position.from(game.toJSON()))), String(game));
  }
});

test("a game ends", async () => {
  let position = await Position.start("othello-4x4");
  while (!position.isOver) position = position.play(position.moves[0]);
  assert.equal(position.result.winner, position.result.points > 0 ? "black" : "white");
  assert.deepEqual(position.moves, []);
  await fails(() => position.play("a1"), MorelloError, /./);
  assert.deepEqual((({ best, exact }) => [best, exact])(await search(position)), [null, true]);
  assert.equal(await choose(position), null);
});

test("a search stops at each of its limits", async () => {
  // Out of the opening book.
  const position = await Position.from({ game: "othello-6x6", moves: ["e4"] });
  assert.equal((await search(position, { depth: 4 })).depth, 4);
  const few = await search(position, { nodes: 20_000 });
  assert.ok(few.nodes < 60_000, String(few.nodes));
  const updates = [];
  const timed = await search(position, { time: 200, lines: 2, onUpdate: (result) => updates.push(result.depth) });
  assert.ok(timed.depth > 1 && updates.length > 1 && timed.time < 2000);
  assert.equal(timed.lines.length, 2);
  assert.ok(timed.lines[0].score >= timed.lines[1].score && timed.lines[0].score === timed.score);
  assert.ok(position.moves.includes(timed.best));
  assert.ok((await search(position, { level: 3 })).depth >= 1);
  assert.ok(position.moves.includes(await choose(position, { level: "casual" })));
  assert.ok((await search({ game: "othello", moves: ["f5"] })).best);
});

test("mill games are searched, and solved where it can be", async () => {
  const three = await Position.start("three-mens-morris");
  const solution = await solve(three, { time: 60_000 });
  assert.deepEqual([solution.outcome, solution.score], ["win", 1]);
  const nine = await Position.parse("d2 f4 d6", "nine-mens-morris");
  const found = await search(nine, { depth: 5 });
  assert.ok(nine.moves.includes(found.best) && Math.abs(found.score) <= 1);
  // The book of the game is a part of its solution.
  assert.deepEqual((({ outcome, source }) => [outcome, source])(await solve(nine)), ["draw", "book"]);
  const morabaraba = await Position.start("morabaraba");
  const error = await fails(() => solve(morabaraba, { time: 300 }), MorelloError, /^not_solved not solved in \d+ ms/);
  assert.ok(error.values.depth > 0);
});

test("a game is reviewed", async () => {
  const progress = [];
  const game = "f5d6c3d3c4f4c5b3c2";
  const { rows, summary } = await review(game, { level: 3, onProgress: ({ row, plies }) => progress.push([row.ply, plies]) });
  assert.deepEqual(rows.slice(0, 2).map(({ ply, played }) => [ply, played]), [[0, "f5"], [1, "d6"]]);
  assert.deepEqual(progress, rows.map(({ ply }) => [ply, 9]));
  assert.ok(rows.every(({ result }) => result.lines.length && result.side));
  assert.ok(summary.black.moves > 0 && summary.white.meanLoss >= 0 && summary.phases.length > 0);
  const empty = await review({ game: "three-mens-morris" }, { level: 1 });
  assert.ok(empty.rows.length <= 1);
});

test("an aborted search ends at once, and the next one is answered", async () => {
  const position = await Position.from({ game: "othello", moves: ["f5", "d6", "c3"] });
  const reason = await search(position, { signal: AbortSignal.abort() }).catch((error) => error);
  assert.equal(reason.name, "AbortError");
  for (const delay of [0, 5, 300]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), delay);
    const started = performance.now();
    const error = await search(position, { time: 60_000, signal: controller.signal }).catch((failure) => failure);
    assert.equal(error.name, "AbortError");
    assert.ok(performance.now() - started < 30_000);
  }
  const own = new Error("enough");
  const controller = new AbortController();
  const searching = solve(position, { signal: controller.signal, onUpdate: () => controller.abort(own) });
  assert.equal(await searching.catch((error) => error), own);
  const thrown = search(position, { time: 60_000, onUpdate() { throw own; } });
  assert.equal(await thrown.catch((error) => error), own);
  assert.equal((await search(position, { depth: 2 })).best === null, false);
});

test("many requests run at a time", async () => {
  const position = await Position.from({ game: "othello-6x6", moves: ["e4"] });
  const searches = Array.from({ length: 12 }, (_, depth) => search(position, { depth: depth % 6 + 1 }));
  const depths = (await Promise.all(searches)).map(({ depth }) => depth);
  assert.deepEqual(depths, Array.from({ length: 12 }, (_, depth) => depth % 6 + 1));
  const [first, second] = await Promise.all([solve(FFO[0][0]), solve({ game: "othello-4x4" })]);
  assert.deepEqual([first.score, second.score], [38, -10]);
});

test("a closed engine rejects what runs, and starts again", async () => {
  const position = await Position.start("othello-6x6");
  const running = fails(() => solve(position), MorelloError, /^closed/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await close();
  await running;
  await close();
  assert.equal((await search(position, { depth: 2 })).depth, 2);
});

test("wrong moves and texts are errors with a code", async () => {
  const start = await Position.start();
  const error = await fails(() => start.play("a1"), MorelloError, /^illegal_move illegal move `a1`: it flips no disc/);
  assert.deepEqual([error.name, error.values, error.cause.code], ["MorelloError", { text: "a1" }, "flips_nothing"]);
  await fails(() => start.play("zz"), MorelloError, /^not_a_move/);
  await fails(() => Position.start("chess"), MorelloError, /^unknown_game/);
  await fails(() => Position.parse("garbage"), MorelloError, /^at line 1, column 1/);
  await fails(() => Position.parse("x".repeat(100_000)), MorelloError, /^request_too_long/);
  await fails(() => Position.from({ game: "othello", moves: ["f5", "f5"] }), MorelloError, /ply 2/);
  await fails(() => Position.from({ game: "othello", start: "x" }), MorelloError, /^not_a_position/);
  await fails(() => search("garbage"), MorelloError, /^at /);
  await fails(() => start.format("msword"), MorelloError, /unknown output format/);
  await fails(() => choose(start, { level: "divine" }), MorelloError, /^unknown_level expected a level from 1 to 60, or novice,/);
});

test("wrong arguments are errors that name them", async () => {
  const start = await Position.start();
  const texts = [null, NaN, 7, {}, [], true, Symbol("s"), () => 1, 10n, "\ud800"];
  for (const value of texts) {
    await fails(() => start.play(value), TypeError, /\bmove must be /);
    await fails(() => Position.parse(value), TypeError, /\btext must be /);
    await fails(() => Position.start(value), TypeError, /\bgame must be /);
    await fails(() => Position.from({ game: value }), TypeError, /record\.game must be /);
    await fails(() => Position.from({ game: "othello", moves: ["f5", value] }), TypeError, /record\.moves\[1\] must be /);
    await fails(() => start.format(value), TypeError, /\bname must be /);
    await fails(() => start.format("pgn", { black: value }), TypeError, /details\.black must be /);
  }
  for (const value of [undefined, null, NaN, 7, true, Symbol("s"), () => 1]) {
    for (const call of [search, solve, review, choose]) await fails(() => call(value), TypeError, /\bposition must be /);
    await fails(() => Position.from(value), TypeError, /\brecord must be /);
  }
  await fails(() => Position.from({ game: "othello", moves: "f5" }), TypeError, /record\.moves must be /);
  await fails(() => new Position(), TypeError, /Position\.start/);
  for (const call of [search, solve, review, choose]) {
    for (const value of [null, 5, "fast", [], () => 1]) await fails(() => call(start, value), TypeError, /\boptions must be /);
    await fails(() => call(start, { dept: 3 }), TypeError, /unknown option "dept"/);
    for (const value of [null, {}, "no", 0]) await fails(() => call(start, { signal: value }), TypeError, /options\.signal must be /);
  }
  const most = { depth: 1000, time: 86_400_000, nodes: Number.MAX_SAFE_INTEGER, level: 60, lines: 10 };
  for (const [name, limit] of Object.entries(most)) {
    const named = new RegExp(`options\\.${name} must be `);
    for (const value of [null, NaN, "5", {}, [], true, 10n]) await fails(() => search(start, { [name]: value }), TypeError, named);
    for (const value of [0, -1, Infinity, -Infinity, limit + 1, 1e300]) {
      await fails(() => search(start, { [name]: value }), RangeError, named);
    }
    if (name !== "time") await fails(() => search(start, { [name]: 1.5 }), RangeError, named);
  }
  await fails(() => review(start, { nodes: 5_000_001 }), RangeError, /options\.nodes must be /);
  await fails(() => choose(start, { time: 10_001 }), RangeError, /options\.time must be /);
  await fails(() => search(start, { onUpdate: 5 }), TypeError, /options\.onUpdate must be /);
  await fails(() => review(start, { onProgress: {} }), TypeError, /options\.onProgress must be /);
  await fails(() => configure({ threads: 0 }), RangeError, /options\.threads must be /);
  await fails(() => configure({ folder: 5 }), TypeError, /options\.folder must be /);
  await fails(() => configure({ folder: "https://" }), TypeError, /options\.folder must be /);
});
