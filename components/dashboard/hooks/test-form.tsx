'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PlaceFields, type PlaceProps } from '@/components/dashboard/keys/place-fields';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Select } from '@/components/ui/select';

export interface TestState {
  readonly status: string;
  readonly result: { readonly good: boolean; readonly what: string | null; readonly text: string; readonly excerpt: string } | null;
}

interface TestFormProps extends PlaceProps {
  readonly action: (before: TestState, form: FormData) => Promise<TestState>;
  /** What a test may tell here: in live nothing is paid. */
  readonly statuses: readonly { readonly value: string; readonly text: string }[];
}

/** Sends one webhook now, and says what came of it. */
export function TestForm({ action, merchant, environment, statuses }: TestFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useActionState(action, { status: statuses[0]?.value ?? '', result: null });
  const { result } = state;
  return (
    <form action={submit} className="grid max-w-xl gap-4">
      <PlaceFields merchant={merchant} environment={environment} />
      <p>{t('testText')}</p>
      <Select key={state.status} id="test-status" name="status" label={t('testStatus')} options={statuses} defaultValue={state.status} />
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('testSending') : t('testSend')}
      </Button>
      <div role="status">
        {result && !pending && (
          <Notice tone={result.good ? 'good' : 'bad'} {...(result.what !== null && { title: result.what })}>
            <p>{result.text}</p>
            {result.excerpt !== '' && (
              <pre className="mt-2 max-h-40 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">{result.excerpt}</pre>
            )}
          </Notice>
        )}
      </div>
    </form>
  );
}
