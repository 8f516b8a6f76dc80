import { formatDay } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { ERROR_CLASSES, type ErrorData } from '@/lib/webhooks/failure-rules';

/** Stands for a fact that is not there; the texts know it. */
const NONE = 'none';

/**
 * @param errorClass as it is stored: one that is not in the list any more is shown as `other`.
 * @param data what is known; without a fact the sentence says less.
 * @returns a sentence for the receiver's owner: what happened, and what to do. It may quote the receiver: it is text, not markup.
 */
export function describeFailure(locale: Locale, errorClass: string, data: ErrorData): string {
  const say = translator(locale, 'TryError');
  const fact = (name: string) => String(data[name] ?? '') || NONE;
  const instant = new Date(data.validTo ?? data.validFrom ?? Number.NaN);
  return say(ERROR_CLASSES.find((known) => known === errorClass) ?? 'other', {
    stage: fact('stage'),
    date: Number.isNaN(instant.getTime()) ? NONE : formatDay(instant, locale),
    reason: 'issuer' in data ? fact('reason') : NONE,
    issuer: fact('issuer'),
    names: fact('names'),
    code: fact('code'),
    change: fact('change'),
    location: fact('location'),
    status: fact('status'),
  });
}
