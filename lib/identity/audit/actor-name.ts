import { formatMobile } from '@/lib/platform/core/mobile';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const CASHIER = /^(0\d{9})\//;

/** Returns the name of an actor for readers. `actor` is stored as `user:<email>`, `key:<id>` or `operator:<login>`. */
export function actorName(actor: string, locale: Locale): string {
  const t = translator(locale, 'Audit');
  const at = actor.indexOf(':');
  const [kind, name] = at < 0 ? [actor, ''] : [actor.slice(0, at), actor.slice(at + 1)];
  if (kind === 'operator' || kind === 'system' || kind === 'anonymous') return t(`actor_${kind}`);
  const mobile = CASHIER.exec(name)?.[1];
  if (mobile !== undefined) return formatMobile(mobile);
  return name === '' ? actor : name;
}
