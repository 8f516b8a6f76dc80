import { type PageProps, single, titled } from '@/app/page-props';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import type { Place } from '@/components/dashboard/place';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { AddressForm } from '@/components/dashboard/webhooks/endpoint/address-form';
import { EndpointFacts, EndpointHealth, EndpointHistory, PauseForm } from '@/components/dashboard/webhooks/endpoint/endpoint-status';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { CopiedValue } from '@/components/ui/copied-value';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { showEndpointPage } from '@/lib/webhooks/page/show-endpoint';
import { versionOf } from '@/lib/webhooks/page/view-version';
import { pauseAction } from './actions';
import { setAddressAction } from './form-actions';

const RESULTS = ['paused_done', 'resumed_done', 'not_allowed', 'second_factor_due', 'not_active', 'no_address'] as const;

export const generateMetadata = titled('Webhooks', 'title');

export default async function EndpointPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'webhooks');
  const endpoint = await showEndpointPage(runtime, access);
  if (!endpoint) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const query = await searchParams;
  const result = RESULTS.find((one) => one === single(query.result));
  const { url } = endpoint;
  return (
    <WebhookPage access={access} locale={locale} tab="endpoint">
      <LiveRefresh address={path('webhooks/live?view=endpoint')} watched={{ version: versionOf(endpoint) }} />
      {result && <ResultNotice text={t(result)} good={result === 'paused_done' || result === 'resumed_done'} />}
      <Card id="address" title={w('address')}>
        {url === null ? (
          <Notice
            tone="wait"
            title={w('notSetUpTitle')}
            text={w(access.scope.environment === 'live' ? 'notSetUpText' : 'notSetUpSandboxText')}
          />
        ) : (
          <p className="text-lg font-semibold wrap-anywhere">
            <code>{url}</code>
          </p>
        )}
        <div className="mt-3">
          {access.scope.environment === 'live' ? (
            <>
              <p className="mb-2 max-w-prose text-sm text-muted">{t('byOperator')}</p>
              <CopiedValue label={t('operatorLine')} value={operatorCommand(place, url)} />
            </>
          ) : (
            may(access, 'webhooks.change') && <AddressForm key={place.merchant} action={setAddressAction} place={place} url={url} />
          )}
        </div>
      </Card>
      {url !== null && (
        <Card
          id="health"
          title={t('howItGoes')}
          action={
            access.scope.environment === 'sandbox' &&
            may(access, 'bills.change') && <TextLink href={path('phones#time')}>{translator(locale, 'SandboxTime')('noWait')}</TextLink>
          }
        >
          <div className="mb-4">
            <EndpointHealth endpoint={endpoint} locale={locale} />
          </div>
          <EndpointFacts endpoint={endpoint} failed={path('webhooks/deliveries?failed=1')} locale={locale} />
          {may(access, 'webhooks.change') && <PauseForm action={pauseAction} place={place} endpoint={endpoint} locale={locale} />}
        </Card>
      )}
      <Card id="history" title={t('history')}>
        <EndpointHistory history={endpoint.history} locale={locale} />
      </Card>
    </WebhookPage>
  );
}

/** Returns the command by which the operator sets the address. */
function operatorCommand({ merchant, environment }: Place, url: string | null): string {
  const address = url ?? 'https://shop.example.com/bili';
  return `npm run -s bili -- webhook set --merchant ${merchant} --environment ${environment} --url ${address}`;
}
