import jsQR from 'jsqr';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code';
import { bill } from './sample-page';

const PIXELS = 4;

/** Draws the black path of the SVG as a browser would, makes the square in the middle black too, and reads the QR code in that picture. */
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
  const [, at = '0', side = '0'] = /<path fill="#fff" d="M([\d.]+) \1h(\d+)v\2h-\2z"/.exec(svg) ?? [];
  for (let row = Number(at); row < Number(at) + Number(side); row += 1 / PIXELS) {
    const start = (row * size + Number(at)) * PIXELS * 4;
    for (let pixel = 0; pixel < Number(side) * PIXELS; pixel += 1) pixels.fill(0, start + pixel * 4, start + pixel * 4 + 3);
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
  const marked = renderToStaticMarkup(<QrCode text={text} label="QR" shop={{ ...bill, merchantName: 'Duka' }} />);
  expect(marked).toContain('>D</text>');
  expect(decode(marked)).toBe(text);
});

test('the SVG is small', () => {
  const svg = renderToStaticMarkup(<QrCode text="https://pay.example.co.tz/verify?code=K7PM2QXD9FTA" label="QR" />);
  expect(svg.length).toBeLessThan(3_000);
});

test('a code has a square logo in the middle, but no wide one', () => {
  const shop = { ...bill, logoHash: 'abc', logoHeight: 40 };
  const draw = (logoWidth: number) =>
    renderToStaticMarkup(<QrCode text="https://x.example/p/1" label="QR" shop={{ ...shop, logoWidth }} />);
  expect(draw(40)).toContain('<image href="/pay/logo/merchant/abc"');
  expect(draw(120)).not.toMatch(/<image|<text/);
});
