import { type Locale, translator } from '@/lib/i18n/translator';
import type { Place } from './finding';

/** So many are written out; the page has all of them. */
const NAMED = 10;

interface Parts {
  readonly intro: string;
  /** One for each thing that there is to tell. */
  readonly items: readonly string[];
  readonly outro: string;
}

/** @returns a mail's text: what there is to tell in blocks, the first few of many, and where one says who gets such mails. */
export function mailText({ intro, items, outro }: Parts, place: Place, locale: Locale): string {
  const t = translator(locale, 'NoticeMail');
  const rest = items.length - NAMED;
  const more = rest > 0 ? [t('more', { count: rest })] : [];
  const foot = t('foot', { page: `${place.page('settings')}#notify` });
  return `${[intro, ...items.slice(0, NAMED), ...more, outro, foot].join('\n\n')}\n`;
}

/** @returns the business's name in quotation marks: its owner chose it, not we. That of the sandbox says so. */
export function placeText({ merchant, environment }: Place, locale: Locale): string {
  return translator(locale, 'NoticeMail')(environment, { merchant });
}
