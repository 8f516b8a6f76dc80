import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { formatColour } from '@/lib/core/colour';
import { fail, ok, type Result } from '@/lib/core/result';
import {
  backgroundFor,
  DECODE_SECONDS,
  difference,
  LOGO_MAX_BYTES,
  LOGO_SOURCE_MAX_BYTES,
  LOGO_SOURCE_MAX_PIXELS,
  type Logo,
  type LogoProblem,
  logoBox,
  type Size,
  sourceFormat,
} from './logo-rules';

// Only the readers of PNG, JPEG, GIF and WebP are enabled in this process, so that other content cannot reach a decoder.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'] });
sharp.cache(false);

/** Image pixels per CSS pixel. A lower density is used if the picture does not fit into 3,072 bytes with a higher one. */
const DENSITIES = [2, 1.5, 1, 0.5];
/** Qualities of a PNG with a palette. The lower the quality, the fewer colours the palette has. */
const PNG_QUALITIES = [100, 90, 85, 80, 70, 60, 50];
const JPEG_QUALITIES = [90, 80, 70, 60];

interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 3 | 4;
}

/**
 * Converts an uploaded picture to a logo: its first frame, upright, in sRGB, without transparency, at most 3,072 bytes. Nothing of
 * the uploaded file itself is stored. Returns the problem if the picture cannot be used.
 */
export async function encodeLogo(source: Uint8Array): Promise<Result<Logo, LogoProblem>> {
  const read = await readPicture(source);
  if (!read.ok) return read;
  const { picture, box } = read.value;
  const background = backgroundFor(picture.data);
  if (!background) return fail({ kind: 'transparent' });
  const flat = open(picture).flatten({ background: formatColour(background) });
  const small = await encodeSmall({ ...picture, data: await flat.raw().toBuffer(), channels: 3 }, box);
  return ok({ ...small, ...box });
}

/** Returns the pixels of a picture, two per CSS pixel in each direction, and its size on the page. */
async function readPicture(source: Uint8Array): Promise<Result<{ readonly picture: Pixels; readonly box: Size }, LogoProblem>> {
  if (source.length > LOGO_SOURCE_MAX_BYTES) return fail({ kind: 'too_large' });
  if (!sourceFormat(source)) return fail({ kind: 'no_picture' });
  try {
    const { width, height } = (await sharp(source, { limitInputPixels: false }).metadata()).autoOrient;
    if (width * height > LOGO_SOURCE_MAX_PIXELS) return fail({ kind: 'too_many_pixels', width, height });
    const box = logoBox({ width, height });
    return ok({ picture: await decode(source, { width: box.width * 2, height: box.height * 2 }), box });
  } catch (error) {
    // libvips throws errors without codes: only the message shows the reason.
    const slow = error instanceof Error && /timeout/i.test(error.message);
    return fail({ kind: slow ? 'slow' : 'damaged' });
  }
}

async function decode(source: Uint8Array, within: Size): Promise<Pixels> {
  const { data, info } = await sharp(source, { limitInputPixels: LOGO_SOURCE_MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize({ ...within, fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 4 };
}

/** Encodes a picture with as many pixels as the size limit allows. Returns the encoding that is most similar to the picture. */
async function encodeSmall(picture: Pixels, box: Size): Promise<Omit<Logo, 'width' | 'height'>> {
  for (const density of DENSITIES) {
    const width = Math.max(1, Math.round(box.width * density));
    const height = Math.max(1, Math.round(box.height * density));
    const data = await open(picture).resize({ width, height, fit: 'fill' }).raw().toBuffer();
    const scaled = open({ data, width, height, channels: 3 });
    const encodings = await Promise.all([
      ...PNG_QUALITIES.map(async (quality) => ({
        type: 'image/png' as const,
        bytes: await scaled.clone().png({ palette: true, quality, dither: 0, effort: 4, compressionLevel: 9 }).toBuffer(),
      })),
      ...JPEG_QUALITIES.map(async (quality) => ({
        type: 'image/jpeg' as const,
        bytes: await scaled.clone().jpeg({ quality, mozjpeg: true, chromaSubsampling: '4:4:4' }).toBuffer(),
      })),
    ]);
    const judged = await Promise.all(
      encodings
        .filter(({ bytes }) => bytes.length <= LOGO_MAX_BYTES)
        .map(async (encoding) => ({ ...encoding, error: difference(data, await sharp(encoding.bytes).removeAlpha().raw().toBuffer()) })),
    );
    const [best] = judged.sort((one, other) => one.error - other.error || one.bytes.length - other.bytes.length);
    if (best) return { bytes: best.bytes, type: best.type, hash: createHash('sha256').update(best.bytes).digest('hex') };
  }
  throw new Error('a logo of 72 × 24 pixels with 256 colours must fit into 3,072 bytes');
}

function open({ data, width, height, channels }: Pixels) {
  return sharp(data, { raw: { width, height, channels } });
}
