// Requests to the engine, on the server or in the browser. The documentation of the module `web` describes them and
// their responses.

import { errorText, t } from "./language.js";
import { TransportError } from "./transport-error.js";
import { lines } from "./transport.js";

/** @import { Responses, Streams } from "./types.d.ts" */

/** A request that failed; the message is a sentence for the user. */
export class RequestError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(sentence(message));
  }
}

/** Makes a full sentence of an error. @param {string} text */
export function sentence(text) {
  const end = /[.?!…]$/.test(text) ? "" : ".";
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** Whether a request was aborted by the page itself. @param {unknown} error */
export const isAbort = (error) => error instanceof Error && error.name === "AbortError";

/**
 * Calls `take` with each line of the answer, until it returns true.
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal | undefined} signal
 * @param {(line: any) => boolean} take
 */
async function read(path, body, signal, take) {
  try {
    for await (const line of lines(path, body, signal)) {
      if (line.error) throw new RequestError(errorText(line));
      if (take(line)) return;
    }
    throw new TransportError("connectionLost");
  } catch (error) {
    throw error instanceof TransportError ? new RequestError(t(error.reason, error.values)) : error;
  }
}

/**
 * Sends a request and returns the response. The body is a value to send as JSON, or a Blob.
 * @template {keyof Responses} P
 * @param {P} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Responses[P]>}
 */
export async function ask(path, body, signal) {
  /** @type {any} */
  let response;
  await read(path, body, signal, (line) => {
    response = line;
    return true;
  });
  return response;
}

/**
 * Sends a request that is answered with a stream of lines. Calls `onLine` with each line and returns `done` of the
 * last.
 * @template {keyof Streams} P
 * @param {P} path
 * @param {unknown} body
 * @param {AbortSignal | undefined} signal
 * @param {(line: Streams[P]["line"]) => void} onLine
 * @returns {Promise<Streams[P]["done"]>}
 */
export async function askLines(path, body, signal, onLine) {
  /** @type {any} */
  let end;
  await read(path, body, signal, (line) => {
    onLine(line);
    end = line.done;
    return Boolean(end);
  });
  return end;
}
