import { Fragment } from 'react';
import { LineIcon, type Look } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Fold } from '@/components/ui/fold';
import { DateField } from '@/components/ui/forms/date-field';
import { Select } from '@/components/ui/forms/fields';
import { Icon, type IconName } from '@/components/ui/icon';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Line, LineCell, LineLink, List, ListHeading } from '@/components/ui/list';
import type { EntryView } from '@/lib/backoffice/audit-log/audit-log';
import { actorName } from '@/lib/identity/audit/actor-name';
import { billOf, describeAction, describeData, type Fact, listActions } from '@/lib/identity/audit/describe-entry';
import { ACTOR_KINDS, type AuditQuery } from '@/lib/identity/audit/filter-rules';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { byDay } from '@/lib/platform/core/east-african-day';
import { isUuid } from '@/lib/platform/core/ids';
import { formatAgo, formatClock, formatDayHeading, formatExactInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { labelOf } from '@/lib/providers/registry';

interface EntryListProps {
  readonly entries: readonly EntryView[];
  /** The names of members by their e-mail addresses. */
  readonly names: ReadonlyMap<string, string>;
  /** The id of the merchant. An entry about the merchant itself is shown without a subject. */
  readonly merchantId: string;
  readonly billPath: (id: string) => string;
  readonly shiftPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

/** The entries by day: who did what as one sentence, the facts in short, and everything else folded. */
export function EntryList({ entries, ...shared }: EntryListProps) {
  const { now, locale } = shared;
  const t = translator(locale, 'Audit');
  const columns = [
    { text: t('kind'), hidden: true },
    { text: t('action') },
    { text: t('byAndDetails') },
    { text: t('when'), numeric: true },
    { text: t('more'), hidden: true },
  ];
  return (
    <List label={t('entries')} columns={columns} widths="[--columns:2rem_minmax(0,4fr)_minmax(0,5fr)_7.5rem_2rem]">
      {byDay(entries).map((day) => (
        <Fragment key={day[0].id}>
          <ListHeading title={formatDayHeading(day[0].at, now, locale)} />
          {day.map((entry) => (
            <EntryLine key={entry.id} entry={entry} {...shared} />
          ))}
        </Fragment>
      ))}
    </List>
  );
}

type EntryLineProps = Omit<EntryListProps, 'entries'> & { readonly entry: EntryView };

function EntryLine({ entry, names, merchantId, billPath, shiftPath, now, locale }: EntryLineProps) {
  const t = translator(locale, 'Audit');
  const { action, actor, address, at, subject } = entry;
  const { provider, ...data } = entry.data;
  const facts = describeData(typeof provider === 'string' ? { ...data, provider: labelOf(provider) } : entry.data, locale);
  const short = facts.map((fact) => factText(fact, locale)).join(' · ');
  const name = actorName(actor, locale);
  const what = describeAction(action, locale);
  const who = names.get(name) ?? name;
  const bill = billOf(entry);
  const page = bill !== null ? billPath(bill) : action === 'shift.closed' ? shiftPath(subject) : null;
  const clock = now.getTime() - at.getTime() < HOUR_MS ? formatAgo(at, now, locale) : formatClock(at);
  return (
    <Line>
      <LineCell at="lead">
        <LineIcon {...lookOf(action)} />
      </LineCell>
      <LineCell at="title">
        {page === null ? (
          <span className="line-clamp-3 font-semibold md:line-clamp-1" title={what}>
            {what}
          </span>
        ) : (
          <LineLink href={page} text={what} whole />
        )}
      </LineCell>
      <LineCell at="below" title={[who, short].filter(Boolean).join(' · ')} className="max-md:col-end-4 max-md:pr-9">
        <span className="line-clamp-2 text-small text-muted wrap-anywhere md:line-clamp-1">
          <span className="text-ink md:text-base">{who}</span>
          {short !== '' && ` · ${short}`}
        </span>
      </LineCell>
      <LineCell at="end" title={formatExactInstant(at, locale)} className="text-small text-muted">
        {clock}
      </LineCell>
      <LineCell at="fourth" className="relative z-1">
        {/* On a phone, the button is below the time, so that a closed entry has no line for it. */}
        <Fold
          title={<span className="sr-only">{t('more')}</span>}
          about={what}
          className="md:relative md:text-right [&>summary]:max-md:absolute [&>summary]:max-md:right-0 [&>summary]:max-md:bottom-full [&>summary]:max-md:min-w-control [&>summary]:max-md:translate-y-2 [&>summary]:max-md:justify-end"
        >
          <div className="mt-2 grid gap-2 rounded-lg border border-line bg-surface p-3 text-left text-small shadow-lg md:absolute md:top-full md:right-0 md:z-20 md:w-96">
            {facts.length > 0 && <FactList facts={facts} locale={locale} />}
            <p>
              <WrappedText text={name} />
              {address && <span className="text-muted"> {t('address', { address })}</span>}
            </p>
            {subject !== merchantId && !isUuid(subject) && (
              <p className="text-muted">
                <WrappedText text={t('subject', { subject })} />
              </p>
            )}
            {page !== null && <TextLink href={page}>{t(bill !== null ? 'toBill' : 'toShift')}</TextLink>}
            <p className="text-muted">
              {formatExactInstant(at, locale)}
              <code className="block">{action}</code>
              {positionText(entry, locale)}
            </p>
          </div>
        </Fold>
      </LineCell>
    </Line>
  );
}

/** The icon of each group of actions, by the first part of their names. */
const ICONS: Readonly<Record<string, IconName>> = {
  access: 'ban',
  activation: 'check',
  attempt: 'phone',
  audit: 'download',
  bill: 'document',
  bills: 'document',
  brand: 'sliders',
  cashier: 'people',
  email: 'person',
  identity: 'lock',
  invitation: 'people',
  key: 'key',
  member: 'people',
  merchant: 'person',
  name: 'person',
  network: 'phone',
  number: 'ban',
  password: 'lock',
  payment: 'coin',
  phones: 'phone',
  profile: 'sliders',
  provider: 'cash',
  push: 'bell',
  recovery: 'lock',
  redelivery: 'send',
  refund: 'back',
  request: 'retry',
  reversal: 'back',
  review: 'question',
  sandbox: 'flask',
  second: 'lock',
  session: 'lock',
  settings: 'sliders',
  shift: 'cash',
  sign: 'person',
  statement: 'list',
  view: 'list',
  webhook: 'send',
};

/** Refusals and locks are red, because the owner should look at them. */
function lookOf(action: string): Look {
  const [group = ''] = action.split(/[._-]/);
  return { tone: /refused|locked|failing|disabled/.test(action) ? 'bad' : 'quiet', icon: ICONS[group] ?? 'document' };
}

function factText({ name, before, after }: Fact, locale: Locale): string {
  const t = translator(locale, 'Audit');
  return `${name}: ${after}${before === null ? '' : ` (${t('was', { before })})`}`;
}

function FactList({ facts, locale }: { readonly facts: readonly Fact[]; readonly locale: Locale }) {
  const t = translator(locale, 'Audit');
  return (
    <ul>
      {facts.map(({ name, before, after }) => (
        <li key={name}>
          <span className="text-muted">{name}:</span> <WrappedText text={after} />
          {before !== null && (
            <span className="text-muted">
              {' '}
              (<WrappedText text={t('was', { before })} />)
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function positionText({ sealed, number }: EntryView, locale: Locale): string {
  const t = translator(locale, 'Audit');
  if (!sealed) return t('unsealed');
  return number === null ? t('sealedElsewhere') : t('sealed', { number: number.toString() });
}

/** Matches where an e-mail address may wrap: after the @ and before a dot. */
const BREAKS = /(?<=@)|(?<=@\S*)(?=\.\S)/;

/** A text whose e-mail addresses wrap only after the @ and before dots. */
function WrappedText({ text }: { readonly text: string }) {
  const parts: string[] = text.split(BREAKS);
  return (
    <span className="wrap-break-word">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no id and never change their order.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

interface FilterFormProps {
  readonly path: string;
  readonly query: AuditQuery;
  /** The e-mail addresses of the team. */
  readonly people: readonly string[];
  readonly locale: Locale;
}

/** The filter of the audit log. It is closed at first and shows how many fields are set. */
export function FilterForm({ path, query, people, locale }: FilterFormProps) {
  const t = translator(locale, 'Audit');
  const who = [
    { value: '', text: t('anybody') },
    ...people.map((email) => ({ value: `user:${email}`, text: email })),
    ...ACTOR_KINDS.map((kind) => ({ value: kind, text: t(`by_${kind}`) })),
  ];
  const what = [{ value: '', text: t('anything') }, ...listActions(locale).map(({ action, text }) => ({ value: action, text }))];
  const used = Object.values(query).filter((value) => value !== '').length;
  return (
    <details
      className="group grow basis-full rounded-xl border border-line bg-surface sm:basis-52 sm:open:basis-full"
      key={Object.values(query).join()}
    >
      <summary className="flex min-h-control cursor-pointer items-center gap-2 rounded-xl px-4 py-2 font-semibold text-brand">
        <Icon name="filter" />
        {used === 0 ? t('filter') : t('filters', { count: used })}
        <Icon name="down" className="ml-auto size-4 group-open:rotate-180" />
      </summary>
      <form
        action={path}
        className="grid gap-4 border-t border-line p-4 sm:grid-cols-2 xl:grid-cols-[1.5fr_1.5fr_1fr_1fr_auto] xl:items-end"
      >
        <Select id="by" label={t('by')} options={who} defaultValue={query.by} />
        <Select id="action" label={t('action')} options={what} defaultValue={query.action} />
        <DateField id="from" label={t('from')} defaultValue={query.from} />
        <DateField id="to" label={t('to')} defaultValue={query.to} />
        <div className="flex gap-3">
          <Button>{t('show')}</Button>
          {used > 0 && <ButtonLink href={path}>{t('clear')}</ButtonLink>}
        </div>
      </form>
    </details>
  );
}
