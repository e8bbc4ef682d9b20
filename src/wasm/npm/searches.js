// Searches, in workers.

import { MorelloError, checkOptions } from "./errors.js";
import { settings } from "./folder.js";
import { positionOf } from "./position.js";

const encoder = new TextEncoder();

/** The pool of workers. @type {Promise<any> | undefined} */
let pool;
/** What ends the requests that run. @type {Set<(reason: unknown) => void>} */
const running = new Set();

/** The workers don't keep a process of Node alive, so a request must. */
let alive;
function count(request, isRunning) {
  if (isRunning) running.add(request);
  else running.delete(request);
  if (running.size) alive ??= setInterval(() => {}, 2 ** 30);
  else alive = clearInterval(alive);
}

/** Ends the workers. The reason is that of the requests that run. */
async function stop(reason) {
  const old = pool;
  pool = undefined;
  for (const end of [...running]) end(reason);
  (await old?.catch(() => undefined))?.close();
}

export function close() {
  return stop(new MorelloError("the engine was closed", "closed"));
}

/**
 * Sends a request to a worker, and calls `onLine` with each line of the answer. What it throws ends the request.
 * @param {string} path
 * @param {object} body
 * @param {(line: any) => void} onLine
 * @param {AbortSignal} [signal]
 */
function request(path, body, onLine, signal) {
  const ending = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (reason) => {
      signal?.removeEventListener("abort", abort);
      count(end, false);
      reject(reason);
      ending.abort();
    };
    const abort = () => end(signal.reason);
    const take = (text) => {
      try {
        const line = JSON.parse(text);
        if (line.error !== undefined) throw MorelloError.of(line);
        if (!ending.signal.aborted) onLine(line);
      } catch (error) {
        end(error);
      }
    };
    const fail = (error) => {
      if (ending.signal.aborted) return;
      if (error.reason === "missing") end(new MorelloError(`a file is missing: ${error.message}`, "file_missing", {}, error));
      // Searches that share the memory end with it.
      stop(new MorelloError(`the engine failed: ${error.message}`, "engine_failed", {}, error));
    };
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", abort);
    count(end, true);
    const { folder, threads } = settings;
    const address = new URL("pool.js", folder).href;
    pool ??= import(/* webpackIgnore: true */ /* @vite-ignore */ address).then(({ Pool }) => new Pool(folder, threads));
    pool
      .then((workers) => ending.signal.aborted || workers.answer(path, encoder.encode(JSON.stringify(body)), take, ending.signal))
      .then(() => {
        signal?.removeEventListener("abort", abort);
        count(end, false);
        resolve(undefined);
      })
      .catch(fail);
  });
}

/** @param {any} thought the result of a search of the engine @param {any} position its game and the moves to it */
function resultOf(thought) {
  const lines = thought.lines.map(({ score, moves }) => (
    { score: score.points, exact: score.exact, plies: score.plies, text: score.text, moves }));
  const [{ score, exact, plies, text, moves }] = lines;
  const { side, depth, confidence, nodes, time_ms: time, source } = thought;
  return { side, score, exact, plies, text, best: moves[0] ?? null, lines, depth, confidence, nodes, time, source };
}

/** Searches with the limits of a request, and returns the last line with a result. */
async function run(path, position, limits, onUpdate, signal) {
  const { game, start, moves } = position;
  let last;
  await request(path, { game, start, moves, ...limits }, (line) => {
    if (!line.thought) return;
    last = line;
    onUpdate?.(resultOf(line.thought));
  }, signal);
  return last;
}

export async function search(position, options) {
  const names = ["depth", "time", "nodes", "level", "lines", "signal", "onUpdate"];
  const { time, signal, onUpdate, ...limits } = checkOptions(options, names);
  signal?.throwIfAborted();
  const isLimited = limits.depth ?? limits.nodes ?? limits.level;
  const found = (await positionOf(position)).toJSON();
  const limit = time ?? (isLimited === undefined ? 1000 : undefined);
  return resultOf((await run("analyze", found, { ...limits, time_ms: limit }, onUpdate, signal)).thought);
}

export async function solve(position, options) {
  const { time, signal, onUpdate, ...limits } = checkOptions(options, ["time", "lines", "signal", "onUpdate"]);
  signal?.throwIfAborted();
  const found = (await positionOf(position)).toJSON();
  const result = resultOf((await run("analyze", found, { ...limits, time_ms: time, exact: true }, onUpdate, signal)).thought);
  if (!result.exact) {
    throw new MorelloError(`not solved in ${result.time} ms`, "not_solved", { time: result.time, depth: result.depth });
  }
  return { ...result, outcome: result.score > 0 ? "win" : result.score < 0 ? "loss" : "draw" };
}

export async function choose(position, options) {
  const { signal, time, ...limits } = checkOptions(options, ["level", "time", "signal"], { level: "namedLevel", time: "moveTime" });
  signal?.throwIfAborted();
  const found = (await positionOf(position)).toJSON();
  return (await run("choose", found, { level: 9, ...limits, time_ms: time }, undefined, signal)).move;
}

export async function review(position, options) {
  const { signal, onProgress, ...limits } = checkOptions(options, ["level", "nodes", "signal", "onProgress"], { nodes: "reviewNodes" });
  signal?.throwIfAborted();
  const found = (await positionOf(position)).toJSON();
  const plies = found.moves.length;
  const rows = [];
  let summary = null;
  await request("review", { ...found, ...limits }, (line) => {
    if (line.row) {
      const { thought, ...row } = line.row;
      rows.push({ ...row, result: resultOf(thought) });
      onProgress?.({ row: rows.at(-1), plies });
    }
    if (line.done) summary = summaryOf(line.done.summary);
  }, signal);
  return { rows, summary };
}

const sidesOf = ([black, white]) => {
  const side = ({ mean_loss: meanLoss, moves, accuracy, agreement }) => ({ moves, meanLoss, accuracy, agreement });
  return { black: side(black), white: side(white) };
};

function summaryOf(summary) {
  if (!summary) return null;
  const { sides, phases, reasons, turning_point: turningPoint } = summary;
  return { ...sidesOf(sides), phases: phases.map(({ name, sides: of }) => ({ name, ...sidesOf(of) })), reasons, turningPoint };
}
