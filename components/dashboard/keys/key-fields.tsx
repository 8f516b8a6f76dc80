'use client';

import { useTranslations } from 'use-intl/react';
import { Fold } from '@/components/ui/fold';
import { Checkbox, Field, Select, Textarea } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';
import { KEY_SCOPES } from '@/lib/accounts/key-scopes';
import type { KeyFormValues } from '@/lib/keys/key-form';

export interface KeyForm {
  readonly kind: 'form';
  readonly typed: KeyFormValues;
  /** `field` is null if the error concerns the whole form. */
  readonly problem: { readonly field: keyof KeyFormValues | null; readonly text: string } | null;
}

const LIFETIMES = ['never', '30', '90', '365', 'date'] as const;
const AMOUNTS = ['billMax', 'dayMax'] as const;

interface KeyFieldsProps extends Pick<KeyForm, 'typed' | 'problem'> {
  readonly labelMax: number;
  /** The current expiry of an existing key as a text, offered as a choice. */
  readonly present?: string;
}

export function KeyFields({ typed, problem, labelMax, present }: KeyFieldsProps) {
  const t = useTranslations('KeyPage');
  const asked = (field: Exclude<keyof KeyForm['typed'], 'expiry' | 'scopes'>) => ({
    id: field,
    label: t(field),
    hint: t(`${field}Hint`),
    problem: problem?.field === field ? problem.text : null,
    defaultValue: typed[field],
  });
  const lifetimes = LIFETIMES.map((value) => ({ value, text: t(`expiry_${value}`) }));
  const choices = present === undefined ? lifetimes : [{ value: 'keep', text: t('expiry_keep', { until: present }) }, ...lifetimes];
  const limited = typed.networks !== '' || typed.billMax !== '' || typed.dayMax !== '';
  return (
    <>
      {problem?.field === null && <Notice tone="bad" role="alert" title={problem.text} />}
      <Field {...asked('label')} maxLength={labelMax} required autoComplete="off" />
      <div className="group/expiry grid gap-4 sm:grid-cols-2">
        {/* A form reset restores the first value of a select. The key re-creates it with the chosen value. */}
        <Select key={typed.expiry} id="expiry" label={t('expiry')} options={choices} defaultValue={typed.expiry} />
        <div className={problem?.field === 'expiryDay' ? '' : 'hidden group-has-[[value=date]:checked]/expiry:block'}>
          <Field {...asked('expiryDay')} type="date" />
        </div>
      </div>
      <ScopeFields typed={typed.scopes} problem={problem?.field === 'scopes' ? problem.text : null} />
      <Fold title={t('limits')} open={limited || (problem !== null && problem.field !== 'scopes')}>
        <div className="grid gap-4 pt-2">
          <div className="grid gap-4 sm:grid-cols-2">
            {AMOUNTS.map((field) => (
              <Field key={field} {...asked(field)} inputMode="decimal" autoComplete="off" maxLength={30} />
            ))}
          </div>
          <Textarea {...asked('networks')} maxLength={5000} spellCheck={false} />
        </div>
      </Fold>
    </>
  );
}

/** What the key may be used for. @param typed the chosen scopes, separated by spaces */
function ScopeFields({ typed, problem }: { readonly typed: string; readonly problem: string | null }) {
  const t = useTranslations('KeyScopes');
  const chosen = typed.split(' ');
  return (
    <fieldset aria-describedby={problem === null ? undefined : 'scopes-problem'} className="grid gap-1">
      <legend className="font-semibold">{t('title')}</legend>
      {problem !== null && (
        <p id="scopes-problem" role="alert" className="text-danger">
          {problem}
        </p>
      )}
      {KEY_SCOPES.map((scope) => (
        <Checkbox
          key={`${scope} ${chosen.includes(scope)}`}
          id={`scope_${scope}`}
          value="on"
          label={t(scope)}
          hint={t(`${scope}Hint`)}
          defaultChecked={chosen.includes(scope)}
        />
      ))}
    </fieldset>
  );
}
