import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { luminance } from '@/lib/platform/core/colour';
import { jpegBomb, noise, pngBomb } from '@/testing/pictures';
import { encodeLogo } from './encode-logo';
import type { Logo } from './logo-rules';

// encode-logo.ts lets this process read only what it encodes itself. Tests also read the pictures that they upload.
sharp.unblock({ operation: ['VipsForeignLoadWebp', 'VipsForeignLoadNsgif'] });

const RED = { r: 200, g: 30, b: 30 };

function plain(width: number, height: number, background: string | typeof RED = RED) {
  return sharp({ create: { width, height, channels: 4, background } });
}

async function made(source: Uint8Array): Promise<Logo> {
  const logo = await encodeLogo(source, 'shop');
  if (!logo.ok) throw new Error(logo.error.kind);
  const { bytes, type, hash, width, height } = logo.value;
  expect(bytes.length).toBeLessThanOrEqual(3_072);
  expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
  const facts = await sharp(bytes).metadata();
  expect(facts).toMatchObject({ format: type.slice('image/'.length), hasAlpha: false });
  expect(facts.pages ?? 1).toBe(1);
  expect(width).toBeLessThanOrEqual(144);
  expect(height).toBeLessThanOrEqual(48);
  return logo.value;
}

/** Returns the colour of the pixel in the middle. */
async function middle({ bytes }: Logo): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
  return [...data.subarray(at, at + 3)];
}

const near = (value: number) => expect.closeTo(value, -1.2);

describe('a logo is created from', () => {
  test.each([
    ['PNG', () => plain(300, 300).png().toBuffer()],
    ['JPEG', () => plain(300, 300).jpeg().toBuffer()],
    ['JPEG in CMYK', () => plain(300, 300).removeAlpha().toColourspace('cmyk').jpeg().toBuffer()],
    ['progressive JPEG', () => plain(300, 300).jpeg({ progressive: true }).toBuffer()],
    ['WebP', () => plain(300, 300).webp({ lossless: true }).toBuffer()],
    ['GIF', () => plain(300, 300).gif().toBuffer()],
    ['PNG of 16 bits', () => plain(300, 300).toColourspace('rgb16').png().toBuffer()],
    ['grey PNG with alpha', () => plain(300, 300, '#777').toColourspace('b-w').png().toBuffer()],
  ])('%s', async (name, source) => {
    const logo = await made(await source());
    expect(logo).toMatchObject({ width: 48, height: 48 });
    const expected = name.startsWith('grey') ? [0x77, 0x77, 0x77] : name.includes('CMYK') ? null : [200, 30, 30];
    if (expected) expect(await middle(logo)).toEqual(expected.map(near));
    // CMYK cannot represent every red, but the result is still red.
    else expect(await middle(logo)).toEqual([200, 30, 30].map((value) => expect.closeTo(value, -1.8)));
  });

  test('the first frame of an animation', async () => {
    const frames = Buffer.concat([await plain(40, 40).raw().toBuffer(), await plain(40, 40, '#00f').raw().toBuffer()]);
    for (const format of ['gif', 'webp'] as const) {
      const animated = await sharp(frames, { raw: { width: 40, height: 80, channels: 4, pageHeight: 40 } })
        .toFormat(format)
        .toBuffer();
      expect((await sharp(animated).metadata()).pages).toBe(2);
      const logo = await made(animated);
      expect(logo).toMatchObject({ width: 40, height: 40 });
      expect(await middle(logo)).toEqual([200, 30, 30].map(near));
    }
  });

  test.each([
    [1, 1, { width: 1, height: 1 }],
    [30, 20, { width: 30, height: 20 }],
    [288, 96, { width: 144, height: 48 }],
    [4000, 4000, { width: 48, height: 48 }],
    [10_000, 200, { width: 144, height: 3 }],
    [200, 10_000, { width: 1, height: 48 }],
  ])('%i × %i pixels', async (width, height, box) => {
    expect(await made(await plain(width, height).png().toBuffer())).toMatchObject(box);
  });

  test('a rotated photograph, upright', async () => {
    const source = await plain(200, 100).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await made(source)).toMatchObject({ width: 24, height: 48 });
  });

  test('the pixels only, without other data of the file', async () => {
    const text = 'Jina la siri';
    const source = await plain(200, 100)
      .jpeg()
      .withExif({ IFD0: { Artist: text } })
      .toBuffer();
    const hiding = Buffer.concat([source, Buffer.from(`<script>${text}</script>`)]);
    expect(hiding.includes(text)).toBe(true);
    expect((await made(hiding)).bytes.includes('siri')).toBe(false);
    expect((await sharp((await made(hiding)).bytes).metadata()).exif).toBeUndefined();
  });

  test('noise, with a resolution that fits into the size limit', async () => {
    for (const [width, height] of [
      [288, 96],
      [96, 96],
      [1200, 800],
    ] as const)
      await made(await noise(width, height).png().toBuffer());
  });

  test('the same picture, always with the same bytes', async () => {
    const source = await noise(288, 96).webp().toBuffer();
    expect((await made(source)).hash).toBe((await made(source)).hash);
  });
});

