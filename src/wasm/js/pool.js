// The workers with the engine: each answers one request at a time. Where threads may share memory, all workers share
// one, with its tables, and further threads help a search; elsewhere each has a memory of its own.

const node = typeof process === "object" && process.versions?.node ? await import("node:worker_threads") : undefined;
const cores = node ? (await import("node:os")).availableParallelism() : navigator.hardwareConcurrency || 2;

/** The only address that the policy makes: with Trusted Types, a browser starts no script from another one. */
const createScriptURL = () => new URL("worker.js", import.meta.url).href;
const policy = globalThis.trustedTypes?.createPolicy("morello-engine", { createScriptURL }) ?? { createScriptURL };

/** Whether threads may share memory. */
export const isShared = Boolean(node) || globalThis.crossOriginIsolated === true;

/** The most workers that answer at the same time: one is for requests that take milliseconds. */
const MOST = Math.min(Math.max(cores, 2), 4) + 1;
/** The least and the most memory of the engine, in pages of 64 KiB: those that `scripts/build-web.sh` links. */
const [PAGES, MAX_PAGES] = [512, 24576];

/** Requests that search. */
const SEARCHES = new Set(["choose", "analyze", "values", "review", "exercise", "refute"]);

/** The engine could not answer. `reason` is "missing" if a data file could not be loaded. */
export class EngineError extends Error {
  /** @param {string} message @param {"crash" | "missing"} reason */
  constructor(message, reason) {
    super(message);
    this.reason = reason;
  }
}

/** Loads a file of the engine. @param {URL} address */
async function read(address) {
  try {
    if (node) return await (await import("node:fs/promises")).readFile(address);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.arrayBuffer();
  } catch {
    throw new EngineError(/** @type {string} */ (address.pathname.split("/").pop()), "missing");
  }
}

/** Returns memory that threads share; undefined if there is not enough address space for it. */
function sharedMemory() {
  try {
    return new WebAssembly.Memory({ initial: PAGES, maximum: MAX_PAGES, shared: true });
  } catch {
    return undefined;
  }
}

export class Pool {
  #folder;
  #threads;
  #isShared;
  /** The workers, without those that only help. @type {any[]} */
  #workers = [];
  /** What ends the waiting for a worker. @type {(() => void)[]} */
  #waiting = [];
  #number = 0;
  /** The engine, and what its threads share. @type {Promise<any> | undefined} */
  #engine;
  /** @type {any[]} */
  #helpers = [];

  /** @param {URL} folder has the engine and its files @param {number} [threads] the limit of a search */
  constructor(folder, threads = cores) {
    this.#folder = folder;
    this.#threads = isShared ? threads : 1;
    this.#isShared = isShared;
  }

  /**
   * Answers a request, and calls `onLine` with each line of the answer. The signal ends it.
   * @param {string} path
   * @param {Uint8Array} body
   * @param {(line: string) => void} onLine
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  async answer(path, body, onLine, signal) {
    let worker;
    // Another request may end all workers while this one waits for its own.
    do worker = await this.#take(SEARCHES.has(path), signal); while (worker.isEnded);
    // The signal may have come while the worker started.
    if (signal?.aborted) {
      this.#free(worker);
      signal.throwIfAborted();
    }
    const request = (this.#number += 1);
    return new Promise((resolve, reject) => {
      const abort = () => {
        reject(new DOMException("aborted", "AbortError"));
        // A worker that shares memory is free when it has noticed it.
        if (worker.flag) Atomics.store(worker.flag, 0, 1);
        else this.#discard(worker);
      };
      worker.take = ({ request: of, line, missing, crash, end }) => {
        // A worker that ends has no request.
        if (of !== undefined && of !== request) return;
        if (line !== undefined && !signal?.aborted) onLine(line);
        if (crash === undefined && !end) return;
        worker.take = undefined;
        signal?.removeEventListener("abort", abort);
        if (end) {
          resolve();
          this.#free(worker);
        } else {
          reject(missing === undefined ? new EngineError(crash, "crash") : new EngineError(missing, "missing"));
          this.#discard(worker);
        }
      };
      if (worker.flag) Atomics.store(worker.flag, 0, 0);
      signal?.addEventListener("abort", abort);
      worker.post({ request, path: `/api/${path}`, body });
    });
  }

  /** Ends all workers. */
  close() {
    for (const { stop } of [...this.#workers.splice(0), ...this.#helpers.splice(0)]) stop();
    this.#engine = undefined;
    this.#wake();
  }

  /** Lets the requests that wait look for a worker again. */
  #wake() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Takes a worker that is free. @param {boolean} isSearch @param {AbortSignal} [signal] */
  async #take(isSearch, signal) {
    for (;;) {
      signal?.throwIfAborted();
      const searching = this.#workers.filter((worker) => !worker.isFree && worker.isSearch).length;
      if (!isSearch || searching < MOST - 1) {
        const free = this.#workers.find(({ isFree }) => isFree);
        if (free || this.#workers.length < MOST) {
          const worker = free ?? this.#spawn();
          if (!free) this.#workers.push(worker);
          Object.assign(worker, { isFree: false, isSearch });
          try {
            if (!free) await this.#start(worker);
            if (isSearch) await this.#startHelpers();
          } catch (error) {
            this.#discard(worker);
            throw error;
          }
          return worker;
        }
      }
      await new Promise((resolve) => {
        this.#waiting.push(() => resolve(undefined));
        signal?.addEventListener("abort", resolve, { once: true });
      });
    }
  }

  /** @param {any} worker */
  #free(worker) {
    worker.isFree = true;
    this.#wake();
  }

