import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import type { BillQuery } from '@/lib/bills/list/filter';
import type { BillPage } from '@/lib/bills/list/list-bills';
import { SORTED_MAX } from '@/lib/bills/list/listing-limits';
import { groupDigits } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { listAddress } from './describe-filter';

interface ListFooterProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly page: Pick<BillPage, 'previous' | 'next' | 'total'>;
  readonly locale: Locale;
}

/** The number of bills, as far as it is known, and links to the previous and next page. */
export function ListFooter({ path, query, page: { previous, next, total }, locale }: ListFooterProps) {
  const t = translator(locale, 'BillList');
  const count = (number: number) => groupDigits(BigInt(number));
  const to = (page: string) => listAddress(path, query, { page });
  return (
    <div className="flex min-h-control flex-wrap items-center justify-between gap-3">
      <p className="text-muted">
        {total === 'many'
          ? t('many', { count: count(SORTED_MAX) })
          : total !== null && total > 0 && t('total', { count: total, shown: count(total) })}
      </p>
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
