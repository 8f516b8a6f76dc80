import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ERRORS } from '@/lib/entry/http/errors';
import { describedApi } from '@/testing/openapi/described-api';
import { buildSite } from './build-site';
import { swahiliReference, withErrors } from './generated-pages';
import { SLUGS } from './pages';
import { findSections, type Section } from './script/search';
import { SWAHILI_LINES } from './swahili-lines';

let site: ReadonlyMap<string, string>;
beforeAll(async () => {
  site = await buildSite();
});

const page = (path: string) => site.get(path) ?? '';

/** Addresses of the product that are no pages of the documentation. */
const ELSEWHERE = new Set(['/', '/sign-in', '/llms.txt', '/api/v3/openapi.json']);

function fileOf(address: string): string {
  const path = address.replace(/^\/docs\/?/, '');
  if (path === '' || path === 'sw') return path === '' ? 'index.html' : 'sw/index.html';
  return /\.\w+$/.test(path) ? path : `${path}.html`;
}

function brokenLinks(name: string): string[] {
  const html = page(name);
  const hrefs = [...html.matchAll(/ (?:href|src|data-index)="([^"]+)"/g)].map(([, href = '']) => href);
  return hrefs.filter((href) => {
    if (/^(https:|data:)/.test(href) || ELSEWHERE.has(href)) return false;
    const [address = '', anchor] = href.split('#');
    const target = address === '' ? html : site.get(fileOf(address));
    return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`));
  });
}

test('every link of every page leads somewhere', () => {
  const pages = [...site.keys()].filter((name) => name.endsWith('.html'));
  expect(pages.length).toBe(2 * (SLUGS.length + 1));
  expect(pages.flatMap((name) => brokenLinks(name).map((href) => `${name}: ${href}`))).toEqual([]);
});

test('llms.txt lists the Markdown of every page', () => {
  const addresses = [...page('llms.txt').matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map(([, address = '']) => address);
  expect(addresses).toHaveLength(2 * SLUGS.length);
  expect(addresses.filter((address) => !site.has(fileOf(address)))).toEqual([]);
});

test.each(SLUGS)('the page %s has the same sections, code and diagrams in both languages', (slug) => {
  const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
  const [english, swahili] = [page(`${slug}.md`), page(`sw/${slug}.md`)];
  for (const pattern of [/^## /gm, /^### /gm, /^\| /gm]) expect(count(swahili, pattern), String(pattern)).toBe(count(english, pattern));
  const codeOf = (text: string) => [...text.replace(/^```mermaid[\s\S]*?^```$/gm, '').matchAll(/```[\s\S]*?```/g)].map(([code]) => code);
  expect(codeOf(swahili)).toEqual(codeOf(english));
  const arrows = (text: string) => [...text.matchAll(/^ {2}\w+(-?->>)\w+|^ {2}Note over \w+/gm)].map(([arrow]) => arrow);
  expect(arrows(swahili)).toEqual(arrows(english));
});

test('every error has a section with its status and message', () => {
  for (const folder of ['', 'sw/']) {
    const errors = page(`${folder}errors.html`);
    expect(Object.keys(ERRORS).filter((code) => !errors.includes(`<h3 id="${code}">`))).toEqual([]);
    expect(errors).toContain('<code>409</code> <code>reference has already been used</code>');
  }
});

test('the Swahili reference has every name of the English one, and none of its sentences', () => {
  const rows = (text: string) => [...text.matchAll(/^\| (\[?`[^|]+) \|/gm)].map(([, name]) => name);
  const all = (folder: string) =>
    SLUGS.filter((slug) => /^api\b/.test(slug))
      .map((slug) => page(`${folder}${slug}.md`))
      .join('\n');
  const [english, swahili] = [all(''), all('sw/')];
  expect(rows(swahili)).toEqual(rows(english));
  expect(rows(english).length).toBeGreaterThan(150);
  const words = (text: string) => text.replace(/```[\s\S]*?```|`[^`]*`/g, '');
  expect(words(english)).toMatch(/\b(the|which|with)\b/);
  expect(words(swahili).match(/.*\b(the|which|with|and|of|is)\b.*/g)).toBeNull();
});

test('a line of the reference without a translation, and a translation of no line, fail the build', () => {
  const document = describedApi();
  const { 'The id of the bill.': _, ...incomplete } = SWAHILI_LINES;
  expect(() => swahiliReference(document, incomplete, new Map())).toThrow('no translation of: The id of the bill.');
  const extended = { ...SWAHILI_LINES, 'The colour of the bill.': 'Rangi ya bili.' };
  expect(() => swahiliReference(document, extended, new Map())).toThrow('a translation that nothing uses: The colour of the bill.');
  expect(swahiliReference(document, SWAHILI_LINES, new Map()).groups[0]?.markdown).toContain('\n## Tengeneza bili\n');
});

test('an anchor of the earlier page of all operations leads to its operation or object', () => {
  expect(page('api.html')).toContain('<a id="create-a-bill" href="/docs/api/bills#create-a-bill">');
  expect(page('api.html')).toContain('<a id="bill" href="/docs/api/bills#bill">');
  expect(page('sw/api.html')).toContain('<a id="funga-bili" href="/docs/sw/api/bills#funga-bili">');
});

test('an error without an explanation fails the build', () => {
  const text = readFileSync('docs/site/en/errors.md', 'utf8');
  expect(() => withErrors(text.replace('### `bill_paid`', '### `bill_sold`'), 'en')).toThrow('describes bill_sold, which does not exist');
  expect(() => withErrors(text.replace('### `bill_paid`', '#### Paid'), 'en')).toThrow('does not describe bill_paid');
  expect(() => withErrors(text.replace('**Cause:** The bill is already paid.', 'Paid.'), 'en')).toThrow('bill_paid needs a paragraph');
});

test('the search finds errors by code and sections by words of their text', () => {
  const search = (folder: string, typed: string) => {
    const sections: Section[] = JSON.parse(page(`${folder}search.json`));
    return findSections(sections, typed).map(([address]) => address);
  };
  expect(search('', 'amount_required')[0]).toBe('/docs/errors#amount_required');
  expect(search('', 'verify sig')[0]).toBe('/docs/webhooks#verify-the-signature');
  expect(search('sw/', 'hakiki saini')[0]).toBe('/docs/sw/webhooks#hakiki-saini');
  expect(search('sw/', 'funga bili')[0]).toBe('/docs/sw/api/bills#funga-bili');
  expect(search('', 'xyzzy')).toEqual([]);
});

test('text in code is escaped', () => {
  // The page has one script of its own. The code that the page shows has another.
  expect(page('payment-flow.html').match(/<script>/g)).toHaveLength(1);
  expect(page('webhooks.html')).toContain('&lt;?php');
});
