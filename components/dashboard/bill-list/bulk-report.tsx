'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import type { BillRow } from './bill-row';
import type { BulkResult } from './bulk-state';

interface BulkReportProps {
  readonly result: BulkResult;
  readonly bills: readonly BillRow[];
  readonly kind: 'close' | 'request';
  readonly onClose: () => void;
}

/** Shows for how many bills an action succeeded, and for each other bill why the action failed. */
export function BulkReport({ result: { done, others }, bills, kind, onClose }: BulkReportProps) {
  const t = useTranslations('BulkBills');
  const text = t(kind === 'close' ? 'doneClose' : 'doneRequest', { count: done.length });
  const referenceOf = (id: string) => bills.find((bill) => bill.id === id)?.reference ?? id;
  return (
    <Focused label={text}>
      <Notice tone={done.length > 0 ? 'good' : 'wait'} title={text} />
      {others.length > 0 && (
        <div>
          <p className="font-semibold">{t('notDone', { count: others.length })}</p>
          <ul className="mt-1 grid gap-1">
            {others.map(({ id, why }) => (
              <li key={id} className="wrap-anywhere">
                {referenceOf(id)} <span className="text-muted">– {why}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Button type="button" onClick={onClose} className="justify-self-start">
        {t('finished')}
      </Button>
    </Focused>
  );
}
