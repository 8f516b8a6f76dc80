import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HELP_DOCS, type HelpPage, helpAddress } from './help-pages';

/** Returns the anchors of a Markdown file's headings. */
function anchors(file: string): string[] {
  const headings = readFileSync(`docs/${file}`, 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(Object.entries(HELP_DOCS))('the help of the page %s links to a section that exists: %s', (_, place) => {
  const [file = '', anchor] = place.split('#');
  if (file.startsWith('/docs/')) return expect(anchors(`${file.replace('/docs', 'site/en')}.md`)).not.toEqual([]);
  expect(anchors(file)).toContain(anchor);
});

const address = (page: HelpPage, locale: 'en' | 'sw', docsUrl?: string) => helpAddress(page, locale, docsUrl);

test('pages about the API link to the documentation of this installation', () => {
  expect(address('webhooks', 'en')).toBe('/docs/webhooks');
  expect(address('keys', 'sw', 'https://example.com/docs')).toBe('/docs/sw/quickstart');
});

test('other pages link to the documentation that the operator publishes, whose address may end with a slash', () => {
  for (const docsUrl of ['https://example.com/docs', 'https://example.com/docs/'])
    expect(address('audit', 'en', docsUrl)).toBe('https://example.com/docs/dashboard.md#audit-log');
  expect(address('audit', 'en')).toBeNull();
});
