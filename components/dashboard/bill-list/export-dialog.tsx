'use client';

import { useTranslations } from 'use-intl/react';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Fold } from '@/components/ui/fold';
import { Checkbox, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { EXPORT_COLUMNS, EXPORT_ZONES, SEPARATORS, USUAL_COLUMNS } from '@/lib/bills/export/export-columns';
import { SORTED_MAX } from '@/lib/bills/list/listing-limits';
import { useDownload } from './use-download';

interface ExportDialogProps {
  /** The address of the export route, and the query string of the list. */
  readonly address: string;
  readonly query: string;
  readonly total: number | 'many' | null;
}

/** The options of an export, and its progress. Without JavaScript, a link downloads the default columns. */
export function ExportDialog({ address, query, total }: ExportDialogProps) {
  const t = useTranslations('BillList');
  return (
    <>
      <noscript>
        <a href={query ? `${address}?${query}` : address} className={buttonClass('plain')}>
          {t('export')}
        </a>
      </noscript>
      <Dialog
        trigger={
          <button type="button" className={`${buttonClass('plain')} cursor-pointer`}>
            <Icon name="download" />
            {t('export')}
          </button>
        }
        title={t('exportTitle')}
        text={t('exportText')}
        close={t('close')}
      >
        <ExportForm address={address} query={query} total={total} />
      </Dialog>
    </>
  );
}

function ExportForm({ address, query, total }: ExportDialogProps) {
  const t = useTranslations('BillList');
  const { progress, start, cancel } = useDownload();
  const grouped = (count: number) => count.toLocaleString('en-GB');
  async function send(form: FormData): Promise<void> {
    const params = new URLSearchParams(query);
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
      <div>
        <div role="status" className="not-empty:mb-4">
          {progress.kind === 'running' && (
            <p>{t('downloading', { rows: grouped(progress.rows), size: (progress.bytes / 1_000_000).toFixed(1) })}</p>
          )}
          {progress.kind === 'done' && <Notice tone="good" text={t('downloaded', { rows: grouped(progress.rows) })} />}
          {progress.kind === 'broken' && <Notice tone="bad" text={t('downloadBroke')} />}
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
            <Select id="separator" label={t('separator')} options={SEPARATORS.map((value) => ({ value, text: t(`separator_${value}`) }))} />
          </div>
          <Checkbox id="bom" value="1" label={t('bom')} defaultChecked />
        </div>
      </Fold>
    </form>
  );
}
