import { readQr } from '@/lib/platform/core/emv';
import { toInternational } from '@/lib/platform/core/mobile';
import { readShillings, SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { ReadRuntime, Runtime } from '@/lib/platform/runtime/runtime';
import {
  endedBy,
  findByNumber,
  findSandboxInstrument,
  listInstrumentPayments,
  type PayRefusal,
  payInstrument,
} from '@/lib/providers/scenarios/instrument-store';
import { paymentBehaviourOf } from '@/lib/providers/scenarios/scenarios';
import { WRONG_PIN } from './operate-phone';
import type { PhoneVisit } from './phone-link';

/**
 * Why a test phone does not pay. `unknown`: no provider has issued the number. `qr`: the text is not that of a QR code for a payment in
 * shillings.
 */
export type PayProblem = PayRefusal | 'unknown' | 'qr' | 'pin' | 'wrong_pin' | 'no_money' | 'off';

/** What a person typed or scanned on a test phone. */
export interface TypedBill {
  readonly mobile: string;
  readonly number: string;
  /** The text of a QR code; empty if the person typed the number. */
  readonly qr: string;
}

/** What the menu of a test phone shows before the person confirms. */
export interface Payable {
  readonly reference: string;
  readonly number: string;
  readonly payee: string;
  /** Whole shillings. */
  readonly amount: bigint;
  /** Whether the person may type another amount. */
  readonly open: boolean;
}

/** Finds what a number or a QR code pays, or says why the phone cannot pay it. A wallet knows only what its own provider has issued. */
export async function findPayable(
  { db, clock }: ReadRuntime,
  { scope }: PhoneVisit,
  { mobile, number, qr }: TypedBill,
): Promise<Result<Payable, PayProblem>> {
  const scanned = qr === '' ? null : readQr(qr.trim());
  if (typeof scanned === 'string') return fail('qr');
  const typed = scanned ? scanned.reference : number.replace(/[\s-]/g, '');
  const found = await findByNumber(db, typed, scope.merchantId);
  if (!found) return fail('unknown');
  const isPaid = (await listInstrumentPayments(db, found.reference)).length > 0;
  const ended = paymentBehaviourOf(mobile).late ? null : endedBy(found, clock(), isPaid);
  if (ended !== null) return fail(ended);
  const amount = scanned?.amount ? scanned.amount / SENTI_PER_SHILLING : found.amount;
  return ok({ reference: found.reference, number: found.number, payee: found.payee, amount, open: found.kind !== 'order' });
}

interface Confirmation extends TypedBill {
  /** As the person typed it. Empty if the amount is fixed. */
  readonly amount: string;
  readonly pin: string;
}

/** Pays a bill from a test phone. Returns the receipt number, or why the phone does not pay. */
export async function payFromPhone(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  visit: PhoneVisit,
  { amount: typed, pin, ...bill }: Confirmation,
): Promise<Result<string, PayProblem>> {
  const found = await findPayable(runtime, visit, bill);
  if (!found.ok) return found;
  const { reference, amount, open } = found.value;
  const senti = open && typed !== '' ? readShillings(typed) : amount * SENTI_PER_SHILLING;
  if (senti === null) return fail('amount');
  if (!/^\d{4}$/.test(pin)) return fail('pin');
  if (pin === WRONG_PIN) return fail('wrong_pin');
  const { mobile } = bill;
  const phone = await runtime.db.prisma.sandboxPhone.findUnique({
    where: { merchantId_environment_mobile: { ...visit.scope, mobile } },
    select: { isOn: true, hasMoney: true },
  });
  if (!phone?.isOn) return fail('off');
  if (!phone.hasMoney) return fail('no_money');
  return payInstrument(runtime, reference, { mobile: toInternational(mobile), amount: senti / SENTI_PER_SHILLING });
}

/** What the page of the simulated provider shows about a payment by card. */
export interface CardPayment {
  readonly payee: string;
  /** Whole shillings. */
  readonly amount: bigint;
  /** The receipt number; null if it is not paid. */
  readonly receipt: string | null;
  readonly ended: boolean;
}

const REFERENCE = /^[A-Z0-9]{20}$/;

/** Finds what a link of the simulated provider pays; null if there is no such link. */
export async function findCardPayment({ db, clock }: ReadRuntime, reference: string): Promise<CardPayment | null> {
  const found = REFERENCE.test(reference) ? await findSandboxInstrument(db, reference) : undefined;
  if (!found?.link) return null;
  const payments = await listInstrumentPayments(db, reference);
  const { payee, amount } = found;
  const [first] = payments;
  return { payee, amount, receipt: first?.receipt ?? null, ended: endedBy(found, clock(), first !== undefined) !== null };
}

/** Pays by card on the page of the simulated provider. Does nothing if it was paid or has ended: the page says so. */
export async function payByCard(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, reference: string): Promise<void> {
  const found = await findCardPayment(runtime, reference);
  if (found && !found.ended) await payInstrument(runtime, reference, { mobile: null, amount: found.amount });
}
