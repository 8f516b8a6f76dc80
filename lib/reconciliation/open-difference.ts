import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';
import { findOwner, findReviewAction, type ReviewAction } from './ledger-store';
import type { MoneyKind } from './statement';

interface Difference {
  readonly runId: string;
  readonly number: number;
  readonly environment: Environment;
  readonly paymentId: string;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly statementAmount: Senti | null;
  readonly ledgerAmount: Senti | null;
  /** The id of the payment's attempt, if the ledger has the payment under another receipt number than the statement. */
  readonly renumberedOf?: string | undefined;
}

/**
 * Opens a review of a difference between statement and ledger, or adds it to an open review. The ledger is not changed. The same
 * difference is not reported twice.
 * @returns whether this line of the statement opened the review, was added to it, or did neither, now or in an earlier run.
 */
export async function openDifferenceReview(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  db: Connection,
  { runId, number, environment, paymentId, kind, transactionId, statementAmount, ledgerAmount, renumberedOf }: Difference,
): Promise<ReviewAction> {
  const difference = {
    transactionId,
    kind,
    statementAmount: statementAmount?.toString() ?? null,
    ledgerAmount: ledgerAmount?.toString() ?? null,
    ...(renumberedOf !== undefined && { renumberedOf }),
  };
  const line = { reconciliation: runId, line: number };
  const reviewed = await findReviewAction(db, paymentId, difference, line);
  if (reviewed !== null) return reviewed;
  const opened = await openReview(db, {
    id: newId(runtime),
    environment,
    merchantId: await findOwner(db, paymentId),
    kind: 'statement_differs',
    paymentId,
    data: { ...difference, ...line },
    openedAt: runtime.clock(),
  });
  if (opened === 'repeated') return 'none';
  runtime.log.error({ paymentId, transactionId }, 'a statement differs from the ledger; see "bili review list"');
  return opened === 'opened' ? 'opened_review' : 'added_to_review';
}
