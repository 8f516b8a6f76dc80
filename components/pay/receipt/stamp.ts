import { isOverpaid } from '@/lib/bills/rules';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import type { IconName } from '../icon';

/** The state that the stamp of a receipt names. */
export type StampKind = 'paid' | 'part' | 'overpaid' | 'partBack' | 'back';

/** Each stamp has its own word, icon and colour, with a contrast of at least 4.5:1 on white paper. */
export const STAMPS: Readonly<Record<StampKind, { readonly icon: IconName; readonly colour: string }>> = {
  paid: { icon: 'check', colour: '#0b6b41' },
  part: { icon: 'part', colour: '#8a5200' },
  overpaid: { icon: 'plus', colour: '#1c4f9c' },
  partBack: { icon: 'back', colour: '#9a3412' },
  back: { icon: 'back', colour: '#a61b1b' },
};

/** Returns the stamp of a bill that was paid at least in part. @param reversed the reversed amount, senti. */
export function stampOf(bill: Pick<PayPage['bill'], 'status' | 'amount' | 'paidAmount'>, reversed: bigint): StampKind {
  if (bill.status === 'NOT_PAID') return 'back';
  if (isOverpaid(bill)) return 'overpaid';
  if (bill.status === 'FULLY_PAID') return 'paid';
  return reversed > 0n ? 'partBack' : 'part';
}

export function stampText(kind: StampKind, locale: Locale): string {
  return translator(locale, 'Stamp')(kind);
}
