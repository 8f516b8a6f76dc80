import { formatCsv } from '@/lib/platform/core/csv';
import { isUuid } from '@/lib/platform/core/ids';
import { formatDecimal } from '@/lib/platform/core/money';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Finding } from './rules';
import { listLines, type Reconciliation, RUN, readRun, type StoredLine, tallyLines } from './store';

const PAGE = 1_000;

/** Returns a reconciliation with the number of lines per finding, for the operator; undefined if it does not exist. */
export async function showReconciliation({ db }: Pick<Runtime, 'db'>, id: string) {
  const run = isUuid(id) ? await db.prisma.reconciliation.findUnique({ where: { id }, ...RUN }) : null;
  return run ? { run: readRun(run), tallies: await tallyLines(db, run.id) } : undefined;
}

/** Lists reconciliations for the operator, newest first. @param accountId null for all accounts. */
export async function listReconciliations({ db }: Pick<Runtime, 'db'>, accountId: string | null): Promise<readonly Reconciliation[]> {
  if (accountId !== null && !isUuid(accountId)) return [];
  const where = accountId === null ? {} : { providerAccountId: accountId };
  const runs = await db.prisma.reconciliation.findMany({ where, ...RUN, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
  return runs.map(readRun);
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

const COLUMNS = [
  'number',
  'finding',
  'action',
  'type',
  'transaction_id',
  'statement_amount',
  'ledger_amount',
  'reference',
  'happened_at',
  'payment_id',
  'statement_line',
];

/** Yields all lines of a reconciliation as CSV. Amounts are in shillings. `statement_line` is the original line as JSON. */
export async function* exportReconciliation(runtime: Pick<Runtime, 'db'>, runId: string): AsyncGenerator<string> {
  yield formatCsv([COLUMNS]);
  for await (const lines of readLines(runtime, runId, null)) yield formatCsv(lines.map(toCells));
}

function toCells(line: StoredLine): readonly string[] {
  const { number, finding, action, kind, transactionId, statementAmount, ledgerAmount, ourReference, happenedAt, paymentId, raw } = line;
  return [
    number.toString(),
    finding,
    action,
    kind,
    transactionId,
    statementAmount === null ? '' : formatDecimal(statementAmount),
    ledgerAmount === null ? '' : formatDecimal(ledgerAmount),
    ourReference ?? '',
    happenedAt.toISOString(),
    paymentId ?? '',
    raw === null ? '' : JSON.stringify(raw),
  ];
}
