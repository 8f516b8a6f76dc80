import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import type { FoundGroup } from '@/lib/bills/list/search-bills';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { BillBadge, OverpaidBadge } from '../badges';

interface FoundBillsProps {
  readonly group: FoundGroup;
  readonly asked: string;
  /** The address of the bill list. */
  readonly path: string;
  readonly locale: Locale;
}

export function FoundBills({ group: { kind, bills, more }, asked, path, locale }: FoundBillsProps) {
  const t = translator(locale, 'Search');
  const list = translator(locale, 'BillList');
  const filter = kind === 'mobile' ? 'mobile' : kind === 'prefix' || kind === 'reference' ? 'reference' : null;
  return (
    <Card id={`found-${kind}`} title={t(`by_${kind}`)}>
      <Table caption={t(`by_${kind}`)} columns={[list('reference'), list('amount'), list('status'), list('mobile'), list('created')]}>
        {bills.map(({ id, reference, amount, paidAmount, status, mobile, createdAt }) => (
          <Row key={id} pairs>
            <Cell>
              <TextLink href={`${path}/${id}`} className="line-clamp-2">
                {reference}
              </TextLink>
            </Cell>
            <Cell place="right" whole value={formatMoney(amount)} />
            <Cell>
              <span className="flex flex-wrap gap-1">
                <BillBadge status={status} locale={locale} />
                <OverpaidBadge bill={{ amount, paidAmount }} locale={locale} />
              </span>
            </Cell>
            <Cell place={mobile === null ? 'nowhere' : 'below'} whole>
              <span className="text-sm text-muted md:text-base md:text-ink">{mobile ?? '–'}</span>
            </Cell>
            <Cell place="right" whole>
              <span className="text-sm text-muted md:text-base md:text-ink">{formatInstant(createdAt, locale)}</span>
            </Cell>
          </Row>
        ))}
      </Table>
      {more && filter !== null && (
        <p className="mt-3">
          <TextLink href={`${path}?${new URLSearchParams({ [filter]: asked.trim() })}`}>{t('all')}</TextLink>
        </p>
      )}
    </Card>
  );
}
