// Values that are kept in the browser between visits. Without storage, they last as long as the page.

const memory = new Map();
/** @param {string} key */
const full = (key) => `morello ${key}`;

export const storage = {
  /**
   * @template T
   * @param {string} key
   * @param {T} fallback
   * @returns {T} the value; the fallback if there is none
   */
  read(key, fallback) {
    if (memory.has(key)) return memory.get(key);
    try {
      return JSON.parse(localStorage.getItem(full(key)) ?? "null") ?? fallback;
    } catch {
      return fallback;
    }
  },
  /**
   * Returns whether the value was stored; otherwise it is kept in memory.
   * @param {string} key
   * @param {unknown} value
   */
  write(key, value) {
    try {
      localStorage.setItem(full(key), JSON.stringify(value));
      memory.delete(key);
      return true;
    } catch {
      memory.set(key, value);
      return false;
    }
  },
  /** @param {string} key */
  remove(key) {
    memory.delete(key);
    try { localStorage.removeItem(full(key)); } catch { /* Storage is disabled. */ }
  },
};
