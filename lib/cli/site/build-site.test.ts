import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ERRORS } from '@/lib/http/errors';
import { buildSite } from './build-site';
import { withErrors } from './errors-page';
import { SLUGS } from './pages';
import { findSections, type Section } from './script/find-sections';

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

test('the Swahili summary of the API names every operation and every member of a bill', () => {
  const markdown = page('sw/api.md');
  const end = markdown.indexOf('\n## ');
  const [summary, reference] = [markdown.slice(0, end), markdown.slice(end)];
  const operations = [...reference.matchAll(/^`((?:GET|POST) \/[^`]+)`$/gm)].map(([, operation]) => operation);
  const [, bill = ''] = /^### Bill\n([\s\S]*?)^### /m.exec(reference) ?? [];
  const members = [...bill.matchAll(/^\| `(\w+)`/gm)].map(([, member]) => member);
  expect(operations.length).toBeGreaterThan(10);
  expect(members.length).toBeGreaterThan(15);
  expect([...operations, ...members].filter((name) => !summary.includes(`\`${name}\``))).toEqual([]);
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
  expect(search('', 'xyzzy')).toEqual([]);
});

test('text in code is escaped', () => {
  expect(page('payment-flow.html')).not.toContain('<script>');
  expect(page('webhooks.html')).toContain('&lt;?php');
});
