import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Creates a PNG with many pixels but few bytes: all pixels are zero. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit per pixel, greyscale.
  header.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Creates a small JPEG that is slow to decode: grey, with 2,646 scans. Each scan refines one bit of one coefficient, changes nothing, and
 * costs a pass over all blocks.
 */
export function jpegBomb(side = 4_000): Buffer {
  const segment = (marker: number, bytes: readonly number[]) => Buffer.from([0xff, marker, 0, bytes.length + 2, ...bytes]);
  /** A Huffman table with one code, the bit 0. */
  const table = (id: number, symbol: number) => segment(0xc4, [id, 1, ...Array<number>(15).fill(0), symbol]);
  const blocks = (side / 8) ** 2;
  const components = [1, 2, 3];
  const [high, low] = [side >> 8, side & 255];
  // "No more coefficients in the next 16,384 blocks", as often as needed: the code and 14 more bits.
  const empty = Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8));
  const scans = components.flatMap((component) =>
    Array.from({ length: 63 * 14 }, (_, at) => {
      const [coefficient, bit] = [1 + Math.floor(at / 14), 13 - (at % 14)];
      const bits = bit === 13 ? bit : ((bit + 1) << 4) | bit;
      return Buffer.concat([segment(0xda, [1, component, 0, coefficient, coefficient, bits]), empty]);
    }),
  );
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, high, low, high, low, 3, ...components.flatMap((component) => [component, 0x11, 0])]),
    table(0x00, 0),
    table(0x10, 0xe0),
    segment(0xda, [3, ...components.flatMap((component) => [component, 0]), 0, 0, 0]),
    Buffer.alloc(Math.ceil((blocks * 3) / 8)),
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Creates an image that cannot be compressed: random pixels, the same in each run. */
export function noise(width: number, height: number, channels: 3 | 4 = 3) {
  let state = 1;
  const data = Uint8Array.from({ length: width * height * channels }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state >> 16) & 255;
  });
  return sharp(data, { raw: { width, height, channels } });
}
