import { type PageProps, single, titled } from '@/app/page-props';
import { ImportList, NewBillNav } from '@/components/dashboard/bill-new/import-list';
import { Help } from '@/components/dashboard/help/help';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Button, buttonClass } from '@/components/ui/button';
import { CheckedForm } from '@/components/ui/forms/checked-form';
import { HiddenFields, Textarea } from '@/components/ui/forms/fields';
import { FileField } from '@/components/ui/forms/file-field';
import { Icon } from '@/components/ui/icon';
import { Card, PageHeader } from '@/components/ui/layout';
import { ROWS_MAX, TEMPLATE } from '@/lib/backoffice/import/import-file';
import { recentImports } from '@/lib/backoffice/import/show-import';
import { openVisit } from '@/lib/entry/server/visit';
import { BILL_FIELDS } from '@/lib/gateway/bills/create/typed-bill';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { newId } from '@/lib/platform/core/ids';
import { groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Import', 'title');

const PROBLEMS = [
  'too_large',
  'unpacked_too_large',
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
  'busy',
] as const;

const EXAMPLES: Readonly<Record<Locale, readonly (readonly string[])[]>> = {
  en: [
    ['12,500', 'School fees T1', '0712345678', 'Asha Juma', 'Class 4', '30/11/2026'],
    ['8000', 'School fees T1', '', '', '', ''],
  ],
  sw: [
    ['12,500', 'Ada ya muhula 1', '0712345678', 'Asha Juma', 'Darasa la 4', '30/11/2026'],
    ['8000', 'Ada ya muhula 1', '', '', '', ''],
  ],
};

/** Uploads a file to check it. No bills are created yet. */
export default async function ImportPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'bills/import');
  if (!may(access, 'bills.import')) return <NotAllowed access={access} permission="bills.import" locale={locale} />;
  const t = translator(locale, 'Import');
  const active = access.status === 'active';
  const problem = describeProblem(await searchParams, locale);
  return (
    <Shell access={access} locale={locale} section="bills">
      <PageHeader
        help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />}
        title={t('title')}
        intro={active ? t('intro') : translator(locale, 'NewBill')('inactive')}
      />
      {active && (
        <>
          <NewBillNav access={access} current="import" locale={locale} />
          {problem && <ResultNotice text={problem} good={false} />}
          <Card>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
              <CheckedForm action={path('bills/import/upload')} method="post" encType="multipart/form-data" className="grid max-w-xl gap-4">
                <HiddenFields values={{ form: newId(runtime) }} />
                <FileField
                  id="file"
                  accept=".xlsx,.csv,.txt,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
                  label={t('file')}
                  hint={t('fileHint', { rows: groupDigits(BigInt(ROWS_MAX)) })}
                  choose={t('choose')}
                  none={t('noneChosen')}
                />
                <Textarea id="cells" label={t('cells')} hint={t('cellsHint')} rows={4} spellCheck={false} autoComplete="off" wrap="off" />
                <Button className="justify-self-start">{t('check')}</Button>
              </CheckedForm>
              <FormatExample path={path('bills/import')} locale={locale} />
            </div>
          </Card>
        </>
      )}
      <ImportList files={await recentImports(runtime, access)} path={path('bills/import')} locale={locale} />
    </Shell>
  );
}

/** Shows the columns of a file with two rows, and offers an empty file with these columns. */
function FormatExample({ path, locale }: { readonly path: string; readonly locale: Locale }) {
  const t = translator(locale, 'Import');
  return (
    <section aria-labelledby="format" className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h2 id="format" className="font-semibold">
        {t('format')}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the table can be scrolled with the keyboard. */}
      <div tabIndex={0} className="scrolls-sideways rounded-lg border border-line text-small [--ground:var(--surface)]">
        <table className="w-full whitespace-nowrap">
          <thead className="bg-brand-soft text-left">
            <tr>
              {TEMPLATE[locale].map((name) => (
                <th key={name} scope="col" className="border-r border-line px-2 py-1.5 font-semibold last:border-0">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {EXAMPLES[locale].map((cells) => (
              <tr key={cells[0]} className="border-t border-line">
                {TEMPLATE[locale].map((name, index) => (
                  <td key={name} className="border-r border-line px-2 py-1.5 tabular-nums last:border-0">
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="max-w-prose text-small text-muted">{t('formatText')}</p>
      <div className="flex flex-wrap gap-3">
        {(['xlsx', 'csv'] as const).map((ending) => (
          <a key={ending} href={`${path}/template.${ending}`} download className={buttonClass('plain')}>
            <Icon name="download" /> {t(`template_${ending}`)}
          </a>
        ))}
      </div>
    </section>
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
