import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ErrorPage } from './error-page';

const page = (error: Error & { digest?: string }) => renderToStaticMarkup(<ErrorPage error={error} retry={() => undefined} />);

test('the page has the header and the footer of public pages, in both languages', () => {
  const html = page(Object.assign(new Error('secret'), { digest: '1' }));
  expect(html).toMatch(/<header.*<a href="\/".*Bili.*<\/header><main.*<\/main><footer/);
  for (const lang of ['sw', 'en']) expect(html).toContain(`href="/verify?lang=${lang}"`);
  expect(html).toContain('Something went wrong on our side');
  expect(html).toContain('Kuna hitilafu upande wetu');
  expect(html).not.toContain('secret');
});

test('a page whose script did not arrive is not called an error of the server', () => {
  expect(page(Object.assign(new Error('x'), { name: 'ChunkLoadError' }))).toContain('The page did not load completely');
});
