// Carries requests to the server, and its answers back. The browser edition has another module of this name, which
// answers them in workers.

import { TransportError } from "./transport-error.js";

/** Whether a server answers: it may have large endgame tables. */
export const hasServer = true;

/** @param {unknown} error @param {AbortSignal} [signal] */
const failed = (error, signal) => {
  if (signal?.aborted) return new DOMException("aborted", "AbortError");
  return error instanceof Error && error.name === "AbortError" ? error : new TransportError("connectionLost");
};

/**
 * Sends a request, and returns the lines of its answer as they come. An error of the request is a line with `error`.
 * @param {string} path
 * @param {unknown} body a value to send as JSON, or a Blob; undefined if there is none
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any, void>}
 */
export async function* lines(path, body, signal) {
  const isBytes = body instanceof Blob;
  const options = body === undefined ? { signal } : {
    method: "POST",
    headers: { "content-type": isBytes ? "application/octet-stream" : "application/json" },
    body: isBytes ? body : JSON.stringify(body),
    signal,
  };
  const response = await fetch(`/api/${path}`, options).catch((error) => {
    throw signal?.aborted ? failed(error, signal) : new TransportError("noResponse");
  });
  if (!response.ok) {
    const failure = await response.json().catch(() => ({}));
    if (!failure.error) throw new TransportError("badStatus", { status: response.status });
    yield failure;
    return;
  }
  const reader = /** @type {ReadableStream<any>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read().catch((error) => {
      throw failed(error, signal);
    });
    const parts = (rest + (value ?? "")).split("\n");
    rest = done ? "" : parts.pop() ?? "";
    yield* parts.filter(Boolean).map((line) => JSON.parse(line));
    if (done) return;
  }
}
