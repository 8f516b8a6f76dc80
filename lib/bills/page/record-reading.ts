import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { hasEntrySince } from '@/lib/audit/store';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import type { Runtime } from '@/lib/runtime/runtime';

/** An open page reads its messages again with each change: one entry stands for all that a person reads of a bill in so long. */
const ONE_ENTRY_MS = HOUR_MS;

interface Reading {
  readonly billId: string;
  /** From where. */
  readonly address: string | null;
}

/** Writes to the audit log that a person reads a bill's provider messages, which hold the customer's data, before they are shown. */
export async function recordReading(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'operatorAddress'>,
  { scope, user }: Pick<MerchantAccess, 'scope' | 'user'>,
  { billId, address }: Reading,
): Promise<void> {
  const entry = { ...scope, actor: `user:${user.email}`, action: 'bill.messages_shown', subject: billId };
  if (await hasEntrySince(runtime.db, entry, addMs(runtime.clock(), -ONE_ENTRY_MS))) return;
  await recordEntry(runtime, { ...entry, address });
}
