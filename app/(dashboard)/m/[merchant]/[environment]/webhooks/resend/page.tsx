import { countAction, startRunAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { RedeliveryForm } from '@/components/dashboard/webhooks/redelivery-form';
import { countsText, RunList } from '@/components/dashboard/webhooks/run-progress';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card, EmptyState } from '@/components/ui/layout';
import { openVisit } from '@/lib/entry/server/visit';
import { showRedeliveries } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import { countMissed } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import { MISSED_STATES, PACE } from '@/lib/gateway/webhooks/redelivery-rules';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { translator } from '@/lib/platform/i18n/translator';

const RESULTS = [
  'not_allowed',
  'second_factor_due',
  'wrong_period',
  'no_state',
  'empty_period',
  'wrong_pace',
  'no_address',
  'nothing_found',
] as const;

export const generateMetadata = titled('Hooks', 'tab_again');

export default async function ResendPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'webhooks/resend');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const runs = await showRedeliveries(runtime, access);
  const t = translator(locale, 'Hooks');
  const query = await searchParams;
  const result = RESULTS.find((one) => one === single(query.result));
  const now = runtime.clock();
  const today = eastAfricanDay(now);
  const missed = await countMissed(runtime, access);
  const first = { from: eastAfricanDay(missed?.since ?? now), to: today, state: MISSED_STATES.join(' '), perSecond: String(PACE.usual) };
  return (
    <WebhookPage access={access} locale={locale} tab="again">
      {result && <ResultNotice text={t(result)} good={false} />}
      {may(access, 'webhooks.change') && (
        <Card id="again" title={t('againTitle')}>
          <RedeliveryForm
            key={`${place.merchant}/${place.environment}`}
            count={countAction}
            start={startRunAction}
            endpointPage={missed?.hasAddress ? null : path('webhooks')}
            first={first}
            firstCounted={missed && missed.total > 0 ? countsText(missed, locale) : null}
          />
        </Card>
      )}
      <Card id="runs" title={t('runs')}>
        {runs.length === 0 ? (
          <EmptyState art="empty" title={t('runsEmptyTitle')} text={t('runsEmptyText')} />
        ) : (
          <RunList runs={runs} runPath={(id) => path(`webhooks/resend/${id}`)} now={now} locale={locale} />
        )}
      </Card>
    </WebhookPage>
  );
}
