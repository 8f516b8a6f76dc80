import { DeliveryBadge } from '@/components/dashboard/badges';
import { LogFilter } from '@/components/dashboard/filter-sheet';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { DateField } from '@/components/ui/forms/date-field';
import { Checkbox, Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Line, LineCell, LineLink, List } from '@/components/ui/list';
import { Notice } from '@/components/ui/notice';
import { DELIVERY_CHOICES, type DeliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import type { AttemptView, DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { describeFailure } from '@/lib/backoffice/delivery-log/describe-failure';
import type { PlainAction } from '@/lib/entry/server/form-action';
import { type Hold, isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { DAY_MS } from '@/lib/platform/core/clock';
import { formatClock, formatExactInstant, formatRecent, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface DeliveryListProps {
  readonly deliveries: readonly DeliveryView[];
  readonly deliveryPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

const WIDTHS =
  '[--columns:minmax(0,3fr)_minmax(0,4fr)_9.75rem_4.5rem_7rem] xl:[--columns:minmax(0,3fr)_minmax(0,5fr)_9.75rem_4.5rem_4.5rem_4.5rem_7rem]';

export function DeliveryList({ deliveries, deliveryPath, now, locale }: DeliveryListProps) {
  const t = translator(locale, 'Hooks');
  const columns = [
    { text: t('listBill') },
    { text: t('event') },
    { text: t('state') },
    { text: t('answer'), numeric: true },
    { text: t('listAttempts'), numeric: true, wide: true },
    { text: t('duration'), numeric: true, wide: true },
    { text: t('when'), numeric: true },
  ];
  return (
    <List label={t('tab_deliveries')} columns={columns} widths={WIDTHS}>
      {deliveries.map((delivery) => (
        <DeliveryLine key={delivery.id} delivery={delivery} href={deliveryPath(delivery.id)} now={now} locale={locale} />
      ))}
    </List>
  );
}

interface DeliveryLineProps {
  readonly delivery: DeliveryView;
  readonly href: string;
  readonly now: Date;
  readonly locale: Locale;
}

/** The event of a delivery, its state, and the answer of its newest attempt. */
function DeliveryLine({ delivery, href, now, locale }: DeliveryLineProps) {
  const t = translator(locale, 'Hooks');
  const { reference, billStatus, state, attempts, attemptCount, nextTry, createdAt } = delivery;
  const [last] = attempts;
  const failed = state !== 'DELIVERED' && last?.error ? describeFailure(locale, last.error, last.errorData) : null;
  const took = last && translator(locale, 'Webhooks')('duration', { ms: groupDigits(BigInt(last.durationMs)) });
  return (
    <Line>
      <LineCell at="title">
        <LineLink href={href} text={reference} />
      </LineCell>
      <LineCell at="third" className="max-md:col-end-4">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          {translator(locale, 'Status')(billStatus)}
          {last && (
            <span className="text-small text-muted tabular-nums xl:hidden">
              · {t('attemptCount', { count: attemptCount })} · {took}
            </span>
          )}
        </span>
        {failed && (
          <span className="line-clamp-2 text-small text-danger md:line-clamp-1" title={failed}>
            {failed}
          </span>
        )}
      </LineCell>
      <LineCell at="below" title={state === 'UNSENT' || state === 'BLOCKED' ? t(`why_${state}`) : undefined}>
        <DeliveryBadge delivery={delivery} locale={locale} />
        {nextTry && (
          <span className="block text-small text-muted" title={formatExactInstant(nextTry, locale)}>
            {t('next', {
              at: nextTry.getTime() - now.getTime() < DAY_MS ? formatClock(nextTry, 'second') : formatRecent(nextTry, now, locale),
            })}
          </span>
        )}
      </LineCell>
      <LineCell at="end" className="font-semibold">
        {last ? <AnswerCode attempt={last} locale={locale} /> : <span className="font-normal text-muted">–</span>}
      </LineCell>
      <LineCell at="wide" numeric className="max-xl:hidden">
        {attemptCount > 0 ? attemptCount : <span className="text-muted">–</span>}
      </LineCell>
      <LineCell at="wide" numeric className="whitespace-nowrap max-xl:hidden">
        {took ?? <span className="text-muted">–</span>}
      </LineCell>
      <LineCell at="endBelow" numeric title={formatExactInstant(createdAt, locale)}>
        {formatRecent(createdAt, now, locale)}
      </LineCell>
    </Line>
  );
}

/** The HTTP status with which the receiver answered an attempt. */
function AnswerCode({ attempt: { httpStatus, error }, locale }: { readonly attempt: AttemptView; readonly locale: Locale }) {
  const colour = error === null ? 'text-good-ink' : 'text-danger';
  if (httpStatus !== null) return <span className={colour}>{httpStatus}</span>;
  return (
    <span className={colour} title={translator(locale, 'Webhooks')('noAnswer')}>
      <Icon name="cross" className="inline size-4" />
      <span className="sr-only">{translator(locale, 'Webhooks')('noAnswer')}</span>
    </span>
  );
}

/** What most people look for. */
const CHOICES = [
  { name: 'all', filter: {} },
  { name: 'o_failed', filter: { failed: '1' } },
  { name: 'o_waiting', filter: { state: 'WAITING' } },
  { name: 'o_delivered', filter: { state: 'DELIVERED' } },
  { name: 'notSent', filter: { state: 'UNSENT' } },
] as const;

interface DeliveryFilterProps {
  readonly query: DeliveryQuery;
  readonly problem: 'period' | null;
  readonly path: string;
  readonly locale: Locale;
}

export function DeliveryFilter({ query, problem, path, locale }: DeliveryFilterProps) {
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const s = translator(locale, 'Status');
  const options = {
    state: DELIVERY_CHOICES.state.map((value) => ({ value, text: value === 'WAITING' ? t('o_waiting') : w(`state_${value}`) })),
    status: DELIVERY_CHOICES.status.map((value) => ({ value, text: s(value) })),
    trigger: DELIVERY_CHOICES.trigger.map((value) => ({ value, text: t(`trigger_${value}`) })),
  };
  const choice = (name: keyof typeof options) => (
    <Select id={name} label={t(name)} options={[{ value: '', text: t('any') }, ...options[name]]} defaultValue={query[name]} />
  );
  const choices = CHOICES.map(({ name, filter }) => ({ text: t(name), filter }));
  return (
    <>
      {problem === 'period' && <Notice tone="wait" role="status" text={t('wrongPeriod')} />}
      <LogFilter path={path} query={{ ...query }} choices={choices} t={t} locale={locale}>
        <Field id="bill" label={t('bill')} defaultValue={query.bill} maxLength={255} autoComplete="off" />
        <div className="grid gap-4 sm:grid-cols-2">
          {choice('state')}
          {choice('status')}
          <DateField id="from" label={t('from')} defaultValue={query.from} />
          <DateField id="to" label={t('to')} defaultValue={query.to} />
          {choice('trigger')}
        </div>
        <Checkbox id="failed" value="1" label={t('failed')} defaultChecked={query.failed === '1'} />
      </LogFilter>
    </>
  );
}

interface UnsentNoticeProps {
  readonly count: number;
  /** The action that sends them, and the values of its form. Null while the endpoint has no address, or without the permission. */
  readonly send: { readonly action: PlainAction; readonly order: Readonly<Record<string, string>> } | null;
  /** The page on which the address is set; null if it is set. */
  readonly endpointPath: string | null;
  readonly locale: Locale;
}

/** Says how many deliveries were not sent because the endpoint had no address, with the next step. */
export function UnsentNotice({ count, send, endpointPath, locale }: UnsentNoticeProps) {
  const t = translator(locale, 'Hooks');
  return (
    <Notice tone="wait">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="font-bold">{t('unsentTitle', { count })}</p>
          <p>{t(endpointPath === null ? 'unsentText' : 'unsentNoAddress')}</p>
        </div>
        {endpointPath !== null && (
          <ButtonLink href={endpointPath} look="primary">
            {t('setAddress')}
          </ButtonLink>
        )}
        {send && (
          <ActionForm action={send.action} hidden={send.order} className="flex">
            <SubmitButton>
              <Icon name="send" />
              {t('sendUnsent', { count })}
            </SubmitButton>
          </ActionForm>
        )}
      </div>
    </Notice>
  );
}

interface HoldNoticeProps {
  readonly hold: Hold;
  /** The page with the Resume button. */
  readonly endpointPath: string;
  readonly locale: Locale;
}

/** Says why deliveries are delayed. If a person must resume the endpoint, also links to the page with the Resume button. */
export function HoldNotice({ hold, endpointPath, locale }: HoldNoticeProps) {
  const t = translator(locale, 'Hooks');
  return (
    <Notice tone="wait">
      <p>{holdText(hold, locale)}</p>
      {isStopped(hold) && (
        <p className="mt-1">
          <TextLink href={endpointPath}>{t('toEndpoint', { tab: t('tab_endpoint') })}</TextLink>
        </p>
      )}
    </Notice>
  );
}

/** Returns why deliveries are delayed. If a person must resume the endpoint, also names the Resume button. */
export function holdText(hold: Hold, locale: Locale): string {
  const t = translator(locale, 'Hooks');
  if (!isStopped(hold))
    return hold.until === null ? t('held_probing') : t(`held_${hold.kind}`, { at: formatExactInstant(hold.until, locale) });
  const reason = hold.kind === 'paused' ? 'paused' : hold.reason === 'gone' ? 'gone' : 'week';
  const why = t(`stopped_${reason}`, { at: formatExactInstant(hold.since, locale) });
  return `${why} ${t('untilResumed', { tab: t('tab_endpoint'), button: t('resume') })}`;
}
