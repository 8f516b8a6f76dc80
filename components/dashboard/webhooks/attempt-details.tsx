import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/copied-value';
import { Fact, Facts } from '@/components/ui/facts';
import { Icon } from '@/components/ui/icon';
import { actorName } from '@/lib/audit/actor-name';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { AttemptView } from '@/lib/webhooks/log/delivery-view';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';
import { AttemptTimings } from './attempt-timings';

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
          <Fact term={t('calledUrl')}>{attempt.url}</Fact>
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
