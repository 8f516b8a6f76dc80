'use client';

import { useEffect, useRef, useState } from 'react';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { dayInWords, readDay, writeDay } from '@/lib/platform/i18n/typed-day';
import { useLocale } from '../texts';
import { useScripted } from '../use-scripted';
import { useConnectionTexts } from './connection';
import { Field } from './fields';

/** Days that a button chooses: those on which a bill is due, or those on which something has happened. */
const CHOICES = { due: ['dayToday', 'dayTomorrow', 'dayMonthEnd'], past: ['dayToday', 'dayYesterday'] } as const;
type Choice = (typeof CHOICES)[keyof typeof CHOICES][number];

interface DateFieldProps {
  readonly id: string;
  readonly name?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | null | undefined;
  /** A day such as `2026-11-26`, or the text that somebody typed. */
  readonly defaultValue?: string | undefined;
  readonly required?: boolean;
  readonly choices?: keyof typeof CHOICES;
}

/**
 * A field for a day, as day, month and year in every browser and language. A browser's own field uses the order of the device's language, in
 * which 11/12 may be 12 November. The field shows in words how it has read the text. The form sends `2026-11-26`, and without JavaScript
 * the text, which the server reads with the same function.
 */
export function DateField({ id, name = id, defaultValue = '', hint, problem, choices, ...field }: DateFieldProps) {
  const t = useConnectionTexts();
  const locale = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const first = writeDay(defaultValue);
  const [text, setText] = useState(first);
  // While somebody types, a part of a date is no error.
  const [typing, setTyping] = useState(false);
  const scripted = useScripted();
  const day = readDay(text, today());
  const wrong = text.trim() !== '' && day === null ? t('dayWrong') : '';
  useEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  useEffect(() => {
    const control = input.current;
    const form = control?.form;
    const send = ({ formData }: FormDataEvent) => {
      const read = readDay(control?.value ?? '', today());
      if (read !== null) formData.set(name, read);
    };
    // The value is reset after the event.
    const reset = () => setText(control?.defaultValue ?? '');
    form?.addEventListener('formdata', send);
    form?.addEventListener('reset', reset);
    return () => {
      form?.removeEventListener('formdata', send);
      form?.removeEventListener('reset', reset);
    };
  }, [name]);
  const choose = (chosen: string) => {
    if (!input.current) return;
    input.current.value = writeDay(chosen);
    input.current.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <div>
      <Field
        {...field}
        ref={input}
        id={id}
        name={name}
        defaultValue={first}
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        placeholder={t('dayPlaceholder')}
        hint={day === null ? hint : dayInWords(day, locale)}
        problem={wrong && !typing ? wrong : problem}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
      />
      {scripted && choices && (
        <div className="mt-2 flex flex-wrap gap-2">
          {CHOICES[choices].map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={day === dayOf(choice)}
              onClick={() => choose(dayOf(choice))}
              className="min-h-control cursor-pointer rounded-full border border-edge bg-surface px-3 text-small font-semibold hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft"
            >
              {t(choice)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function today(): string {
  return eastAfricanDay(new Date());
}

function dayOf(choice: Choice): string {
  const now = new Date(`${today()}T00:00:00Z`);
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  // Date.UTC accepts days out of range: day 0 is the last day of the month before.
  const days = {
    dayToday: [month, date],
    dayTomorrow: [month, date + 1],
    dayYesterday: [month, date - 1],
    dayMonthEnd: [month + 1, 0],
  } as const satisfies Readonly<Record<Choice, unknown>>;
  const [chosenMonth, chosenDate] = days[choice];
  return new Date(Date.UTC(year, chosenMonth, chosenDate)).toISOString().slice(0, 10);
}
