import { luminance, type Rgb, WHITE } from '@/lib/platform/core/colour';
import { NEAR_BLACK } from './brand-rules';

/** A logo as it is stored and served. Bili encodes it from the pixels of the uploaded picture. */
export interface Logo {
  readonly bytes: Buffer;
  /** Formats that all browsers can show, including very old ones. */
  readonly type: 'image/png' | 'image/jpeg';
  /** SHA-256 of the bytes in hex. It is part of the URL, so that a new logo has a new URL. */
  readonly hash: string;
  /** The size on the page, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export const LOGO_MAX_BYTES = 3_072;
export const LOGO_SOURCE_MAX_BYTES = 2 * 1024 * 1024;
/** The maximum number of pixels of an uploaded picture. At 16 bits per channel, so many pixels need at most 128 MB of memory. */
export const LOGO_SOURCE_MAX_PIXELS = 16_000_000;
/** The longest side of an uploaded picture in pixels, and how many times as long as the other side it may be. */
export const LOGO_SOURCE_MAX_SIDE = 10_000;
export const LOGO_SOURCE_MAX_RATIO = 50;
/** The time limit for decoding an uploaded picture, with the start of the process that does it. An ordinary picture takes far less. */
export const DECODE_SECONDS = 5;
const BOX = { width: 144, height: 48 };

/** Problems with the size of a picture. They are shown with the size. */
export const LOGO_SIZE_PROBLEMS = ['too_many_pixels', 'too_long'] as const;
/** Other problems. `busy`: other logos are being encoded. `too_often`: the merchant has uploaded too many pictures in an hour. */
export const OTHER_LOGO_PROBLEMS = ['transparent', 'too_large', 'no_picture', 'slow', 'damaged', 'busy', 'too_often'] as const;

/** Why a picture cannot be used as a logo. */
export type LogoProblem =
  | { readonly kind: (typeof OTHER_LOGO_PROBLEMS)[number] }
  | { readonly kind: (typeof LOGO_SIZE_PROBLEMS)[number]; readonly width: number; readonly height: number };

type SourceFormat = 'png' | 'jpeg' | 'gif' | 'webp';

/** Returns the format of a picture by its first bytes. Returns null for formats that are not accepted, such as SVG. */
export function sourceFormat(bytes: Uint8Array): SourceFormat | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'webp' : null;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size on the page in CSS pixels: as large as the box allows, but not larger than the picture. */
export function logoBox({ width, height }: Size): Size {
  const factor = Math.min(1, BOX.width / width, BOX.height / height);
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

const LIGHT = 0.6;
/** A pixel whose alpha (0 to 255) is less than this counts as invisible. */
const FAINT = 8;

/**
 * Returns the background for a picture's transparent parts: white, or near-black for a light picture that would be invisible on
 * white. Returns null if the whole picture is invisible. `rgba` has four bytes per pixel.
 */
export function backgroundFor(rgba: Uint8Array): Rgb | null {
  let light = 0;
  let seen = 0;
  let opaque = true;
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha < 255) opaque = false;
    if (alpha < FAINT) continue;
    light += luminance([red, green, blue]) * alpha;
    seen += alpha;
  }
  if (seen === 0) return null;
  return !opaque && light / seen > LIGHT ? NEAR_BLACK : WHITE;
}

/** Returns the mean squared difference of two pictures of the same size, for choosing the most similar encoding. */
export function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return sum / one.length;
}
