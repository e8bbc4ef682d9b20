// A worker of a browser or of Node that answers requests with the engine, one at a time.

const node = typeof process === "object" && process.versions?.node ? await import("node:worker_threads") : undefined;
/** @type {any} */
const port = node?.parentPort ?? self;
const readFile = node && (await import("node:fs")).readFileSync;

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
/** @type {WebAssembly.Memory} */
let memory;
/** @type {any} */
let engine;
/** Where the data files are. */
let data = "";
/** Becomes 1 when the request is to end; undefined where threads cannot share memory. @type {Int32Array | undefined} */
let flag;
/** @type {Uint8Array} */
let file;
let request = 0;
let panic = "";
/** The data file that could not be loaded. @type {string | undefined} */
let missing;

/** @param {number} at @param {number} length */
const text = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at, length).slice());

/** Loads a data file, while the engine waits for it. @param {string} name */
function load(name) {
  const address = new URL(name, data);
  if (readFile) return readFile(address);
  const loading = new XMLHttpRequest();
  loading.open("GET", address, false);
  loading.responseType = "arraybuffer";
  loading.send();
  if (loading.status !== 200) throw new Error(`status ${loading.status}`);
  return new Uint8Array(loading.response);
}

const imports = {
  now() {
    if (flag && Atomics.load(flag, 0)) engine.cancel();
    return performance.timeOrigin + performance.now();
  },
  load_file(at, length) {
    const name = text(at, length);
    try {
      file = load(name);
    } catch {
      missing = name;
      throw new Error(`cannot load ${name}`);
    }
    return file.length;
  },
  copy_file: (at) => new Uint8Array(memory.buffer).set(file, at),
  panicked(at, length) {
    panic = text(at, length);
  },
  line: (at, length) => port.postMessage({ request, line: text(at, length) }),
};

/** Copies bytes into memory of the engine. @param {Uint8Array} bytes */
function give(bytes) {
  const at = engine.allocate(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

/** Starts the engine. With a `stack`, this worker is a further thread in memory that others share. */
async function start({ module, shared, stack, isHelper, ...options }) {
  ({ data, flag } = options);
  const instance = await WebAssembly.instantiate(module, { morello: imports, ...(shared && { env: { memory: shared } }) });
  engine = instance.exports;
  memory = shared ?? engine.memory;
  if (stack) {
    engine.__stack_pointer.value = stack.top;
    engine.__wasm_init_tls(stack.tls);
  }
  port.postMessage({ ready: true });
  if (!isHelper) return;
  try {
    engine.lend_thread();
  } catch (error) {
    port.postMessage({ crash: panic || String(error) });
  }
}

/** Makes stacks for further threads. @param {number} count */
function stacks(count) {
  const size = 1 << 20;
  const align = Math.max(16, engine.__tls_align.value);
  port.postMessage({ stacks: Array.from({ length: count }, () => {
    const stack = engine.allocate(size) + size;
    const tls = engine.allocate(engine.__tls_size.value + align);
    return { top: stack - (stack % 16), tls: tls + align - (tls % align) };
  }) });
}

function answer({ path, body }) {
  try {
    engine.answer(...give(encoder.encode(path)), ...give(body), Math.random());
    port.postMessage({ request, end: true });
  } catch (error) {
    // After a panic, nothing is known about the memory.
    port.postMessage({ request, crash: panic || String(error), missing });
  }
}

port.onmessage = ({ data: message }) => {
  if (message.module) start(message).catch((error) => port.postMessage({ crash: String(error) }));
  else if (message.count) stacks(message.count);
  else {
    ({ request } = message);
    answer(message);
  }
};
