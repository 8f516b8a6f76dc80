import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { helpAddress } from './help';

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

/** The attributes of each help in the pages. */
const helps = globSync('{app,components}/**/*.tsx').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/<Help\b([^>]*)>/g)].map(([, attributes = '']) => attributes),
);
const places = new Set(helps.map((attributes) => /\bdocs="([^"]*)"/.exec(attributes)?.[1] ?? attributes));

test.each([...places])('the help of pages links to a section that exists: %s', (place) => {
  const [file = '', anchor] = place.split('#');
  if (file.startsWith('/docs/')) return expect(anchors(`${file.replace('/docs', 'site/en')}.md`)).not.toEqual([]);
  expect(anchors(file)).toContain(anchor);
});

test('pages about the API link to the documentation of this installation', () => {
  expect(helpAddress('/docs/webhooks', 'en', undefined)).toBe('/docs/webhooks');
  expect(helpAddress('/docs/quickstart', 'sw', 'https://example.com/docs')).toBe('/docs/sw/quickstart');
});

test('other pages link to the documentation that the operator publishes, whose address may end with a slash', () => {
  for (const docsUrl of ['https://example.com/docs', 'https://example.com/docs/'])
    expect(helpAddress('dashboard.md#audit-log', 'en', docsUrl)).toBe('https://example.com/docs/dashboard.md#audit-log');
  expect(helpAddress('dashboard.md#audit-log', 'en', undefined)).toBeNull();
});
