import { type PageProps, single, titled } from '@/app/page-props';
import { ImportList } from '@/components/dashboard/bill-new/import-list';
import { NewBillNav } from '@/components/dashboard/bill-new/new-bill-nav';
import { Help } from '@/components/dashboard/help/help';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Button } from '@/components/ui/button';
import { Fold } from '@/components/ui/fold';
import { CheckedForm } from '@/components/ui/forms/checked-form';
import { HiddenFields } from '@/components/ui/forms/fields';
import { FileField } from '@/components/ui/forms/file-field';
import { Card, PageHeader } from '@/components/ui/layout';
import { may } from '@/lib/accounts/access/grant-access';
import { BILL_FIELDS } from '@/lib/bills/create/typed-bill';
import { ROWS_MAX } from '@/lib/bills/import/import-file';
import { recentImports } from '@/lib/bills/import/show-import';
import { newId } from '@/lib/core/ids';
import { groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';

export const generateMetadata = titled('Import', 'title');

const PROBLEMS = [
  'too_large',
  'no_text',
  'empty',
  'too_many_rows',
  'columns_missing',
  'columns_twice',
  'unreadable',
  'surplus_cell',
  'not_allowed',
  'form_invalid',
  'too_many_files',
  'no_file',
] as const;

const EXAMPLES: Readonly<Record<Locale, string>> = {
  en: 'amount,reference,mobile,customer,due date\n"12,500",School fees T1,0712345678,Asha Juma,30/11/2026\n8000,School fees T1,,,',
  sw: 'kiasi,kumbukumbu,simu,mteja,mwisho wa kulipa\n"12,500",Ada ya muhula 1,0712345678,Asha Juma,30/11/2026\n8000,Ada ya muhula 1,,,',
};

/** Uploads a file to check it. No bills are created yet. */
export default async function ImportPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'bills/import');
  if (!may(access, 'bills.import')) return <NotAllowed access={access} permission="bills.import" locale={locale} />;
  const t = translator(locale, 'Import');
  const problem = describeProblem(await searchParams, locale);
  return (
    <Shell access={access} locale={locale} section="bills">
      {access.status === 'active' ? (
        <>
          <PageHeader help={<Help page="import" locale={locale} />} title={t('title')} intro={t('intro')} />
          <NewBillNav access={access} current="import" locale={locale} />
          {problem && <ResultNotice text={problem} good={false} />}
          <Card>
            <CheckedForm action={path('bills/import/upload')} method="post" encType="multipart/form-data" className="grid max-w-xl gap-4">
              <HiddenFields values={{ form: newId(runtime) }} />
              <FileField
                id="file"
                accept=".csv,.txt,text/csv,text/plain"
                label={t('file')}
                hint={t('fileHint', { rows: groupDigits(BigInt(ROWS_MAX)) })}
                choose={t('choose')}
                none={t('noneChosen')}
                required
              />
              <Button className="justify-self-start">{t('check')}</Button>
            </CheckedForm>
            <Fold title={t('format')} className="mt-4">
              <p className="mb-2 max-w-prose text-muted">{t('formatText')}</p>
              <pre className="rounded-lg bg-ground p-3 text-sm whitespace-pre-wrap wrap-anywhere">{EXAMPLES[locale]}</pre>
            </Fold>
          </Card>
        </>
      ) : (
        <PageHeader help={<Help page="import" locale={locale} />} title={t('title')} intro={translator(locale, 'NewBill')('inactive')} />
      )}
      <ImportList files={await recentImports(runtime, access)} path={path('bills/import')} locale={locale} />
    </Shell>
  );
}

/** Returns the text for a problem that the upload route put into the query. Unknown values are ignored. */
function describeProblem(query: Awaited<PageProps['searchParams']>, locale: Locale): string | null {
  const problem = PROBLEMS.find((one) => one === single(query.problem));
  if (!problem) return null;
  const asked = single(query.fields)?.split(',') ?? [];
  const fields = BILL_FIELDS.filter((field) => asked.includes(field)).map((field) => translator(locale, 'BillField')(field));
  const row = single(query.row)?.match(/^\d{1,5}$/)?.[0] ?? '1';
  return translator(locale, 'Import')(`problem_${problem}`, { rows: groupDigits(BigInt(ROWS_MAX)), fields: fields.join(', '), row });
}
