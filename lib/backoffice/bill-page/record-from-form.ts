import { readAmount } from '@/lib/backoffice/refunds/ask-from-form';
import { type CorrectRecordedRefusal, correctRecorded, type RecordRefusal, recordPayment } from '@/lib/gateway/ledger/record-payment';
import { HAND_SOURCES } from '@/lib/gateway/ledger/rules';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { fail, type Result } from '@/lib/platform/core/result';
import { readDay } from '@/lib/platform/i18n/typed-day';
import type { Runtime } from '@/lib/platform/runtime/runtime';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

interface TypedPayment {
  readonly bill: string;
  /** The id of the form. A form that is sent twice records one payment. */
  readonly form: string;
  readonly kind: string;
  readonly amount: string;
  readonly day: string;
  readonly slip: string;
  readonly note: string;
  /** `on` if the person has confirmed that the amount is more than what is left. */
  readonly overpay: string;
}

/** Records a payment as it was entered on the page of a bill. */
export async function recordFromForm(
  runtime: Needs,
  access: MerchantAccess,
  { bill: billId, form, kind, day, overpay, ...typed }: TypedPayment,
): Promise<Result<unknown, RecordRefusal | { readonly code: 'kind_wrong' }>> {
  const source = HAND_SOURCES.find((one) => one === kind);
  if (!source) return fail({ code: 'kind_wrong' });
  const amount = readAmount(typed.amount);
  if (amount === undefined) return fail({ code: 'amount_invalid' });
  const requestKey = `form:${form}`;
  const receivedAt = readDay(day, eastAfricanDay(runtime.clock())) ?? day;
  return recordPayment(runtime, access, { ...typed, billId, amount, source, receivedAt, overpay: overpay === 'on', requestKey });
}

interface TypedCorrection {
  readonly payment: string;
  /** The true amount; 0 if nobody received the money. */
  readonly to: string;
  readonly reason: string;
}

/** Corrects a recorded payment as it was entered on the page of a bill. */
export async function correctFromForm(
  runtime: Needs,
  access: MerchantAccess,
  { payment: paymentId, to: typed, reason }: TypedCorrection,
): Promise<Result<null, CorrectRecordedRefusal | 'amount_invalid'>> {
  const to = /^0{1,9}$/.test(typed.trim()) ? 0n : readAmount(typed);
  return to === undefined ? fail('amount_invalid') : correctRecorded(runtime, access, { paymentId, to, reason });
}
