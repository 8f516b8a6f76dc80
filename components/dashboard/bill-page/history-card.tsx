import Link from 'next/link';
import { Icon, type IconName } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import type { BillView } from '@/lib/bills/page/show-bill';
import type { TimelineEntry } from '@/lib/bills/page/timeline';
import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { Entry, type EntryProps } from './entry';
import { NoteForm, type NoteFormProps } from './note-form';

interface HistoryCardProps {
  readonly view: BillView;
  /** The address of this page. */
  readonly path: string;
  readonly newestFirst: boolean;
  readonly messages: boolean;
  /** Null if the viewer may not write notes. */
  readonly note: NoteFormProps | null;
  readonly locale: Locale;
}

/** The complete history of a bill, in either order. */
export function HistoryCard({ view, path, newestFirst, messages, note, locale }: HistoryCardProps) {
  const t = translator(locale, 'BillPage');
  const { timeline, keyLabel, messageCount } = view;
  const address = (shown: { order: boolean; messages: boolean }) => {
    const query = new URLSearchParams({ ...(!shown.order && { order: 'oldest' }), ...(shown.messages && { messages: 'show' }) }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  return (
    <Card id="timeline" title={translator(locale, 'Bill')('timeline')}>
      <nav aria-label={t('order')} className="mb-3 flex flex-wrap gap-2">
        <Choice href={address({ order: true, messages })} chosen={newestFirst} text={t('newestFirst')} />
        <Choice href={address({ order: false, messages })} chosen={!newestFirst} text={t('oldestFirst')} />
        {messageCount !== null && messageCount > 0 && (
          <Choice
            href={address({ order: newestFirst, messages: !messages })}
            chosen={messages}
            text={t('withMessages', { count: String(messageCount) })}
          />
        )}
      </nav>
      {note && <NoteForm {...note} />}
      <Timeline entries={newestFirst ? timeline.toReversed() : timeline} keyLabel={keyLabel} locale={locale} />
    </Card>
  );
}

function Choice({ href, chosen, text }: { readonly href: string; readonly chosen: boolean; readonly text: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={chosen ? 'true' : undefined}
      className="inline-flex min-h-9 items-center gap-1 rounded-full border border-edge bg-surface px-3 text-sm font-semibold aria-[current]:border-brand aria-[current]:bg-brand aria-[current]:text-on-brand"
    >
      {chosen && <Icon name="check" />}
      {text}
    </Link>
  );
}

/** The history of a bill, in the given order. Each line has a stable key, so that expanded lines stay expanded when new ones are added. */
function Timeline({ entries, keyLabel, locale }: Omit<EntryProps, 'entry'> & { readonly entries: readonly TimelineEntry[] }) {
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
  rerouted: 'phone',
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
  infoChanged: 'document',
  closed: 'lock',
  reopened: 'retry',
  other: 'circle',
};
