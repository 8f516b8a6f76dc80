import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { listOwnUnmatched } from '@/lib/payments/ledger/listing-store';
import type { ReviewKind } from '@/lib/reviews/rules';
import { listOwnReviews } from '@/lib/reviews/store';
import { type FindItems, mailText, merchantText, type NoticeContext } from './finding';

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
      const items = newItems.map((one) => describe(one, context, locale));
      return { subject: t('money_subject', facts), text: mailText({ intro: t('money_intro', facts), items, outro }, context, locale) };
    },
  };
};

function billOf({ billId, reference }: { readonly billId: string | null; readonly reference: string | null }): Waiting['bill'] {
  return billId !== null && reference !== null ? { id: billId, reference } : null;
}

function describe({ kind, at, amount, bill }: Waiting, context: NoticeContext, locale: Locale): string {
  const head = [amount === null ? null : formatMoney(amount), bill?.reference, formatInstant(at, locale)];
  const link = context.page(bill === null ? 'overview' : `bills/${bill.id}`);
  return [head.filter((part) => part).join(' · '), translator(locale, 'NoticeMail')(`money_${kind}`), link].join('\n');
}
