import { z } from 'zod';
import { listPaymentRows, type PaymentRow } from '@/lib/backoffice/bill-page/timeline-store';
import { moneySchema, openEnum, timeSchema } from '@/lib/gateway/bills/answer-schema';
import { attemptReason, attemptState, attemptStateJson, BILL_DATE_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { findBillOf } from '@/lib/gateway/bills/store';
import { PAYMENT_SOURCES } from '@/lib/gateway/ledger/rules';
import { type BillAttempt, listBillAttempts } from '@/lib/gateway/prompts/prompt-store';
import { billEventsJson } from '@/lib/gateway/webhooks/feed/feed-schema';
import { findBillFeedEntries } from '@/lib/gateway/webhooks/feed/feed-store';
import { type KeyAccess, may } from '@/lib/identity/accounts/access/grant-access';
import type { Failure } from '@/lib/platform/core/failure';
import { isUuid } from '@/lib/platform/core/ids';
import { knownMobile } from '@/lib/platform/core/mobile';
import { formatApiAmount } from '@/lib/platform/core/money';
import { NETWORKS } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';

type History = Result<string, Failure<'bill_not_found'>>;

/** Returns the ledger entries of a bill as JSON text, oldest first. Their sum is the paid amount. */
export function readBillPayments(runtime: Pick<Runtime, 'db'>, access: KeyAccess, id: string): Promise<History> {
  return ofBill(runtime, access, id, async () => paymentsJson(await listPaymentRows(runtime.db, access.scope, id)));
}

/** Returns the payment requests of a bill as JSON text, oldest first. */
export function readBillAttempts(runtime: Pick<Runtime, 'db'>, access: KeyAccess, id: string): Promise<History> {
  return ofBill(runtime, access, id, async () => {
    const attempts = await listBillAttempts(runtime.db, id);
    return `{"attempts":[${attempts.map(attemptJson).join(',')}]}`;
  });
}

/** Returns the events of a bill as JSON text, oldest first, in the form in which the event feed returns them. */
export function readBillEvents(runtime: Pick<Runtime, 'db'>, access: KeyAccess, id: string): Promise<History> {
  return ofBill(runtime, access, id, async () => billEventsJson(await findBillFeedEntries(runtime.db, access.scope, id)));
}

/** Reads something about a bill that the access may see. */
export async function ofBill({ db }: Pick<Runtime, 'db'>, access: KeyAccess, id: string, read: () => Promise<string>): Promise<History> {
  const bill = may(access, 'bills.view') && isUuid(id) ? await findBillOf(db, access, id) : undefined;
  return bill ? ok(await read()) : fail({ code: 'bill_not_found', detail: id });
}

function paymentsJson(rows: readonly PaymentRow[]): string {
  const payments = rows.map(
    ({ id, paymentId, kind, source, transactionId, amount, allocatedAt }) =>
      `{"id":"${id}","payment":"${paymentId}","kind":"${kind}","source":"${source}","receipt":${JSON.stringify(transactionId)},"amount":${formatApiAmount(amount)}` +
      `,"date":${allocatedAt.getTime()}}`,
  );
  return `{"payments":[${payments.join(',')}]}`;
}

const SOURCES = { api: 'api', dashboard: 'dashboard', web: 'payment_page' } as const;

/** Returns a payment request as JSON text. A number that the customer entered on the payment page is left out. */
export function attemptJson(attempt: BillAttempt): string {
  const { id, network, amount, mobile, source, createdAt, sentAt, unknownSince, releasedAt, settledAt } = attempt;
  const changes = [createdAt, sentAt, unknownSince, releasedAt, settledAt].map((at) => at?.getTime() ?? 0);
  return (
    `{"id":"${id}",${attemptStateJson(attempt.state, attempt.failureReason)},"network":${JSON.stringify(network)}` +
    `,"amount":${formatApiAmount(amount)},"source":"${SOURCES[source]}","mobile":${JSON.stringify(source === 'web' ? null : knownMobile(mobile))}` +
    `,"date":${createdAt.getTime()},"at":${Math.max(...changes)}}`
  );
}

const paymentSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the entry.' }),
    payment: z.uuid().meta({ description: 'The payment that came in, or that the entry changes. A refund names it.' }),
    kind: openEnum(['payment', 'reversal', 'refund', 'correction']).meta({
      description: '`reversal`, `refund`: the money went back. `correction`: a person corrected the ledger.',
    }),
    source: openEnum(PAYMENT_SOURCES).meta({ description: '`cash`, `bank`, `other`: a person received or returned the money.' }),
    receipt: z.string().meta({ description: "The provider's number, as the customer's SMS shows it, or the number of a slip." }),
    amount: moneySchema('Negative if it takes money off the bill.'),
    date: timeSchema('When it was booked on the bill.'),
  })
  .meta({ title: 'Payment', description: 'An entry of the ledger that changes the paid amount of a bill.' });

/** The ledger entries of a bill, as `paymentsJson` writes them. */
export const paymentsSchema = z.strictObject({ payments: z.array(paymentSchema) });

/** A payment request, as `attemptJson` writes it. */
export const attemptSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the payment request.' }),
    state: attemptState,
    reason: attemptReason,
    network: openEnum(NETWORKS).meta({ description: 'The mobile network that was asked.' }),
    amount: moneySchema('The requested amount.'),
    source: openEnum(['api', 'dashboard', 'payment_page']).meta({ description: 'Who requested the payment.' }),
    mobile: z.string().nullable().meta({ description: 'Null if the customer entered the number on the payment page.' }),
    date: timeSchema('When the payment was requested.'),
    at: timeSchema('When the state last changed.'),
  })
  .meta({ title: 'Attempt', description: 'A payment request to a phone.' });

/** The payment requests of a bill, as `readBillAttempts` returns them. */
export const attemptsSchema = z.strictObject({ attempts: z.array(attemptSchema) });

export const PAYMENTS_EXAMPLE = {
  payments: [
    {
      id: '01a1fb0f-ebe8-7000-8000-2f6a1c8d4e57',
      payment: '01a1fb0f-ebe1-7000-8000-b3d07c5e9a12',
      kind: 'payment',
      source: 'provider',
      receipt: '8K3J2H1G',
      amount: 5000,
      date: BILL_DATE_EXAMPLE + 1_500,
    },
  ],
} satisfies z.output<typeof paymentsSchema>;

export const ATTEMPT_EXAMPLE = {
  id: '01a1fb0f-e60d-7000-8000-9b0e2f6a1c8d',
  state: 'PENDING',
  reason: null,
  network: 'vodacom',
  amount: 5000,
  source: 'api',
  mobile: '0754345001',
  date: BILL_DATE_EXAMPLE,
  at: BILL_DATE_EXAMPLE,
} satisfies z.output<typeof attemptSchema>;

export const ATTEMPTS_EXAMPLE = {
  attempts: [{ ...ATTEMPT_EXAMPLE, state: 'FAILED', reason: 'wrong_pin', mobile: '0754345003', at: BILL_DATE_EXAMPLE + 9_000 }],
} satisfies z.output<typeof attemptsSchema>;
