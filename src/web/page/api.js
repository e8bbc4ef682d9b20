// Requests to the server. The documentation of the module `web` describes them and their responses.

import { t, translateError } from "./language.js";

/** A request that failed; the message is a sentence for the user. */
export class RequestError extends Error {
  constructor(message) {
    super(sentence(translateError(message)));
  }
}

/** Makes a full sentence of an error of the server. */
export function sentence(text) {
  const end = /[.?!…]$/.test(text) ? "" : ".";
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

const lost = () => new RequestError(t("connectionLost"));

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
    if (error.name === "AbortError") throw error;
    throw new RequestError(t("noResponse"));
  }
  if (response.ok) return response;
  const failure = await response.json().catch(() => ({}));
  throw new RequestError(failure.error ?? t("badStatus", { status: response.status }));
}

/** Sends a request and returns the response. The body is a value to send as JSON, or a Blob. */
export async function ask(path, body, signal) {
  const response = await send(path, body, signal);
  return response.json().catch((error) => {
    throw error.name === "AbortError" ? error : lost();
  });
}

/**
 * Sends a request that is answered with a stream of lines. Calls `onLine` with each line and returns `done` of the
 * last.
 */
export async function askLines(path, body, signal, onLine) {
  const response = await send(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read().catch((error) => {
      if (signal?.aborted) throw new DOMException("aborted", "AbortError");
      throw error.name === "AbortError" ? error : lost();
    });
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      if (message.error) throw new RequestError(message.error);
      onLine(message);
      if (message.done) return message.done;
    }
    if (done) throw lost();
  }
}
