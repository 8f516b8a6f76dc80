import { type Locale, translator } from '@/lib/i18n/translator';
import type { NoticeContext } from './finding';

/** A mail contains at most this many items. The page shows all of them. */
const NAMED = 10;

interface Parts {
  readonly intro: string;
  /** One text for each item. */
  readonly items: readonly string[];
  readonly outro: string;
}

/** Returns the text of a mail: an introduction, the first items, and a link to the settings of such mails. */
export function mailText({ intro, items, outro }: Parts, context: NoticeContext, locale: Locale): string {
  const t = translator(locale, 'NoticeMail');
  const rest = items.length - NAMED;
  const more = rest > 0 ? [t('more', { count: rest })] : [];
  const foot = t('foot', { page: `${context.page('settings')}#notify` });
  return `${[intro, ...items.slice(0, NAMED), ...more, outro, foot].join('\n\n')}\n`;
}

/** Returns the business's name in quotation marks, because its owner chose it. The sandbox's name says that it is the sandbox. */
export function merchantText({ merchant, environment }: NoticeContext, locale: Locale): string {
  return translator(locale, 'NoticeMail')(environment, { merchant });
}
