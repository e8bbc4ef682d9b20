// The folder with the engine and its files, and the number of its threads.

import { MorelloError, checkOptions } from "./errors.js";

// A bundler would look for the folder if it saw it in `new URL`.
const here = import.meta.url;
export const settings = { folder: new URL("engine/", here), threads: undefined };

export function configure(options) {
  const { folder, threads } = checkOptions(options, ["folder", "threads"]);
  if (folder !== undefined) {
    try {
      settings.folder = new URL(String(folder).replace(/\/?$/, "/"), globalThis.location?.href ?? here);
    } catch {
      throw new TypeError(`options.folder must be a URL, not ${JSON.stringify(String(folder).slice(0, 80))}`);
    }
  }
  if (threads !== undefined) settings.threads = threads;
}

/** Loads a file of the folder. @param {string} name @returns {Promise<BufferSource>} */
export async function fileOf(name) {
  const address = new URL(name, settings.folder);
  const missing = (reason) => new MorelloError(`cannot load ${address}: ${reason}`, "file_missing", { file: name });
  if (address.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return readFile(address).catch((error) => Promise.reject(missing(error.message)));
  }
  const response = await fetch(address).catch((error) => Promise.reject(missing(error.message)));
  if (!response.ok) throw missing(`status ${response.status}`);
  return response.arrayBuffer();
}
