import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Fact, Facts } from '@/components/ui/layout';
import type { AttemptView, DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { describeFailure } from '@/lib/backoffice/delivery-log/describe-failure';
import { actorName } from '@/lib/identity/audit/actor-name';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** The headers of every webhook besides its signature. */
const COMMON = { 'content-type': 'application/json', 'user-agent': 'Bili-Webhooks/1' };
const CERTIFICATE = ['issuer', 'names', 'validFrom', 'validTo'] as const;

interface AttemptDetailsProps {
  readonly attempt: AttemptView;
  /** The request body; null if it was not stored. */
  readonly body: string | null;
  readonly open: boolean;
  readonly title: string;
  /** Replaces the default icon. A receiver check needs this: it sends a wrong signature, for example, and an error is the right answer. */
  readonly verdict?: ReactNode;
  readonly locale: Locale;
}

/** All details of one delivery attempt: request, answer, duration of each step, and an explanation. */
export function AttemptDetails({ attempt, body, open, title, verdict, locale }: AttemptDetailsProps) {
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const { httpStatus, error, errorData, requestHeaders, responseHeaders, excerpt, nextAttemptAt } = attempt;
  const sent = Object.keys(requestHeaders).length > 0 ? headerLines({ ...COMMON, ...requestHeaders }) : null;
  return (
    <details open={open} className="border-b border-line py-2 last:border-0">
      <summary className="flex min-h-control cursor-pointer list-none items-center gap-3">
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          {verdict ?? (
            <Icon name={error === null ? 'check' : 'cross'} className={`size-4 ${error === null ? 'text-good' : 'text-danger'}`} />
          )}
          <strong>{title}</strong>
          <span>{httpStatus === null ? w('noAnswer') : w('answered', { status: String(httpStatus) })}</span>
          <span className="text-sm text-muted">
            {formatExactInstant(attempt.startedAt, locale)} · {w('duration', { ms: String(attempt.durationMs) })}
          </span>
        </span>
        <Icon name="down" className="size-4 text-brand [[open]>summary>&]:rotate-180" />
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-2 pb-4">
        {attempt.trigger !== 'automatic' && <p>{w(`trigger_${attempt.trigger}`, { who: actorName(attempt.triggeredBy ?? '', locale) })}</p>}
        {error !== null && (
          <div>
            <p className="font-semibold text-danger wrap-anywhere">{describeFailure(locale, error, errorData)}</p>
            {errorData.detail && <p className="text-sm text-muted wrap-anywhere">{t('technical', { detail: String(errorData.detail) })}</p>}
          </div>
        )}
        {nextAttemptAt && <p>{t('nextAfter', { at: formatExactInstant(nextAttemptAt, locale) })}</p>}
        <Facts>
          <Fact term={t('calledUrl')} wide>
            {attempt.url}
          </Fact>
          <Fact term={t('ip')}>{attempt.address ?? t('noIp')}</Fact>
          {CERTIFICATE.filter((name) => name in errorData).map((name) => (
            <Fact key={name} term={t(`tls_${name}`)}>
              {String(errorData[name])}
            </Fact>
          ))}
        </Facts>
        <AttemptTimings attempt={attempt} locale={locale} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
          <section className="grid content-start gap-2">
            <h4 className="font-semibold">{t('request')}</h4>
            <Text label={t('headers')} text={sent} empty={t('noHeaders')} copy={t('copyHeaders')} />
            <Text label={t('body')} text={body} empty={t('noHeaders')} copy={t('copyBody')} />
          </section>
          {httpStatus !== null && (
            <section className="grid content-start gap-2">
              <h4 className="font-semibold">{t('response')}</h4>
              <Text label={t('headers')} text={headerLines(responseHeaders) || null} empty={t('noHeaders')} />
              <Text label={t('body')} text={excerpt || null} empty={t('emptyBody')} />
              <p className="text-sm text-muted">{t('responseNote')}</p>
            </section>
          )}
        </div>
      </div>
    </details>
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

interface TextProps {
  readonly label: string;
  readonly text: string | null;
  readonly empty: string;
  readonly copy?: string;
}

function Text({ label, text, empty, copy }: TextProps) {
  return (
    <div>
      <p className="flex items-center justify-between gap-3 text-sm text-muted">
        {label}
        {copy && text !== null && <CopyButton value={text} label={copy} />}
      </p>
      {text === null ? (
        <p className="text-sm">{empty}</p>
      ) : (
        <pre className="mt-1 max-h-80 overflow-y-auto rounded-lg bg-ground p-3 text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
      )}
    </div>
  );
}

const LOOKS = { dns: 'bg-muted', connect: 'bg-edge', tls: 'bg-amber', wait: 'bg-brand', read: 'bg-ink' } as const;

type Timed = Pick<AttemptView, 'dnsMs' | 'connectMs' | 'tlsMs' | 'firstByteMs' | 'durationMs'>;

/** The duration of each step of a call, as a bar and as a list. */
function AttemptTimings({ attempt, locale }: { readonly attempt: Timed; readonly locale: Locale }) {
  const t = translator(locale, 'Hooks');
  const duration = (ms: number) => translator(locale, 'Webhooks')('duration', { ms: String(ms) });
  const { dnsMs, connectMs, tlsMs, firstByteMs, durationMs } = attempt;
  const before = [
    { step: 'dns', ms: dnsMs },
    { step: 'connect', ms: connectMs },
    { step: 'tls', ms: tlsMs },
    { step: 'wait', ms: firstByteMs },
  ] as const;
  const known = before.flatMap(({ step, ms }) => (ms === null ? [] : [{ step, ms }]));
  const rest = durationMs - known.reduce((sum, { ms }) => sum + ms, 0);
  const steps = firstByteMs === null ? known : [...known, { step: 'read', ms: Math.max(0, rest) } as const];
  return (
    <div>
      <h4 className="font-semibold">{t('timings')}</h4>
      <div aria-hidden="true" className="mt-2 flex h-3 w-full max-w-xl overflow-hidden rounded-full bg-sunken">
        {steps.map(({ step, ms }) => (
          <span key={step} className={LOOKS[step]} style={{ width: `${durationMs === 0 ? 0 : (ms / durationMs) * 100}%` }} />
        ))}
      </div>
      <dl className="mt-2 max-w-xl divide-y divide-line tabular-nums">
        {steps.map(({ step, ms }) => (
          <div key={step} className="flex justify-between gap-4 py-1">
            <dt className="flex items-center gap-2">
              <span aria-hidden="true" className={`size-3 rounded-full ${LOOKS[step]}`} />
              {t(`timing_${step}`)}
            </dt>
            <dd>{duration(ms)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 py-1 font-semibold">
          <dt>{t('timing_total')}</dt>
          <dd>{duration(durationMs)}</dd>
        </div>
      </dl>
    </div>
  );
}

/** The delivery attempts of a delivery, newest first, each with its answer and duration. The newest also shows when the next one is due. */
export function DeliveryAttempts({ delivery, locale }: { readonly delivery: DeliveryView; readonly locale: Locale }) {
  return (
    <ol className="grid gap-3">
      {delivery.attempts.map((attempt, index) => (
        <AttemptLine key={attempt.id} attempt={attempt} next={index === 0 ? delivery.nextTry : null} locale={locale} />
      ))}
    </ol>
  );
}

/** The address of the call, and the duration of each step. */
function Steps({ attempt, locale }: { readonly attempt: AttemptView; readonly locale: Locale }) {
  const t = translator(locale, 'Webhooks');
  const steps = [
    ['stepDns', attempt.dnsMs],
    ['stepConnect', attempt.connectMs],
    ['stepTls', attempt.tlsMs],
    ['stepFirstByte', attempt.firstByteMs],
  ] as const;
  const taken = steps.flatMap(([step, ms]) => (ms === null ? [] : [`${t(step)} ${t('duration', { ms: String(ms) })}`]));
  const parts = [...(attempt.address === null ? [] : [attempt.address]), ...taken];
  return parts.length > 0 && <p className="text-xs text-muted wrap-anywhere">{parts.join(' · ')}</p>;
}

interface AttemptLineProps {
  readonly attempt: AttemptView;
  /** When the next delivery attempt is due. Null if none is planned, or if `attempt` is not the newest delivery attempt. */
  readonly next: Date | null;
  readonly locale: Locale;
}

function AttemptLine({ attempt, next, locale }: AttemptLineProps) {
  const t = translator(locale, 'Webhooks');
  const { number, httpStatus, durationMs, startedAt, error, errorData, excerpt } = attempt;
  return (
    <li className="border-l-2 border-line pl-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <Icon name={error === null ? 'check' : 'cross'} className={`size-4 ${error === null ? 'text-good' : 'text-danger'}`} />
        <strong>{t('tryNumber', { number: String(number) })}</strong>
        <span>{httpStatus === null ? t('noAnswer') : t('answered', { status: String(httpStatus) })}</span>
        <span className="text-muted">
          {t('duration', { ms: String(durationMs) })} · {formatExactInstant(startedAt, locale)}
        </span>
      </p>
      {attempt.trigger !== 'automatic' && <p>{t(`trigger_${attempt.trigger}`, { who: actorName(attempt.triggeredBy ?? '', locale) })}</p>}
      {error !== null && <p className="wrap-anywhere">{describeFailure(locale, error, errorData)}</p>}
      {errorData.detail && <p className="text-muted wrap-anywhere">{errorData.detail}</p>}
      <Steps attempt={attempt} locale={locale} />
      {next && (
        <p>
          {t('next')}: {formatExactInstant(next, locale)}
        </p>
      )}
      {httpStatus !== null && (
        <Fold title={t('answer')} className="mt-1">
          {excerpt === '' ? (
            <p className="text-muted">{t('emptyAnswer')}</p>
          ) : (
            <pre className="mt-1 rounded bg-ground p-2 text-xs whitespace-pre-wrap wrap-anywhere">{excerpt}</pre>
          )}
        </Fold>
      )}
    </li>
  );
}
