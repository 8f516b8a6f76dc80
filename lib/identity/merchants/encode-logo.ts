import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { formatColour } from '@/lib/platform/core/colour';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { createFairQueue, type FairQueue } from '@/lib/platform/queues/fair-queue';
import {
  backgroundFor,
  DECODE_SECONDS,
  difference,
  LOGO_MAX_BYTES,
  LOGO_SOURCE_MAX_BYTES,
  LOGO_SOURCE_MAX_PIXELS,
  LOGO_SOURCE_MAX_RATIO,
  LOGO_SOURCE_MAX_SIDE,
  type Logo,
  type LogoProblem,
  logoBox,
  type Size,
  sourceFormat,
} from './logo-rules';

// Decoding takes place in another process. In this one, libvips reads only the pictures that it has encoded itself.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
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

declare global {
  // Several bundles of one process contain this module. A module variable would exist once per bundle.
  var biliLogoQueue: FairQueue | undefined;
}

/** Returns the queue of this process. A logo takes up to some seconds of a core, and its encoding the threads that others wait for. */
function logoQueue(): FairQueue {
  globalThis.biliLogoQueue ??= createFairQueue({ concurrency: 1, waitingOfOne: 2, waiting: 5, waitMs: 6 * DECODE_SECONDS * SECOND_MS });
  return globalThis.biliLogoQueue;
}

/**
 * Converts an uploaded picture to a logo: its first frame, upright, in sRGB, without transparency, at most 3,072 bytes. Nothing of
 * the uploaded file itself is stored. Returns the problem if the picture cannot be used.
 * @param subject whose picture it is. Subjects take turns.
 * @param options.limitMs the time limit for decoding.
 */
export async function encodeLogo(
  source: Uint8Array,
  subject: string,
  { limitMs = DECODE_SECONDS * SECOND_MS } = {},
): Promise<Result<Logo, LogoProblem>> {
  if (source.length > LOGO_SOURCE_MAX_BYTES) return fail({ kind: 'too_large' });
  if (!sourceFormat(source)) return fail({ kind: 'no_picture' });
  return (await logoQueue().run(subject, () => encode(source, limitMs))) ?? fail({ kind: 'busy' });
}

async function encode(source: Uint8Array, limitMs: number): Promise<Result<Logo, LogoProblem>> {
  const read = await readPicture(source, limitMs);
  if (!read.ok) return read;
  const { picture, box } = read.value;
  const background = backgroundFor(picture.data);
  if (!background) return fail({ kind: 'transparent' });
  const flat = open(picture).flatten({ background: formatColour(background) });
  const small = await encodeSmall({ ...picture, data: await flat.raw().toBuffer(), channels: 3 }, box);
  return ok({ ...small, ...box });
}

const sizeSchema = z.strictObject({ width: z.int().positive(), height: z.int().positive() });
const pixelsSchema = z.strictObject({ ...sizeSchema.shape, data: z.instanceof(Uint8Array) });

const PROGRAM = join(PROJECT_ROOT, 'lib', 'identity', 'merchants', 'decode-picture.mjs');

type Read = Result<{ readonly picture: Pixels; readonly box: Size }, LogoProblem>;

/**
 * Returns the pixels of a picture, two per CSS pixel in each direction, and its size on the page. Another process decodes the picture. It
 * is killed after the time limit, because a time limit in libvips cannot interrupt a decoder: a small file can keep one busy for longer.
 */
function readPicture(source: Uint8Array, limitMs: number): Promise<Read> {
  return new Promise((resolve, reject) => {
    let result: Read = fail({ kind: 'damaged' });
    const child = fork(/* turbopackIgnore: true */ PROGRAM, [], {
      // The process gets no settings, because they contain secrets. Windows needs SystemRoot.
      env: { NODE_ENV: 'production', SystemRoot: process.env.SystemRoot },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = () => {
      // The process has ended before it read a message. The event `close` reports the end.
    };
    const end = (final: Read) => {
      result = final;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => end(fail({ kind: 'slow' })), limitMs);
    child.once('message', (answered) => {
      const size = sizeSchema.parse(answered);
      const problem = sizeProblem(size);
      if (problem) return end(fail(problem));
      const box = logoBox(size);
      child.once('message', (pixels) => {
        const { data, ...read } = pixelsSchema.parse(pixels);
        end(ok({ picture: { ...read, data: Buffer.from(data), channels: 4 }, box }));
      });
      child.send({ width: box.width * 2, height: box.height * 2, maxPixels: LOGO_SOURCE_MAX_PIXELS }, ended);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    // The result is returned only now, so that the next picture waits until the process has ended.
    child.once('close', () => {
      clearTimeout(timer);
      resolve(result);
    });
    child.send({ source }, ended);
  });
}

/** Returns why a picture of this size is not decoded. A picture of few but very long rows, or of very many rows, is slow to decode. */
function sizeProblem({ width, height }: Size): LogoProblem | null {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (width * height > LOGO_SOURCE_MAX_PIXELS) return { kind: 'too_many_pixels', width, height };
  return long > LOGO_SOURCE_MAX_SIDE || long > short * LOGO_SOURCE_MAX_RATIO ? { kind: 'too_long', width, height } : null;
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
