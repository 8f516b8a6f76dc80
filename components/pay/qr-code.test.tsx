import jsQR from 'jsqr';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code';

const PIXELS = 4;

/** Draws the black path of the SVG as a browser would, and reads the QR code in that picture. */
function decode(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]) * PIXELS;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, command, first, second] of (/stroke="#000" d="([^"]*)"/.exec(svg)?.[1] ?? '').matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    const step = Number(first);
    if (command === 'M') [x, y] = [step, Number(second) - 0.5];
    else x += step;
    if (command !== 'h') continue;
    for (let row = y * PIXELS; row < (y + 1) * PIXELS; row += 1) {
      for (let column = (x - step) * PIXELS; column < x * PIXELS; column += 1)
        pixels.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  return jsQR(pixels, size, size)?.data;
}

test.each([
  'https://pay.example.co.tz/verify?code=K7PM2QXD9FTA',
  'https://pay.example.co.tz/pay?bill=019aa001-0000-7000-8000-000000000001',
  'http://localhost:3001/verify?code=000000000000',
  `https://${'long.'.repeat(30)}example/pay?bill=019aa001-0000-7000-8000-000000000001`,
])('%s can be read from the drawing', (text) => {
  const svg = renderToStaticMarkup(<QrCode text={text} label="QR" />);
  expect(decode(svg)).toBe(text);
  expect(svg).toContain('role="img" aria-label="QR"');
});

test('the SVG is small', () => {
  const svg = renderToStaticMarkup(<QrCode text="https://pay.example.co.tz/verify?code=K7PM2QXD9FTA" label="QR" />);
  expect(svg.length).toBeLessThan(3_000);
});
