import { actorName } from '@/lib/audit/actor-name';
import { describeAction } from '@/lib/audit/describe-entry';
import { type Change, listChanges } from '@/lib/audit/listing-store';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { formatInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Find } from './finding';
import { mailText, placeText } from './mail-text';

/** What opens doors, or closes them. */
const ACTIONS: readonly string[] = [
  'key.created',
  'key.changed',
  'key.rolled',
  'key.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'webhook.set',
  'webhook.secret_rotated',
];
/** What is older is told no more, should no worker have run for so long. */
const WINDOW_MS = 2 * DAY_MS;

/** Changes to keys, team and webhooks, as the audit log has them. */
export const findSecurity: Find = async ({ db, clock }, scope) => {
  const changes = await listChanges(db, scope, { actions: ACTIONS, since: addMs(clock(), -WINDOW_MS) });
  return {
    ids: changes.map(({ id }) => id),
    write(news, place, locale) {
      const t = translator(locale, 'NoticeMail');
      const items = changes.filter(({ id }) => news.has(id)).map((change) => describe(change, locale));
      const facts = { merchant: placeText(place, locale), count: items.length };
      const outro = t('security_outro', { page: place.page('audit') });
      return { subject: t('security_subject', facts), text: mailText({ intro: t('security_intro', facts), items, outro }, place, locale) };
    },
  };
};

function describe({ at, action, about, actor, address }: Change, locale: Locale): string {
  const what = describeAction(action, locale);
  const who = address === null ? actorName(actor, locale) : `${actorName(actor, locale)} (${address})`;
  return `${formatInstant(at, locale)}\n${about === null ? what : `${what}: ${about}`}\n${translator(locale, 'NoticeMail')('security_by', { who })}`;
}
