'use client';

import { useTranslations } from 'use-intl/react';
import { Badge } from '@/components/ui/badge';
import { CURRENCY } from '@/lib/i18n/format';
import { COUNTER_LOOKS, KEPT_LOOKS } from './bill-looks';
import { grouped, shownMobile } from './entry-form';
import type { CounterBill } from './present-counter';
import type { OutboxBill } from './use-outbox';

interface ShiftBillsProps {
  readonly waiting: readonly OutboxBill[];
  readonly bills: readonly CounterBill[];
  readonly current: string | null;
  readonly onChoose: (entryId: string) => void;
}

const ROW =
  'flex w-full min-h-control cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-1 py-row text-left hover:bg-sunken aria-[current]:bg-brand-soft';

/** The bills of the shift, the newest first. Kept bills, which are not sent yet, come before all others. */
export function ShiftBills({ waiting, bills, current, onChoose }: ShiftBillsProps) {
  const t = useTranslations('Counter');
  if (waiting.length + bills.length === 0) return <p className="text-muted">{t('noBills')}</p>;
  return (
    <ul>
      {waiting.map(({ id, amount, mobile, reference, state }) => (
        <li key={id}>
          <button type="button" onClick={() => onChoose(id)} aria-current={id === current ? 'true' : undefined} className={ROW}>
            {/* A phone number needs the whole width of a narrow screen, so the state is below. */}
            <span className="min-w-0 flex-1">
              <span className={`block truncate text-muted ${reference ? '' : 'tabular-nums'}`}>
                {reference || shownMobile(mobile) || '–'}
              </span>
              <Badge {...KEPT_LOOKS[state]} text={t(`badge_${state}`)} />
            </span>
            <strong className="w-28 text-right tabular-nums">
              {CURRENCY} {grouped(amount)}
            </strong>
          </button>
        </li>
      ))}
      {bills.map(({ entryId, reference, amount, at, state }) => (
        <li key={entryId}>
          <button type="button" onClick={() => onChoose(entryId)} aria-current={entryId === current ? 'true' : undefined} className={ROW}>
            <span className="min-w-0 flex-1">
              <span className="block truncate">{reference}</span>
              <span className="block text-small text-muted tabular-nums">{at}</span>
            </span>
            <Badge {...COUNTER_LOOKS[state]} text={t(`badge_${state}`)} />
            <strong className="w-28 text-right tabular-nums">{amount}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}
