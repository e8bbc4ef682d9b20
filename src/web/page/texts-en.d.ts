// The exports of each `texts-*.js`: those of a `Language`.

import type { Language } from "./types.d.ts";

export const name: Language["name"];
export const texts: Language["texts"];
export const games: Language["games"];
export const about: Language["about"];
export const errors: Language["errors"];
