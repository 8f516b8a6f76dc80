'use client';

import { useLocale, useTranslations } from 'use-intl/react';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Fold } from '@/components/ui/fold';
import { Checkbox, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  EXPORT_HEADINGS,
  EXPORT_ZONES,
  SEPARATORS,
  USUAL_COLUMNS,
} from '@/lib/bills/export/export-columns';
import { SORTED_MAX } from '@/lib/bills/list/listing-limits';
import { useDownload } from './use-download';

interface ExportDialogProps {
  /** The address of the export route, and the query string of the list. */
  readonly address: string;
  readonly query: string;
  readonly total: number | 'many' | null;
  /** The selected bills, if only these are exported. */
  readonly ids?: readonly string[];
}

/** The options of an export, and its progress. Without JavaScript, a link downloads the default columns. */
export function ExportDialog(props: ExportDialogProps) {
  const { address, query, ids } = props;
  const t = useTranslations('BillExport');
  return (
    <>
      <noscript>
        <a href={`${address}?${new URLSearchParams(`${query}&format=xlsx`)}`} className={buttonClass('plain')}>
          {t('export')}
        </a>
      </noscript>
      <Dialog
        trigger={
          <button type="button" className={`${buttonClass('plain')} cursor-pointer`}>
            <Icon name="download" />
            <span className="max-sm:sr-only">{t('export')}</span>
          </button>
        }
        title={t('exportTitle')}
        text={t(ids ? 'selectedText' : 'exportText')}
        close={t('close')}
      >
        <ExportForm {...props} />
      </Dialog>
    </>
  );
}

const grouped = (count: number) => count.toLocaleString('en-GB');

function ExportForm({ address, query, total, ids }: ExportDialogProps) {
  const t = useTranslations('BillExport');
  const locale = useLocale();
  const { progress, start, cancel } = useDownload();
  async function send(form: FormData): Promise<void> {
    const params = new URLSearchParams(query);
    if (ids) params.set('ids', ids.join(','));
    for (const [name, value] of form) if (typeof value === 'string') params.append(name, value);
    await start(`${address}?${params}`);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(new FormData(event.currentTarget));
      }}
      className="grid gap-4"
    >
      {total !== null && (
        <p className="font-semibold">
          {total === 'many' ? t('exportMany', { count: grouped(SORTED_MAX) }) : t('exportCount', { count: total, shown: grouped(total) })}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select id="format" label={t('format')} options={EXPORT_FORMATS.map((value) => ({ value, text: t(`format_${value}`) }))} />
        <Select
          id="headings"
          label={t('headings')}
          defaultValue={locale}
          options={EXPORT_HEADINGS.map((value) => ({ value, text: t(`headings_${value}`) }))}
        />
      </div>
      <div>
        <div role="status" className="not-empty:mb-4">
          <Progress progress={progress} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button disabled={progress.kind === 'running'}>{t('download')}</Button>
          {progress.kind === 'running' && (
            <Button type="button" look="plain" onClick={cancel}>
              {t('cancel')}
            </Button>
          )}
        </div>
      </div>
      <Options />
    </form>
  );
}

function Progress({ progress }: Pick<ReturnType<typeof useDownload>, 'progress'>) {
  const t = useTranslations('BillExport');
  if (progress.kind === 'broken') return <Notice tone="bad" text={t('downloadBroke')} />;
  if (progress.kind === 'idle') return null;
  const { rows, bytes } = progress;
  const size = (bytes / 1_000_000).toFixed(1);
  if (progress.kind === 'running')
    return <p>{rows === null ? t('downloadingSize', { size }) : t('downloading', { rows: grouped(rows), size })}</p>;
  return <Notice tone="good" text={rows === null ? t('downloadedFile') : t('downloaded', { rows: grouped(rows) })} />;
}

function Options() {
  const t = useTranslations('BillExport');
  return (
    <Fold title={t('options')}>
      <div className="grid gap-4 pt-2">
        <fieldset>
          <legend className="font-semibold">{t('columns')}</legend>
          <div className="grid grid-cols-1 gap-x-4 min-[400px]:grid-cols-2">
            {EXPORT_COLUMNS.map((column) => (
              <Checkbox
                key={column}
                id={`column-${column}`}
                name="column"
                value={column}
                label={t(`column_${column}`)}
                defaultChecked={USUAL_COLUMNS.includes(column)}
              />
            ))}
          </div>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select id="zone" label={t('zone')} options={EXPORT_ZONES.map((value) => ({ value, text: t(`zone_${value}`) }))} />
          <Select
            id="separator"
            label={t('separator')}
            hint={t('csvOnly')}
            options={SEPARATORS.map((value) => ({ value, text: t(`separator_${value}`) }))}
          />
        </div>
        <Checkbox id="bom" value="1" label={t('bom')} hint={t('csvOnly')} defaultChecked />
      </div>
    </Fold>
  );
}
