import { useTranslations } from 'use-intl/react';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { BILL_LOOKS, OVERPAID_LOOK } from '../bill-looks';
import type { BillRow } from './bill-row';

const REQUESTS = {
  failed: { icon: 'cross', colour: 'text-danger' },
  waiting: { icon: 'phone', colour: 'text-busy-ink' },
  unknown: { icon: 'question', colour: 'text-amber-ink' },
} as const;

/** The status of a bill, and the outcome of its newest payment request. */
export function BillState({ bill }: { readonly bill: BillRow }) {
  const t = useTranslations('BillRows');
  const status = useTranslations('Status');
  const { request } = bill;
  const look = request && REQUESTS[request.kind];
  return (
    <>
      <Badge {...BILL_LOOKS[bill.status]} text={t(`short_${bill.status}`)} />
      {bill.overpaid !== null && <Badge {...OVERPAID_LOOK} text={status('OVERPAID', { amount: bill.overpaid })} />}
      {bill.closed && <Badge tone="quiet" icon="lock" text={t('closed')} />}
      {bill.overdue && <Badge tone="wait" icon="calendar" text={bill.overdue} />}
      {bill.check && <Badge tone="quiet" icon="flask" text={t('check')} />}
      {bill.paid !== null && bill.overpaid === null && (
        <span className="text-small whitespace-nowrap text-muted tabular-nums">{t('paidPart', { paid: bill.paid })}</span>
      )}
      {request && look && (
        <span className="flex min-w-0 gap-1 text-small" title={`${request.text} · ${request.phone} · ${request.ago}`}>
          <Icon name={look.icon} className={`mt-[3px] size-3.5 ${look.colour}`} />
          <span className="min-w-0">
            {request.text}
            <span className="text-muted">
              {'\u00a0· '}
              {/* A wide screen shows the bill's own number in its column. */}
              <span className={`whitespace-nowrap ${bill.mobile === null ? '' : 'md:hidden'}`}>{request.phone} · </span>
              <span className="whitespace-nowrap">{request.ago}</span>
            </span>
          </span>
        </span>
      )}
    </>
  );
}
