import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertOursOnly, listLines } from './line-store';
import { noteAction } from './note-store';
import { openDifferenceReview } from './open-difference';
import type { Period } from './period';

/** At most so many reviews come of one statement: one that lacks more is not a statement of this period. */
const REVIEWS_AT_MOST = 100;

interface FindOursOnly {
  readonly runId: string;
  readonly accounts: readonly string[];
  readonly environment: Environment;
  readonly period: Period;
  readonly lastNumber: number;
}

/** Stores which money the statement does not have, and asks a person about it. In the transaction that completes the run. */
export async function findOursOnly(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  { environment, ...about }: FindOursOnly,
): Promise<void> {
  await insertOursOnly(tx, about);
  const { runId, lastNumber } = about;
  for (const line of await listLines(tx, { runId, findings: ['ours_only'], after: lastNumber, limit: REVIEWS_AT_MOST })) {
    const { number, paymentId, kind, transactionId, ledgerAmount } = line;
    if (paymentId === null) throw new Error(`line ${number} is about money of the ledger and does not say which`);
    const difference = { runId, number, environment, paymentId, kind, transactionId, statementAmount: null, ledgerAmount };
    const action = await openDifferenceReview(runtime, tx, difference);
    if (action !== 'none') await noteAction(tx, { runId, number, action });
  }
}
