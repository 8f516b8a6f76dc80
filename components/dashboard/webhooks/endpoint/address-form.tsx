'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

export interface AddressState {
  readonly url: string;
  readonly problem: string | null;
  /**
   * The message that the address was saved or proposed, with the receiver's answer to the test webhook. Null if the address was not saved
   * or proposed.
   */
  readonly saved: string | null;
}

interface AddressFormProps extends PlacedForm<AddressState> {
  readonly url: string | null;
  /** True while a proposal waits for the operator's decision. Afterwards, the message that the proposal was sent is no longer shown. */
  readonly open: boolean;
}

/** The form for the webhook address. If the receiver accepts a test webhook, the address is set in the sandbox, or proposed in live. */
export function AddressForm({ place, action, url, open }: AddressFormProps) {
  const t = useTranslations('Hooks');
  const live = place.environment === 'live';
  const [state, submit, pending] = useFormAction(action, { url: url ?? '', problem: null, saved: null });
  return (
    <ActionForm key={state.url} action={submit} hidden={place}>
      <Field
        id="url"
        type="url"
        label={t(live ? 'proposeLabel' : 'addressLabel')}
        hint={t(live ? 'proposeHint' : 'addressHint')}
        problem={state.problem ?? undefined}
        defaultValue={state.url}
        maxLength={2_000}
        autoComplete="off"
        required
      />
      <SubmitButton sending={t('addressTesting')}>{t(live ? 'propose' : 'addressSave')}</SubmitButton>
      <div role="status" className="empty:-mt-4">
        {state.saved !== null && !pending && (open || !live) && <Notice tone="good" text={state.saved} />}
      </div>
    </ActionForm>
  );
}
