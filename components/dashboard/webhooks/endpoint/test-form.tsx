'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { type Option, Select } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

export interface TestState {
  readonly status: string;
  readonly result: { readonly good: boolean; readonly what: string | null; readonly text: string; readonly excerpt: string } | null;
}

interface TestFormProps extends PlacedForm<TestState> {
  /** The bill statuses of a test webhook. In live, no test says that a bill is paid. */
  readonly statuses: readonly Option[];
}

/** Sends a test webhook and shows the result. */
export function TestForm({ action, place, statuses }: TestFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useFormAction(action, { status: statuses[0]?.value ?? '', result: null });
  const { result } = state;
  return (
    <ActionForm action={submit} hidden={place}>
      <p>{t('testText')}</p>
      <Select key={state.status} id="test-status" name="status" label={t('testStatus')} options={statuses} defaultValue={state.status} />
      <SubmitButton sending={t('testSending')}>{t('testSend')}</SubmitButton>
      <div role="status" className="empty:-mt-4">
        {result && !pending && (
          <Notice tone={result.good ? 'good' : 'bad'} {...(result.what !== null && { title: result.what })}>
            <p>{result.text}</p>
            {result.excerpt !== '' && (
              <pre className="mt-2 max-h-40 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">{result.excerpt}</pre>
            )}
          </Notice>
        )}
      </div>
    </ActionForm>
  );
}
