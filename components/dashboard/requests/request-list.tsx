import { LogFilter } from '@/components/dashboard/filter-sheet';
import { Badge, type Look } from '@/components/ui/badge';
import { Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Line, LineCell, LineLink, List } from '@/components/ui/list';
import type { RequestView } from '@/lib/backoffice/requests/list-requests';
import { type RequestQuery, STATUS_CHOICES } from '@/lib/backoffice/requests/request-query';
import type { KeyView } from '@/lib/identity/keys/key-view';
import { formatExactInstant, formatMoney, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface RequestListProps {
  readonly requests: readonly RequestView[];
  readonly requestPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

const WIDTHS = '[--columns:minmax(0,5fr)_minmax(0,6fr)_5.5rem_5rem_7rem]';

export function RequestList({ requests, requestPath, now, locale }: RequestListProps) {
  const t = translator(locale, 'Requests');
  const columns = [
    { text: t('call') },
    { text: t('about') },
    { text: t('status'), numeric: true },
    { text: t('duration'), numeric: true },
    { text: t('when'), numeric: true },
  ];
  return (
    <List label={t('list')} columns={columns} widths={WIDTHS}>
      {requests.map((request) => (
        <Line key={request.id}>
          <LineCell at="title" className="font-mono text-small">
            <LineLink href={requestPath(request.id)} text={`${request.method} ${request.path}`} />
          </LineCell>
          <LineCell at="below">
            <RequestSubject request={request} locale={locale} />
          </LineCell>
          <LineCell at="end">
            <StatusBadge status={request.status} />
          </LineCell>
          <LineCell at="wide" numeric className="whitespace-nowrap text-muted">
            {t('ms', { ms: formatMs(request.durationUs) })}
          </LineCell>
          <LineCell at="endBelow" numeric title={formatExactInstant(request.at, locale)}>
            {formatRecent(request.at, now, locale)}
          </LineCell>
        </Line>
      ))}
    </List>
  );
}

/** The last characters of an id. The first ones are a time, so bills of the same minute share them. */
const SHOWN_ID = -8;

/** The bill that a request was about, or the error with which it was answered. */
function RequestSubject({ request, locale }: { readonly request: RequestView; readonly locale: Locale }) {
  const t = translator(locale, 'Requests');
  const { bill, code, error, replayOf } = request;
  const failure = error ?? code;
  return (
    <span className="flex min-w-0 items-baseline gap-x-1.5 text-small">
      {replayOf && (
        <span title={t('replayed')} className="shrink-0 self-center text-muted">
          <Icon name="retry" className="size-3.5" />
          <span className="sr-only">{t('replayed')}</span>
        </span>
      )}
      {failure !== null && (
        <span className="min-w-0 truncate" title={failure}>
          {code !== null && <code className="mr-1.5 font-semibold">{code}</code>}
          {error !== null && <span className="text-muted">{error}</span>}
        </span>
      )}
      {bill && (
        <>
          <bdi className="min-w-0 truncate font-semibold" title={bill.reference}>
            {bill.reference}
          </bdi>
          <span className="whitespace-nowrap tabular-nums">· {formatMoney(bill.amount)}</span>
          <span className="whitespace-nowrap text-muted max-md:hidden" title={bill.id}>
            · {t('billId', { id: `…${bill.id.slice(SHOWN_ID)}` })}
          </span>
        </>
      )}
    </span>
  );
}

/** Formats microseconds as milliseconds: `0.4`, `12`. */
export function formatMs(durationUs: number): string {
  return (durationUs / 1_000).toFixed(durationUs < 10_000 ? 1 : 0);
}

/** The most keys that have a chip. The others are in the form. */
const KEY_CHIPS = 5;

interface RequestFilterProps {
  readonly query: RequestQuery;
  readonly keys: readonly Pick<KeyView, 'id' | 'label' | 'state'>[];
  readonly path: string;
  readonly locale: Locale;
}

export function RequestFilter({ query, keys, path, locale }: RequestFilterProps) {
  const t = translator(locale, 'Requests');
  const any = { value: '', text: t('any') };
  const active = keys.filter(({ state }) => state === 'active');
  const ofKeys = active.length > 1 ? active.slice(0, KEY_CHIPS).map(({ id, label }) => ({ text: label, filter: { key: id } })) : [];
  const choices = [{ text: t('all'), filter: {} }, { text: t('class_errors'), filter: { status: 'errors' } }, ...ofKeys];
  return (
    <LogFilter path={path} query={{ ...query }} choices={choices} t={t} locale={locale}>
      <Select
        id="status"
        label={t('status')}
        options={[any, ...STATUS_CHOICES.map((value) => ({ value, text: t(`class_${value}`) }))]}
        defaultValue={query.status}
      />
      <Select
        id="key"
        label={t('key')}
        options={[any, ...keys.map(({ id, label }) => ({ value: id, text: label }))]}
        defaultValue={query.key}
      />
      <Field id="path" label={t('path')} defaultValue={query.path} maxLength={200} autoComplete="off" />
      <Field id="request" label={t('request')} hint={t('requestHint')} defaultValue={query.request} maxLength={100} autoComplete="off" />
    </LogFilter>
  );
}

const LOOKS: Readonly<Record<number, Look>> = {
  2: { tone: 'good', icon: 'check' },
  4: { tone: 'wait', icon: 'ban' },
  5: { tone: 'bad', icon: 'cross' },
};

/** The HTTP status of an answer. */
export function StatusBadge({ status }: { readonly status: number }) {
  return <Badge {...(LOOKS[Math.floor(status / 100)] ?? { tone: 'quiet', icon: 'question' })} text={String(status)} />;
}
