import { ERROR_CLASSES, type ErrorData } from '@/lib/gateway/webhooks/failure-rules';
import { formatDay } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** The value for a missing fact. The texts of `TryError` have a branch `none` for this value. */
const NONE = 'none';

/**
 * Explains to the merchant why an attempt failed and what to do.
 * @param errorClass as stored. Classes that no longer exist are described as `other`.
 * @param data the known facts. If a fact is missing, the sentence is less specific.
 * @returns plain text, not markup, because it may quote the receiver.
 */
export function describeFailure(locale: Locale, errorClass: string, data: ErrorData): string {
  const t = translator(locale, 'TryError');
  const fact = (name: string) => String(data[name] ?? '') || NONE;
  const instant = new Date(data.validTo ?? data.validFrom ?? Number.NaN);
  return t(ERROR_CLASSES.find((known) => known === errorClass) ?? 'other', {
    stage: fact('stage'),
    date: Number.isNaN(instant.getTime()) ? NONE : formatDay(instant, locale),
    reason: 'issuer' in data ? fact('reason') : NONE,
    issuer: fact('issuer'),
    names: fact('names'),
    code: fact('code'),
    fault: fact('fault'),
    change: fact('change'),
    location: fact('location'),
    status: fact('status'),
  });
}
