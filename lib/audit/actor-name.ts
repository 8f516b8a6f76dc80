import { type Locale, translator } from '@/lib/i18n/translator';

/** Returns the name of an actor for readers. `actor` is stored as `user:<email>`, `key:<id>` or `operator:<login>`. */
export function actorName(actor: string, locale: Locale): string {
  const t = translator(locale, 'Audit');
  const at = actor.indexOf(':');
  const [kind, name] = at < 0 ? [actor, ''] : [actor.slice(0, at), actor.slice(at + 1)];
  if (kind === 'operator' || kind === 'system' || kind === 'anonymous') return t(`actor_${kind}`);
  return name === '' ? actor : name;
}
