import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Hold } from '@/lib/webhooks/hold-rules';

/** @returns what holds a merchant's deliveries up, in a sentence. Pure. */
export function sayHold(hold: Hold, locale: Locale): string {
  const t = translator(locale, 'Hooks');
  const at = 'since' in hold ? hold.since : hold.until;
  return at === null ? t('held_probing') : t(`held_${hold.kind}`, { at: formatExactInstant(at, locale) });
}
