// The package in Chromium, from a server of plain files: with threads that share memory, and without. CHROMIUM is the
// browser, by default that in PATH; without it, the tests are skipped.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import test from "node:test";

import { installed } from "./installed.mjs";

const chromium = process.env.CHROMIUM ?? "chromium";
const isMissing = spawnSync(chromium, ["--version"]).status !== 0;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

const PAGE = `<!doctype html><script type="importmap">{ "imports": { "morello": "/index.js" } }</script><script type="module">
  const send = (result) => fetch("/result", { method: "POST", body: JSON.stringify(result) });
  try {
    const { Position, close, review, search, solve } = await import("morello");
    const start = await Position.start();
    const solution = await solve("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X");
    const aborted = await search(start.play("f5"), { time: 60000, signal: AbortSignal.timeout(100) }).catch(({ name }) => name);
    const { rows } = await review("f5d6c3", { level: 1 });
    await close();
    const { depth } = await search({ game: "morabaraba", moves: ["d2"] }, { depth: 3 });
    await send([crossOriginIsolated, solution.score, aborted, rows[0].played, depth]);
  } catch (error) {
    await send(String(error));
  }
</script>`;

/** Opens the page in a browser, and returns what it sends. */
async function visit(headers) {
  let received;
  const result = new Promise((resolve) => {
    received = resolve;
  });
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (request.url === "/result") received(JSON.parse(body));
    const content = request.url === "/" ? PAGE : await readFile(join(installed, request.url)).catch(() => undefined);
    const type = request.url === "/" ? TYPES[".html"] : TYPES[extname(request.url)] ?? "application/octet-stream";
    response.writeHead(content === undefined ? 404 : 200, { "content-type": type, ...headers }).end(content);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const profile = await mkdtemp(join(tmpdir(), "morello-chromium-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...flags, `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  try {
    return await Promise.race([result, new Promise((_, reject) => setTimeout(reject, 120_000, new Error("no result")).unref())]);
  } finally {
    browser.kill("SIGKILL");
    await ended;
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

for (const [name, headers] of [["without threads", {}], ["with threads", ISOLATED]]) {
  test(`it works in a browser ${name}`, { skip: isMissing && "no Chromium" }, async () => {
    assert.deepEqual(await visit(headers), [headers === ISOLATED, 38, "TimeoutError", "f5", 3]);
  });
}
