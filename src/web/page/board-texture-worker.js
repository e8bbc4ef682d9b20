// Paints the textures of the board, beside the page.

/** Smooth noise between 0 and 1 from a table of random numbers, the same in every session. */
class Noise {
  /** @param {number} seed */
  constructor(seed) {
    this.table = new Float32Array(65536);
    for (let at = 0; at < this.table.length; at += 1) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      this.table[at] = (seed >> 8) / 0x7fffff;
    }
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    let [across, down] = [x - left, y - top];
    across *= across * (3 - 2 * across);
    down *= down * (3 - 2 * down);
    const { table } = this;
    const [row, below] = [(top & 255) << 8, ((top + 1) & 255) << 8];
    const [here, next] = [left & 255, (left + 1) & 255];
    const upper = table[row + here] + across * (table[row + next] - table[row + here]);
    const lower = table[below + here] + across * (table[below + next] - table[below + here]);
    return upper + down * (lower - upper);
  }
}

/**
 * Paints an image whose pixels are black or white with an opacity, so that it works on every color. A negative value
 * is a shadow.
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} value from -1 to 1
 */
async function paint(width, height, value) {
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const light = value(x, y);
      // Shadows of wood are brown. The bytes are red, green, blue and opacity.
      const opacity = Math.min(255, Math.abs(light) * 255) << 24;
      words[at] = light < 0 ? opacity | 0x00030a16 : opacity | 0x00d8eeff;
    }
  }
  context.putImageData(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
  // The page may show images of its own address and of data only.
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
}

/** Wood, with its grain from left to right. */
function paintWood() {
  const [slow, fast] = [new Noise(7), new Noise(91)];
  return paint(448, 672, (x, y) => {
    // The rings of the tree, cut lengthwise: they wave, and are denser in some places.
    const bend = slow.at(x / 210, y / 120) * 5 + slow.at(x / 90 + 40, y / 34) * 0.7;
    const ring = (y / 21 + bend * 1.9) % 1;
    const late = ring < 0.72 ? ring / 0.72 : (1 - ring) / 0.28;
    const fibre = fast.at(x / 38, y * 0.72) - 0.5;
    const pore = Math.max(0, fast.at(x / 11 + 60, y * 0.93 + 30) - 0.8) * 1.5;
    const tone = slow.at(x / 300 + 9, y / 150 + 5) - 0.5;
    return 0.1 - 0.27 * late * late * late + 0.17 * fibre - pore * 0.75 + 0.12 * tone;
  });
}

/** Cloth: short fibres in all directions, and a little unevenness. */
function paintCloth() {
  const [fine, broad] = [new Noise(23), new Noise(57)];
  return paint(448, 448, (x, y) => {
    const fibre = fine.at(x * 0.9, y * 0.32) + fine.at(x * 0.32 + 70, y * 0.9 + 20) - 1;
    const slant = fine.at((x + y) * 0.5, (x - y) * 0.2 + 90) - 0.5;
    const cloud = broad.at(x / 46, y / 46) + broad.at(x / 17, y / 17) * 0.5 - 0.75;
    return 0.16 * fibre + 0.07 * slant + 0.045 * cloud;
  });
}

postMessage({ wood: await paintWood(), cloth: await paintCloth() });
