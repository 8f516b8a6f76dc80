import { reach } from '@/lib/config/fail-point';
import type { Environment } from '@/lib/core/scope';
import type { Capabilities } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { type ActOnLine, keepRefused, openDifference, reportConflict, settlePayment, settleReversal } from './act-on-line';
import { recordPayments } from './action-store';
import { BATCH, type Comparison } from './find-differences';
import { findAttempts, findOtherReferences } from './ledger-store';
import { listPending, type StoredLine } from './line-store';
import { isWithin } from './period';
import type { MoneyKind, StatementLine } from './statement';
import { lockRun } from './store';

interface ActOnDifferences extends Comparison {
  readonly account: { readonly id: string; readonly environment: Environment };
  readonly pace: Capabilities;
}

interface Lines {
  readonly byNumber: ReadonlyMap<number, StatementLine>;
  /** The reversals of the period, by the receipt number of the reversed payment. */
  readonly reversals: ReadonlyMap<string | null, StatementLine>;
}

/**
 * Acts on the findings of a run, payments before their reversals. Every action is idempotent: an interrupted run repeats the actions
 * that it has not recorded, and two processes can work on the same run.
 */
export async function actOnDifferences(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  options: ActOnDifferences,
): Promise<void> {
  const { statement, period } = options;
  const reversals = statement.lines.filter(
    ({ completedAt, reversedTransactionId }) => reversedTransactionId !== null && isWithin(period, completedAt),
  );
  const lines: Lines = {
    byNumber: new Map(statement.lines.map((line) => [line.number, line])),
    reversals: new Map(reversals.map((line) => [line.reversedTransactionId, line])),
  };
  for (const kind of ['payment', 'reversal'] satisfies readonly MoneyKind[]) {
    for (let after = 0; ; ) {
      const pending = await listPending(runtime.db, { runId: options.runId, kind, after, limit: BATCH });
      const last = pending.at(-1);
      if (!last) break;
      await actOnBatch(runtime, options, lines, pending);
      after = last.number;
    }
  }
}

async function actOnBatch(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { runId, accounts, account, pace }: ActOnDifferences,
  lines: Lines,
  pending: readonly StoredLine[],
): Promise<void> {
  const references = pending.flatMap(({ ourReference }) => (ourReference === null ? [] : [ourReference]));
  const attempts = await findAttempts(runtime.db, accounts, references);
  const others = await findOtherReferences(runtime.db, accounts, references);
  const refused = new Map(others.filter((other) => other.refused).map((other) => [other.reference, other]));
  const processed: number[] = [];
  for (const stored of pending) {
    const line = lines.byNumber.get(stored.number);
    if (!line) throw new Error(`line ${stored.number} is stored but not in the statement`);
    const about: ActOnLine = { runId, accounts, account, pace, line, stored };
    const attempt = attempts.get(line.reference ?? '');
    const refusal = refused.get(line.reference ?? '');
    if (stored.finding === 'amount_differs' || stored.finding === 'receipt_differs') {
      await openDifference(runtime, about, attempt);
    } else if (line.kind === 'reversal') {
      await settleReversal(runtime, about);
    } else if (stored.finding === 'attempt_differs') {
      if (attempt) await reportConflict(runtime, about, attempt);
    } else if (refusal) {
      await keepRefused(runtime, about, refusal, lines.reversals.get(line.transactionId));
      processed.push(line.number);
    } else {
      await settlePayment(runtime, about, attempt, lines.reversals.get(line.transactionId));
      processed.push(line.number);
    }
  }
  reach('statement.acted');
  await runtime.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId))) await recordPayments(tx, runId, accounts, processed);
  });
}
