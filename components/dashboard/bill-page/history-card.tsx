import Link from 'next/link';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { type GroupedEntry, groupPrompts } from '@/lib/bills/page/group-prompts';
import type { BillView } from '@/lib/bills/page/show-bill';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { Entry, type EntryProps } from './entry';
import { entryLook } from './entry-look';
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

/** The complete history of a bill, with the newest or the oldest entry first. */
export function HistoryCard({ view, path, newestFirst, messages, note, locale }: HistoryCardProps) {
  const t = translator(locale, 'BillPage');
  const { keyLabel, messageCount } = view;
  const timeline = groupPrompts(view.timeline);
  const address = (shown: { order: boolean; messages: boolean }) => {
    const query = new URLSearchParams({ ...(!shown.order && { order: 'oldest' }), ...(shown.messages && { messages: 'show' }) }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  return (
    <Card id="timeline" title={translator(locale, 'Bill')('timeline')}>
      <nav aria-label={t('order')} className="flex flex-wrap gap-2">
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
      <div className="mt-3">
        <Timeline
          entries={newestFirst ? timeline.toReversed() : timeline}
          shown={messages ? timeline.length : SHOWN}
          keyLabel={keyLabel}
          locale={locale}
        />
      </div>
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

/** The number of history entries that are shown at first. Most bills have fewer. */
const SHOWN = 8;

const TONES = {
  good: 'bg-good-soft text-good-ink',
  busy: 'bg-busy-soft text-busy-ink',
  wait: 'bg-amber-soft text-amber-ink',
  bad: 'bg-danger-soft text-danger',
  quiet: 'bg-sunken text-muted',
} as const;

interface TimelineProps extends Omit<EntryProps, 'entry' | 'steps'> {
  readonly entries: readonly GroupedEntry[];
  /** The number of entries that are shown at first. The others are hidden until somebody opens them. */
  readonly shown: number;
}

/** The history of a bill, in the given order. Each line has a stable key, so that expanded lines stay expanded when new ones are added. */
function Timeline({ entries, shown, keyLabel, locale }: TimelineProps) {
  const t = translator(locale, 'BillPage');
  const line = ({ entry, steps }: GroupedEntry) => {
    const { tone, icon } = entryLook(entry);
    return (
      <li key={entry.id} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
        <span className="flex h-lh items-center">
          <span className={`flex size-6 shrink-0 items-center justify-center rounded-full ${TONES[tone]}`}>
            <Icon name={icon} className="size-3.5" />
          </span>
        </span>
        <div className="min-w-0 wrap-anywhere">
          <Entry entry={entry} steps={steps} keyLabel={keyLabel} locale={locale} />
          <p className="text-small text-muted">
            <time dateTime={entry.at.toISOString()}>{formatExactInstant(entry.at, locale)}</time>
          </p>
        </div>
      </li>
    );
  };
  const rest = entries.slice(shown);
  return (
    <>
      <ol className="grid gap-4">{entries.slice(0, shown).map(line)}</ol>
      {rest.length > 0 && (
        <Fold title={t('moreEntries', { count: rest.length })} className="mt-2">
          <ol className="mt-2 grid gap-4">{rest.map(line)}</ol>
        </Fold>
      )}
    </>
  );
}
