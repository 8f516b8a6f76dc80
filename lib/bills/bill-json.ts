import { formatApiAmount } from '@/lib/core/money';
import { optionalJson } from './bill-extras';
import { type BillDetails, lastAttemptJson } from './last-attempt';
import { type Bill, remainingAmount } from './rules';

/** Returns the address of the bill's payment page. `base` is the base address of the bill's environment. */
export function webPayUrl(base: URL, billId: string): string {
  return `${base.origin}/pay?bill=${billId}`;
}

/** Returns the seven JSON members of a Bill (docs/api.md) as JSON text without the closing brace. */
function billMembers(bill: BillDetails | Bill, base: URL): string {
  return (
    `{"id":"${bill.id}","mobile":${bill.mobile === null ? 'null' : `"${bill.mobile}"`},"amount":${formatApiAmount(bill.amount)}` +
    `,"status":"${bill.status}","reference":${JSON.stringify(bill.reference)},"webPayUrl":"${webPayUrl(base, bill.id)}"` +
    `,"date":${bill.createdAt.getTime()}`
  );
}

/**
 * Returns the answer to creating a bill. The JSON is not written by JSON.stringify, which would write `5000` where the contract promises
 * `5000.0`.
 */
export function createdBillJson(bill: Bill, base: URL): string {
  return `${billMembers(bill, base)}}`;
}

/** Returns the answer to reading a bill: the seven JSON members of a Bill, the amounts, the last attempt, and the optional values. */
export function billJson(bill: BillDetails, base: URL): string {
  return (
    `${billMembers(bill, base)},"paidAmount":${formatApiAmount(bill.paidAmount)},"remainingAmount":${formatApiAmount(remainingAmount(bill))}` +
    `,"paidAt":${bill.paidAt?.getTime() ?? null},"closedAt":${bill.closedAt?.getTime() ?? null}` +
    `,"reversedAmount":${formatApiAmount(bill.reversedAmount)},"lastAttempt":${lastAttemptJson(bill)},${optionalJson(bill)}}`
  );
}

/** Returns the body of a webhook (docs/webhooks.md). */
export function webhookJson(bill: Pick<Bill, 'id' | 'mobile' | 'amount' | 'status' | 'reference'>): string {
  return (
    `{"bill":{"id":"${bill.id}","mobile":${bill.mobile === null ? 'null' : `"${bill.mobile}"`},"amount":${formatApiAmount(bill.amount)}` +
    `,"status":"${bill.status}","reference":${JSON.stringify(bill.reference)}}}`
  );
}
