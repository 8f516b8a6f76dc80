'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { QrCode } from '@/components/pay/qr-code';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { COUNTER_LOOKS } from './bill-looks';
import { shownMobile } from './entry-form';
import type { CounterBill } from './present-counter';
import { RequestAgain } from './request-again-form';

const GROUNDS = {
  good: 'bg-good text-surface',
  busy: 'bg-busy-soft text-busy-ink',
  wait: 'bg-amber-soft text-amber-ink',
  bad: 'bg-danger text-on-danger',
  quiet: 'bg-sunken text-muted',
} as const;

interface ResultPanelProps {
  readonly bill: CounterBill;
  /** The address of the data route that sends another payment request. */
  readonly again: string;
  readonly onChanged: (bill: CounterBill) => void;
}

/** The live result of one bill, large enough to be read across a counter. */
export function ResultPanel({ bill, again, onChanged }: ResultPanelProps) {
  const t = useTranslations('Counter');
  const [shown, setShown] = useState<'qr' | 'request' | null>(null);
  const { state, amount, left, mobile, reason, reference, payUrl } = bill;
  const payable = state === 'open' || state === 'declined' || state === 'part' || state === 'waiting';
  const withQr = state === 'open' || (payable && shown === 'qr');
  const { tone, icon } = COUNTER_LOOKS[state];
  return (
    <div className="grid justify-items-center gap-3 text-center">
      {withQr ? (
        <div className="w-56 max-w-full overflow-hidden rounded-lg border border-line">
          <QrCode text={payUrl} label={t('qrLabel', { amount })} />
        </div>
      ) : (
        <span className={`grid size-20 place-items-center rounded-full ${GROUNDS[tone]} ${state === 'waiting' ? 'animate-pulse' : ''}`}>
          <Icon name={icon} className="size-10" />
        </span>
      )}
      <p className="text-figure tabular-nums wrap-anywhere">{state === 'part' ? left : amount}</p>
      <div role="status" className="grid gap-1">
        <p key={state} className={`text-title ${tone === 'good' ? 'text-good-ink' : tone === 'bad' ? 'text-danger' : ''}`}>
          {t(`state_${state}`)}
        </p>
        <p key={reason ?? `${state} text`} className="text-muted">
          {reason ?? t(`stateText_${state}`, { mobile: shownMobile(mobile ?? ''), amount })}
        </p>
      </div>
      <p className="text-small text-muted wrap-anywhere">
        {reference}
        {mobile !== null && ` · ${shownMobile(mobile)}`}
      </p>
      {payable && state !== 'waiting' && shown === 'request' && (
        <RequestAgain
          key={bill.billId}
          bill={bill}
          address={again}
          onChanged={(changed) => {
            setShown(null);
            onChanged(changed);
          }}
        />
      )}
      {payable && (
        <div className="grid w-full max-w-sm gap-2">
          {state !== 'waiting' && shown !== 'request' && (
            <Button type="button" look={state === 'declined' ? 'primary' : 'plain'} onClick={() => setShown('request')}>
              <Icon name="send" />
              {t(state === 'declined' ? 'sendAgain' : 'sendRequest')}
            </Button>
          )}
          {!withQr && (
            <Button type="button" look="plain" onClick={() => setShown('qr')}>
              <Icon name="qr" />
              {t('showQr')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
