import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeGif } from "../../src/web/page/gif.js";

/** Decodes the indexes of a frame: the LZW of GIF, with the clear code 256. */
function decompress(bytes) {
  const [CLEAR, END] = [256, 257];
  let [table, size, bits, count, before] = [[], 9, 0, 0, undefined];
  const out = [];
  for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count < size) continue;
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    count -= size;
    if (code === END) return out;
    if (code === CLEAR) {
      table = Array.from({ length: 258 }, (_, at) => [at]);
      [size, before] = [9, undefined];
      continue;
    }
    const entry = table[code] ?? [...before, before[0]];
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << size && size < 12) size += 1;
    out.push(...entry);
    before = entry;
  }
  throw new Error("no end");
}

/** The frames of a GIF as lists of colors. */
function decode(gif) {
  const palette = Array.from({ length: 256 }, (_, at) => [...gif.subarray(13 + 3 * at, 16 + 3 * at)]);
  const frames = [];
  for (let at = 13 + 3 * 256 + 19; gif[at] !== 0x3b;) {
    const short = (place) => gif[place] | (gif[place + 1] << 8);
    const time = short(at + 4);
    const area = [9, 11, 13, 15].map((place) => short(at + place));
    at += 8 + 10 + 1;
    const data = [];
    for (; gif[at]; at += 1 + gif[at]) data.push(...gif.subarray(at + 1, at + 1 + gif[at]));
    at += 1;
    frames.push({ time, area, colors: decompress(data).map((index) => palette[index]) });
  }
  return frames;
}

const pixels = (colors) => Uint8Array.from(colors.flatMap((color) => [...color, 255]));
/** The nearest color of five bits for each channel. */
const short = (color) => color.map((value) => ((value >> 3) << 3) | (value >> 5));

test("frames are decoded to the colors that were encoded", () => {
  const colors = [[0, 0, 0], [255, 255, 255], [200, 10, 90], [17, 130, 4]];
  let seed = 1;
  const noise = Array.from({ length: 100 * 100 }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return colors[(seed >> 16) % 4];
  });
  const plain = noise.map(() => colors[2]);
  const gif = encodeGif(100, 100, [{ pixels: pixels(noise), time: 90 }, { pixels: pixels(plain), time: 400 }]);
  assert.equal(Buffer.from(gif.subarray(0, 6)).toString(), "GIF89a");
  const frames = decode(gif);
  assert.deepEqual(frames.map(({ time }) => time), [90, 400]);
  assert.deepEqual(frames[0].colors, noise.map(short));
  assert.deepEqual(frames[1].colors, plain.map(short));
});

test("rare colors beyond the palette become the nearest ones", () => {
  const many = Array.from({ length: 512 }, (_, at) => [(at & 31) << 3, (at >> 5) << 4, 0]);
  const frequent = Array.from({ length: 512 }, () => [0, 0, 0]);
  const [{ colors }] = decode(encodeGif(32, 32, [{ pixels: pixels([...many, ...frequent]), time: 1 }]));
  assert.equal(colors.length, 1024);
  const distance = (one, other) => one.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0);
  assert.ok(many.every((color, at) => distance(short(color), colors[at]) < 160));
});

test("frames have only what changes", () => {
  const frame = (...dark) => ({
    pixels: pixels(Array.from({ length: 20 }, (_, at) => (dark.includes(at) ? [0, 0, 0] : [255, 255, 255]))), time: 90,
  });
  const frames = decode(encodeGif(5, 4, [frame(), frame(6, 13), frame(6, 13)]));
  assert.deepEqual(frames.map(({ area }) => area), [[0, 0, 5, 4], [1, 1, 3, 2], [0, 0, 1, 1]]);
  assert.deepEqual(frames[1].colors.map(([red]) => red), [0, 255, 255, 255, 255, 0]);
});
