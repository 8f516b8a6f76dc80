import type { BillExtras } from '@/lib/bills/bill-extras';
import type { BillInfo } from '@/lib/bills/bill-info';
import type { NewBillRow } from '@/lib/bills/create/insert-sql';
import { unpaidBill } from '@/lib/bills/rules';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { newId, newPaymentReference } from '@/lib/core/ids';
import { parseMobile } from '@/lib/core/mobile';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';

interface NewRowOptions {
  readonly reference?: string;
  readonly uniqueReference?: boolean;
  readonly key?: string;
  readonly mobile?: string;
  readonly info?: BillInfo | null;
  readonly extras?: BillExtras | null;
}

/** Returns the row of a new bill, for tests that insert it themselves. */
export function newRow(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  scope: Scope,
  { reference = 'ORDER-1', uniqueReference = false, key, mobile = '', info = null, extras = null }: NewRowOptions = {},
): NewBillRow {
  const createdAt = runtime.clock();
  const bill = unpaidBill({ amount: 500_000n, reference, mobile: parseMobile(mobile) }, { ...scope, id: newId(runtime), createdAt });
  return {
    bill,
    createdBy: 'test',
    createdById: null,
    uniqueReference,
    info,
    extras,
    attempt: bill.mobile === null ? null : { id: newId(runtime), amount: bill.amount, ourReference: newPaymentReference(runtime.random) },
    idempotency:
      key === undefined
        ? null
        : { key, requestHash: Buffer.from([0]), response: `answer to ${bill.id}`, expiresAt: addMs(createdAt, DAY_MS) },
  };
}
