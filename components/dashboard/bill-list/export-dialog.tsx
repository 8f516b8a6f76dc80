'use client';

import { useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Fold } from '@/components/ui/fold';
import { Checkbox, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { useLocale, useTranslations } from '@/components/ui/texts';
import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  EXPORT_HEADINGS,
  EXPORT_ZONES,
  SEPARATORS,
  USUAL_COLUMNS,
} from '@/lib/backoffice/export/export-columns';

interface ExportDialogProps {
  /** The address of the export route, and the query string of the list. */
  readonly address: string;
  readonly query: string;
  /** The number of bills; null if they are too many to count. */
  readonly total: number | null;
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
            <Icon name="download" className={ids ? 'size-4 max-sm:size-5' : 'size-4'} />
            <span className={ids ? undefined : 'max-sm:sr-only'}>{t('export')}</span>
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
      {total !== null && <p className="font-semibold">{t('exportCount', { count: total, shown: grouped(total) })}</p>}
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

type DownloadProgress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'broken' }
  /** `rows` is null for a workbook, whose rows cannot be counted because the file is compressed. */
  | { readonly kind: 'running' | 'done'; readonly rows: number | null; readonly bytes: number };

/** Received bytes are collected up to this size and then turned into a Blob, which the browser may store on disk. */
const PIECE_BYTES = 4_000_000;
const NEWLINE = 10;

/**
 * Downloads a file and reports the progress. The file is saved only when it is complete. Unmounting the component cancels the download.
 */
function useDownload() {
  const [progress, setProgress] = useState<DownloadProgress>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(address: string): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ kind: 'running', rows: null, bytes: 0 });
    try {
      const answer = await fetch(address, { signal: stop.signal });
      if (!answer.ok || answer.body === null) throw new Error(`the export answered with HTTP status ${answer.status}`);
      const type = answer.headers.get('content-type') ?? '';
      const rowsOf = (lines: number) => (type.startsWith('text/csv') ? Math.max(lines - 1, 0) : null);
      const pieces: Blob[] = [];
      let held: Uint8Array<ArrayBuffer>[] = [];
      let [bytes, lines, waiting] = [0, 0, 0];
      for await (const chunk of readChunks(answer.body)) {
        held.push(chunk);
        bytes += chunk.length;
        waiting += chunk.length;
        for (const byte of chunk) if (byte === NEWLINE) lines += 1;
        if (waiting > PIECE_BYTES) {
          pieces.push(new Blob(held));
          held = [];
          waiting = 0;
        }
        setProgress({ kind: 'running', rows: rowsOf(lines), bytes });
      }
      save(new Blob([...pieces, ...held], { type }), fileName(answer.headers));
      setProgress({ kind: 'done', rows: rowsOf(lines), bytes });
    } catch {
      setProgress({ kind: stop.signal.aborted ? 'idle' : 'broken' });
    }
  }

  return { progress, start, cancel: () => running.current?.abort() };
}

async function* readChunks(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  // Not every browser supports `for await` over the body itself.
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function fileName(headers: Headers): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'bills.csv';
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
