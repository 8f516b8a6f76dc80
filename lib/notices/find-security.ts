import { actorName } from '@/lib/audit/actor-name';
import { describeAction } from '@/lib/audit/describe-entry';
import { listChanges, type NamedEntry } from '@/lib/audit/listing-store';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { type FindItems, mailText, merchantText } from './finding';

/** Actions that change who has access. */
const ACTIONS: readonly string[] = [
  'key.created',
  'key.changed',
  'key.rolled',
  'key.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'cashier.joined',
  'cashier.link-created',
  'cashier.device-locked',
  'cashier.device-revoked',
  'webhook.set',
  'webhook.secret_rotated',
];
/** Older changes cause no notice, even if no worker has run for this long. */
const WINDOW_MS = 2 * DAY_MS;

/** Finds changes to keys, team and webhooks in the audit log. */
export const findSecurity: FindItems = async ({ db, clock }, scope) => {
  const changes = await listChanges(db, scope, { actions: ACTIONS, since: addMs(clock(), -WINDOW_MS) });
  return {
    ids: changes.map(({ id }) => id),
    write(newIds, context, locale) {
      const t = translator(locale, 'NoticeMail');
      const items = changes.filter(({ id }) => newIds.has(id)).map((change) => describe(change, locale));
      const facts = { merchant: merchantText(context, locale), count: items.length };
      const outro = t('security_outro', { page: context.page('audit') });
      return {
        subject: t('security_subject', facts),
        text: mailText({ intro: t('security_intro', facts), items, outro }, context, locale),
      };
    },
  };
};

function describe({ at, action, about, actor, address }: NamedEntry, locale: Locale): string {
  const what = describeAction(action, locale);
  const who = address === null ? actorName(actor, locale) : `${actorName(actor, locale)} (${address})`;
  return `${formatInstant(at, locale)}\n${about === null ? what : `${what}: ${about}`}\n${translator(locale, 'NoticeMail')('security_by', { who })}`;
}
