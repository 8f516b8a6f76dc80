/**
 * The program of the process that decodes one uploaded picture (see encode-logo.ts). It is plain JavaScript, so that the built product, the
 * pages and the tests start the same file. Its parent ends it after the time limit, which no thread of a process could guarantee.
 *
 * It receives the bytes, answers with the size in the header, receives the size to which to scale the picture, and answers with the pixels.
 */
import process from 'node:process';
import sharp from 'sharp';

// Only the readers of PNG, JPEG, GIF and WebP are enabled in this process, so that other content cannot reach a decoder.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'] });
sharp.cache(false);
sharp.concurrency(1);

/** @type {Uint8Array} */
let source;

/** @param {{ source: Uint8Array } | { width: number, height: number, maxPixels: number }} message */
async function answer(message) {
  if ('source' in message) {
    source = message.source;
    const { width, height } = (await sharp(source, { limitInputPixels: false }).metadata()).autoOrient;
    return { width, height };
  }
  const { maxPixels, ...within } = message;
  const { data, info } = await sharp(source, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .resize({ ...within, fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

process.on('message', (message) => {
  answer(message).then(
    (reply) => process.send(reply),
    // libvips refuses what it cannot read.
    () => process.exit(1),
  );
});
