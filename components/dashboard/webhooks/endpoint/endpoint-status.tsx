import type { Place } from '@/components/dashboard/place';
import { Fact, Facts } from '@/components/ui/facts';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { MAX_PARALLELISM } from '@/lib/webhooks/endpoint/health-rules';
import type { HistoryAction, HistoryEntry, ShownEndpoint } from '@/lib/webhooks/page/show-endpoint';

/** Shows whether the receiver accepts webhooks. If not: since when, and what happens to the waiting deliveries. */
export function EndpointHealth({ endpoint, locale }: { readonly endpoint: ShownEndpoint; readonly locale: Locale }) {
  const t = translator(locale, 'Webhooks');
  const { status, disabledReason, statusSince, failingSince, failureCount, hold, lastSuccessAt, waiting } = endpoint;
  const at = (instant: Date) => formatExactInstant(instant, locale);
  const held = <p>{t('held', { count: waiting })}</p>;
  if (status !== 'active') {
    const kind = status === 'paused' ? 'paused' : disabledReason === 'gone' ? 'gone' : 'week';
    return (
      <Notice tone={status === 'paused' ? 'wait' : 'bad'} title={t(`${kind}Title`, { since: at(statusSince) })}>
        <p>{t(`${kind}Text`)}</p>
        {held}
      </Notice>
    );
  }
  if (failingSince !== null) {
    return (
      <Notice tone="bad" title={t('failingTitle', { since: at(failingSince) })}>
        <p>{t('failingText', { count: failureCount })}</p>
        {held}
        {hold?.kind === 'breaker' && hold.until && <p>{t('nextProbe', { at: at(hold.until) })}</p>}
        {hold?.kind === 'resting' && <p>{t('resting', { at: at(hold.until) })}</p>}
      </Notice>
    );
  }
  const called = lastSuccessAt !== null;
  return <Notice tone={called ? 'good' : 'busy'} text={translator(locale, 'Hooks')(called ? 'well' : 'notCalled')} />;
}

interface EndpointFactsProps {
  readonly endpoint: ShownEndpoint;
  readonly failed: string;
  readonly locale: Locale;
}

export function EndpointFacts({ endpoint, failed, locale }: EndpointFactsProps) {
  const t = translator(locale, 'Hooks');
  const at = (instant: Date | null) => (instant ? formatExactInstant(instant, locale) : t('never'));
  const { lastSuccessAt, lastFailureAt, parallelism, hold, undelivered } = endpoint;
  const { PENDING, SENDING, BLOCKED, EXHAUSTED, UNSENT } = undelivered;
  const pace =
    hold?.kind === 'breaker'
      ? hold.until
        ? t('breakerOpen', { at: at(hold.until) })
        : t('breakerProbing')
      : hold?.kind === 'resting'
        ? t('resting', { at: at(hold.until) })
        : t('breakerClosed');
  return (
    <>
      <Facts>
        <Fact term={t('lastSuccess')}>{at(lastSuccessAt)}</Fact>
        <Fact term={t('lastFailure')}>{at(lastFailureAt)}</Fact>
        <Fact term={t('waiting')}>{t('waitingValue', { count: PENDING + SENDING })}</Fact>
        <Fact term={t('blocked')}>{t('waitingValue', { count: BLOCKED })}</Fact>
        <Fact term={t('exhausted')}>{t('waitingValue', { count: EXHAUSTED })}</Fact>
        <Fact term={t('unsent')}>{t('waitingValue', { count: UNSENT })}</Fact>
        <Fact term={t('parallelism')}>{t('parallelismValue', { count: parallelism, most: MAX_PARALLELISM })}</Fact>
        {endpoint.status === 'active' && <Fact term={t('breaker')}>{pace}</Fact>}
      </Facts>
      <p className="mt-3">
        <TextLink href={failed}>{t('showFailed')}</TextLink>
      </p>
    </>
  );
}

interface PauseFormProps {
  readonly action: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly endpoint: Pick<ShownEndpoint, 'status' | 'failingSince'>;
  readonly locale: Locale;
}

export function PauseForm({ action, place, endpoint, locale }: PauseFormProps) {
  const t = translator(locale, 'Hooks');
  const stopped = endpoint.status !== 'active';
  const offered = stopped
    ? [{ does: 'resume', text: t('resume'), hint: t('resumeText') }]
    : [
        { does: 'pause', text: t('pause'), hint: t('pauseText') },
        ...(endpoint.failingSince === null ? [] : [{ does: 'resume', text: t('resumeNow'), hint: t('resumeText') }]),
      ];
  return (
    <div className="mt-4 grid gap-3">
      {offered.map(({ does, text, hint }) => (
        <ActionForm key={does} action={action} hidden={{ ...place, do: does }} className="flex flex-wrap items-center gap-3">
          <SubmitButton look={does === 'resume' ? 'primary' : 'plain'}>
            <Icon name={does === 'resume' ? 'send' : 'pause'} /> {text}
          </SubmitButton>
          <span className="min-w-0 flex-1 basis-60 text-sm text-muted">{hint}</span>
        </ActionForm>
      ))}
    </div>
  );
}

const TEXTS = {
  'webhook.set': 'h_webhook_set',
  'webhook.proposed': 'h_webhook_proposed',
  'webhook.proposal_withdrawn': 'h_webhook_proposal_withdrawn',
  'webhook.proposal_refused': 'h_webhook_proposal_refused',
  'webhook.paused': 'h_webhook_paused',
  'webhook.resumed': 'h_webhook_resumed',
  'webhook.disabled': 'h_webhook_disabled',
  'webhook.failing': 'h_webhook_failing',
  'webhook.secret_rotated': 'h_webhook_secret_rotated',
  'webhook.secret_shown': 'h_webhook_secret_shown',
  'webhook.overlap_ended': 'h_webhook_overlap_ended',
} as const satisfies Record<HistoryAction, string>;

/** The changes of an endpoint, newest first. */
export function EndpointHistory({ history, locale }: { readonly history: readonly HistoryEntry[]; readonly locale: Locale }) {
  const t = translator(locale, 'Hooks');
  if (history.length === 0) return <p className="text-muted">{t('historyEmpty')}</p>;
  const named = (actor: string) => {
    const [kind = '', name = ''] = actor.split(/:(.*)/s);
    if (kind === 'user') return name;
    return kind === 'operator' ? t('operator') : t('system');
  };
  return (
    <ol className="grid gap-3">
      {history.map(({ id, action, actor, at, data }) => (
        <li key={id} className="border-l-2 border-line pl-3">
          <p className="font-semibold wrap-anywhere">
            {t(TEXTS[action], { after: String(data.after ?? ''), reason: String(data.reason ?? ''), hours: Number(data.hours ?? 0) })}
          </p>
          <p className="text-sm text-muted wrap-anywhere">
            {formatExactInstant(at, locale)} {t('by', { name: named(actor) })}
          </p>
        </li>
      ))}
    </ol>
  );
}
