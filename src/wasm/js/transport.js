// Answers the requests of the page in workers of the browser. In the program, a module of this name carries them to the
// server.

import { EngineError, Pool } from "./engine/pool.js";
import { TransportError } from "./transport-error.js";

/** Whether a server answers: it may have large endgame tables. */
export const hasServer = false;

const pool = new Pool(new URL("./engine/", import.meta.url));

/** @param {unknown} error */
const failed = (error) => {
  if (error instanceof Error && error.name === "AbortError") return error;
  const isMissing = error instanceof EngineError && error.reason === "missing";
  return new TransportError(isMissing ? "notKept" : "engineFailed", { text: error instanceof Error ? error.message : String(error) });
};

/**
 * Answers a request, and returns the lines of its answer as they come. An error of the request is a line with `error`.
 * @param {string} path
 * @param {unknown} body a value to send as JSON, or a Blob; undefined if there is none
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any, void>}
 */
export async function* lines(path, body, signal) {
  const bytes = body instanceof Blob ? new Uint8Array(await body.arrayBuffer())
    : new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  /** @type {string[]} */
  const arrived = [];
  let isOver = false;
  /** @type {unknown} */
  let failure;
  let wake = () => {};
  const answered = pool.answer(path, bytes, (line) => {
    arrived.push(line);
    wake();
  }, signal).catch((error) => {
    failure = failed(error);
  }).finally(() => {
    isOver = true;
    wake();
  });
  for (;;) {
    while (arrived.length) yield JSON.parse(/** @type {string} */ (arrived.shift()));
    if (isOver) break;
    await new Promise((resolve) => {
      wake = () => resolve(undefined);
    });
  }
  await answered;
  if (failure) throw failure;
}
