import { webhookJson } from '@/lib/bills/bill-json';
import type { Bill } from '@/lib/bills/rules';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertDeliveries } from './store';

/** Inserts the delivery of a bill event: see {@link announceBills}. */
export async function announceBill(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  bill: Bill,
  eventNumber: number,
  now: Date,
): Promise<void> {
  await announceBills(runtime, tx, [{ bill, eventNumber }], now);
}

/** Inserts the deliveries of events of different bills. Call it in the transaction that changes the status of the bills. */
export async function announceBills(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  events: readonly { readonly bill: Bill; readonly eventNumber: number }[],
  now: Date,
): Promise<void> {
  const deliveries = events.map((event) => ({ ...event, id: newId(runtime), body: Buffer.from(webhookJson(event.bill)) }));
  await insertDeliveries(tx, deliveries, now);
}
