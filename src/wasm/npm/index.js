// The package `morello`: index.d.ts describes it.

export { choose, close, review, search, solve } from "./searches.js";
export { MorelloError } from "./errors.js";
export { Position, games } from "./position.js";
export { configure } from "./folder.js";
