// The scripts that the page starts besides its own. Where the browser knows Trusted Types, it starts no others: only
// this policy makes their addresses.

/** @typedef {"board-texture-worker.js" | "service-worker.js"} Script */

/** @type {readonly string[]} */
const SCRIPTS = ["board-texture-worker.js", "service-worker.js"];

/** @param {string} name */
function createScriptURL(name) {
  if (!SCRIPTS.includes(name)) throw new TypeError(`${name} is not a script of the page`);
  return new URL(name, import.meta.url).href;
}

const { trustedTypes } = /** @type {any} */ (globalThis);
/** @type {{ createScriptURL: (name: Script) => string }} */
const policy = trustedTypes?.createPolicy("morello", { createScriptURL }) ?? { createScriptURL };

/** The address of a script. @param {Script} name */
export const scriptAddress = (name) => policy.createScriptURL(name);
