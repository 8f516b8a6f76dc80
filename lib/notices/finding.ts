import type { Environment, Scope } from '@/lib/core/scope';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { MailText } from '@/lib/mail/queue-mail';
import type { Runtime } from '@/lib/runtime/runtime';

/** The merchant and environment of a notice, for its text. */
export interface NoticeContext {
  readonly merchant: string;
  readonly environment: Environment;
  /** Returns the full URL of a dashboard page, such as `bills/<id>`. */
  readonly page: (page: string) => string;
}

/** The present items of one topic, whether or not a notice about them was sent. */
interface TopicItems {
  readonly ids: readonly string[];
  /** Writes the notice about the new items: `newIds` contains at least one of the ids. */
  readonly write: (newIds: ReadonlySet<string>, context: NoticeContext, locale: Locale) => MailText;
}

/** The result if there are no items. */
export const NO_ITEMS: TopicItems = {
  ids: [],
  write() {
    throw new Error('write() was called for a topic without items');
  },
};

export type FindItems = (runtime: Pick<Runtime, 'db' | 'clock'>, scope: Scope) => Promise<TopicItems>;

/** A mail contains at most this many items. The dashboard shows all of them. */
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

/** Returns the merchant's name in quotation marks: it may be any text. For the environment sandbox, the text also names the sandbox. */
export function merchantText({ merchant, environment }: NoticeContext, locale: Locale): string {
  return translator(locale, 'NoticeMail')(environment, { merchant });
}
