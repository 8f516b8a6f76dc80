import { Badge } from '@/components/ui/badge';
import { BILL_LOOKS, OVERPAID_LOOK } from '../bill-looks';
import type { FoundRow, Marked } from './found-row';

/** The content of the link to a found bill: in two lines, or in one if there is space for it. */
export function FoundBill({ row, wide = false }: { readonly row: FoundRow; readonly wide?: boolean }) {
  const { reference, value, customer, amount, amountMatches, status, statusText, overpaid, created } = row;
  const look = overpaid ? OVERPAID_LOOK : BILL_LOOKS[status];
  const line = wide ? 'md:flex-1' : '';
  return (
    <span className={`flex flex-col gap-0.5 ${wide ? 'md:flex-row md:items-center md:gap-4' : ''}`}>
      <span className={`flex min-w-0 items-baseline justify-between gap-3 ${line}`}>
        <span className="line-clamp-1 min-w-0 font-semibold wrap-anywhere">
          <MarkedText text={reference} />
        </span>
        <span className="shrink-0 tabular-nums">{amountMatches ? <mark className={MARK}>{amount}</mark> : amount}</span>
      </span>
      <span className={`flex min-w-0 items-center justify-between gap-3 text-small text-muted ${line}`}>
        <span className="min-w-0 truncate">
          {value && (
            <span className="text-ink">
              <MarkedText text={value} />
              {' · '}
            </span>
          )}
          {customer !== null && `${customer} · `}
          {created}
        </span>
        <Badge {...look} text={statusText} />
      </span>
    </span>
  );
}

const MARK = 'rounded-xs bg-amber-soft text-inherit underline decoration-amber decoration-2 underline-offset-2';

/** The matching part is underlined too, because a colour alone is not enough. */
function MarkedText({ text: [before, match, after] }: { readonly text: Marked }) {
  return (
    <>
      {before}
      {match !== '' && <mark className={MARK}>{match}</mark>}
      {after}
    </>
  );
}
