// Encodes an animated GIF (GIF89a) from frames of RGBA pixels. The palette is that of the most frequent colors.

/** @typedef {{ pixels: Uint8Array | Uint8ClampedArray, time: number }} Frame RGBA, and hundredths of a second */

const COLORS = 256;

/** Collects bytes in a buffer that grows. */
class Bytes {
  constructor() {
    this.bytes = new Uint8Array(1 << 16);
    this.length = 0;
  }

  /** @param {number[]} values */
  push(...values) {
    for (const value of values) this.add(value);
  }

  /** @param {number} value */
  add(value) {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length] = value;
    this.length += 1;
  }

  /** @param {number} value */
  short(value) {
    this.push(value & 255, value >> 8);
  }

  /** @param {string} text */
  text(text) {
    for (const letter of text) this.add(letter.charCodeAt(0));
  }

  get written() {
    return this.bytes.subarray(0, this.length);
  }
}

/**
 * A color with five bits for each channel: enough for a board, and few colors to choose from.
 * @type {(pixels: Frame["pixels"], at: number) => number}
 */
const shortColor = (pixels, at) => ((pixels[at] >> 3) << 10) | ((pixels[at + 1] >> 3) << 5) | (pixels[at + 2] >> 3);
/** @param {number} color */
const channels = (color) => [color >> 10, (color >> 5) & 31, color & 31].map((value) => (value << 3) | (value >> 2));

/** The palette of the frames, and the place in it of each short color. @param {Frame[]} frames */
function makePalette(frames) {
  const counts = new Uint32Array(1 << 15);
  for (const { pixels } of frames) {
    for (let at = 0; at < pixels.length; at += 4) counts[shortColor(pixels, at)] += 1;
  }
  const seen = [...counts.keys()].filter((color) => counts[color]);
  const palette = seen.sort((a, b) => counts[b] - counts[a]).slice(0, COLORS).map(channels);
  const places = new Uint8Array(1 << 15);
  for (const color of seen) {
    const own = channels(color);
    let best = Infinity;
    palette.forEach((other, place) => {
      const distance = other.reduce((sum, value, at) => sum + (value - own[at]) ** 2, 0);
      if (distance < best) [best, places[color]] = [distance, place];
    });
  }
  return { palette, places };
}

/**
 * Compresses indexes of eight bits by the LZW of GIF.
 * @param {Uint8Array} indexes
 * @param {Bytes} out
 */
function compress(indexes, out) {
  const [CLEAR, END, MAX] = [256, 257, 4096];
  out.add(8);
  /** @type {number[]} */
  let block = [];
  const flush = () => {
    if (block.length) out.push(block.length, ...block);
    block = [];
  };
  let [bits, count, size, next] = [0, 0, 9, 258];
  /** @type {Map<number, number>} */
  let table = new Map();
  /** @param {number} code */
  const write = (code) => {
    bits |= code << count;
    count += size;
    while (count >= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      count -= 8;
      if (block.length === 255) flush();
    }
  };
  write(CLEAR);
  let prefix = indexes[0];
  for (let at = 1; at < indexes.length; at += 1) {
    const key = (prefix << 8) | indexes[at];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    if (next < MAX) {
      table.set(key, next);
      next += 1;
      if (next > 1 << size && size < 12) size += 1;
    } else {
      write(CLEAR);
      [size, next, table] = [9, 258, new Map()];
    }
    prefix = indexes[at];
  }
  write(prefix);
  write(END);
  if (count) block.push(bits & 255);
  flush();
  out.add(0);
}

/** @typedef {{ left: number, top: number, width: number, height: number }} Area */

/**
 * The area of what differs from the frame before: all of the first one, and a pixel if nothing does.
 * @param {Uint8Array} indexes
 * @param {Uint8Array | undefined} before
 * @param {number} width
 * @returns {Area}
 */
function changedBox(indexes, before, width) {
  if (!before) return { left: 0, top: 0, width, height: indexes.length / width };
  let [left, right, top, bottom] = [width, 0, indexes.length / width, 0];
  indexes.forEach((index, at) => {
    if (index === before[at]) return;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  });
  if (left > right) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * The pixels of an area.
 * @param {Uint8Array} indexes
 * @param {Area} area
 * @param {number} width of the frame
 */
function cut(indexes, area, width) {
  const part = new Uint8Array(area.width * area.height);
  for (let row = 0; row < area.height; row += 1) {
    const begin = (area.top + row) * width + area.left;
    part.set(indexes.subarray(begin, begin + area.width), row * area.width);
  }
  return part;
}

/**
 * Encodes frames. The animation repeats forever.
 * @param {number} width
 * @param {number} height
 * @param {Frame[]} frames
 */
export function encodeGif(width, height, frames) {
  const out = new Bytes();
  const { palette, places } = makePalette(frames);
  out.text("GIF89a");
  out.short(width);
  out.short(height);
  out.push(0xf7, 0, 0);
  for (let at = 0; at < COLORS; at += 1) out.push(...(palette[at] ?? [0, 0, 0]));
  out.push(0x21, 0xff, 11);
  out.text("NETSCAPE2.0");
  out.push(3, 1, 0, 0, 0);
  /** @type {Uint8Array | undefined} */
  let before;
  for (const { pixels, time } of frames) {
    const indexes = new Uint8Array(pixels.length / 4);
    for (let at = 0; at < indexes.length; at += 1) indexes[at] = places[shortColor(pixels, 4 * at)];
    const box = changedBox(indexes, before, width);
    out.push(0x21, 0xf9, 4, 4);
    out.short(time);
    out.push(0, 0, 0x2c);
    for (const value of [box.left, box.top, box.width, box.height]) out.short(value);
    out.add(0);
    compress(cut(indexes, box, width), out);
    before = indexes;
  }
  out.add(0x3b);
  return out.written;
}
