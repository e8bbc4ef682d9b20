// Values that are kept in the browser between visits. Without storage, they last as long as the page.

const memory = new Map();
const full = (key) => `morello ${key}`;

export const storage = {
  read(key, fallback) {
    if (memory.has(key)) return memory.get(key);
    try {
      return JSON.parse(localStorage.getItem(full(key))) ?? fallback;
    } catch {
      return fallback;
    }
  },
  /** Returns whether the value was stored; otherwise it is kept in memory. */
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
  remove(key) {
    memory.delete(key);
    try { localStorage.removeItem(full(key)); } catch { /* Storage is disabled. */ }
  },
};
