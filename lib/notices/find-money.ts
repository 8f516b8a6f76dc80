import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { listOwnUnmatched } from '@/lib/payments/ledger/listing-store';
import type { ReviewKind } from '@/lib/reviews/rules';
import { listOwnReviews } from '@/lib/reviews/store';
import type { Find, Place } from './finding';
import { mailText, placeText } from './mail-text';

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
export const findMoney: Find = async ({ db }, scope) => {
  const [unmatched, reviews] = await Promise.all([listOwnUnmatched(db, scope), listOwnReviews(db, scope)]);
  const waiting: Waiting[] = [
    ...unmatched.map((money) => ({
      id: money.paymentId,
      kind: 'unmatched' as const,
      at: money.recordedAt,
      amount: money.unmatched,
      bill: { id: money.billId, reference: money.reference },
    })),
    ...reviews.map(({ id, kind, openedAt, amount, billId, reference }) => ({
      id,
      kind,
      at: openedAt,
      amount,
      bill: billId !== null && reference !== null ? { id: billId, reference } : null,
    })),
  ];
  return {
    ids: waiting.map(({ id }) => id),
    write(news, place, locale) {
      const t = translator(locale, 'NoticeMail');
      const told = waiting.filter(({ id }) => news.has(id));
      const facts = { merchant: placeText(place, locale), count: told.length };
      const outro = t('money_outro', { before: waiting.length - told.length, page: place.page('overview') });
      const items = told.map((one) => describe(one, place, locale));
      return { subject: t('money_subject', facts), text: mailText({ intro: t('money_intro', facts), items, outro }, place, locale) };
    },
  };
};

function describe({ kind, at, amount, bill }: Waiting, place: Place, locale: Locale): string {
  const head = [amount === null ? null : formatMoney(amount), bill?.reference, formatInstant(at, locale)];
  const link = place.page(bill === null ? 'overview' : `bills/${bill.id}`);
  return [head.filter((part) => part).join(' · '), translator(locale, 'NoticeMail')(`money_${kind}`), link].join('\n');
}
