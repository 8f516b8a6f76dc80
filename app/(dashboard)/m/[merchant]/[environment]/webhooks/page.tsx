import { type PageProps, single, titled } from '@/app/page-props';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { AddressForm } from '@/components/dashboard/webhooks/endpoint/address-form';
import { EndpointFacts, EndpointHealth, EndpointHistory, PauseForm } from '@/components/dashboard/webhooks/endpoint/endpoint-status';
import { ProposalStatus } from '@/components/dashboard/webhooks/endpoint/proposal-status';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { showEndpointPage } from '@/lib/webhooks/page/show-endpoint';
import { versionOf } from '@/lib/webhooks/page/view-version';
import { pauseAction, withdrawAction } from './actions';
import { setAddressAction } from './form-actions';

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
          {proposal && <ProposalStatus proposal={proposal} withdraw={mayChange ? withdrawAction : null} place={place} locale={locale} />}
          {mayChange && live && <p className="max-w-prose text-sm text-muted">{t('byOperator')}</p>}
          {mayChange && (
            <AddressForm
              key={`${place.merchant}/${place.environment}`}
              action={setAddressAction}
              place={place}
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
          <EndpointFacts endpoint={endpoint} failed={path('webhooks/deliveries?failed=1')} locale={locale} />
          {mayChange && <PauseForm action={pauseAction} place={place} endpoint={endpoint} locale={locale} />}
        </Card>
      )}
      <Card id="history" title={t('history')}>
        <EndpointHistory history={endpoint.history} locale={locale} />
      </Card>
    </WebhookPage>
  );
}
