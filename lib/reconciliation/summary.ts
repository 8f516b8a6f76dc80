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

const ON_STATEMENT: readonly Finding[] = ['matched', 'amount_differs', 'theirs_only'];
const IN_LEDGER: readonly Finding[] = ['matched', 'amount_differs', 'ours_only'];

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
