import assert from "node:assert/strict";
import { test } from "node:test";

const listeners = {};
const names = new Set(["morello 1 /morello/", "morello 2 /morello/", "morello 1 /other/", "another page"]);
const stored = new Map();
globalThis.self = {
  KEPT: ["morello 2", [".", "app.js"], ["engine.wasm"]],
  addEventListener: (kind, work) => { listeners[kind] = work; },
};
globalThis.location = new URL("http://localhost/morello/service-worker.js");
globalThis.caches = {
  keys: async () => [...names],
  delete: async (name) => names.delete(name),
  open: async () => ({
    match: async (path) => stored.get(path)?.clone(),
    put: async (path, response) => { stored.set(path, response); },
  }),
};
await import("../../src/web/page/service-worker.js");

/** Returns the response of the worker to a request; undefined if it leaves the request to the browser. */
const responseTo = (url, { method = "GET", mode = "no-cors" } = {}) => {
  let response;
  const respondWith = (promise) => { response = promise; };
  listeners.fetch({ request: { url, method, mode }, clientId: "a", resultingClientId: "b", respondWith });
  return response;
};

test("a new version removes the files of old ones, and no caches of other pages", async () => {
  let work;
  listeners.activate({ waitUntil: (promise) => { work = promise; } });
  await work;
  assert.deepEqual([...names], ["morello 2 /morello/", "morello 1 /other/", "another page"]);
});

test("requests for anything but the files of the page are left to the browser", async () => {
  globalThis.fetch = async () => { throw new TypeError("no request of its own"); };
  const paths = [
    "/", "/app.js", "/other/app.js", "/morello/api/view", "/morello/app.js/", "/morello/App.js", "/morello//app.js",
    "/morello/%61pp.js", "/morello/app%2ejs", "/morello/../app.js", "/morello/engine.wasm/..;/", "/morello/app.js%00",
  ];
  for (const path of paths) assert.equal(responseTo(`http://localhost${path}`), undefined, path);
  for (const host of ["http://localhost:8080", "https://localhost", "http://example.org", "http://localhost.example"]) {
    assert.equal(responseTo(`${host}/morello/app.js`), undefined, host);
  }
  for (const method of ["POST", "PUT", "HEAD", "get"]) {
    assert.equal(responseTo("http://localhost/morello/engine.wasm", { method }), undefined, method);
  }
  // Every path of a few parts.
  const parts = ["", "morello", "app.js", ".", "..", "engine.wasm", "api", "%2e%2e", "*", "?", "#"];
  const own = ["/morello/", "/morello/app.js", "/morello/engine.wasm"];
  for (const path of parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => `/${a}/${b}/${c}`)))) {
    const { href: url } = new URL(`http://localhost${path}`);
    const response = responseTo(url);
    assert.equal(response !== undefined, own.includes(new URL(url).pathname), url);
    await response?.catch(() => {});
  }
});

test("errors of the server are not kept, and a file is loaded once", async () => {
  const url = "http://localhost/morello/engine.wasm";
  const responses = [new Response("error", { status: 500 }), new Response("engine")];
  globalThis.fetch = async () => responses.shift();
  assert.equal((await responseTo(url)).status, 500);
  assert.equal(await (await responseTo(url)).text(), "engine");
  assert.equal(await (await responseTo(url)).text(), "engine");
  assert.deepEqual([...stored.keys()], ["/morello/engine.wasm"]);
});
