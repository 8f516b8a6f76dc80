import { sortAs, visibleOf } from '@/lib/backoffice/bill-list/list-store';
import { BILL } from '@/lib/gateway/bills/store';
import { type InstrumentRuntime, usableInstruments } from '@/lib/gateway/instruments/ask-instruments';
import type { InstrumentBill } from '@/lib/gateway/instruments/rules';
import { listActiveInstruments } from '@/lib/gateway/instruments/store';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { pushAttempt } from '@/lib/platform/db/generated/tables';
import { array, int4, text, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const FIND = statement({
  name: 'find attempts and payments of exported bills',
  text: `SELECT wanted.id, prompts.networks, prompts.failed, paid.receipts FROM unnest($ids::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT network), '{}') AS networks, (count(*) FILTER (WHERE state IN ('FAILED', 'EXPIRED')))::int AS failed
           FROM push_attempt WHERE bill_id = wanted.id) prompts
         CROSS JOIN LATERAL (SELECT coalesce(array_agg(p.provider_transaction_id ORDER BY a.id), '{}') AS receipts
           FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = wanted.id AND p.kind = 'payment') paid`,
  parameters: { ids: array(uuid) },
  columns: { id: pushAttempt.id, networks: array(text), failed: int4, receipts: array(text) },
});

/** The exported data of a bill's attempts and payments. */
export type BillExtras = Omit<Awaited<ReturnType<typeof FIND.rows>>[number], 'id'>;

/** Returns the attempts and payments of bills. The caller must have checked that the member may see these bills. */
export async function findBillExtras(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, BillExtras>> {
  const rows = await FIND.rows(db, { ids });
  return new Map(rows.map(({ id, ...extras }) => [id, extras]));
}

/** The number with which a customer can pay a bill now without a payment request; both null if there is none. */
export interface PayableNumber {
  readonly number: string | null;
  /** Until when it can be paid; null if the provider does not say so. */
  readonly numberExpiresAt: Date | null;
}

type PayableBill = Omit<InstrumentBill, 'merchantActive'> & { readonly id: string };

/** Returns the numbers with which customers can pay these bills now. */
export async function findNumbers(
  { db, clock, providers }: Pick<InstrumentRuntime, 'db' | 'clock' | 'providers'>,
  scope: Scope,
  bills: readonly PayableBill[],
): Promise<ReadonlyMap<string, PayableNumber>> {
  const ids = bills.map(({ id }) => id);
  const [profile, active] = await Promise.all([findProfile(db, scope), listActiveInstruments(db, ids)]);
  const byBill = Map.groupBy(active, ({ billId }) => billId);
  const merchantActive = profile?.status === 'active';
  return new Map(
    bills.map((bill) => {
      const { usable } = usableInstruments({ providers }, { ...bill, merchantActive }, byBill.get(bill.id) ?? [], clock());
      const found = usable.find(({ number }) => number !== null);
      return [bill.id, { number: found?.number ?? null, numberExpiresAt: found?.expiresAt ?? null }];
    }),
  );
}

/** Returns those of the bills that a member may see, in the order of the ids. */
export async function findExported({ prisma }: Connection, visible: Parameters<typeof visibleOf>[0], ids: readonly string[]) {
  const select = { ...BILL, customerName: true, description: true, dueAt: true, expiresAt: true } as const;
  return sortAs(ids, await prisma.bill.findMany({ where: visibleOf(visible, ids), select }));
}
