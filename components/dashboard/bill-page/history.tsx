import Link from 'next/link';
import type { ReactNode } from 'react';
import { CopiedText } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Card, Fact, Facts } from '@/components/ui/layout';
import type { BillView } from '@/lib/backoffice/bill-page/show-bill';
import { type GroupedEntry, groupEntries } from '@/lib/backoffice/bill-page/timeline';
import { readMetadata } from '@/lib/gateway/bills/bill-info';
import { formatDay, formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { Entry } from './entry';
import { type Correcting, NoteForm, type NoteFormProps } from './forms';

interface HistoryCardProps {
  readonly view: BillView;
  /** The address of this page. */
  readonly path: string;
  readonly newestFirst: boolean;
  readonly messages: boolean;
  /** Null if the viewer may not write notes. */
  readonly note: NoteFormProps | null;
  /** Null if the viewer may not correct recorded payments. */
  readonly correct: Correcting | null;
  readonly now: Date;
  readonly locale: Locale;
}

/** The number of history entries that are shown at first. Most bills have fewer. */
const SHOWN = 6;

/**
 * The complete history of a bill, with the newest or the oldest entry first. Each entry has a stable key, so that expanded entries stay
 * expanded when new ones are added.
 */
export function HistoryCard({ view, path, newestFirst, messages, note, correct, now, locale }: HistoryCardProps) {
  const t = translator(locale, 'BillPage');
  const { keyLabel, messageCount } = view;
  const timeline = groupEntries(view.timeline);
  const entries = newestFirst ? timeline.toReversed() : timeline;
  const shown = messages ? entries.length : SHOWN;
  const address = (chosen: { order: boolean; messages: boolean }) => {
    const query = new URLSearchParams({
      ...(!chosen.order && { order: 'oldest' }),
      ...(chosen.messages && { messages: 'show' }),
    }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  const line = (group: GroupedEntry) => (
    <Entry key={group.entry.id} group={group} keyLabel={keyLabel} correct={correct} now={now} locale={locale} />
  );
  return (
    <Card
      id="timeline"
      title={translator(locale, 'Bill')('timeline')}
      action={
        <span className="-my-3 -mr-3" title={t(newestFirst ? 'oldestFirst' : 'newestFirst')}>
          <QuietLink href={address({ order: !newestFirst, messages })}>
            <Icon name={newestFirst ? 'fall' : 'rise'} className="mx-3 size-5" />
            <span className="sr-only">{t(newestFirst ? 'oldestFirst' : 'newestFirst')}</span>
          </QuietLink>
        </span>
      }
    >
      {note && <NoteForm {...note} />}
      <ol className="mt-2 grid gap-4">{entries.slice(0, shown).map(line)}</ol>
      {entries.length > shown && (
        <Fold title={t('moreEntries', { count: entries.length - shown })} className="mt-2">
          <ol className="mt-2 grid gap-4">{entries.slice(shown).map(line)}</ol>
        </Fold>
      )}
      {messageCount !== null && messageCount > 0 && (
        <p className="mt-2">
          <QuietLink href={address({ order: newestFirst, messages: !messages })} current={messages}>
            <Icon name={messages ? 'check' : 'list'} /> {t('withMessages', { count: String(messageCount) })}
          </QuietLink>
        </p>
      )}
    </Card>
  );
}

interface QuietLinkProps {
  readonly href: string;
  readonly current?: boolean;
  readonly children: ReactNode;
}

function QuietLink({ href, current = false, children }: QuietLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={current ? 'true' : undefined}
      className="inline-flex min-h-control items-center gap-1 text-small font-semibold text-muted hover:text-ink print:hidden"
    >
      {children}
    </Link>
  );
}

/** What else is known about the bill. A phone hides it until somebody opens it. */
export function FactsCard({ view: { bill, webPayUrl }, locale }: Pick<HistoryCardProps, 'view' | 'locale'>) {
  const t = translator(locale, 'Bill');
  const info = translator(locale, 'BillInfo');
  const extras = translator(locale, 'BillExtras');
  return (
    <section aria-label={t('facts')} className="rounded-xl border border-line bg-surface px-4 sm:px-5 xl:py-5">
      {/* The facts are beside this element and not in it, so that a wide screen can show them always. */}
      <details className="peer xl:hidden">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between text-heading">
          {t('facts')} <Icon name="down" className="size-4 text-muted [[open]>summary>&]:rotate-180" />
        </summary>
      </details>
      <h2 className="mb-3 hidden text-heading xl:block">{t('facts')}</h2>
      <div className="hidden pb-4 peer-open:block xl:block xl:pb-0 print:block">
        <Facts>
          {bill.dueAt !== null && <Fact term={info('dueDate')}>{formatDay(bill.dueAt, locale)}</Fact>}
          {bill.customerEmail !== null && (
            <Fact term={extras('email')} wide>
              <a href={`mailto:${bill.customerEmail}`} className="text-brand underline underline-offset-2">
                {bill.customerEmail}
              </a>
            </Fact>
          )}
          {bill.expiresAt !== null && <Fact term={extras('expires')}>{formatInstant(bill.expiresAt, locale)}</Fact>}
          {Object.entries(readMetadata(bill.metadata)).map(([name, value]) => (
            <Fact key={name} term={extras('metadata', { name })} wide>
              <bdi className="whitespace-pre-line">{value}</bdi>
            </Fact>
          ))}
          <Fact term={t('created')}>{formatInstant(bill.createdAt, locale)}</Fact>
          <Fact term={t('id')} wide>
            <CopiedText label={t('id')} text={bill.id} />
          </Fact>
          <Fact term={t('payPage')}>
            <a href={webPayUrl} className="text-brand underline underline-offset-2">
              {t('openPayPage')}
            </a>
          </Fact>
        </Facts>
      </div>
    </section>
  );
}
