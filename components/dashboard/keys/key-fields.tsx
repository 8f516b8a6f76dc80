'use client';

import { useTranslations } from 'use-intl/react';
import { Field } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import type { KeyForm } from './key-form';

const LIFETIMES = ['never', '30', '90', '365', 'date'] as const;

interface KeyFieldsProps {
  readonly typed: KeyForm['typed'];
  readonly problem: KeyForm['problem'];
  readonly labelMax: number;
  /** When a key that is there ends by now, in words: then it may stay so. */
  readonly present?: string;
}

/** What can be chosen of an API key. */
export function KeyFields({ typed, problem, labelMax, present }: KeyFieldsProps) {
  const t = useTranslations('KeyPage');
  const wrong = (field: keyof KeyForm['typed']) => (problem?.field === field ? problem.text : null);
  const lifetimes = LIFETIMES.map((value) => ({ value, text: t(`expiry_${value}`) }));
  const choices = present === undefined ? lifetimes : [{ value: 'keep', text: t('expiry_keep', { until: present }) }, ...lifetimes];
  const limited = typed.networks !== '' || typed.billMax !== '' || typed.dayMax !== '';
  return (
    <>
      <Field
        id="label"
        label={t('label')}
        hint={t('labelHint')}
        problem={wrong('label')}
        defaultValue={typed.label}
        maxLength={labelMax}
        required
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {/* A form that React resets goes back to what the list first chose: another choice is another list. */}
        <Select key={typed.expiry} id="expiry" label={t('expiry')} options={choices} defaultValue={typed.expiry} />
        <Field
          id="expiryDay"
          type="date"
          label={t('expiryDay')}
          hint={t('expiryDayHint')}
          problem={wrong('expiryDay')}
          defaultValue={typed.expiryDay}
        />
      </div>
      <details open={limited || problem !== null} className="group">
        <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 font-semibold text-brand">
          {t('limits')} <Icon name="down" className="size-4 group-open:rotate-180" />
        </summary>
        <div className="grid gap-4 pt-2">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              id="billMax"
              inputMode="decimal"
              label={t('billMax')}
              hint={t('billMaxHint')}
              problem={wrong('billMax')}
              defaultValue={typed.billMax}
              autoComplete="off"
              maxLength={30}
            />
            <Field
              id="dayMax"
              inputMode="decimal"
              label={t('dayMax')}
              hint={t('dayMaxHint')}
              problem={wrong('dayMax')}
              defaultValue={typed.dayMax}
              autoComplete="off"
              maxLength={30}
            />
          </div>
          <Textarea
            id="networks"
            label={t('networks')}
            hint={t('networksHint')}
            problem={wrong('networks')}
            defaultValue={typed.networks}
            maxLength={5000}
            spellCheck={false}
          />
        </div>
      </details>
    </>
  );
}
