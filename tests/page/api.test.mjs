import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError, ask, askLines, isAbort } from "../../src/web/page/api.js";

/** Makes the server answer with a text in parts, and returns the requests. */
function serve(parts, init) {
  const requests = [];
  globalThis.fetch = async (path, options) => {
    requests.push([path, options]);
    const body = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    return new Response(body, init);
  };
  return requests;
}

const failure = (message) => ({ name: "Error", message });

test("a body is sent as JSON, and a file as bytes", async () => {
  const requests = serve(["{\"ply\":1}"]);
  assert.deepEqual(await ask("view", { game: "othello" }), { ply: 1 });
  await ask("open/othello/0", new Blob(["f5"]));
  const [[path, view], [, file]] = requests;
  assert.deepEqual([path, view.method, view.body], ["/api/view", "POST", "{\"game\":\"othello\"}"]);
  assert.equal(view.headers["content-type"], "application/json");
  assert.equal(file.headers["content-type"], "application/octet-stream");
});

test("a failure is a sentence", async () => {
  serve(["{\"error\":\"unknown game `chess`\"}"], { status: 404 });
  await assert.rejects(ask("view", {}), failure("Unknown game `chess`."));
  serve(["<html>"], { status: 502 });
  await assert.rejects(ask("view", {}), failure("The server responded with status 502."));
  globalThis.fetch = () => Promise.reject(new TypeError("failed to fetch"));
  await assert.rejects(ask("view", {}), RequestError);
});

test("lines are read as they arrive, wherever they are cut", async () => {
  serve(["{\"waiting\":1}\n{\"tho", "ught\":{\"depth\":3}}\n\n{\"done\":{\"cut\"", ":false}}\n"]);
  const lines = [];
  const done = await askLines("analyze", {}, undefined, (line) => lines.push(line));
  assert.deepEqual(done, { cut: false });
  assert.deepEqual(lines, [{ waiting: 1 }, { thought: { depth: 3 } }, { done: { cut: false } }]);
});

test("an error line and a stream without an end are failures", async () => {
  serve(["{\"error\":\"the server is busy\"}\n"]);
  await assert.rejects(askLines("analyze", {}, undefined, () => {}), failure("The server is busy."));
  serve(["{\"waiting\":1}\n"]);
  await assert.rejects(askLines("analyze", {}, undefined, () => {}), failure("The connection to the server was lost."));
});

test("an aborted request is no failure of the server", async () => {
  const work = new AbortController();
  globalThis.fetch = async (_, { signal }) => signal.throwIfAborted();
  work.abort();
  await assert.rejects(ask("view", {}, work.signal), (error) => isAbort(error) && !(error instanceof RequestError));
});
