import { docsAddress } from '@/lib/config/docs-address';
import type { Locale } from '@/lib/i18n/locale';

/**
 * The section of the documentation about each page of the dashboard: a page for developers, which every installation serves at `/docs`, or
 * a file of the folder `docs`.
 */
export const HELP_DOCS = {
  overview: 'dashboard.md#overview',
  bills: 'dashboard.md#pages',
  bill: 'dashboard.md#pages',
  newBill: 'dashboard.md#pages',
  import: 'dashboard.md#pages',
  search: 'dashboard.md#pages',
  notifications: 'dashboard.md#pages',
  webhooks: '/docs/webhooks',
  keys: '/docs/quickstart',
  requests: 'dashboard.md#request-log',
  team: 'dashboard.md#roles',
  settings: 'dashboard.md#pages',
  audit: 'dashboard.md#audit-log',
  account: 'dashboard.md#signing-in',
  welcome: 'dashboard.md#pages',
  notAllowed: 'dashboard.md#roles',
} as const satisfies Readonly<Record<string, string>>;

/** Returns the address of the documentation about a page, or null if the operator publishes none. @param docsUrl the setting DOCS_URL */
export function helpAddress(page: HelpPage, locale: Locale, docsUrl: string | undefined): string | null {
  const place: string = HELP_DOCS[page];
  if (place.startsWith('/docs/')) return locale === 'sw' ? place.replace('/docs/', '/docs/sw/') : place;
  return docsUrl === undefined ? null : docsAddress(docsUrl, place);
}

export type HelpPage = keyof typeof HELP_DOCS;