  /** Ends a worker, and all others if they share its memory. @param {any} worker */
  #discard(worker) {
    if (this.#isShared) this.close();
    worker.stop();
    this.#workers = this.#workers.filter((other) => other !== worker);
    this.#wake();
  }

  /** Creates a worker. @returns {any} */
  #spawn() {
    // It needs none of the options of the process, some of which end workers.
    const worker = node ? new node.Worker(new URL(createScriptURL()), { execArgv: [] })
      : new Worker(policy.createScriptURL(""), { type: "module" });
    /** @type {any} */
    const handle = { take: undefined, isEnded: false, post: (message) => worker.postMessage(message) };
    const take = (message) => handle.take?.(message);
    handle.stop = () => {
      worker.terminate();
      handle.isEnded = true;
      const { take: last } = handle;
      handle.take = undefined;
      last?.({ crash: "the engine was stopped" });
    };
    if (node) {
      worker.on("message", take);
      worker.on("error", (error) => take({ crash: String(error) }));
      // A listener would keep the process alive.
      worker.unref();
    } else {
      worker.onmessage = ({ data }) => take(data);
      worker.onerror = ({ message }) => take({ crash: message ?? "the worker cannot start" });
    }
    return handle;
  }

  /** Sends a message to a worker, and waits for a reply. @param {any} worker @param {object} message */
  #call(worker, message) {
    return new Promise((resolve, reject) => {
      worker.take = (reply) => {
        worker.take = undefined;
        if (reply.crash === undefined) resolve(reply);
        else reject(new EngineError(reply.crash, "crash"));
      };
      if (worker.isEnded) worker.take({ crash: "the engine was stopped" });
      else worker.post(message);
    });
  }

  /** Starts the engine in a worker. @param {any} worker */
  async #start(worker) {
    this.#engine ??= this.#load(worker).catch((error) => {
      this.#engine = undefined;
      throw error;
    });
    const engine = await this.#engine;
    if (engine.first !== worker) await this.#begin(worker, engine, engine.stacks.pop());
  }

  /** Loads the engine, and starts it in the first worker. @param {any} worker */
  async #load(worker) {
    const shared = this.#isShared ? sharedMemory() : undefined;
    if (!shared) [this.#isShared, this.#threads] = [false, 1];
    const bytes = await read(new URL(shared ? "engine-threads.wasm" : "engine.wasm", this.#folder));
    const engine = { first: worker, module: await WebAssembly.compile(bytes), shared, stacks: [] };
    await this.#begin(worker, engine);
    if (shared) ({ stacks: engine.stacks } = await this.#call(worker, { count: MOST + this.#threads - 2 }));
    return engine;
  }

  /** Starts the engine in a worker. */
  async #begin(worker, { module, shared }, stack, isHelper = false) {
    worker.flag = shared && new Int32Array(new SharedArrayBuffer(4));
    await this.#call(worker, { module, shared, stack, isHelper, data: this.#folder.href, flag: worker.flag });
  }

  /** Starts the threads that help searches. */
  async #startHelpers() {
    const engine = await this.#engine;
    const count = this.#threads - 1 - this.#helpers.length;
    const started = Array.from({ length: Math.max(count, 0) }, () => {
      const helper = this.#spawn();
      this.#helpers.push(helper);
      return this.#begin(helper, engine, engine.stacks.pop(), true).then(() => {
        helper.take = ({ crash }) => crash !== undefined && this.#discard(helper);
      });
    });
    await Promise.all(started);
  }
}
