// The package as a whole: its files, its documentation, its types, and the end of its process.

import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";

import { folder, installed, morello, packed, run, script } from "./installed.mjs";

test("it has the version of the programs, the engine and no more", async () => {
  const cargo = await readFile(new URL("../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(packed.version, /\[workspace\.package\]\nversion = "(.*)"/.exec(cargo)[1]);
  const files = packed.files.map(({ path }) => path.replace(/^engine\/(weights|databases|books)\/.*/, "engine/$1"));
  assert.deepEqual([...new Set(files)].sort(), [
    "LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt", "engine/books", "engine/databases", "engine/engine-threads.wasm", "engine/engine.wasm",
    "engine/pool.js", "engine/weights", "engine/worker.js", "errors.js", "folder.js", "index.d.ts", "index.js",
    "morello.cdx.json", "package.json", "position.js", "rules.js", "searches.js",
  ]);
  console.log(`packed ${(packed.size / 1e6).toFixed(2)} MB, unpacked ${(packed.unpackedSize / 1e6).toFixed(2)} MB`);
  assert.ok(packed.size < 9_000_000);
});

test("index.d.ts declares what index.js exports", async () => {
  const types = await readFile(join(installed, "index.d.ts"), "utf8");
  const declared = [...types.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(morello).sort());
  for (const [, options] of types.matchAll(/^export interface (?:Search|Solve|Review|Choose)Options.*?\{(.*?)^\}/gms)) {
    assert.ok(options.includes("/**"));
  }
});

test("the examples of its README print what it says", async () => {
  const text = await readFile(join(installed, "README.md"), "utf8");
  const examples = [...text.matchAll(/```js\n(.*?)```\n(?:```text\n(.*?)```)?/gs)];
  assert.ok(examples.length >= 4);
  for (const [at, [, code, expected]] of examples.entries()) {
    const printed = await script(`example-${at}.js`, code);
    if (expected === undefined) assert.ok(printed.trim());
    else assert.equal(printed, expected);
  }
});

test("a program in TypeScript compiles with it", async () => {
  await copyFile(new URL("consumer.ts", import.meta.url), join(folder, "consumer.ts"));
  const compilerOptions = {
    module: "nodenext", target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [], strict: true, exactOptionalPropertyTypes: true,
    noEmit: true, skipLibCheck: false,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const checked = await run("npx", ["--yes", "-p", "typescript@5", "tsc", "-p", "."]).catch((error) => error);
  assert.equal(checked.stdout, "");
});

test("the process ends by itself after a search, and not before its end", async () => {
  const text = (end) => `import { Position, search } from "morello";
    const position = await Position.start();
    const { depth } = await search(position.play("f5").play("d6").play("c3"), { depth: 8 });
    console.log(depth > 0);
    ${end}`;
  assert.equal(await script("ends.js", text("")), "true\n");
  const ended = 'search(position, { time: 60_000, signal: AbortSignal.timeout(50) }).catch(({ name }) => console.log(name));';
  assert.equal(await script("ends-after-abort.js", text(ended)), "true\nTimeoutError\n");
});

test("options of the process do not end its workers", async () => {
  const text = 'import { Position, search } from "morello"; console.log((await search(await Position.start(), { depth: 4 })).depth);';
  const printed = await run(process.execPath, ["--input-type=module", "--expose-gc", "--eval", text]);
  assert.equal(printed.stdout, "4\n");
});

test("without its files, the reason is clear", async () => {
  const text = `import { Position, configure, search } from "morello";
    const position = await Position.start();
    configure({ folder: new URL("nowhere", import.meta.url) });
    await search(position, { depth: 1 }).catch(({ name, code, message }) => console.log(name, code, message.includes("pool.js")));`;
  assert.equal(await script("nowhere.js", text), "MorelloError engine_failed true\n");
  const rules = text.replace("const position", "//").replace("search(position, { depth: 1 })", "Position.start()").replace("pool.js", "engine.wasm");
  assert.equal(await script("nowhere-at-all.js", rules), "MorelloError file_missing true\n");
});
