import type { RefundState } from '@/lib/gateway/refund-states/rules';
import { type Access, authorize, type KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';

const VIEW = {
  id: true,
  paymentId: true,
  billId: true,
  amount: true,
  way: true,
  state: true,
  failureReason: true,
  reason: true,
  requestedBy: true,
  requestedById: true,
  decidedBy: true,
  source: true,
  createdAt: true,
  settledAt: true,
  bill: { select: { reference: true } },
  payment: { select: { providerTransactionId: true, mobile: true, providerAccount: { select: { provider: true } } } },
  entry: { select: { providerTransactionId: true, happenedAt: true } },
} as const;

/** A refund as people and programs see it. Amounts are senti. */
export type RefundView = Awaited<ReturnType<typeof findViews>>[number];

async function findViews({ prisma }: Connection, where: Prisma.RefundWhereInput, take: number) {
  const rows = await prisma.refund.findMany({ where, select: VIEW, orderBy: { id: 'desc' }, take });
  return rows.map(({ bill, payment, entry, ...refund }) => ({
    ...refund,
    reference: bill?.reference ?? null,
    /** The provider's receipt number of the payment. */
    receiptOfPayment: payment.providerTransactionId,
    /** The number that paid, to which the money goes. */
    mobile: payment.mobile,
    /** The provider of the payment. */
    provider: payment.providerAccount.provider,
    /** The receipt number of the refund in the ledger; null until it is done. */
    receipt: entry?.providerTransactionId ?? null,
    /** When the customer got the money, if somebody says so. */
    happenedAt: entry?.happenedAt ?? null,
  }));
}

/** More refunds of one bill than this are not shown. */
const MAX_OF_BILL = 200;

/** Returns the refunds of a bill's money, the newest first. Its merchant is checked by the caller. */
export async function listRefundsOfBill(db: Connection, { merchantId, environment }: Scope, billId: string): Promise<RefundView[]> {
  const ofPayment = { billId: null, payment: { allocations: { some: { billId } } } };
  return findViews(db, { merchantId, environment, OR: [{ billId }, ofPayment] }, MAX_OF_BILL);
}

/** Returns a refund of a merchant; undefined if there is none with this id, or if the access does not allow reading it. */
export async function showRefund({ db }: Pick<ReadRuntime, 'db'>, access: Access | KeyAccess, id: string): Promise<RefundView | undefined> {
  const readable = authorize(access, 'refunds.view') === null || authorize(access, 'refunds.change') === null;
  if (!readable || !isUuid(id)) return undefined;
  const { merchantId, environment } = access.scope;
  return (await findViews(db, { id, merchantId, environment }, 1))[0];
}

/** Returns the newest refunds of all merchants, for the operator. */
export async function listAllRefunds(db: Connection, limit: number): Promise<RefundView[]> {
  return findViews(db, {}, limit);
}

/** Refunds of a merchant for its list: in all or some states, older than a refund. */
export async function listRefunds(
  { db }: Pick<ReadRuntime, 'db'>,
  access: Access,
  { states, before, limit }: { states: readonly RefundState[] | null; before: string | null; limit: number },
): Promise<RefundView[] | undefined> {
  if (authorize(access, 'refunds.view') !== null) return undefined;
  const { merchantId, environment } = access.scope;
  const where = {
    merchantId,
    environment,
    ...(states && { state: { in: [...states] } }),
    ...(before !== null && isUuid(before) && { id: { lt: before } }),
  };
  return findViews(db, where, limit);
}
