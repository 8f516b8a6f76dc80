import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorPage } from './error-page';

const page = (error: Error & { digest?: string }) => renderToStaticMarkup(<ErrorPage error={error} retry={() => undefined} />);

afterEach(() => vi.unstubAllGlobals());

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

test('the page leads to sign-in and to the operator, if the operator has set a contact', () => {
  expect(page(new Error('x'))).not.toContain('tel:');
  vi.stubGlobal('document', { documentElement: { dataset: { contact: '0754 111 222' } } });
  expect(page(new Error('x'))).toContain('href="tel:0754111222"');
  expect(page(new Error('x'))).toContain('href="/sign-in"');
});
