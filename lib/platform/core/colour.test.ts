import { expect, test } from 'vitest';
import { contrast, formatColour, luminance, parseColour, WHITE } from './colour';

test.each([
  ['#0a7', '#00aa77'],
  ['#00AA77', '#00aa77'],
  ['#000', '#000000'],
  ['#FfF', '#ffffff'],
])('%s is %s', (text, formatted) => {
  const colour = parseColour(text);
  expect(colour && formatColour(colour)).toBe(formatted);
});

test.each(['', '0a7', '#0a', '#0a77', '#00aa77ff', ' #0a7', '#0a7\n', '#ggg', 'red', '#0a7;}body{', 'url(x)', '#٠٠٠'])(
  '%j is no colour',
  (text) => {
    expect(parseColour(text)).toBeNull();
  },
);

// Published values: https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum. #767676 is the lightest grey with enough contrast on white.
test('calculates the contrast ratio as WCAG defines it', () => {
  expect(contrast([0, 0, 0], WHITE)).toBeCloseTo(21, 10);
  expect(contrast(WHITE, WHITE)).toBe(1);
  expect(contrast([0x76, 0x76, 0x76], WHITE)).toBeCloseTo(4.54, 2);
  expect(contrast(WHITE, [0x77, 0x77, 0x77])).toBeCloseTo(4.48, 2);
  expect(contrast([255, 0, 0], WHITE)).toBeCloseTo(4, 1);
  expect(luminance([255, 0, 0])).toBeCloseTo(0.2126, 10);
});
