import { BillBadge, DeliveryBadge } from '@/components/dashboard/badges';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { formatExactInstant, formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { DeliveryView } from '@/lib/webhooks/log/delivery-view';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';

interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryView[];
  readonly deliveryPath: (id: string) => string;
  readonly locale: Locale;
}

export function DeliveriesTable({ deliveries, deliveryPath, locale }: DeliveriesTableProps) {
  const t = translator(locale, 'Hooks');
  const columns = [
    t('what'),
    { text: t('status'), width: 'md:w-36' },
    { text: t('state'), width: 'md:w-52' },
    { text: t('when'), width: 'md:w-44' },
  ];
  return (
    <Table caption={t('tab_deliveries')} columns={columns}>
      {deliveries.map((delivery) => {
        const [last] = delivery.attempts;
        const { nextTry } = delivery;
        const failed = delivery.state !== 'DELIVERED' && last?.error;
        return (
          <Row key={delivery.id}>
            <Cell>
              <TextLink href={deliveryPath(delivery.id)}>{delivery.reference}</TextLink>
              {failed && <p className="mt-1 max-w-prose text-sm text-danger">{describeFailure(locale, failed, last.errorData)}</p>}
            </Cell>
            <Cell label={t('status')}>
              <BillBadge status={delivery.billStatus} locale={locale} />
            </Cell>
            <Cell label={t('state')}>
              <DeliveryBadge delivery={delivery} locale={locale} />
              <span className="block text-sm text-muted">{t('attemptCount', { count: delivery.attemptCount })}</span>
              {nextTry && <span className="block text-sm text-muted">{t('next', { at: formatExactInstant(nextTry, locale) })}</span>}
            </Cell>
            <Cell label={t('when')} whole value={formatInstant(delivery.createdAt, locale)} />
          </Row>
        );
      })}
    </Table>
  );
}
