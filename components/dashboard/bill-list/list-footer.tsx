import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import type { BillQuery } from '@/lib/bills/list/filter';
import type { BillPage } from '@/lib/bills/list/list-bills';
import { SORTED_MAX } from '@/lib/bills/list/listing-limits';
import type { ListTotals } from '@/lib/bills/list/summarize-list';
import { formatMoney, groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { listAddress } from './describe-filter';

interface ListFooterProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly page: Pick<BillPage, 'previous' | 'next' | 'total' | 'summary'>;
  readonly locale: Locale;
}

/** The totals of all bills of the list, and links to the previous and next page. Very long lists have no totals. */
export function ListFooter({ path, query, page: { previous, next, total, summary }, locale }: ListFooterProps) {
  const t = translator(locale, 'BillList');
  const to = (page: string) => listAddress(path, query, { page });
  return (
    <div className="flex min-h-control flex-wrap items-center justify-between gap-3">
      <Totals totals={summary.totals} many={total === 'many'} locale={locale} />
      {(previous !== null || next !== null) && (
        <nav aria-label={t('pages')} className="flex flex-wrap gap-3">
          {previous !== null && (
            <ButtonLink href={to(previous)} rel="prev">
              <Icon name="left" />
              {t('previous')}
            </ButtonLink>
          )}
          {next !== null && (
            <ButtonLink href={to(next)} rel="next">
              {t('next')}
              <Icon name="right" />
            </ButtonLink>
          )}
        </nav>
      )}
    </div>
  );
}

function Totals({ totals, many, locale }: Readonly<{ totals: ListTotals | null; many: boolean; locale: Locale }>) {
  const t = translator(locale, 'BillTotals');
  const count = (number: number) => groupDigits(BigInt(number));
  if (!totals) {
    return (
      <p className="text-muted">
        {many && t('many', { count: count(SORTED_MAX) })} {t('manyHint')}
      </p>
    );
  }
  if (totals.count === 0) return null;
  const sums = [
    [t('amount'), totals.amount],
    [t('paid'), totals.paid],
    [t('outstanding'), totals.outstanding],
  ] as const;
  return (
    <section aria-label={t('label')} className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
      <p className="font-semibold">{t('count', { count: totals.count, shown: count(totals.count) })}</p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {sums.map(([name, amount]) => (
          <div key={name} className="flex items-baseline gap-1.5">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-semibold whitespace-nowrap tabular-nums">{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      {totals.amount - totals.paid !== totals.outstanding && <p className="basis-full text-sm text-muted">{t('outstandingNote')}</p>}
    </section>
  );
}
