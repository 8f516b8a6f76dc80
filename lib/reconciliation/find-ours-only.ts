import type { Environment } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { recordAction } from './action-store';
import { insertOursOnly, listLines } from './line-store';
import { openDifferenceReview } from './open-difference';
import type { Period } from './period';

/** Maximum number of reviews for one statement. If more payments are missing, the file is probably a statement of another period. */
const MAX_REVIEWS = 100;

interface FindOursOnly {
  readonly runId: string;
  readonly accounts: readonly string[];
  /** The accounts whose payments the statement must contain. */
  readonly till: readonly string[];
  readonly environment: Environment;
  readonly period: Period;
  readonly lastNumber: number;
}

/** Stores the ledger entries that the statement lacks, and opens reviews. Runs in the transaction that completes the run. */
export async function findOursOnly(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Connection,
  { environment, ...about }: FindOursOnly,
): Promise<void> {
  await insertOursOnly(tx, about);
  const { runId, lastNumber } = about;
  for (const line of await listLines(tx, { runId, findings: ['ours_only'], after: lastNumber, limit: MAX_REVIEWS })) {
    const { number, paymentId, kind, transactionId, ledgerAmount } = line;
    if (paymentId === null) throw new Error(`line ${number} is about a ledger entry but has no payment id`);
    const difference = { runId, number, environment, paymentId, kind, transactionId, statementAmount: null, ledgerAmount };
    const action = await openDifferenceReview(runtime, tx, difference);
    if (action !== 'none') await recordAction(tx, { runId, number, action });
  }
}
