import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { listLines, type StoredLine } from './line-store';
import type { Finding } from './rules';
import { findRunById, type Reconciliation, type Tally, tallyLines } from './store';

const PAGE = 1_000;

/** Returns a reconciliation with the number of lines per finding, for the operator; undefined if it does not exist. */
export async function showReconciliation(
  { db }: Pick<Runtime, 'db'>,
  id: string,
): Promise<{ run: Reconciliation; tallies: readonly Tally[] } | undefined> {
  const run = isUuid(id) ? await findRunById(db, id) : undefined;
  return run && { run, tallies: await tallyLines(db, run.id) };
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
