import { countText, describeAttention, findAttention } from '@/lib/backoffice/overview/attention-rules';
import { networkFigures, totalsOf } from '@/lib/backoffice/overview/figures';
import { addDays, startOf } from '@/lib/backoffice/overview/periods';
import { readAttentionFacts, usualFrom, usualOf } from '@/lib/backoffice/overview/read-attention';
import { readDays } from '@/lib/backoffice/overview/read-days';
import { listOwnUnmatched } from '@/lib/gateway/ledger/listing-store';
import type { ReviewKind } from '@/lib/gateway/reviews/rules';
import { listOwnReviews } from '@/lib/gateway/reviews/store';
import { actorName } from '@/lib/identity/audit/actor-name';
import { describeAction } from '@/lib/identity/audit/describe-entry';
import { listChanges, type NamedEntry } from '@/lib/identity/audit/listing-store';
import { countUses } from '@/lib/identity/keys/day-store';
import { type KeyView, keyView } from '@/lib/identity/keys/key-view';
import { listKeyRows } from '@/lib/identity/keys/store';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { MailText } from '@/lib/platform/mail/queue-mail';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Successor, warningOf } from './rules';

/** The merchant and environment of a notice, for its text. */
interface NoticeContext {
  readonly merchant: string;
  readonly environment: Environment;
  /** Returns the full URL of a dashboard page, such as `bills/<id>`. */
  readonly page: (page: string) => string;
}

/** The present items of one topic, whether or not a notice about them was sent. */
interface TopicItems {
  readonly ids: readonly string[];
  /** Writes the notice about the new items: `newIds` contains at least one of the ids. */
  readonly write: (newIds: ReadonlySet<string>, context: NoticeContext, locale: Locale) => MailText;
}

/** The result if there are no items. */
const NO_ITEMS: TopicItems = {
  ids: [],
  write() {
    throw new Error('write() was called for a topic without items');
  },
};

export type FindItems = (runtime: Pick<Runtime, 'db' | 'clock'>, scope: Scope) => Promise<TopicItems>;

/** A mail contains at most this many items. The dashboard shows all of them. */
const NAMED = 10;

interface Parts {
  readonly intro: string;
  /** One text for each item. */
  readonly items: readonly string[];
  readonly outro: string;
}

/** Returns the text of a mail: an introduction, the first items, and a link to the settings of such mails. */
function mailText({ intro, items, outro }: Parts, context: NoticeContext, locale: Locale): string {
  const t = translator(locale, 'NoticeMail');
  const rest = items.length - NAMED;
  const more = rest > 0 ? [t('more', { count: rest })] : [];
  const foot = t('foot', { page: `${context.page('settings')}#notify` });
  return `${[intro, ...items.slice(0, NAMED), ...more, outro, foot].join('\n\n')}\n`;
}

/** Returns the merchant's name in quotation marks: it may be any text. For the environment sandbox, the text also names the sandbox. */
function merchantText({ merchant, environment }: NoticeContext, locale: Locale): string {
  return translator(locale, 'NoticeMail')(environment, { merchant });
}

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
      const items = newItems.map(({ key }) => describeKey(key, context, locale));
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

function describeKey({ id, label, expiresAt, lastUsedAt, replacedById }: KeyView, context: NoticeContext, locale: Locale): string {
  const t = translator(locale, 'NoticeMail');
  const until = t('keys_until', { time: expiresAt === null ? '' : formatInstant(expiresAt, locale) });
  const used = lastUsedAt === null ? t('keys_unused') : t('keys_used', { time: formatInstant(lastUsedAt, locale) });
  const todo = t(replacedById === null ? 'keys_ending' : 'keys_rolled');
  return [`${label} · ${until} · ${used}`, todo, context.page(`keys/${id}`)].join('\n');
}

/** Money that needs a decision by a member. */
interface Waiting {
  readonly id: string;
  readonly kind: 'unmatched' | ReviewKind;
  readonly at: Date;
  /** In senti. Null if the amount is unknown. */
  readonly amount: bigint | null;
  readonly bill: { readonly id: string; readonly reference: string } | null;
}

/** Finds a merchant's unmatched payments and open reviews. */
export const findMoney: FindItems = async ({ db }, scope) => {
  const [unmatched, reviews] = await Promise.all([listOwnUnmatched(db, scope), listOwnReviews(db, scope)]);
  const waiting: Waiting[] = [
    ...unmatched.map((money) => ({
      id: money.paymentId,
      kind: 'unmatched' as const,
      at: money.recordedAt,
      amount: money.unmatched,
      bill: billOf(money),
    })),
    ...reviews.map(({ id, kind, openedAt, amount, ...bill }) => ({ id, kind, at: openedAt, amount, bill: billOf(bill) })),
  ];
  return {
    ids: waiting.map(({ id }) => id),
    write(newIds, context, locale) {
      const t = translator(locale, 'NoticeMail');
      const newItems = waiting.filter(({ id }) => newIds.has(id));
      const facts = { merchant: merchantText(context, locale), count: newItems.length };
      const outro = t('money_outro', { before: waiting.length - newItems.length, page: context.page('overview') });
      const items = newItems.map((one) => describeWaiting(one, context, locale));
      return { subject: t('money_subject', facts), text: mailText({ intro: t('money_intro', facts), items, outro }, context, locale) };
    },
  };
};

