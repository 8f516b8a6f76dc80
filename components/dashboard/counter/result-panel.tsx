'use client';

import { type FormEvent, useState } from 'react';
import { QrCode } from '@/components/pay/qr-code';
import type { Look } from '@/components/ui/badge';
import { Button, buttonClass } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/fields';
import { randomId } from '@/components/ui/forms/random-id';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { useTranslations } from '@/components/ui/texts';
import { CURRENCY } from '@/lib/platform/i18n/format';
import { CashPanel, type CashPanelProps } from './cash-panel';
import { grouped, shownMobile } from './entry-form';
import type { KeptBill } from './kept-bills';
import type { CounterBill } from './present-counter';
import { postJson } from './send-bill';
import { COUNTER_LOOKS, KEPT_LOOKS, type OutboxBill } from './use-outbox';

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
  /** How cash is taken. Null if the member may not take cash. */
  readonly cash: Pick<CashPanelProps, 'address' | 'releaseAt'> | null;
  /** Whether the customer said that they pay in cash. */
  readonly inCash: boolean;
  readonly onChanged: (bill: CounterBill) => void;
}

/** The live result of one bill, large enough to be read across a counter. */
export function ResultPanel({ bill, again, cash, inCash, onChanged }: ResultPanelProps) {
  const t = useTranslations('Counter');
  const [shown, setShown] = useState<'qr' | 'request' | 'cash' | null>(inCash ? 'cash' : null);
  const { state, amount, left, mobile, reason, reference, payUrl } = bill;
  const payable = state === 'open' || state === 'declined' || state === 'part' || state === 'waiting';
  const takesCash = cash !== null && (payable || state === 'unknown');
  const takingCash = takesCash && shown === 'cash';
  const takesOnlyCash = takingCash && state === 'open';
  const withQr = !takingCash && (state === 'open' || (payable && shown === 'qr'));
  const { tone, icon }: Look = takesOnlyCash ? { tone: 'quiet', icon: 'cash' } : COUNTER_LOOKS[state];
  const inWords = state === 'paid' && bill.cash !== null ? 'stateText_paid_cash' : (`stateText_${state}` as const);
  const stateText = t(takesOnlyCash ? 'cashText' : inWords, {
    mobile: shownMobile(mobile ?? ''),
    amount,
    cash: bill.cash ?? '',
  });
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
      <p>
        <Money text={state === 'part' ? left : amount} size="figure" />
      </p>
      <div role="status" className="grid gap-1">
        <p key={state} className={`text-title ${tone === 'good' ? 'text-good-ink' : tone === 'bad' ? 'text-danger' : ''}`}>
          {t(takesOnlyCash ? 'cash' : `state_${state}`)}
        </p>
        <p key={reason ?? `${state} text`} className="text-muted">
          {reason ?? stateText}
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
      {takingCash && <CashPanel {...cash} bill={bill} onChanged={onChanged} onBack={() => setShown(null)} />}
      {(payable || takesCash) && !takingCash && (
        <div className="grid w-full max-w-sm gap-2">
          {payable && state !== 'waiting' && shown !== 'request' && (
            <Button type="button" look={state === 'declined' ? 'primary' : 'plain'} onClick={() => setShown('request')}>
              <Icon name="send" />
              {t(state === 'declined' ? 'sendAgain' : 'sendRequest')}
            </Button>
          )}
          {payable && !withQr && (
            <Button type="button" look="plain" onClick={() => setShown('qr')}>
              <Icon name="qr" />
              {t('showQr')}
            </Button>
          )}
          {takesCash && (
            <Button type="button" look="plain" onClick={() => setShown('cash')}>
              <Icon name="cash" />
              {t('paidInCash')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** The answer of the data route. */
export type AgainAnswer = { readonly kind: 'sent'; readonly bill: CounterBill } | { readonly kind: 'problem'; readonly text: string };

interface RequestAgainProps {
  readonly bill: CounterBill;
  readonly address: string;
  readonly onChanged: (bill: CounterBill) => void;
}

/**
 * Sends another payment request for a bill, to the same number or another one. Without a connection, the form shows an error and does not
 * store the request for later: by then, the customer may have left the counter.
 */
function RequestAgain({ bill, address, onChanged }: RequestAgainProps) {
  const t = useTranslations('Counter');
  const [mobile, setMobile] = useState(bill.mobile ?? '');
  // All submissions of this form have the same id. So if an answer is lost and the cashier submits again, no second prompt is sent.
  const [form] = useState(randomId);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setProblem(null);
    const answer = await postJson<AgainAnswer>(address, { bill: bill.billId, mobile, form });
    setPending(false);
    if (answer === null || answer === 'signed_out') setProblem(t('notReached'));
    else if (answer.kind === 'problem') setProblem(answer.text);
    else onChanged(answer.bill);
  };
  return (
    <form onSubmit={submit} className="grid w-full max-w-sm gap-2 text-left">
      <Field
        id="again-mobile"
        type="tel"
        inputMode="tel"
        label={t('mobile')}
        value={mobile}
        onChange={(event) => setMobile(event.target.value)}
        problem={problem}
        autoComplete="off"
        maxLength={30}
      />
      <Button disabled={pending}>{t('sendRequest')}</Button>
    </form>
  );
}

interface KeptPanelProps {
  readonly bill: OutboxBill;
  readonly onKeep: (bill: KeptBill) => void;
  readonly onDiscard: (id: string) => void;
  /** Where to sign in again, if the session has ended. */
  readonly signIn: string;
}

/** A bill that the server has not confirmed yet: what is known about it, and what the cashier can do. */
export function KeptPanel({ bill, onKeep, onDiscard, signIn }: KeptPanelProps) {
  const t = useTranslations('Counter');
  const { state, prompt, amount, mobile } = bill;
  const now = () => ({ ...bill, confirmedAt: Date.now() });
  return (
    <div className="grid justify-items-center gap-3 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-amber-soft text-amber-ink">
        <Icon name={KEPT_LOOKS[state].icon} className="size-8" />
      </span>
      <p>
        <Money text={`${CURRENCY}\u00a0${grouped(amount)}`} size="figure" />
      </p>
      <div role="status" className="grid gap-1">
        <p className="text-title">{t(`kept_${state}`)}</p>
        <p className="text-muted">
          {t(state === 'kept' && prompt ? 'keptText_kept_prompt' : `keptText_${state}`, { mobile: shownMobile(mobile) })}
        </p>
      </div>
      {state === 'stale' && (
        <div className="grid w-full max-w-sm gap-2">
          <Button type="button" onClick={() => onKeep(now())}>
            {t('stillHere')}
          </Button>
          <Button type="button" look="plain" onClick={() => onKeep({ ...now(), prompt: false })}>
            {t('qrInstead')}
          </Button>
          <Button type="button" look="plain" onClick={() => onDiscard(bill.id)}>
            {t('discard')}
          </Button>
        </div>
      )}
      {state === 'kept' && !bill.sent && (
        <Button type="button" look="plain" onClick={() => onDiscard(bill.id)} className="w-full max-w-sm">
          {t('discard')}
        </Button>
      )}
      {state === 'signed_out' && (
        <a href={signIn} className={buttonClass('primary')}>
          {t('signIn')}
        </a>
      )}
    </div>
  );
}
