import { notFound } from 'next/navigation';
import { type PageProps, single, titled } from '@/app/page-props';
import { ImportOutcome } from '@/components/dashboard/bill-new/import-outcome';
import { ImportRows } from '@/components/dashboard/bill-new/import-rows';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Fact, Facts } from '@/components/ui/facts';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Checkbox } from '@/components/ui/forms/fields';
import { Card, PageHeader } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { may } from '@/lib/accounts/access/grant-access';
import { showImport } from '@/lib/bills/import/show-import';
import { baseUrl } from '@/lib/config/settings';
import { formatMoney } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
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
      <PageHeader help={<Help page="import" locale={locale} />} title={file.fileName} />
      <ImportOutcome view={view} path={path(`bills/import/${file.id}`)} refused={single(query.refused)} locale={locale} />
      <Card id="found" title={t('found')}>
        <Facts>
          <Fact term={t('bills')}>{String(file.rowCount - file.errorCount)}</Fact>
          <Fact term={t('total')}>{formatMoney(file.total)}</Fact>
          {file.errorCount > 0 && <Fact term={t('errors')}>{String(file.errorCount)}</Fact>}
          {file.warningCount > 0 && <Fact term={t('warnings')}>{String(file.warningCount)}</Fact>}
          <Fact term={t('encoding')}>{file.encoding}</Fact>
        </Facts>
        {file.encoding === 'windows-1252' && <p className="mt-3">{t('encodingDoubt')}</p>}
        {file.errorCount === 0 && !file.finishedAt && (
          <ActionForm action={runImportAction} hidden={{ ...place, import: file.id, rows: file.rowsHash }} className="mt-4 grid gap-2">
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
