import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { RunImportRefusal } from '@/lib/bills/import/run-import';
import type { ImportView } from '@/lib/bills/import/show-import';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { ResultNotice } from '../result-notice';

const REFUSALS: readonly RunImportRefusal[] = ['not_allowed', 'not_found', 'has_errors', 'changed', 'inactive', 'made_before'];

interface ImportOutcomeProps {
  readonly view: ImportView;
  readonly path: string;
  /** Why Bili has just refused to start this import, from the query of the page. Null if nothing was refused. */
  readonly refused: string | null;
  readonly locale: Locale;
}

/** The state of an import: errors to fix, warnings, or the result. */
export function ImportOutcome({ view, path, refused, locale }: ImportOutcomeProps) {
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
