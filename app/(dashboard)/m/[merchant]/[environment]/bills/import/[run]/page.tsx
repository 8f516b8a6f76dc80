import { notFound } from 'next/navigation';
import { type PageProps, single, titled } from '@/app/page-props';
import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { Help } from '@/components/dashboard/help/help';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Checkbox } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, Fact, Facts, PageHeader } from '@/components/ui/layout';
import { BackLink, ButtonLink, TextLink } from '@/components/ui/links';
import { Line, LineCell, List } from '@/components/ui/list';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import type { RowProblem } from '@/lib/backoffice/import/import-rules';
import type { RunImportRefusal } from '@/lib/backoffice/import/run-import';
import { type ImportView, showImport } from '@/lib/backoffice/import/show-import';
import { openVisit } from '@/lib/entry/server/visit';
import { webPayUrl } from '@/lib/gateway/bills/bill-json';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { baseUrl } from '@/lib/platform/config/settings';
import { formatMobile } from '@/lib/platform/core/mobile';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { runImportAction } from './actions';

export const generateMetadata = titled('Import', 'title');

export default async function ImportRunPage({ params, searchParams }: PageProps<'run'>) {
  const { run, ...named } = await params;
  const query = await searchParams;
  const { runtime, access, locale, place, path } = await openVisit(named, `bills/import/${encodeURIComponent(run)}`);
  if (!may(access, 'bills.import')) return <NotAllowed access={access} permission="bills.import" locale={locale} />;
  const after = Number(single(query.after)?.match(/^\d{1,6}$/)?.[0] ?? 0);
  const asked = single(query.show);
  const view = await showImport(runtime, access, { id: run, after, problems: asked === 'problems' });
  if (!view) notFound();
  const { file } = view;
  const t = translator(locale, 'Import');
  return (
    <Shell access={access} locale={locale} section="bills">
      <BackLink href={path('bills/import')}>{t('back')}</BackLink>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />} title={file.fileName} />
      <ImportOutcome view={view} path={path(`bills/import/${file.id}`)} refused={single(query.refused)} locale={locale} />
      <Card id="found" title={t('found')}>
        <Facts>
          <Fact term={t('bills')}>{String(file.rowCount - file.errorCount)}</Fact>
          <Fact term={t('total')}>{formatMoney(file.total)}</Fact>
          {file.errorCount > 0 && <Fact term={t('errors')}>{String(file.errorCount)}</Fact>}
          {file.warningCount > 0 && <Fact term={t('warnings')}>{String(file.warningCount)}</Fact>}
          {file.encoding === 'windows-1252' && <Fact term={t('encoding')}>{file.encoding}</Fact>}
        </Facts>
        {file.encoding === 'windows-1252' && <p className="mt-3">{t('encodingDoubt')}</p>}
        {file.errorCount === 0 && !file.finishedAt && (
          <ActionForm action={runImportAction} hidden={{ import: file.id, rows: file.rowsHash }} className="mt-4 grid gap-2">
            {!file.startedAt && view.phones > 0 && (
              <Checkbox id="ask" label={t('askPhones', { count: String(view.phones) })} hint={t('askPhonesHint')} />
            )}
            {!file.startedAt && view.madeBefore && <Checkbox id="again" label={t('again')} required />}
            <SubmitButton className="mt-2 justify-self-start">
              {file.startedAt ? t('goOn') : t('create', { count: file.rowCount })}
            </SubmitButton>
          </ActionForm>
        )}
      </Card>
      <ImportRows
        view={view}
        path={path(`bills/import/${file.id}`)}
        bills={path('bills')}
        payBase={baseUrl(runtime.settings, place.environment)}
        maxShillings={runtime.settings.MAX_BILL_AMOUNT}
        problems={asked === 'problems'}
        first={after === 0}
        locale={locale}
      />
    </Shell>
  );
}

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
function ImportRows({ view, path, bills, payBase, maxShillings, problems, first, locale }: ImportRowsProps) {
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
        <List
          label={t('rows')}
          columns={[
            { text: t('row') },
            { text: field('reference') },
            { text: field('mobile') },
            { text: field('amount'), numeric: true },
            { text: t(started ? 'bill' : 'what') },
          ]}
          widths="[--columns:3rem_minmax(0,3fr)_8rem_8rem_minmax(0,3fr)]"
        >
          {rows.map((row) => (
            <Line key={row.number}>
              <LineCell at="lead" className="pr-3 text-small text-muted tabular-nums">
                {row.number}
              </LineCell>
              <LineCell at="title" className="md:py-1.5">
                <span className="block font-semibold wrap-anywhere">
                  <bdi>{row.reference ?? '–'}</bdi>
                </span>
                <RowInfo row={row} locale={locale} />
              </LineCell>
              <LineCell at="below" className="text-muted whitespace-nowrap tabular-nums max-md:text-small">
                {row.mobile === null ? '–' : formatMobile(row.mobile)}
              </LineCell>
              <LineCell at="end" className="font-semibold">
                {row.amount === null ? '–' : formatMoney(row.amount)}
              </LineCell>
              <LineCell at="fourth">
                {started ? (
                  <Made row={row} bills={bills} payBase={payBase} locale={locale} />
                ) : (
                  <ul className="grid gap-2 md:py-1.5">
                    {row.problems.map((problem) => (
                      <li key={`${problem.field}-${problem.code}`}>
                        <Problem problem={problem} maxShillings={maxShillings} locale={locale} />
                      </li>
                    ))}
                  </ul>
                )}
              </LineCell>
            </Line>
          ))}
        </List>
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
  return parts.length > 0 && <span className="block text-small text-muted wrap-anywhere">{parts.join(' · ')}</span>;
}

