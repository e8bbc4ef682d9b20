// Values that are kept in the browser: between visits, or for the visit of one page. Without storage, they last as long
// as the page.

/**
 * Values in a storage of the browser, named by a function since it may be forbidden to touch it.
 * @param {() => Storage} area
 */
function values(area) {
  /** @type {Map<string, unknown>} */
  const memory = new Map();
  /** @param {string} key */
  const full = (key) => `morello ${key}`;
  return {
    /**
     * @template T
     * @param {string} key
     * @param {T} fallback
     * @returns {T} the value; the fallback if there is none
     */
    read(key, fallback) {
      if (memory.has(key)) return /** @type {T} */ (memory.get(key));
      try {
        return JSON.parse(area().getItem(full(key)) ?? "null") ?? fallback;
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
        area().setItem(full(key), JSON.stringify(value));
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
      try { area().removeItem(full(key)); } catch { /* Storage is disabled. */ }
    },
  };
}

export const storage = values(() => localStorage);
/** Lasts through reloads, and belongs to one tab of the browser. */
export const visit = values(() => sessionStorage);
