import { expect, test } from 'vitest';
import { createPictureCache, pictureTag } from './picture-cache';

test('a picture is drawn once, also if it is asked for while it is drawn', async () => {
  const drawn: string[] = [];
  const cache = createPictureCache(async (svg) => {
    drawn.push(svg);
    return Buffer.from(svg);
  });
  expect(cache.find('a')).toBeUndefined();
  const [one, other] = await Promise.all([cache.draw('a'), cache.draw('a')]);
  expect(one).toBe(other);
  expect(await cache.find('a')).toBe(one);
  expect((await cache.draw('b')).toString()).toBe('b');
  expect(pictureTag('b')).not.toBe(pictureTag('a'));
  expect(drawn).toEqual(['a', 'b']);
});

test('only the last pictures are stored, and failures are not', async () => {
  let fails = true;
  const cache = createPictureCache((svg) => (fails ? Promise.reject(new Error('no memory')) : Promise.resolve(Buffer.from(svg))));
  await expect(cache.draw('0')).rejects.toThrow('no memory');
  fails = false;
  for (let n = 0; n <= 100; n += 1) await cache.draw(String(n));
  expect(cache.find('0')).toBeUndefined();
  expect(cache.find('1')).toBeDefined();
});
