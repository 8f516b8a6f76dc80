import { startRunAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { countsText } from '@/components/dashboard/webhooks/counts-text';
import { RedeliveryForm } from '@/components/dashboard/webhooks/redelivery-form';
import { RunBadge } from '@/components/dashboard/webhooks/run-progress';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card, EmptyState } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { may } from '@/lib/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { formatInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { showRedeliveries } from '@/lib/webhooks/redeliver/show-redelivery';
import { countMissed } from '@/lib/webhooks/redeliver/start-redelivery';
import { MISSED_STATES, PACE } from '@/lib/webhooks/redelivery-rules';
import { countAction } from '../form-actions';

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
  const today = eastAfricanDay(runtime.clock());
  const missed = await countMissed(runtime, access);
  const from = missed === null ? today : eastAfricanDay(missed.since);
  const counted = missed && countsText(missed, locale);
  const first = { from, to: today, states: MISSED_STATES, perSecond: String(PACE.usual), problem: null, counted };
  const at = (instant: Date) => formatInstant(instant, locale);
  return (
    <WebhookPage access={access} locale={locale} tab="again">
      {result && <ResultNotice text={t(result)} good={false} />}
      {may(access, 'webhooks.change') && (
        <Card id="again" title={t('againTitle')}>
          <RedeliveryForm
            key={`${place.merchant}/${place.environment}`}
            count={countAction}
            start={startRunAction}
            place={place}
            endpointPage={path('webhooks')}
            first={first}
          />
        </Card>
      )}
      <Card id="runs" title={t('runs')}>
        {runs.length === 0 ? (
          <EmptyState title={t('runsEmptyTitle')} text={t('runsEmptyText')} />
        ) : (
          <Table caption={t('runs')} columns={[t('asked'), t('period'), t('progress'), t('o_delivered'), t('state')]}>
            {runs.map((run) => (
              <Row key={run.id}>
                <Cell>
                  <TextLink href={path(`webhooks/resend/${run.id}`)}>
                    {t('askedValue', { at: at(run.createdAt), name: run.requestedBy.replace(/^\w+:/, '') })}
                  </TextLink>
                </Cell>
                <Cell label={t('period')} value={t('periodValue', { from: at(run.from), to: at(run.to) })} />
                <Cell label={t('progress')} value={t('progressValue', { started: run.started, total: run.total })} />
                <Cell label={t('o_delivered')} value={run.delivered} />
                <Cell label={t('state')}>
                  <RunBadge state={run.state} locale={locale} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Card>
    </WebhookPage>
  );
}
