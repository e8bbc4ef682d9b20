// What the modules of the page expect of a browser, as far as they need it without elements.

globalThis.navigator ??= { languages: ["en"] };
// lit-html.js asks for it when it is loaded.
globalThis.document ??= { createTreeWalker() {} };

const kept = new Map();
/** The most items that the storage holds; more are an error, as in a browser. */
export const storageLimit = { items: Infinity };
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem(key, value) {
    if (!kept.has(key) && kept.size >= storageLimit.items) throw new Error("the storage is full");
    kept.set(key, value);
  },
  removeItem: (key) => kept.delete(key),
};
