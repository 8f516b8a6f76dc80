import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { listLines, type StoredLine } from './line-store';
import type { Finding } from './rules';
import { findRunById, type Reconciliation, type Tally, tallyLines } from './store';

const PAGE = 1_000;

/** @returns a reconciliation with how many lines were found how; undefined when there is none. For the operator. */
export async function showReconciliation(
  { db }: Pick<Runtime, 'db'>,
  id: string,
): Promise<{ run: Reconciliation; tallies: readonly Tally[] } | undefined> {
  const run = isUuid(id) ? await findRunById(db, id) : undefined;
  return run && { run, tallies: await tallyLines(db, run.id) };
}

/** @returns a reconciliation's lines in their order, read as they are needed. @param findings null for all. */
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
