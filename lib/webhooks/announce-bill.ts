import { webhookJson } from '@/lib/bills/bill-json';
import type { Bill } from '@/lib/bills/rules';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertDelivery } from './store';

/** Inserts the delivery of a bill event, with the exact bytes to send. Call it in the transaction that changes the bill's status. */
export async function announceBill(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  bill: Bill,
  eventNumber: number,
  now: Date,
): Promise<void> {
  await insertDelivery(tx, { id: newId(runtime), bill, eventNumber, body: Buffer.from(webhookJson(bill)), now });
}
