import type { Locale } from '@/lib/i18n/locale';

/** The pages of the documentation for developers, in the order of reading. Each has a Markdown file of this name in every language. */
export const GROUPS = [
  { name: 'start', pages: ['index', 'quickstart', 'payment-flow'] },
  { name: 'build', pages: ['webhooks', 'polling', 'idempotency', 'errors', 'sdks', 'tools'] },
  { name: 'launch', pages: ['sandbox', 'going-live'] },
  { name: 'reference', pages: ['api', 'changelog'] },
] as const;

export const SLUGS: readonly string[] = GROUPS.flatMap(({ pages }) => [...pages]);

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
