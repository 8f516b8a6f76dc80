'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { formatMobile, readMobile } from '@/lib/core/mobile';
import { CURRENCY } from '@/lib/i18n/format';
import { type Key, Keypad, typeKey } from './keypad';
import type { FieldProblem } from './send-bill';

export interface Typed {
  readonly amount: string;
  readonly reference: string;
  readonly mobile: string;
}

export const NOTHING_TYPED: Typed = { amount: '', reference: '', mobile: '' };

const MOST = { amount: 10, mobile: 13 } as const;

interface EntryFormProps {
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
  readonly problems: readonly FieldProblem[];
  readonly onEnter: (prompt: boolean) => void;
}

/** The form for a bill: amount and customer's number with a keypad, and two buttons: send a payment request, or show a QR code. */
export function EntryForm({ typed, onTyped, problems, onEnter }: EntryFormProps) {
  const t = useTranslations('Counter');
  const [active, setActive] = useState<'amount' | 'mobile'>('amount');
  const fields = { amount: useRef<HTMLInputElement>(null), mobile: useRef<HTMLInputElement>(null) };
  const amountField = fields.amount;
  // The field gets the focus, so that a cashier with a keyboard can type at once. `inputMode` prevents that phones show their own keyboard.
  useEffect(() => amountField.current?.focus({ preventScroll: true }), [amountField]);

  const change = (field: keyof Typed, value: string) => onTyped({ ...typed, [field]: value });
  const type = (key: Key) => {
    const plain = active === 'amount' ? typed.amount.replace(/^0+/, '') : typed.mobile;
    change(active, typeKey(plain, key, MOST[active]));
    fields[active].current?.focus({ preventScroll: true });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEnter(typed.mobile.trim() !== '');
  };
  const problemOf = (field: FieldProblem['field']) => problems.find((one) => one.field === field)?.text ?? null;
  const about = (field: keyof Typed) => ({
    id: `counter-${field}`,
    'aria-invalid': problemOf(field) ? true : undefined,
    'aria-describedby': problemOf(field) ? `counter-${field}-problem` : undefined,
  });
  const control = 'block w-full rounded-lg border border-edge bg-surface px-3 aria-invalid:border-2 aria-invalid:border-danger';
  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <Problem id="counter-problem" text={problemOf(null)} />
      <div>
        <label htmlFor="counter-amount" className="mb-1 block text-small font-semibold text-muted">
          {t('amount')}
        </label>
        <div className="relative">
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center font-semibold text-muted"
          >
            {CURRENCY}
          </span>
          <input
            {...about('amount')}
            ref={fields.amount}
            value={grouped(typed.amount)}
            onChange={(event) => change('amount', event.target.value.replace(/[^\d.]/g, '').slice(0, MOST.amount))}
            onFocus={() => setActive('amount')}
            inputMode="none"
            autoComplete="off"
            placeholder="0"
            className={`${control} min-h-16 pl-14 text-right text-figure tabular-nums`}
          />
        </div>
        <Problem id="counter-amount-problem" text={problemOf('amount')} />
      </div>
      <div>
        <label htmlFor="counter-mobile" className="mb-1 block text-small font-semibold text-muted">
          {t('mobile')}
        </label>
        <input
          {...about('mobile')}
          ref={fields.mobile}
          type="tel"
          value={typed.mobile}
          onChange={(event) => change('mobile', event.target.value)}
          onFocus={() => setActive('mobile')}
          inputMode="none"
          autoComplete="off"
          placeholder="07…"
          maxLength={30}
          className={`${control} min-h-control text-lg tabular-nums`}
        />
        <Problem id="counter-mobile-problem" text={problemOf('mobile')} />
      </div>
      <Keypad onKey={type} />
      <div className="grid grid-cols-2 gap-2">
        <Button type="button" onClick={() => onEnter(true)} className="min-h-14 max-sm:flex-col max-sm:px-1">
          <Icon name="send" className="size-5" />
          {t('sendRequest')}
        </Button>
        <Button type="button" look="plain" onClick={() => onEnter(false)} className="min-h-14 max-sm:flex-col max-sm:px-1">
          <Icon name="qr" className="size-5" />
          {t('showQr')}
        </Button>
      </div>
      <details>
        <summary className="inline-flex min-h-control cursor-pointer items-center font-semibold text-brand">{t('addReference')}</summary>
        <input
          {...about('reference')}
          aria-label={t('reference')}
          value={typed.reference}
          onChange={(event) => change('reference', event.target.value)}
          autoComplete="off"
          maxLength={200}
          placeholder={t('referenceHint')}
          className={`${control} min-h-control`}
        />
      </details>
      <Problem id="counter-reference-problem" text={problemOf('reference')} />
      {/* Enter in a field sends the bill. */}
      <button type="submit" hidden />
    </form>
  );
}

function Problem({ id, text }: { readonly id: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p id={id} role="alert" className="mt-1 font-semibold text-danger">
      {text}
    </p>
  );
}

/** Pure. Returns an amount with commas between the thousands. */
export function grouped(amount: string): string {
  const [whole = '', ...rest] = amount.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}

/** Pure. Returns a mobile number with its digits in groups, or the typed text itself if it is not a mobile number yet. */
export function shownMobile(typed: string): string {
  const mobile = readMobile(typed);
  return mobile === null ? typed : formatMobile(mobile);
}
