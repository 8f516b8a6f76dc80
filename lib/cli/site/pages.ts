import { API_TAGS } from '@/lib/entry/http/api';
import { groupSlug } from '@/lib/entry/openapi/reference';
import type { Locale } from '@/lib/platform/i18n/locale';

/** The pages of the API reference about one group of operations each. They are generated, and have no file. */
const API_PAGES = Object.keys(API_TAGS).map(groupSlug);

/** The pages of the documentation for developers, in the order of reading. All but `API_PAGES` have a Markdown file in every language. */
export const GROUPS = [
  { name: 'start', pages: ['index', 'quickstart', 'payment-flow'] },
  { name: 'build', pages: ['webhooks', 'polling', 'idempotency', 'errors', 'sdks', 'tools'] },
  { name: 'launch', pages: ['sandbox', 'going-live'] },
  { name: 'reference', pages: ['api', ...API_PAGES, 'counter-app', 'changelog'] },
] as const;

export const SLUGS: readonly string[] = GROUPS.flatMap(({ pages }) => [...pages]);

/** Whether a page belongs to the API reference. */
export function isReference(slug: string): boolean {
  return slug === 'api' || isGroup(slug);
}

/** Whether a page is about one group of operations of the API. */
export function isGroup(slug: string): boolean {
  return API_PAGES.includes(slug);
}

/** Returns the folder of a language below `/docs/`, with a slash at the end. Empty for English, whose pages are directly in `/docs/`. */
export function folderOf(locale: Locale): string {
  return locale === 'en' ? '' : `${locale}/`;
}

/** Returns the address of a page: `/docs/quickstart`, `/docs/sw/quickstart`. */
export function pageAddress(locale: Locale, slug: string): string {
  return `/docs/${folderOf(locale)}${slug === 'index' ? '' : slug}`.replace(/\/$/, '');
}

/** Returns the address of the page's Markdown. */
export function markdownAddress(locale: Locale, slug: string): string {
  return `/docs/${folderOf(locale)}${slug}.md`;
}
