import { eastAfricanDay } from '@/lib/core/east-african-day';
import type { Queryable } from '@/lib/db/database';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { countUses } from '@/lib/keys/day-store';
import { type KeyView, keyView } from '@/lib/keys/key-view';
import { listKeyRows } from '@/lib/keys/store';
import { type FindItems, mailText, merchantText, type NoticeContext } from './finding';
import { type Successor, warningOf } from './rules';

/** Finds API keys that expire within a week, and again those that expire within a day. Of rolled keys, finds only those still in use. */
export const findKeys: FindItems = async ({ db, clock }, scope) => {
  const now = clock();
  const keys = (await listKeyRows(db, scope)).map((row) => keyView(row, now));
  const ending: { id: string; key: KeyView }[] = [];
  for (const key of keys) {
    const days = warningOf(key, await successorOf(db, key, keys), now);
    if (days !== null) ending.push({ id: `${key.id}:${days}`, key });
  }
  return {
    ids: ending.map(({ id }) => id),
    write(newIds, context, locale) {
      const t = translator(locale, 'NoticeMail');
      const newItems = ending.filter(({ id }) => newIds.has(id));
      const facts = { merchant: merchantText(context, locale), count: newItems.length };
      const items = newItems.map(({ key }) => describe(key, context, locale));
      const outro = t('keys_outro', { page: context.page('keys') });
      return { subject: t('keys_subject', facts), text: mailText({ intro: t('keys_intro', facts), items, outro }, context, locale) };
    },
  };
};

async function successorOf(
  db: Queryable,
  { replacedById, expiresAt, state }: KeyView,
  keys: readonly KeyView[],
): Promise<Successor | null> {
  const successor = expiresAt === null || state !== 'active' ? undefined : keys.find(({ id }) => id === replacedById);
  if (!successor) return null;
  return { createdAt: successor.createdAt, uses: await countUses(db, successor.id, eastAfricanDay(successor.createdAt)) };
}

function describe({ id, label, expiresAt, lastUsedAt, replacedById }: KeyView, context: NoticeContext, locale: Locale): string {
  const t = translator(locale, 'NoticeMail');
  const until = t('keys_until', { time: expiresAt === null ? '' : formatInstant(expiresAt, locale) });
  const used = lastUsedAt === null ? t('keys_unused') : t('keys_used', { time: formatInstant(lastUsedAt, locale) });
  const todo = t(replacedById === null ? 'keys_ending' : 'keys_rolled');
  return [`${label} · ${until} · ${used}`, todo, context.page(`keys/${id}`)].join('\n');
}
