import type { Environment, Scope } from '@/lib/core/scope';
import type { Locale } from '@/lib/i18n/translator';
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
  /** The ids of the items. */
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
