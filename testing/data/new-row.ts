import type { FullInfo } from '@/lib/gateway/bills/bill-info';
import type { NewBillRow } from '@/lib/gateway/bills/create/insert-bills';
import { unpaidBill } from '@/lib/gateway/bills/rules';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { newId, newPaymentReference } from '@/lib/platform/core/ids';
import { parseMobile } from '@/lib/platform/core/mobile';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface NewRowOptions {
  readonly reference?: string;
  readonly uniqueReference?: boolean;
  readonly key?: string;
  readonly mobile?: string;
  readonly info?: Partial<FullInfo> | null;
}

/** Returns the row of a new bill, for tests that insert it themselves. */
export function newRow(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  scope: Scope,
  { reference = 'ORDER-1', uniqueReference = false, key, mobile = '', info = null }: NewRowOptions = {},
): NewBillRow {
  const createdAt = runtime.clock();
  const bill = unpaidBill({ amount: 500_000n, reference, mobile: parseMobile(mobile) }, { ...scope, id: newId(runtime), createdAt });
  return {
    bill,
    createdBy: 'test',
    createdById: null,
    uniqueReference,
    info,
    attempt: bill.mobile === null ? null : { id: newId(runtime), amount: bill.amount, ourReference: newPaymentReference(runtime.random) },
    idempotency:
      key === undefined
        ? null
        : { key, requestHash: Buffer.from([0]), response: `answer to ${bill.id}`, expiresAt: addMs(createdAt, DAY_MS) },
  };
}
