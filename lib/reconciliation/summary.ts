import type { Senti } from '@/lib/core/money';
import type { Finding } from './rules';
import type { MoneyKind } from './statement';
import type { Tally } from './store';

/** The number and sum (senti) of all payments, or of all reversals, in the period: in the statement and in the ledger. */
interface Total {
  readonly kind: MoneyKind;
  readonly statement: { readonly lines: number; readonly amount: Senti };
  readonly ledger: { readonly lines: number; readonly amount: Senti };
}

const IN_BOTH: readonly Finding[] = ['matched', 'amount_differs', 'attempt_differs', 'receipt_differs'];
const ON_STATEMENT: readonly Finding[] = [...IN_BOTH, 'theirs_only'];
const IN_LEDGER: readonly Finding[] = [...IN_BOTH, 'ours_only'];

/** How many entries of the ledger in the period a statement lacks, of all. */
export interface MissingShare {
  readonly missing: number;
  readonly entries: number;
  /** Whether the statement has no line in the period. */
  readonly empty: boolean;
}

export function shareOf(tallies: readonly Tally[]): MissingShare {
  const count = (findings: readonly Finding[]) =>
    tallies.filter(({ finding }) => findings.includes(finding)).reduce((sum, { lines }) => sum + lines, 0);
  return { missing: count(['ours_only']), entries: count(IN_LEDGER), empty: count(ON_STATEMENT) === 0 };
}

/** Returns whether so many entries are missing that the file is probably cut off, or of another account or period. */
export function isMuchMissing({ missing, entries, empty }: MissingShare): boolean {
  return empty ? missing > 0 : missing >= 3 && missing * 5 > entries;
}

/** Returns the totals per kind. The totals of the ledger do not include what the run itself has booked. */
export function totalsOf(tallies: readonly Tally[]): readonly Total[] {
  return (['payment', 'reversal'] as const).map((kind) => {
    const found = (findings: readonly Finding[]) => tallies.filter((tally) => tally.kind === kind && findings.includes(tally.finding));
    const [theirs, ours] = [found(ON_STATEMENT), found(IN_LEDGER)];
    return {
      kind,
      statement: {
        lines: theirs.reduce((sum, { lines }) => sum + lines, 0),
        amount: theirs.reduce((sum, one) => sum + one.statementAmount, 0n),
      },
      ledger: { lines: ours.reduce((sum, { lines }) => sum + lines, 0), amount: ours.reduce((sum, one) => sum + one.ledgerAmount, 0n) },
    };
  });
}
