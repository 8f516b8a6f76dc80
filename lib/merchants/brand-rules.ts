import { contrast, type Rgb, WHITE } from '@/lib/core/colour';
import { parseMobile } from '@/lib/core/mobile';

/** What a merchant shows of itself on the payment page, beside its name. */
export interface Brand {
  /** `#rrggbb`, as chosen: pages take what `paletteOf` makes of it. */
  readonly brandColour: string | null;
  /** In national form. */
  readonly supportNumber: string | null;
  /** SHA-256 in hex; null without a logo, as are its width and height, in CSS pixels. */
  readonly logoHash: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
}

/** Colours that can be read, whatever was chosen. */
interface Palette {
  /** The chosen colour, for a ground, changed as little as its text needs. */
  readonly fill: Rgb;
  /** White or near-black: what stands on `fill`. */
  readonly onFill: Rgb;
  /** The chosen colour, dark enough for links and borders on the page, and for a button with white text. */
  readonly ink: Rgb;
}

/** The page's ground: the darkest of the light ones that `ink` stands on. */
export const PAGE_GROUND: Rgb = [0xf3, 0xf5, 0xf2];
export const NEAR_BLACK: Rgb = [0x14, 0x23, 0x1c];
/** WCAG 2.2 AA for text, 1.4.3; more than what borders and buttons need (3, 1.4.11). */
export const LEAST_CONTRAST = 4.5;

/**
 * @returns colours of the chosen one's hue, where it has one, with at least 4.5:1 between each and what it stands on, or what
 *   stands on it.
 */
export function paletteOf(chosen: Rgb): Palette {
  const ink = inkOf(chosen);
  if (contrast(chosen, WHITE) < LEAST_CONTRAST && contrast(chosen, NEAR_BLACK) >= LEAST_CONTRAST)
    return { fill: chosen, onFill: NEAR_BLACK, ink };
  return { fill: darkenFor(chosen, WHITE), onFill: WHITE, ink };
}

function inkOf(chosen: Rgb): Rgb {
  if (contrast(chosen, PAGE_GROUND) >= LEAST_CONTRAST) return chosen;
  return isGrey(chosen) ? NEAR_BLACK : darkenFor(chosen, PAGE_GROUND);
}

/** White and light greys, which have no hue to keep: a button of middle grey would look switched off. */
export function isGrey(colour: Rgb): boolean {
  return Math.max(...colour) - Math.min(...colour) <= Math.max(...colour) / 8;
}

const STEPS = 255;

/** Darkening by one factor for all three keeps hue and saturation; black ends it. */
function darkenFor(colour: Rgb, ground: Rgb): Rgb {
  const [red, green, blue] = colour;
  for (let step = STEPS; step > 0; step -= 1) {
    const darker: Rgb = [scale(red, step), scale(green, step), scale(blue, step)];
    if (contrast(darker, ground) >= LEAST_CONTRAST) return darker;
  }
  return [0, 0, 0];
}

function scale(channel: number, step: number): number {
  return Math.round((channel * step) / STEPS);
}

/** Area codes 022 to 028, and 0800, which is free to call: https://www.tcra.go.tz, national numbering plan. */
const LANDLINE = /^0(?:2[2-8]\d|800)\d{6}$/;

/**
 * Reads a number for customers to call, mobile or landline, in any of the ways people write it.
 * @returns its national form, `0712345678`, or null.
 */
export function parseSupportNumber(text: string): string | null {
  const national = text.replace(/[ \u00a0()-]/g, '').replace(/^\+?255/, '0');
  return parseMobile(national) ?? (LANDLINE.test(national) ? national : null);
}

/** @returns `0712 345 678`, and `022 212 3456` for a landline. */
export function formatSupportNumber(national: string): string {
  const parts = /^02/.test(national) ? /^(...)(...)(....)$/ : /^(....)(...)(...)$/;
  return national.replace(parts, '$1\u00a0$2\u00a0$3');
}
