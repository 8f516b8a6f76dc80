import type { Metadata } from 'next';
import { pageLocale } from '@/lib/entry/server/preferences';
import type { Messages } from '@/lib/platform/i18n/messages';
import { messagesOf } from '@/lib/platform/i18n/translator';

/** The props of a page that belongs to no merchant. */
export interface PlainPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/**
 * The props of a page of a merchant's environment. `Name` is a further parameter of its path. The values are unchecked: `openVisit`
 * validates them.
 */
export interface PageProps<Name extends string = never> extends PlainPageProps {
  readonly params: Promise<Record<'merchant' | 'environment' | Name, string>>;
}

/** Returns a query parameter that is not empty and occurs once, otherwise null. */
export function single(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns a `generateMetadata` function that sets the page title in the reader's language. */
export function titled<Namespace extends keyof Messages>(namespace: Namespace, key: keyof Messages[Namespace]): () => Promise<Metadata> {
  return async () => ({ title: String(messagesOf(await pageLocale(), namespace)[key]) });
}