function billOf({ billId, reference }: { readonly billId: string | null; readonly reference: string | null }): Waiting['bill'] {
  return billId !== null && reference !== null ? { id: billId, reference } : null;
}

function describeWaiting({ kind, at, amount, bill }: Waiting, context: NoticeContext, locale: Locale): string {
  const head = [amount === null ? null : formatMoney(amount), bill?.reference, formatInstant(at, locale)];
  const link = context.page(bill === null ? 'overview' : `bills/${bill.id}`);
  return [head.filter((part) => part).join(' · '), translator(locale, 'NoticeMail')(`money_${kind}`), link].join('\n');
}

/** Actions that change who has access. */
const SECURITY_ACTIONS: readonly string[] = [
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
  const changes = await listChanges(db, scope, { actions: SECURITY_ACTIONS, since: addMs(clock(), -WINDOW_MS) });
  return {
    ids: changes.map(({ id }) => id),
    write(newIds, context, locale) {
      const t = translator(locale, 'NoticeMail');
      const items = changes.filter(({ id }) => newIds.has(id)).map((change) => describeChange(change, locale));
      const facts = { merchant: merchantText(context, locale), count: items.length };
      const outro = t('security_outro', { page: context.page('audit') });
      return {
        subject: t('security_subject', facts),
        text: mailText({ intro: t('security_intro', facts), items, outro }, context, locale),
      };
    },
  };
};

function describeChange({ at, action, about, actor, address }: NamedEntry, locale: Locale): string {
  const what = describeAction(action, locale);
  const who = address === null ? actorName(actor, locale) : `${actorName(actor, locale)} (${address})`;
  return `${formatInstant(at, locale)}\n${about === null ? what : `${what}: ${about}`}\n${translator(locale, 'NoticeMail')('security_by', { who })}`;
}

/** How long after the end of a day, in East Africa Time, its summary is due. */
export const SUMMARY_AFTER_MS = 6 * HOUR_MS;

/** Finds the day whose summary is due, if anything happened on it: what was paid, how prompts ended, and what needs attention. */
export const findSummary: FindItems = async (runtime, scope) => {
  const now = runtime.clock();
  const today = eastAfricanDay(now);
  const day = addDays(eastAfricanDay(addMs(now, -SUMMARY_AFTER_MS)), -1);
  const profile = await findProfile(runtime.db, scope);
  const known = await readDays(runtime.db, scope, { first: usualFrom(today), today });
  const attempts = networkFigures(known.attempts.filter((one) => one.day === day));
  const figures = totalsOf(known.payments, [day]);
  if (!profile || (attempts.length === 0 && !known.payments.has(day))) return NO_ITEMS;
  const attention = findAttention({ ...(await readAttentionFacts(runtime, scope, profile.status)), ...usualOf(known, today) });
  const sum = (of: (network: (typeof attempts)[number]) => number) => attempts.reduce((total, network) => total + of(network), 0);
  const [ended, succeeded] = [sum((network) => network.ended), sum((network) => network.succeeded)];
  return {
    ids: [day],
    write(_newIds, context, locale) {
      const t = translator(locale, 'NoticeMail');
      const before = totalsOf(known.payments, [addDays(day, -1)]);
      const facts = { merchant: merchantText(context, locale), day: formatDay(startOf(day), locale), net: formatMoney(figures.net) };
      const lines = [
        t('summary_net', facts),
        t('summary_before', { net: formatMoney(before.net) }),
        t('summary_payments', { count: countText(figures.payments) }),
        ...(figures.reversed > 0n ? [t('summary_reversed', { amount: formatMoney(figures.reversed) })] : []),
        t('summary_bills', { created: countText(figures.billsCreated), paid: countText(figures.billsPaid) }),
        ...(ended > 0
          ? [
              t('summary_prompts', {
                ended: countText(ended),
                succeeded: countText(succeeded),
                rate: String(Math.round((100 * succeeded) / ended)),
              }),
            ]
          : []),
      ];
      const needs = attention.map((item) => `- ${describeAttention(item, locale).title}`);
      const items = [lines.join('\n'), needs.length === 0 ? t('summary_calm') : [t('summary_needs'), ...needs].join('\n')];
      const outro = t('summary_outro', { page: context.page('overview') });
      return { subject: t('summary_subject', facts), text: mailText({ intro: t('summary_intro', facts), items, outro }, context, locale) };
    },
  };
};
