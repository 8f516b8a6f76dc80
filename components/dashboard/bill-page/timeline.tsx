import { Icon, type IconName } from '@/components/ui/icon';
import type { TimelineEntry } from '@/lib/bills/page/timeline';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/translator';
import { Entry } from './entry';

interface TimelineProps {
  /** In display order. */
  readonly entries: readonly TimelineEntry[];
  readonly keyLabel: string | null;
  readonly locale: Locale;
}

/** The history of a bill. Each line has a stable key, so that expanded lines stay expanded when new ones are added. */
export function Timeline({ entries, keyLabel, locale }: TimelineProps) {
  return (
    <ol className="grid gap-4">
      {entries.map((entry) => (
        <li key={entry.id} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
          <span className="mt-0.5 flex size-6 items-center justify-center rounded-full bg-brand-soft text-brand">
            <Icon name={ICONS[entry.kind]} className="size-3.5" />
          </span>
          <div className="min-w-0 wrap-anywhere">
            <Entry entry={entry} keyLabel={keyLabel} locale={locale} />
            <p className="text-sm text-muted">
              <time dateTime={entry.at.toISOString()}>{formatExactInstant(entry.at, locale)}</time>
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = {
  created: 'document',
  prompt: 'phone',
  moved: 'phone',
  message: 'list',
  payment: 'coin',
  released: 'phone',
  reversalAsked: 'coin',
  reversalFailed: 'coin',
  unmatched: 'question',
  conflict: 'question',
  contradicted: 'question',
  corrected: 'coin',
  status: 'check',
  webhook: 'send',
  note: 'person',
  closed: 'lock',
  reopened: 'retry',
  other: 'circle',
};
