'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { amountClass } from '@/components/ui/money';
import { useTranslations } from '@/components/ui/texts';
import { formatMobile, readMobile } from '@/lib/platform/core/mobile';
import { CURRENCY } from '@/lib/platform/i18n/format';
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
  /** Whether the member may take cash. */
  readonly takesCash: boolean;
  readonly onEnter: (how: Way) => void;
}

/** How the customer will pay: by a payment request, with the QR code, or in cash. */
export type Way = 'prompt' | 'qr' | 'cash';

/** The form for a bill: amount and customer's number with a keypad, and a button for each way to pay. */
export function EntryForm({ typed, onTyped, problems, takesCash, onEnter }: EntryFormProps) {
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
    onEnter(typed.mobile.trim() === '' ? 'qr' : 'prompt');
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
            className={`${control} min-h-16 pl-14 text-right tabular-nums ${amountClass(grouped(typed.amount), 'figure')}`}
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
        <Button type="button" onClick={() => onEnter('prompt')} className="min-h-14 max-sm:flex-col max-sm:px-1">
          <Icon name="send" className="size-5" />
          {t('sendRequest')}
        </Button>
        <Button type="button" look="plain" onClick={() => onEnter('qr')} className="min-h-14 max-sm:flex-col max-sm:px-1">
          <Icon name="qr" className="size-5" />
          {t('showQr')}
        </Button>
        {takesCash && (
          <Button type="button" look="plain" onClick={() => onEnter('cash')} className="col-span-2">
            <Icon name="cash" className="size-5" />
            {t('cash')}
          </Button>
        )}
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

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const;
type Key = (typeof KEYS)[number];

/** Pure. Returns the text after a key was pressed. @param most the maximum number of characters. */
export function typeKey(text: string, key: Key, most: number): string {
  if (key === 'back') return text.slice(0, -1);
  return (text + key).slice(0, most);
}

/** Large keys for touch. People with a keyboard type into the fields. */
function Keypad({ onKey }: { readonly onKey: (key: Key) => void }) {
  const t = useTranslations('Counter');
  return (
    <fieldset className="grid grid-cols-3 gap-2">
      <legend className="sr-only">{t('keypad')}</legend>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          onClick={() => onKey(key)}
          // Keeps the focus in the field that is typed into.
          onPointerDown={(event) => event.preventDefault()}
          aria-label={key === 'back' ? t('erase') : key}
          className="min-h-12 cursor-pointer touch-manipulation rounded-lg border border-line bg-surface text-title tabular-nums select-none hover:bg-sunken active:bg-brand-soft"
        >
          {key === 'back' ? '⌫' : key}
        </button>
      ))}
    </fieldset>
  );
}
