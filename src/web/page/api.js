// Requests to the server. The documentation of the module `web` describes them and their responses.

import { errorText, t } from "./language.js";

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

const lost = () => new RequestError(t("connectionLost"));

/** @type {(path: string, body: unknown, signal?: AbortSignal) => Promise<Response>} */
async function send(path, body, signal) {
  const isBytes = body instanceof Blob;
  const options = body === undefined ? { signal } : {
    method: "POST",
    headers: { "content-type": isBytes ? "application/octet-stream" : "application/json" },
    body: isBytes ? body : JSON.stringify(body),
    signal,
  };
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new RequestError(t("noResponse"));
  }
  if (response.ok) return response;
  const failure = await response.json().catch(() => ({}));
  throw new RequestError(failure.error ? errorText(failure) : t("badStatus", { status: response.status }));
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
  const response = await send(path, body, signal);
  return response.json().catch((error) => {
    throw isAbort(error) ? error : lost();
  });
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
  const response = await send(path, body, signal);
  if (!response.body) throw lost();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read().catch((error) => {
      if (signal?.aborted) throw new DOMException("aborted", "AbortError");
      throw isAbort(error) ? error : lost();
    });
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      if (message.error) throw new RequestError(errorText(message));
      onLine(message);
      if (message.done) return message.done;
    }
    if (done) throw lost();
  }
}
