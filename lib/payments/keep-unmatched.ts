import type { Runtime } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import type { ProviderAccount } from '@/lib/providers/port';
import { insertUnmatchedPayment } from './ledger-store';
import type { Outcome } from './outcome';

/** Keeps money that the provider vouches for, under a reference that is none of ours: the operator's until it is matched. */
export async function keepUnmatched(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  account: Pick<ProviderAccount, 'id' | 'environment'>,
  { transactionId, amount }: Pick<Extract<Outcome, { kind: 'paid' }>, 'transactionId' | 'amount'>,
): Promise<void> {
  const inserted = await insertUnmatchedPayment(runtime.db, {
    id: newId(runtime),
    account,
    transactionId,
    amount,
    recordedAt: runtime.clock(),
  });
  if (inserted)
    runtime.log.error({ providerAccountId: account.id, transactionId }, 'money came under an unknown reference; it is kept unmatched');
}
