import { type PageProps, single, titled } from '@/app/page-props';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { AddressForm } from '@/components/dashboard/webhooks/endpoint/endpoint-forms';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import { Card, Fact, Facts } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import {
  type HistoryAction,
  type HistoryEntry,
  type Proposal,
  type ShownEndpoint,
  showEndpointPage,
} from '@/lib/backoffice/delivery-log/show-endpoint';
import { versionOf } from '@/lib/backoffice/delivery-log/view-version';
import { openVisit } from '@/lib/entry/server/visit';
import { MAX_PARALLELISM } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { pauseAction, setAddressAction, withdrawAction } from './actions';

const DONE = ['paused_done', 'resumed_done', 'withdrawn'] as const;
const RESULTS = [...DONE, 'not_allowed', 'second_factor_due', 'not_active', 'no_address', 'no_proposal'] as const;

export const generateMetadata = titled('Webhooks', 'title');

export default async function EndpointPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'webhooks');
  const endpoint = await showEndpointPage(runtime, access);
  if (!endpoint) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const query = await searchParams;
  const result = RESULTS.find((one) => one === single(query.result));
  const { url, proposal } = endpoint;
  const live = access.scope.environment === 'live';
  const mayChange = may(access, 'webhooks.change');
  return (
    <WebhookPage access={access} locale={locale} tab="endpoint">
      <LiveRefresh address={path('webhooks/live?view=endpoint')} watched={{ version: versionOf(endpoint) }} />
      {result && <ResultNotice text={t(result)} good={DONE.some((one) => one === result)} />}
      <Card id="address" title={w('address')}>
        <div className="grid gap-4">
          {url === null && <Notice tone="wait" title={w('notSetUpTitle')} text={w(live ? 'notSetUpText' : 'notSetUpSandboxText')} />}
          {/* Members who may change the sandbox address see it in the form. */}
          {url !== null && (live || !mayChange) && (
            <p className="text-lg font-semibold wrap-anywhere">
              <code>{url}</code>
            </p>
          )}
          {proposal && <ProposalStatus proposal={proposal} withdraw={mayChange ? withdrawAction : null} locale={locale} />}
          {mayChange && live && <p className="max-w-prose text-sm text-muted">{t('byOperator')}</p>}
          {mayChange && (
            <AddressForm
              key={`${place.merchant}/${place.environment}`}
              action={setAddressAction}
              live={place.environment === 'live'}
              url={live ? null : url}
              open={proposal?.state === 'open'}
            />
          )}
        </div>
      </Card>
      {url !== null && (
        <Card
          id="health"
          title={t('health')}
          action={
            access.scope.environment === 'sandbox' &&
            may(access, 'bills.change') && <TextLink href={path('phones#time')}>{translator(locale, 'SandboxTime')('noWait')}</TextLink>
          }
        >
          <div className="mb-4">
            <EndpointHealth endpoint={endpoint} locale={locale} />
          </div>
          <EndpointFacts endpoint={endpoint} deliveries={path('webhooks/deliveries')} locale={locale} />
          {mayChange && <PauseForm endpoint={endpoint} locale={locale} />}
        </Card>
      )}
      <Card id="history" title={t('history')}>
        <EndpointHistory history={endpoint.history} locale={locale} />
      </Card>
    </WebhookPage>
  );
}

/** Shows whether the receiver accepts webhooks. If not: since when, and what happens to the waiting deliveries. */
function EndpointHealth({ endpoint, locale }: { readonly endpoint: ShownEndpoint; readonly locale: Locale }) {
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
  /** The page of deliveries. */
  readonly deliveries: string;
  readonly locale: Locale;
}

function EndpointFacts({ endpoint, deliveries, locale }: EndpointFactsProps) {
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
        {/* These are exceptions. A count of 0 would only be noise. */}
        {BLOCKED > 0 && <Fact term={t('blocked')}>{t('waitingValue', { count: BLOCKED })}</Fact>}
        {EXHAUSTED > 0 && <Fact term={t('exhausted')}>{t('waitingValue', { count: EXHAUSTED })}</Fact>}
        {UNSENT > 0 && (
          <Fact term={t('unsent')}>
            <TextLink href={`${deliveries}?state=UNSENT`}>{t('waitingValue', { count: UNSENT })}</TextLink>
          </Fact>
        )}
        <Fact term={t('parallelism')}>{t('parallelismValue', { count: parallelism, most: MAX_PARALLELISM })}</Fact>
        {endpoint.status === 'active' && (
          <Fact term={t('breaker')} wide={hold !== null}>
            {pace}
          </Fact>
        )}
      </Facts>
      <p className="mt-3">
        <TextLink href={`${deliveries}?failed=1`}>{t('showFailed')}</TextLink>
      </p>
    </>
  );
}

function PauseForm({ endpoint, locale }: { readonly endpoint: ShownEndpoint; readonly locale: Locale }) {
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
        <ActionForm key={does} action={pauseAction} hidden={{ do: does }} className="flex flex-wrap items-center gap-3">
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
function EndpointHistory({ history, locale }: { readonly history: readonly HistoryEntry[]; readonly locale: Locale }) {
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

interface ProposalStatusProps {
  readonly proposal: Proposal;
  /** The action that withdraws an open proposal. Null if the viewer has no permission. */
  readonly withdraw: ((form: FormData) => Promise<void>) | null;
  readonly locale: Locale;
}

/** What has become of the live address that a member proposed to the operator. */
function ProposalStatus({ proposal, withdraw, locale }: ProposalStatusProps) {
  const t = translator(locale, 'Hooks');
  const { url, state, proposedAt, decidedAt, refusalReason } = proposal;
  const at = formatExactInstant(decidedAt ?? proposedAt, locale);
  if (state === 'approved') return <p className="max-w-prose text-sm text-muted">{t('proposalApproved', { at })}</p>;
  if (state === 'refused') {
    return (
      <Notice tone="bad" title={t('proposalRefused')}>
        <p>
          <code>{url}</code> ({at})
        </p>
        <p>{t('proposalReason', { reason: refusalReason ?? '' })}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="busy" title={t('proposalOpen')}>
      <p>
        <code>{url}</code> ({at})
      </p>
      <p>{t('proposalOpenText')}</p>
      {withdraw && (
        <ActionForm action={withdraw} className="mt-3">
          <SubmitButton look="plain">{t('withdraw')}</SubmitButton>
        </ActionForm>
      )}
    </Notice>
  );
}
