import assert from "node:assert/strict";
import { test } from "node:test";

test("a new version removes the files of old ones, and no caches of other pages", async () => {
  const listeners = {};
  globalThis.self = { KEPT: ["morello 2", ["."]], addEventListener: (kind, work) => { listeners[kind] = work; } };
  globalThis.location = new URL("http://localhost/morello/service-worker.js");
  const names = new Set(["morello 1 /morello/", "morello 2 /morello/", "morello 1 /other/", "another page"]);
  globalThis.caches = { keys: async () => [...names], delete: async (name) => names.delete(name) };
  await import("../../src/web/page/service-worker.js");
  let work;
  listeners.activate({ waitUntil: (promise) => { work = promise; } });
  await work;
  assert.deepEqual([...names], ["morello 2 /morello/", "morello 1 /other/", "another page"]);
});
