import { contrast, formatColour, parseColour, type Rgb, WHITE } from '@/lib/platform/core/colour';
import { readMobile, readNational } from '@/lib/platform/core/mobile';

/** The merchant's brand on the payment page, besides its name. */
export interface Brand {
  /** `#rrggbb`, as the merchant chose it. Pages use the colours that `paletteOf` derives from it. */
  readonly brandColour: string | null;
  /** The number that customers can call, in national form. */
  readonly supportNumber: string | null;
  /** SHA-256 of the logo in hex. Without a logo, the hash and the size are null. Width and height are in CSS pixels. */
  readonly logoHash: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
}

/** Colours with enough contrast, whatever colour the merchant chose. */
interface Palette {
  /** A background in the chosen colour, changed only as much as the contrast of its text requires. */
  readonly fill: Rgb;
  /** The colour of text on `fill`: white or near-black. */
  readonly onFill: Rgb;
  /** The chosen colour, darkened if necessary for links and borders on the page, and for buttons with white text. */
  readonly ink: Rgb;
}

/** The darkest of the page's light backgrounds, on which `ink` is used. */
export const PAGE_BACKGROUND: Rgb = [0xf3, 0xf5, 0xf2];
/** Slightly lighter than all backgrounds of the page in dark mode. A light colour that is readable on it is readable on all of them. */
export const DARK_BACKGROUND: Rgb = [0x1d, 0x2a, 0x22];
export const NEAR_BLACK: Rgb = [0x14, 0x23, 0x1c];
/** The contrast that WCAG 2.2 AA requires for text (1.4.3). Borders and buttons need only a contrast of 3 (1.4.11). */
export const MIN_CONTRAST = 4.5;

/**
 * Returns colours whose contrast between text and background is at least 4.5:1. They have the hue of the chosen colour, unless it is a
 * grey.
 */
export function paletteOf(chosen: Rgb): Palette {
  const ink = inkOf(chosen);
  if (contrast(chosen, WHITE) < MIN_CONTRAST && contrast(chosen, NEAR_BLACK) >= MIN_CONTRAST)
    return { fill: chosen, onFill: NEAR_BLACK, ink };
  return { fill: darkenFor(chosen, WHITE), onFill: WHITE, ink };
}

/** The product's green, the colour of shops that have not chosen one. */
const PRODUCT_COLOUR: Rgb = [0x0b, 0x5d, 0x3b];
/** The smallest contrast with white paper at which the edge of a filled circle is visible. */
const MIN_EDGE_CONTRAST = 1.15;

/** What stands for a shop that has no logo: its initial in a circle. */
interface ShopMark {
  readonly initial: string;
  /** The colour of the circle, as `#rrggbb`. */
  readonly fill: string;
  /** The colour of the initial. */
  readonly onFill: string;
}

/**
 * Returns the mark of a shop: the first letter or digit of its name, and the colours of the circle and of the letter. A colour that is
 * nearly white is used for the letter, because a white circle would be invisible on white paper.
 * @param brandColour the colour that the shop chose, as `#rrggbb`; null for the product's green.
 */
export function shopMark(name: string, brandColour: string | null): ShopMark {
  const { fill, onFill } = paletteOf((brandColour === null ? null : parseColour(brandColour)) ?? PRODUCT_COLOUR);
  const [circle, letter] = contrast(fill, WHITE) < MIN_EDGE_CONTRAST ? [onFill, fill] : [fill, onFill];
  const [first = '?'] = /[\p{L}\p{N}]/u.exec(name.normalize('NFC')) ?? Array.from(name.trim());
  const [initial = first] = first.toUpperCase();
  return { initial, fill: formatColour(circle), onFill: formatColour(letter) };
}

function inkOf(chosen: Rgb): Rgb {
  if (contrast(chosen, PAGE_BACKGROUND) >= MIN_CONTRAST) return chosen;
  return isGrey(chosen) ? NEAR_BLACK : darkenFor(chosen, PAGE_BACKGROUND);
}

/**
 * Returns the chosen colour, light enough for links and borders on the dark page, and for buttons with near-black text. Mixing it with
 * white preserves the hue.
 */
export function inkOnDark(chosen: Rgb): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const [red, green, blue] = chosen.map((channel) => channel + Math.round(((255 - channel) * step) / STEPS));
    const lighter: Rgb = [red ?? 255, green ?? 255, blue ?? 255];
    if (contrast(lighter, DARK_BACKGROUND) >= MIN_CONTRAST) return lighter;
  }
  return WHITE;
}

/**
 * Returns whether a colour is a white or grey without a hue. If such a colour is too light, buttons are near-black, because a button in
 * middle grey would look disabled.
 */
export function isGrey(colour: Rgb): boolean {
  return Math.max(...colour) - Math.min(...colour) <= Math.max(...colour) / 8;
}

const STEPS = 255;

/** Darkens a colour until it has enough contrast. One factor for all three channels preserves hue and saturation. */
function darkenFor(colour: Rgb, background: Rgb): Rgb {
  const [red, green, blue] = colour;
  for (let step = STEPS; step > 0; step -= 1) {
    const darker: Rgb = [scale(red, step), scale(green, step), scale(blue, step)];
    if (contrast(darker, background) >= MIN_CONTRAST) return darker;
  }
  return [0, 0, 0];
}

function scale(channel: number, step: number): number {
  return Math.round((channel * step) / STEPS);
}

/** Area codes 022 to 028, and 0800, which is free of charge: https://www.tcra.go.tz, national numbering plan. */
const LANDLINE = /^0(?:2[2-8]\d|800)\d{6}$/;

/** Reads a mobile or landline number that a person typed, in all usual notations. Returns its national form, `0712345678`, or null. */
export function parseSupportNumber(text: string): string | null {
  const national = readNational(text);
  return readMobile(text) ?? (LANDLINE.test(national) ? national : null);
}

/** Returns a number with spaces: `0712 345 678`, or `022 212 3456` for a landline. */
export function formatSupportNumber(national: string): string {
  const parts = /^02/.test(national) ? /^(...)(...)(....)$/ : /^(....)(...)(...)$/;
  return national.replace(parts, '$1\u00a0$2\u00a0$3');
}
