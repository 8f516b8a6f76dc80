import { addMs, HOUR_MS } from '@/lib/core/clock';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { formatDay, formatMoney } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { findProfile } from '@/lib/merchants/profile-store';
import { findAttention } from '@/lib/overview/attention-rules';
import { countText, describeAttention } from '@/lib/overview/describe-attention';
import { networkFigures, totalsOf } from '@/lib/overview/figures';
import { addDays, startOf } from '@/lib/overview/periods';
import { readAttentionFacts, usualFrom, usualOf } from '@/lib/overview/read-attention';
import { readDays } from '@/lib/overview/read-days';
import { type FindItems, mailText, merchantText, NO_ITEMS } from './finding';

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
