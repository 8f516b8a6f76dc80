import { BillBadge, DeliveryBadge } from '@/components/dashboard/badges';
import { Fact, Facts } from '@/components/ui/facts';
import { TextLink } from '@/components/ui/links';
import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { DeliveryDetailPage } from '@/lib/webhooks/log/show-delivery-page';
import { HoldNotice } from './hold-notice';

interface DeliveryFactsProps {
  readonly delivery: DeliveryDetailPage;
  /** Returns the address of a page of this merchant and environment. */
  readonly path: (page: string) => string;
  readonly locale: Locale;
}

/** The data of a delivery, its state, and its next attempt. */
export function DeliveryFacts({ delivery, path, locale }: DeliveryFactsProps) {
  const t = translator(locale, 'Hooks');
  const at = (instant: Date) => formatExactInstant(instant, locale);
  const { heldUp, state, nextTry } = delivery;
  const now = heldUp ? null : t('nextTryNow');
  const later = (instant: Date) => (heldUp ? t('notBefore', { at: at(instant) }) : at(instant));
  const next = nextTry ? later(nextTry) : now;
  return (
    <>
      {heldUp && (
        <div className="mb-3">
          <HoldNotice hold={heldUp} endpointPath={path('webhooks')} locale={locale} />
        </div>
      )}
      {state === 'BLOCKED' && <p className="mb-3">{t('behind')}</p>}
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
        <Fact term={t('inOrder')}>{t(delivery.ordered ? 'ordered' : 'unordered')}</Fact>
        <Fact term="webhook-id">
          <code className="text-sm">{delivery.messageId}</code>
        </Fact>
        {delivery.redeliveryId && (
          <Fact term={t('run')}>
            <TextLink href={path(`webhooks/resend/${delivery.redeliveryId}`)}>{t('showRun')}</TextLink>
          </Fact>
        )}
      </Facts>
    </>
  );
}
