import { type KeyAccess, may } from '@/lib/accounts/access/grant-access';
import { attemptStateJson } from '@/lib/bills/last-attempt';
import { listPaymentRows, type PaymentRow } from '@/lib/bills/page/timeline-store';
import { findBillOf } from '@/lib/bills/store';
import type { Failure } from '@/lib/core/failure';
import { isUuid } from '@/lib/core/ids';
import { formatApiAmount } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { type BillAttempt, listBillAttempts } from '@/lib/payments/prompts/request-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { billEventsJson } from '@/lib/webhooks/feed/feed-schema';
import { findBillFeedEntries } from '@/lib/webhooks/feed/feed-store';

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

async function ofBill({ db }: Pick<Runtime, 'db'>, access: KeyAccess, id: string, read: () => Promise<string>): Promise<History> {
  const bill = may(access, 'bills.view') && isUuid(id) ? await findBillOf(db, access, id) : undefined;
  return bill ? ok(await read()) : fail({ code: 'bill_not_found', detail: id });
}

function paymentsJson(rows: readonly PaymentRow[]): string {
  const payments = rows.map(
    ({ id, kind, transactionId, amount, allocatedAt }) =>
      `{"id":"${id}","kind":"${kind}","receipt":${JSON.stringify(transactionId)},"amount":${formatApiAmount(amount)}` +
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
    `,"amount":${formatApiAmount(amount)},"source":"${SOURCES[source]}","mobile":${source === 'web' ? 'null' : `"${mobile}"`}` +
    `,"date":${createdAt.getTime()},"at":${Math.max(...changes)}}`
  );
}
