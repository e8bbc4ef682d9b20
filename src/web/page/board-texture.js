// The textures of the board: the grain of wood and the fibres of cloth. They are painted once, in a worker, and are
// images from then on: a filter would be computed again at every repaint.

import { scriptAddress } from "./trusted.js";

/** @import { Textures } from "./types.d.ts" */

/** @type {Promise<Textures> | undefined} */
let wanted;

/** @returns {Promise<Textures>} */
function paint() {
  return new Promise((done) => {
    const worker = new Worker(scriptAddress("board-texture-worker.js"), { type: "module" });
    worker.onmessage = ({ data }) => {
      done(data);
      worker.terminate();
    };
  });
}

/**
 * Calls `use` with the textures when they are painted. A browser that cannot paint in a worker has a plain board.
 * @param {(textures: Textures) => void} use
 */
export function withTextures(use) {
  wanted ??= paint();
  wanted.then(use);
}
