// Images of the board and the game: SVG, PNG and an animated GIF.

import { Board } from "./board.js";
import { download, make } from "./dom.js";
import { encodeGif } from "./gif.js";
import { t } from "./language.js";
import { isTurned, state } from "./state.js";

/** @import { Frame, MoveNode } from "./types.d.ts" */

/** The widths of images, in pixels. */
const [PNG_WIDTH, GIF_WIDTH] = [1200, 420];
/** How long a position of a GIF is shown, and the last one, in hundredths of a second. */
const [FRAME_TIME, LAST_TIME] = [90, 400];

/**
 * Properties that the style sheet sets and an image must contain itself, and their values without it.
 * @type {Record<string, string>}
 */
const STYLES = {
  opacity: "1", "stop-color": "rgb(0, 0, 0)", "stop-opacity": "1", "dominant-baseline": "auto", "stroke-opacity": "1",
};
/** Such properties that elements have from their parents. */
const INHERITED = [
  "fill", "stroke", "stroke-width", "stroke-linecap", "font-size", "font-weight", "font-family", "text-anchor",
];
/** Attributes that an image does not need. */
const UNUSED = ["class", "role", "aria-label", "aria-hidden", "pointer-events", "data-mark", "data-shapes"];

/**
 * Writes the style of an element into its copy, except what it inherits or has by default.
 * @param {Element} element
 * @param {Element} copy
 */
function writeStyle(element, copy) {
  const style = getComputedStyle(element);
  const parent = getComputedStyle(/** @type {Element} */ (element.parentElement));
  for (const name of [...Object.keys(STYLES), ...INHERITED]) {
    const value = style.getPropertyValue(name);
    if (value === (STYLES[name] ?? parent.getPropertyValue(name))) continue;
    const translucent = value.match(/^rgba\((.*), ([\d.]+)\)$/);
    // Not every program knows colors with an opacity.
    if (translucent) {
      copy.setAttribute(name, `rgb(${translucent[1]})`);
      copy.setAttribute(`${name}-opacity`, translucent[2]);
    // The page writes links to gradients with its own address.
    } else copy.setAttribute(name, value.replaceAll("\"", "'").replace(/url\(['"]?[^#]*(#\w+)['"]?\)/, "url($1)"));
  }
}

/**
 * Draws a position, whose view is known, beside the page and returns its SVG element with all styles in it, also as text.
 * @param {MoveNode} node
 */
export function drawPosition({ view, shapes }) {
  const host = make("div");
  host.style.cssText = "position:absolute;left:-9999px;width:600px";
  document.body.append(host);
  const drawing = new Board(host, { still: true });
  drawing.build(state.game.board, isTurned());
  if (view) drawing.show({ pieces: view.pieces, side: view.side, last: view.last, shapes });
  const copy = /** @type {SVGSVGElement} */ (drawing.svg.cloneNode(true));
  const copies = copy.querySelectorAll("*");
  drawing.svg.querySelectorAll("*").forEach((element, at) => {
    writeStyle(element, copies[at]);
    for (const name of UNUSED) copies[at].removeAttribute(name);
  });
  const { fontFamily } = getComputedStyle(drawing.svg);
  copy.setAttribute("font-family", fontFamily.replaceAll("\"", "'"));
  for (const empty of copy.querySelectorAll("g:empty")) empty.remove();
  for (const name of ["class", "role", "aria-label"]) copy.removeAttribute(name);
  host.remove();
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return { svg: copy, text: new XMLSerializer().serializeToString(copy), ratio: height / width };
}

/** The context of a canvas, which all browsers have. @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => (
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true })));

/**
 * Draws a position on a canvas of this width.
 * @param {MoveNode} node
 * @param {number} width
 * @param {string} ground the color of the corners, which are transparent without one
 */
async function rasterize(node, width, canvas = document.createElement("canvas"), ground = "") {
  const { text, ratio } = drawPosition(node);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  canvas.width = width;
  canvas.height = Math.round(width * ratio);
  if (ground) {
    contextOf(canvas).fillStyle = ground;
    contextOf(canvas).fillRect(0, 0, canvas.width, canvas.height);
  }
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** @param {string} name of the file */
export function saveSvg(name) {
  download(new Blob([drawPosition(state.game.node).text], { type: "image/svg+xml" }), name);
}

/** @param {string} name of the file */
export async function savePng(name) {
  const canvas = await rasterize(state.game.node, PNG_WIDTH);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  if (blob) download(blob, name);
}

/**
 * Saves the line on the board as an animation.
 * @param {string} name of the file
 * @param {Element} note shows the progress
 */
export async function saveGif(name, note) {
  const { game } = state;
  const line = game.line();
  /** @type {Frame[]} */
  const frames = [];
  const canvas = document.createElement("canvas");
  for (const [at, node] of line.entries()) {
    note.textContent = t("imageWorking", { done: at + 1, all: line.length });
    await game.viewOf(node);
    await rasterize(node, GIF_WIDTH, canvas, "white");
    const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
    frames.push({ pixels: data, time: at === line.length - 1 ? LAST_TIME : FRAME_TIME });
    if (!note.isConnected) return;
  }
  download(new Blob([encodeGif(canvas.width, canvas.height, frames)], { type: "image/gif" }), name);
  note.textContent = "";
}
