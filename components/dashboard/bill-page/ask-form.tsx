'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Select } from '@/components/ui/select';
import type { BillPlace } from './place';
import { PlaceFields } from './place-fields';

/** The form as it was sent, and what was wrong with it; `field` is null where it is none of them. */
export interface AskState {
  readonly mobile: string;
  readonly network: string;
  readonly amount: string;
  readonly problem: { readonly field: 'mobile' | 'network' | 'amount' | null; readonly text: string } | null;
}

interface AskFormProps {
  readonly action: (before: AskState, form: FormData) => Promise<AskState>;
  readonly place: BillPlace;
  readonly formId: string;
  readonly first: AskState;
  readonly networks: readonly { readonly value: string; readonly text: string }[];
  /** How much may be asked for, in words; null where it is always all. */
  readonly amountHint: string | null;
}

/** A number, its network and how much to ask for. */
export function AskForm({ action, place, formId, first, networks, amountHint }: AskFormProps) {
  const t = useTranslations('AskPhone');
  const [{ mobile, network, amount, problem }, submit, pending] = useActionState(action, first);
  const about = (field: 'mobile' | 'network' | 'amount') => (problem?.field === field ? problem.text : null);
  return (
    <form action={submit} className="grid gap-4">
      <PlaceFields place={place} formId={formId} />
      {problem?.field === null && <Notice tone="bad" role="alert" title={problem.text} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          id="ask-mobile"
          name="mobile"
          type="tel"
          inputMode="tel"
          label={t('mobile')}
          problem={about('mobile')}
          defaultValue={mobile}
          maxLength={40}
          required
          autoComplete="off"
        />
        {/* A select forgets what was chosen when its form is reset, unless it is a new one. */}
        <Select
          key={network}
          id="ask-network"
          name="network"
          label={t('network')}
          problem={about('network')}
          options={[{ value: '', text: t('byNumber') }, ...networks]}
          defaultValue={network}
        />
        {amountHint !== null && (
          <Field
            id="ask-amount"
            name="amount"
            inputMode="numeric"
            label={t('amount')}
            hint={amountHint}
            problem={about('amount')}
            defaultValue={amount}
            maxLength={30}
            required
            autoComplete="off"
          />
        )}
      </div>
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('sending') : t('send')}
      </Button>
    </form>
  );
}
