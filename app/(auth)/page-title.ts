import type { Metadata } from 'next';
import type { Messages } from '@/lib/i18n/messages';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';

/** The props of a page that belongs to no merchant. */
export interface PlainPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Returns a `generateMetadata` function that sets the page title in the reader's language. */
export function titled(key: keyof Messages['SignInMore']): () => Promise<Metadata> {
  return async () => ({ title: translator(await pageLocale(), 'SignInMore')(key) });
}
