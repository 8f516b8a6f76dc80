import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Hold } from '@/lib/webhooks/hold-rules';

/** @returns what holds a merchant's deliveries up, in a sentence. Pure. */
export function sayHold(hold: Hold, locale: Locale): string {
  const at = formatExactInstant('since' in hold ? hold.since : hold.until, locale);
  return translator(locale, 'Hooks')(`held_${hold.kind}`, { at });
}
