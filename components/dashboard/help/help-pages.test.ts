import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsAddress } from '@/lib/config/docs-address';
import { HELP_DOCS } from './help-pages';

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
  expect(anchors(file)).toContain(anchor);
});

test('the address of the documentation may end with a slash', () => {
  for (const docsUrl of ['https://example.com/docs', 'https://example.com/docs/'])
    expect(docsAddress(docsUrl, HELP_DOCS.audit)).toBe('https://example.com/docs/dashboard.md#audit-log');
});
