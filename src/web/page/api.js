// The questions to the server: see the documentation of `web` for what is asked and answered.

/** An answer that says why not. */
export class Refused extends Error {}

async function send(path, body, signal) {
  const options = body === undefined ? { signal } : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  };
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is it still running?");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Refused(answer.error ?? `The server answered ${response.status}.`);
}

/** Asks, and returns the answer. */
export async function ask(path, body, signal) {
  const response = await send(path, body, signal);
  return response.json().catch((error) => {
    throw error.name === "AbortError" ? error : new Refused("The server went away.");
  });
}

/** Asks what is answered line by line, and hands on each line; the last is a `done`. */
export async function follow(path, body, signal, onLine) {
  const response = await send(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read().catch((error) => {
      if (signal?.aborted) throw new DOMException("aborted", "AbortError");
      throw error.name === "AbortError" ? error : new Refused("The server went away.");
    });
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const said = JSON.parse(line);
      if (said.error) throw new Refused(said.error);
      onLine(said);
      if (said.done) return said.done;
    }
    if (done) throw new Refused("The server went away.");
  }
}
