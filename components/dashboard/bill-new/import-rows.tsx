import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState } from '@/components/ui/layout';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Nav } from '@/components/ui/nav';
import { Cell, Row, Table } from '@/components/ui/table';
import { webPayUrl } from '@/lib/bills/bill-json';
import type { RowProblem } from '@/lib/bills/import/import-rules';
import type { ImportView } from '@/lib/bills/import/show-import';
import { formatMobile } from '@/lib/core/mobile';
import { formatDay, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { billFieldProblem } from './field-problem';

interface ImportRowsProps {
  readonly view: ImportView;
  /** The address of this page. `bills`: the address of the bill list. */
  readonly path: string;
  readonly bills: string;
  readonly payBase: URL;
  readonly maxShillings: number;
  /** Whether only rows with problems are shown. `first`: whether this is the first page of rows. */
  readonly problems: boolean;
  readonly first: boolean;
  readonly locale: Locale;
}

/** The rows of an import with their errors and warnings, or with their bills. */
export function ImportRows({ view, path, bills, payBase, maxShillings, problems, first, locale }: ImportRowsProps) {
  const t = translator(locale, 'Import');
  const field = translator(locale, 'BillField');
  const { file, rows, next } = view;
  const started = file.startedAt !== null;
  const filter = problems ? `${path}?show=problems` : path;
  return (
    <Card id="rows" title={t('rows')}>
      <div className="mb-3">
        <Nav
          look="chips"
          label={t('rows')}
          items={[
            { href: path, text: t('allRows'), current: !problems },
            { href: `${path}?show=problems`, text: t('onlyProblems'), current: problems },
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={t('none')} text={t('noneText')} />
      ) : (
        <Table
          caption={t('rows')}
          columns={[t('row'), { text: field('amount'), numeric: true }, field('reference'), field('mobile'), t(started ? 'bill' : 'what')]}
        >
          {rows.map((row) => (
            <Row key={row.number}>
              <Cell label={t('row')} whole value={row.number} />
              <Cell label={field('amount')} numeric value={row.amount === null ? '–' : formatMoney(row.amount)} />
              <Cell label={field('reference')}>
                {row.reference ?? '–'}
                <RowInfo row={row} locale={locale} />
              </Cell>
              <Cell label={field('mobile')} whole value={row.mobile === null ? '–' : formatMobile(row.mobile)} />
              <Cell>
                {started ? (
                  <Made row={row} bills={bills} payBase={payBase} locale={locale} />
                ) : (
                  <ul className="grid gap-2">
                    {row.problems.map((problem) => (
                      <li key={`${problem.field}-${problem.code}`}>
                        <Problem problem={problem} maxShillings={maxShillings} locale={locale} />
                      </li>
                    ))}
                  </ul>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <p className="mt-3 flex flex-wrap gap-3">
        {!first && <ButtonLink href={filter}>{t('first')}</ButtonLink>}
        {next !== null && <ButtonLink href={`${filter}${problems ? '&' : '?'}after=${next}`}>{t('next')}</ButtonLink>}
      </p>
    </Card>
  );
}

/** The optional values of a row, in a line below its reference. */
function RowInfo({
  row: { customerName, description, dueAt },
  locale,
}: {
  readonly row: ImportView['rows'][number];
  readonly locale: Locale;
}) {
  const due = dueAt && `${translator(locale, 'BillField')('dueDate')}: ${formatDay(dueAt, locale)}`;
  const parts = [customerName, description, due].filter((part) => part !== null);
  return parts.length > 0 && <span className="block text-sm text-muted">{parts.join(' · ')}</span>;
}

function Problem({ problem, maxShillings, locale }: Pick<ImportRowsProps, 'maxShillings' | 'locale'> & { readonly problem: RowProblem }) {
  const t = translator(locale, 'Import');
  const wrong = problem.level === 'error';
  return (
    <>
      <Badge tone={wrong ? 'bad' : 'wait'} icon={wrong ? 'cross' : 'warning'} text={translator(locale, 'BillField')(problem.field)} />{' '}
      {billFieldProblem(problem, maxShillings, locale)}{' '}
      {wrong && (
        <span className="text-sm text-muted">{problem.read.trim() === '' ? t('nothingThere') : t('read', { read: problem.read })}</span>
      )}
    </>
  );
}

type MadeProps = Pick<ImportRowsProps, 'bills' | 'payBase' | 'locale'> & { readonly row: ImportView['rows'][number] };

function Made({ row, bills, payBase, locale }: MadeProps) {
  const t = translator(locale, 'Import');
  if (row.refused !== null) return <span className="text-danger">{translator(locale, 'BillField')('reference_used')}</span>;
  if (row.billId === null) return <Icon name="clock" />;
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <TextLink href={`${bills}/${row.billId}`}>
        {t('openBill')} <span className="sr-only">{row.reference}</span>
      </TextLink>
      <a href={webPayUrl(payBase, row.billId)} className="font-semibold text-brand underline underline-offset-2">
        {t('link')} <span className="sr-only">{row.reference}</span>
      </a>
    </span>
  );
}
