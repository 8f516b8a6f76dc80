import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Asked, findOwner, findReviewed } from './ledger-store';
import type { MoneyKind } from './statement';

interface Difference {
  readonly runId: string;
  /** The line of the run. */
  readonly number: number;
  readonly environment: Environment;
  /** The row of the ledger that it is about. */
  readonly paymentId: string;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly statementAmount: Senti | null;
  readonly ledgerAmount: Senti | null;
}

/**
 * Asks a person about what statement and ledger do not agree on: the ledger is never changed to fit. Not again for the same
 * difference. @returns what was done, now or when this line was acted on before.
 */
export async function openDifferenceReview(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  db: Queryable,
  { runId, number, environment, paymentId, kind, transactionId, statementAmount, ledgerAmount }: Difference,
): Promise<Asked> {
  const said = {
    transactionId,
    kind,
    statementAmount: statementAmount?.toString() ?? null,
    ledgerAmount: ledgerAmount?.toString() ?? null,
  };
  const line = { reconciliation: runId, line: number };
  const reviewed = await findReviewed(db, paymentId, said, line);
  if (reviewed !== null) return reviewed;
  const opened = await openReview(db, {
    id: newId(runtime),
    environment,
    merchantId: await findOwner(db, paymentId),
    kind: 'statement_differs',
    paymentId,
    data: { ...said, ...line },
    openedAt: runtime.clock(),
  });
  if (opened === 'repeated') return 'none';
  runtime.log.error({ paymentId, transactionId }, 'a statement differs from the ledger: bili review list');
  return opened === 'opened' ? 'opened_review' : 'added_to_review';
}
