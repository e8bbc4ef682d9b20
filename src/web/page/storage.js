// Values that are kept in the browser: between visits, or for the visit of one page. Without storage, they last as long
// as the page.

/** Values in a storage of the browser, named by a function since it may be forbidden to touch it. */
function values(area) {
  const memory = new Map();
  const full = (key) => `morello ${key}`;
  return {
    read(key, fallback) {
      if (memory.has(key)) return memory.get(key);
      try {
        return JSON.parse(area().getItem(full(key))) ?? fallback;
      } catch {
        return fallback;
      }
    },
    /** Returns whether the value was stored; otherwise it is kept in memory. */
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
    remove(key) {
      memory.delete(key);
      try { area().removeItem(full(key)); } catch { /* Storage is disabled. */ }
    },
  };
}

export const storage = values(() => localStorage);
/** Lasts through reloads, and belongs to one tab of the browser. */
export const visit = values(() => sessionStorage);
