import type { Environment, Scope } from '@/lib/core/scope';
import type { Locale } from '@/lib/i18n/translator';
import type { MailText } from '@/lib/mail/write-mail';
import type { Runtime } from '@/lib/runtime/runtime';

/** Whose news it is, for the text of a mail. */
export interface Place {
  readonly merchant: string;
  readonly environment: Environment;
  /** @returns the whole address of a page of the dashboard, such as `bills/<id>`. */
  readonly page: (page: string) => string;
}

/** What stands at this moment of one topic, whether or not it was told. */
interface Finding {
  /** What tells one thing from another. */
  readonly ids: readonly string[];
  /** @param news those of the ids that are new: at least one. */
  readonly write: (news: ReadonlySet<string>, place: Place, locale: Locale) => MailText;
}

/** Where there is nothing to tell. */
export const NOTHING_FOUND: Finding = {
  ids: [],
  write() {
    throw new Error('there is no news to write about');
  },
};

export type Find = (runtime: Pick<Runtime, 'db' | 'clock'>, scope: Scope) => Promise<Finding>;