describe('transparency', () => {
  const dot = (colour: string) =>
    sharp({ create: { width: 96, height: 96, channels: 4, background: '#0000' } })
      .composite([{ input: { create: { width: 32, height: 32, channels: 4, background: colour } } }])
      .png()
      .toBuffer();
  const corner = async ({ bytes }: Logo) => {
    const [red = 0, green = 0, blue = 0] = await sharp(bytes).removeAlpha().raw().toBuffer();
    return luminance([red, green, blue]);
  };

  test('becomes white behind a dark picture', async () => {
    expect(await corner(await made(await dot('#123')))).toBeGreaterThan(0.95);
  });

  test('becomes dark behind a light picture, which would be invisible on white', async () => {
    expect(await corner(await made(await dot('#fff')))).toBeLessThan(0.05);
    expect(await corner(await made(await dot('#ffee00')))).toBeLessThan(0.05);
  });

  test('of the whole picture is refused', async () => {
    expect(await encodeLogo(await plain(20, 20, '#0000').png().toBuffer(), 'shop')).toEqual({ ok: false, error: { kind: 'transparent' } });
  });
});

describe('is refused with an error:', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['SVG with a declaration', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7')],
  ])('%s', async (_name, bytes) => {
    expect(await encodeLogo(bytes, 'shop')).toEqual({ ok: false, error: { kind: 'no_picture' } });
  });

  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('a truncated %s file', async (format) => {
    const whole = await noise(300, 300).toFormat(format).toBuffer();
    for (const length of [12, 60, Math.floor(whole.length / 2), whole.length - 400]) {
      expect(await encodeLogo(whole.subarray(0, length), 'shop')).toEqual({ ok: false, error: { kind: 'damaged' } });
    }
  });

  test('SVG that starts as a GIF', async () => {
    const bytes = Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect(await encodeLogo(bytes, 'shop')).toEqual({ ok: false, error: { kind: 'damaged' } });
  });

  test('a small file with a huge number of pixels', async () => {
    const bomb = pngBomb(20_000, 20_000);
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    expect(await encodeLogo(bomb, 'shop')).toEqual({ ok: false, error: { kind: 'too_many_pixels', width: 20000, height: 20000 } });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ['very many rows', 1, 10_001],
    ['a very long row', 10_001, 1_000],
    ['a side of more than 50 times the other', 100, 5_001],
  ])('%s', async (_name, width, height) => {
    expect(await encodeLogo(pngBomb(width, height), 'shop')).toEqual({ ok: false, error: { kind: 'too_long', width, height } });
  });

  test('a picture that is still being decoded after the time limit: the work ends then', async () => {
    const bomb = jpegBomb();
    expect(bomb.length).toBeLessThan(250_000);
    const processes = () => process.getActiveResourcesInfo().filter((one) => one === 'ProcessWrap').length;
    const before = processes();
    expect(await encodeLogo(bomb, 'shop', { limitMs: 500 })).toEqual({ ok: false, error: { kind: 'slow' } });
    expect(processes()).toBe(before);
  });

  test('pictures that come while one is decoded and five wait', async () => {
    const picture = await plain(30, 30).png().toBuffer();
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => encodeLogo(picture, `shop ${n}`)));
    expect(results.map((one) => (one.ok ? 'encoded' : one.error.kind))).toEqual([...Array(6).fill('encoded'), 'busy', 'busy']);
    const ofOne = await Promise.all(Array.from({ length: 4 }, () => encodeLogo(picture, 'shop')));
    expect(ofOne.map(({ ok }) => ok)).toEqual([true, true, true, false]);
  });

  test('more than 2 MB', async () => {
    const large = Buffer.concat([await plain(20, 20).png().toBuffer(), Buffer.alloc(2 * 1024 * 1024)]);
    expect(await encodeLogo(large, 'shop')).toEqual({ ok: false, error: { kind: 'too_large' } });
  });
});
