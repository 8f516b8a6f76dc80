import { createHash } from 'node:crypto';
import { askRefund, planRefund, type RefundPlan, type RefundRefusal, type RefundRuntime } from '@/lib/gateway/refunds/ask-refund';
import { showRefund } from '@/lib/gateway/refunds/list-refunds';
import type { MerchantAccess, ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import { parseTypedAmount, SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { normalizeTypedNumber, oneLine, REASON_MAX } from '@/lib/platform/core/text';

export interface TypedRefund {
  /** The bill whose money goes back; empty for money that no bill has. */
  readonly bill: string;
  readonly payment: string;
  /** Empty for all that is left. */
  readonly amount: string;
  /** `hand`: a person returns the money. Anything else: through the provider, if that is possible. */
  readonly way: string;
  readonly reason: string;
}

interface AskFromFormOptions {
  readonly typed: TypedRefund;
  /** A form that is sent twice asks for one refund. */
  readonly formId: string;
  /** Whether the person has seen how the money will go back. Without it, nothing changes. */
  readonly confirmed: boolean;
}

type AskProblem =
  | ProvenRefusal
  | RefundRefusal
  | 'idempotency_key_reused'
  | 'form_invalid'
  | 'amount_wrong'
  | 'reason_required'
  | 'reason_too_long';

/** What a form for a refund leads to: first the plan of how the money goes back, then the refund. */
type Asked = ({ readonly kind: 'planned' } & RefundPlan) | { readonly kind: 'asked'; readonly waits: 'ASKED' | 'APPROVED' | 'QUEUED' };

export async function askRefundFromForm(
  runtime: RefundRuntime,
  access: MerchantAccess,
  { typed, formId, confirmed }: AskFromFormOptions,
): Promise<Result<Asked, AskProblem>> {
  if (!isUuid(formId)) return fail('form_invalid');
  const reason = oneLine(typed.reason);
  if (reason === '') return fail('reason_required');
  if (reason.length > REASON_MAX) return fail('reason_too_long');
  const amount = typed.amount.trim() === '' ? null : readAmount(typed.amount);
  if (amount === undefined) return fail('amount_wrong');
  const of = typed.bill === '' ? 'unmatched' : { billId: typed.bill };
  const options = { paymentId: typed.payment, of, amount, byHand: typed.way === 'hand' } as const;
  if (!confirmed) {
    const plan = await planRefund(runtime, access, options);
    return plan.ok ? ok({ kind: 'planned', ...plan.value }) : plan;
  }
  const request = JSON.stringify([typed.bill, typed.payment, typed.amount, typed.way, reason]);
  const repeatable = { key: `form:${formId}`, hash: new Uint8Array(createHash('sha256').update(request).digest()) };
  const asked = await askRefund(runtime, access, { ...options, reason, repeatable });
  if (!asked.ok) return asked;
  const state = (await showRefund(runtime, access, asked.value))?.state;
  return ok({ kind: 'asked', waits: state === 'ASKED' || state === 'APPROVED' ? state : 'QUEUED' });
}

/** Parses a typed amount with at most two decimals. Returns senti; undefined if the text is not a positive amount. */
export function readAmount(text: string): Senti | undefined {
  const typed = text.length > 40 ? null : parseTypedAmount(normalizeTypedNumber(text));
  if (typed === null || typed.shillings.length > 15 || typed.fraction.length > 3) return undefined;
  const amount = BigInt(typed.shillings) * SENTI_PER_SHILLING + BigInt(typed.fraction.slice(1).padEnd(2, '0'));
  return amount > 0n ? amount : undefined;
}
