import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { actorName } from '@/lib/audit/actor-name';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { AttemptView, DeliveryView } from '@/lib/webhooks/log/delivery-view';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';

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
