import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, formatColour, parseColour, type Rgb, WHITE } from '@/lib/platform/core/colour';
import {
  DARK_BACKGROUND,
  formatSupportNumber,
  inkOnDark,
  isGrey,
  MIN_CONTRAST,
  NEAR_BLACK,
  PAGE_BACKGROUND,
  paletteOf,
  parseSupportNumber,
  shopMark,
} from './brand-rules';

const channel = fc.nat(255);
const colours: fc.Arbitrary<Rgb> = fc.tuple(channel, channel, channel);

test('every chosen colour has enough contrast in dark mode, and stays as it is if it had enough', () => {
  fc.assert(
    fc.property(colours, (chosen) => {
      const light = inkOnDark(chosen);
      expect(contrast(light, DARK_BACKGROUND)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      if (contrast(chosen, DARK_BACKGROUND) >= MIN_CONTRAST) expect(light).toEqual(chosen);
    }),
  );
});

test('every chosen colour gives text and background with enough contrast', () => {
  fc.assert(
    fc.property(colours, (chosen) => {
      const { fill, onFill, ink } = paletteOf(chosen);
      expect(contrast(fill, onFill)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      expect([WHITE, NEAR_BLACK]).toContainEqual(onFill);
      for (const background of [PAGE_BACKGROUND, WHITE]) expect(contrast(ink, background)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      for (const made of [...fill, ...ink]) expect(Number.isInteger(made) && made >= 0 && made <= 255).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('the hue stays the same, except for rounding', () => {
  fc.assert(
    fc.property(colours, (chosen) => {
      const { fill, ink } = paletteOf(chosen);
      for (const made of isGrey(chosen) ? [fill] : [fill, ink]) {
        const factor = Math.max(...made) / Math.max(1, ...chosen);
        expect(factor).toBeLessThanOrEqual(1);
        // Rounding changes each channel by up to 0.5. The factor comes from a rounded channel, which adds an error of up to 0.5.
        made.forEach((value, index) => {
          expect(Math.abs(value - (chosen[index] ?? 0) * factor)).toBeLessThanOrEqual(1.01);
        });
      }
    }),
    { numRuns: 5_000 },
  );
});

test('a colour with enough contrast is not changed, and others are changed as little as possible', () => {
  expect(paletteOf([0x0b, 0x5d, 0x3b])).toEqual({ fill: [0x0b, 0x5d, 0x3b], onFill: WHITE, ink: [0x0b, 0x5d, 0x3b] });
  fc.assert(
    fc.property(colours, (chosen) => {
      const { fill, ink } = paletteOf(chosen);
      if (contrast(chosen, PAGE_BACKGROUND) >= MIN_CONTRAST) expect(ink).toEqual(chosen);
      else if (isGrey(chosen)) expect(ink).toEqual(NEAR_BLACK);
      else expect(contrast(ink, PAGE_BACKGROUND)).toBeLessThan(MIN_CONTRAST + 0.2);
      if (contrast(chosen, NEAR_BLACK) >= MIN_CONTRAST || contrast(chosen, WHITE) >= MIN_CONTRAST) expect(fill).toEqual(chosen);
    }),
  );
});

test.each([
  ['yellow', [255, 221, 0], NEAR_BLACK],
  ['white', [255, 255, 255], NEAR_BLACK],
  ['neon green', [57, 255, 20], NEAR_BLACK],
  ['black', [0, 0, 0], WHITE],
  ['navy', [0, 0, 128], WHITE],
] as const)('%s is not changed and gets a readable text colour', (_name, chosen, onFill) => {
  expect(paletteOf(chosen)).toMatchObject({ fill: chosen, onFill });
});

test.each([
  ['0712345678', '0712345678'],
  ['+255 712-345-678', '0712345678'],
  ['255712345678', '0712345678'],
  ['(022) 212 3456', '0222123456'],
  ['+255 22 212 3456', '0222123456'],
  ['0800 110 011', '0800110011'],
  ['\u202a+255 712 345 678\u202c', '0712345678'],
  ['+255 (0) 22 212 3456', '0222123456'],
  ['0912345678', null],
  ['0292123456', null],
  ['071234567', null],
  ['07123456789', null],
  ['0712345678;ext=1', null],
  ['tel:0712345678', null],
  ['', null],
])('the text %j is read as the number %j', (text, national) => {
  expect(parseSupportNumber(text)).toBe(national);
});

test('numbers are formatted in the usual groups of digits', () => {
  expect(formatSupportNumber('0712345678')).toBe('0712\u00a0345\u00a0678');
  expect(formatSupportNumber('0222123456')).toBe('022\u00a0212\u00a03456');
  expect(formatSupportNumber('0800110011')).toBe('0800\u00a0110\u00a0011');
});

test('the initial of a mark is the first letter or digit of the name', () => {
  const names = ['Duka la Mfano', '  élan', '"><b>', '24 Saa', 'مدرسة', '★ Nyota', '★', '', 'ßa', 'e\u0301lan', '\u{10428}x'];
  expect(names.map((name) => shopMark(name, null).initial)).toEqual(['D', 'É', 'B', '2', 'م', 'N', '★', '?', 'S', 'É', '\u{10400}']);
});

test('a mark can be read, and its edge is visible on white paper, whatever colour the shop chose', () => {
  const rgb = (text: string) => parseColour(text) ?? WHITE;
  fc.assert(
    fc.property(colours, (chosen) => {
      const { fill, onFill } = shopMark('Duka', formatColour(chosen));
      expect(contrast(rgb(fill), rgb(onFill))).toBeGreaterThanOrEqual(MIN_CONTRAST);
      expect(contrast(rgb(fill), WHITE)).toBeGreaterThanOrEqual(1.15);
    }),
  );
  expect(shopMark('Duka', null)).toEqual({ initial: 'D', fill: '#0b5d3b', onFill: '#ffffff' });
  expect(shopMark('Duka', '#ffee00').fill).toBe('#ffee00');
});
