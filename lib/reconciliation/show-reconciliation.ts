import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { listLines, type StoredLine } from './line-store';
import type { Finding } from './rules';
import { findRunById, listRuns, type Reconciliation, tallyLines } from './store';

const PAGE = 1_000;

/** Returns a reconciliation with the number of lines per finding, for the operator; undefined if it does not exist. */
export async function showReconciliation({ db }: Pick<Runtime, 'db'>, id: string) {
  const run = isUuid(id) ? await findRunById(db, id) : undefined;
  return run && { run, tallies: await tallyLines(db, run.id) };
}

/** Lists reconciliations for the operator, newest first. @param accountId null for all accounts. */
export async function listReconciliations({ db }: Pick<Runtime, 'db'>, accountId: string | null): Promise<readonly Reconciliation[]> {
  return accountId !== null && !isUuid(accountId) ? [] : listRuns(db, accountId);
}

/** Yields the lines of a reconciliation in order, page by page. @param findings null for all. */
export async function* readLines(
  { db }: Pick<Runtime, 'db'>,
  runId: string,
  findings: readonly Finding[] | null,
): AsyncGenerator<readonly StoredLine[]> {
  for (let after = -1; ; ) {
    const lines = await listLines(db, { runId, findings, after, limit: PAGE });
    if (lines.length > 0) yield lines;
    const last = lines.at(-1);
    if (!last || lines.length < PAGE) return;
    after = last.number;
  }
}
