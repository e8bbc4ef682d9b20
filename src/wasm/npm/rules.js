// The rules: an engine on the calling thread, which answers at once. It searches nothing and needs no data file.

import { MorelloError } from "./errors.js";
import { fileOf } from "./folder.js";

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** @type {Promise<void> | undefined} */
let loading;
/** @type {WebAssembly.Module} */
let module;
/** @type {any} */
let engine;
/** @type {string[]} */
let lines = [];
let panic = "";

const text = (at, length) => decoder.decode(new Uint8Array(engine.memory.buffer, at, length));

const imports = {
  now: () => performance.now(),
  // The only files that it asks for are opening books: an empty one has no moves.
  load_file: () => 0,
  copy_file() {},
  panicked(at, length) {
    panic = text(at, length);
  },
  line(at, length) {
    lines.push(text(at, length));
  },
};

/** Loads the engine, once. */
export function loadRules() {
  loading ??= (async () => {
    module = await WebAssembly.compile(await fileOf("engine.wasm"));
    engine = (await WebAssembly.instantiate(module, { morello: imports })).exports;
  })().catch((error) => {
    loading = undefined;
    throw error instanceof MorelloError ? error : new MorelloError(`the engine cannot start: ${error.message}`, "engine_failed", {}, error);
  });
  return loading;
}

function give(bytes) {
  const at = engine.allocate(bytes.length);
  new Uint8Array(engine.memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

/** Answers a request that needs no search. @param {string} path @param {unknown} [body] */
export function ask(path, body) {
  lines = [];
  try {
    engine ??= new WebAssembly.Instance(module, { morello: imports }).exports;
    const bytes = encoder.encode(body === undefined ? "" : JSON.stringify(body));
    engine.answer(...give(encoder.encode(`/api/${path}`)), ...give(bytes), Math.random());
  } catch (error) {
    // After a panic, nothing is known about the memory.
    engine = undefined;
    throw new MorelloError(`the engine failed: ${panic || error.message}`, "engine_failed", {}, error);
  }
  const answer = JSON.parse(lines[0]);
  if (answer.error !== undefined) throw MorelloError.of(answer);
  return answer;
}
