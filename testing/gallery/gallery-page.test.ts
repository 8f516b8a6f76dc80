import { expect, test } from 'vitest';
import { galleryPage } from './gallery-page.mjs';

test('shows each picture once, grouped by page', () => {
  const html = galleryPage(['paid-360-dark-sw.png', 'bill-list-1280-light-en.png', 'paid-360-light-sw.png', 'other.png']);
  expect([...html.matchAll(/<h2 id="(.*?)">/g)].map(([, page]) => page)).toEqual(['bill-list', 'other.png', 'paid']);
  expect([...html.matchAll(/<img src="(.*?)"/g)].map(([, file]) => file)).toEqual([
    'bill-list-1280-light-en.png',
    'other.png',
    'paid-360-dark-sw.png',
    'paid-360-light-sw.png',
  ]);
  expect(html).toContain('<figcaption>360 px, dark, sw</figcaption>');
});
