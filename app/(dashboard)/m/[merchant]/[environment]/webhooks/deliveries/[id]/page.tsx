import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { redeliverAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single } from '@/app/page-props';
import { BillBadge, DeliveryBadge } from '@/components/dashboard/badges';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { AttemptDetails } from '@/components/dashboard/webhooks/attempt-details';
import { HoldNotice } from '@/components/dashboard/webhooks/delivery-list';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card, Fact, Facts } from '@/components/ui/layout';
import { BackLink, TextLink } from '@/components/ui/links';
import { showDeliveryPage } from '@/lib/backoffice/delivery-log/show-delivery';
import { versionOf } from '@/lib/backoffice/delivery-log/view-version';
import { pageLocale } from '@/lib/entry/server/preferences';
import { findVisit, openVisit } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import { translator } from '@/lib/platform/i18n/translator';

const RESULTS = ['redelivered', 'not_allowed', 'second_factor_due', 'not_found', 'no_address', 'waits_for_earlier', 'being_sent'] as const;
const RESENT: readonly string[] = ['DELIVERED', 'EXHAUSTED', 'UNSENT', 'PENDING'];

/** Cached, so that the title and the page share one query. */
const readDelivery = cache((access: MerchantAccess, id: string) => showDeliveryPage(webRuntime(), access, id));

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { id, ...named } = await params;
  const visit = await findVisit(named);
  const delivery = visit && (await readDelivery(visit.access, id));
  const locale = await pageLocale();
  return {
    title: delivery
      ? translator(locale, 'Hooks')('deliveryTitle', { reference: delivery.reference })
      : translator(locale, 'Webhooks')('deliveries'),
  };
}

export default async function DeliveryPage({ params, searchParams }: PageProps<'id'>) {
  const { id, ...named } = await params;
  const { access, locale, path } = await openVisit(named, `webhooks/deliveries/${encodeURIComponent(id)}`);
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const delivery = await readDelivery(access, id);
  if (!delivery) notFound();
  const t = translator(locale, 'Hooks');
  const query = await searchParams;
  const result = RESULTS.find((one) => one === single(query.result));
  const { hold, state, nextTry } = delivery;
  const stopped = isStopped(hold);
  const at = (instant: Date) => formatExactInstant(instant, locale);
  const later = (instant: Date) => (hold ? t('notBefore', { at: at(instant) }) : at(instant));
  const now = hold ? null : t('nextTryNow');
  const next = nextTry ? later(nextTry) : now;
  // If the endpoint is stopped, a pending delivery can only be sent after somebody resumes the endpoint, so Resend is not offered.
  const resent = may(access, 'webhooks.change') && RESENT.includes(state);
  const sendable = resent && delivery.hasAddress && !stopped;
  return (
    <WebhookPage access={access} locale={locale} tab="deliveries">
      <LiveRefresh address={path(`webhooks/live?view=delivery&id=${delivery.id}`)} watched={{ version: versionOf(delivery) }} />
      <BackLink href={path('webhooks/deliveries')}>{t('backToDeliveries')}</BackLink>
      <h2 className="text-xl font-bold wrap-anywhere">{t('deliveryTitle', { reference: delivery.reference })}</h2>
      {result && (
        <ResultNotice text={t(result === 'redelivered' && stopped ? 'redeliveredStopped' : result)} good={result === 'redelivered'} />
      )}
      <Card id="facts" title={t('facts')}>
        {hold && (
          <div className="mb-3">
            <HoldNotice hold={hold} endpointPath={path('webhooks')} locale={locale} />
          </div>
        )}
        {(state === 'BLOCKED' || state === 'UNSENT') && <p className="mb-3">{t(`why_${state}`)}</p>}
        <Facts>
          <Fact term={t('state')}>
            <DeliveryBadge delivery={delivery} locale={locale} />
          </Fact>
          <Fact term={t('status')}>
            <BillBadge status={delivery.billStatus} locale={locale} />
          </Fact>
          <Fact term={translator(locale, 'Webhooks')('bill')}>
            <TextLink href={path(`bills/${delivery.billId}`)}>{delivery.reference}</TextLink>
          </Fact>
          <Fact term={t('when')}>{at(delivery.createdAt)}</Fact>
          {delivery.deliveredAt && <Fact term={t('delivered')}>{at(delivery.deliveredAt)}</Fact>}
          {state === 'PENDING' && next !== null && <Fact term={t('nextTry')}>{next}</Fact>}
          <Fact term={t('event')}>{t('eventValue', { number: String(delivery.eventNumber) })}</Fact>
          <Fact term={t('inOrder')} wide>
            {t(delivery.ordered ? 'ordered' : 'unordered')}
          </Fact>
          <Fact term="webhook-id" wide>
            <code className="text-sm">{delivery.messageId}</code>
          </Fact>
          {delivery.redeliveryId && (
            <Fact term={t('run')}>
              <TextLink href={path(`webhooks/resend/${delivery.redeliveryId}`)}>{t('showRun')}</TextLink>
            </Fact>
          )}
        </Facts>
        {resent && !delivery.hasAddress && (
          <p className="mt-4">
            {t('no_address')} <TextLink href={path('webhooks')}>{t('tab_endpoint')}</TextLink>
          </p>
        )}
        {sendable && (
          <ActionForm action={redeliverAction} hidden={{ delivery: delivery.id }} className="mt-4 flex flex-wrap items-center gap-3">
            <SubmitButton>{t(state === 'PENDING' ? 'redeliverWaiting' : 'redeliver')}</SubmitButton>
            <span className="text-sm text-muted">{t('redeliverText')}</span>
          </ActionForm>
        )}
      </Card>
      <Card id="attempts" title={t('attempts')}>
        {delivery.attempts.length === 0 && <p className="text-muted">{t('noAttempts')}</p>}
        {delivery.attempts.map((attempt, index) => (
          <AttemptDetails
            key={attempt.id}
            attempt={attempt}
            body={delivery.body}
            open={index === 0}
            title={t('attempt', { number: String(attempt.number) })}
            locale={locale}
          />
        ))}
      </Card>
    </WebhookPage>
  );
}