function Problem({ problem, maxShillings, locale }: Pick<ImportRowsProps, 'maxShillings' | 'locale'> & { readonly problem: RowProblem }) {
  const t = translator(locale, 'Import');
  const wrong = problem.level === 'error';
  return (
    <>
      <Badge tone={wrong ? 'bad' : 'wait'} icon={wrong ? 'cross' : 'warning'} text={translator(locale, 'BillField')(problem.field)} />{' '}
      {billFieldProblem(problem, maxShillings, locale, problem.read)}{' '}
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

const REFUSALS: readonly RunImportRefusal[] = ['not_allowed', 'not_found', 'has_errors', 'changed', 'inactive', 'made_before'];

interface ImportOutcomeProps {
  readonly view: ImportView;
  readonly path: string;
  /** Why Bili has just refused to start this import, from the query of the page. Null if nothing was refused. */
  readonly refused: string | null;
  readonly locale: Locale;
}

/** The state of an import: errors to fix, warnings, or the result. */
function ImportOutcome({ view, path, refused, locale }: ImportOutcomeProps) {
  const t = translator(locale, 'Import');
  const { file, made, madeBefore } = view;
  const refusal = REFUSALS.find((one) => one === refused);
  return (
    <>
      {refusal && <ResultNotice text={t(`refused_${refusal}`)} good={false} />}
      {file.finishedAt && (
        <ResultNotice text={t('doneTitle', { made })}>
          {view.refused > 0 && <p>{t('refusedText', { count: view.refused })}</p>}
          <a href={`${path}/bills.csv`} className={`mt-2 ${buttonClass('plain')}`}>
            <Icon name="download" /> {t('download')}
          </a>
        </ResultNotice>
      )}
      {file.startedAt && !file.finishedAt && (
        <Notice tone="wait" title={t('brokenTitle', { made: String(made), count: String(file.rowCount) })} text={t('brokenText')} />
      )}
      {!file.startedAt && file.errorCount > 0 && (
        <Notice tone="bad" title={t('wrongTitle')} text={t('wrongText', { count: file.errorCount })} />
      )}
      {!file.startedAt && file.errorCount === 0 && madeBefore && (
        <Notice tone="wait" title={t('beforeTitle', { time: formatInstant(madeBefore, locale) })} text={t('beforeText')} />
      )}
      {!file.startedAt && file.errorCount === 0 && !madeBefore && file.warningCount > 0 && (
        <Notice tone="wait" title={t('warnedTitle')} text={t('warnedText', { count: file.warningCount })} />
      )}
    </>
  );
}
