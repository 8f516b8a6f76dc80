import { listOwnUnmatched } from '@/lib/gateway/ledger/listing-store';
import { OPEN_REFUND_STATES, type RefundState } from '@/lib/gateway/refund-states/rules';
import { listRefunds } from '@/lib/gateway/refunds/list-refunds';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { ReadRuntime, Runtime } from '@/lib/platform/runtime/runtime';

/** How many refunds a page of the list has, and how many payments without a bill are shown. */
const PAGE = 50;
/** Refunds in these states wait for a person. */
const WAITING: readonly RefundState[] = ['ASKED', 'APPROVED'];

/** Money of a payment that may go back. */
export interface Refundable {
  readonly payment: string;
  /** The provider's receipt number of the payment. */
  readonly receipt: string;
  /** The number that paid; null if it is not known. */
  readonly mobile: string | null;
  /** Senti. */
  readonly left: Senti;
  readonly recordedAt: Date;
}

/** Returns a page of a merchant's refunds, the newest first, and money that no bill has; undefined if the member may not see them. */
export async function showRefunds(
  runtime: Pick<Runtime, 'clock' | 'random'> & ReadRuntime,
  access: MerchantAccess,
  { tab, before }: { readonly tab: 'todo' | 'all'; readonly before: string | null },
) {
  const found = await listRefunds(runtime, access, { states: tab === 'todo' ? WAITING : null, before, limit: PAGE + 1 });
  if (!found) return undefined;
  const refunds = found.slice(0, PAGE);
  return {
    refunds,
    /** The refund after which the next page starts; null on the last page. */
    older: found.length > PAGE ? (refunds.at(-1)?.id ?? null) : null,
    unmatched: tab === 'todo' ? await listUnmatched(runtime.db, access.scope) : [],
    /** An id for the form of the page. A form that is sent twice takes effect once. */
    formId: newId(runtime),
  };
}

/** Returns the payments of which no bill has a part and that have no open refund, the oldest first. */
async function listUnmatched(db: Connection, scope: Scope): Promise<Refundable[]> {
  const owned = await listOwnUnmatched(db, scope);
  const ids = owned.map(({ paymentId }) => paymentId);
  const refunds = { none: { state: { in: [...OPEN_REFUND_STATES] } } };
  const payments = await db.prisma.payment.findMany({
    where: { id: { in: ids }, refunds },
    select: { id: true, mobile: true, providerTransactionId: true },
  });
  const known = new Map(payments.map((payment) => [payment.id, payment]));
  return owned
    .flatMap(({ paymentId, unmatched: left, recordedAt }) => {
      const payment = known.get(paymentId);
      return payment ? [{ payment: paymentId, receipt: payment.providerTransactionId, mobile: payment.mobile, left, recordedAt }] : [];
    })
    .slice(0, PAGE);
}
