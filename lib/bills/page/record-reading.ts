import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { hasEntrySince } from '@/lib/audit/store';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import type { Runtime } from '@/lib/runtime/runtime';

/**
 * An open page reads the messages again after every change. One audit entry covers everything that a person reads of a bill in this time.
 */
const ONE_ENTRY_MS = HOUR_MS;

/**
 * Records in the audit log that a person reads the provider messages of a bill. Call it before they are shown: they contain customer data.
 */
export async function recordReading(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope, actor }: Pick<MerchantAccess, 'scope' | 'actor'>,
  billId: string,
): Promise<void> {
  const entry = { ...scope, action: 'bill.messages_shown', subject: billId };
  if (await hasEntrySince(runtime.db, { ...entry, actor: actor.name }, addMs(runtime.clock(), -ONE_ENTRY_MS))) return;
  await recordEntry(runtime, { ...entry, actor });
}
