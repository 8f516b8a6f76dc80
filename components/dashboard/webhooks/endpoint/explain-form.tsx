'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field, Textarea } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

export interface ExplainState {
  readonly body: string;
  readonly headers: string;
  readonly computed: string;
  /** The result in sentences. The first one is the verdict. */
  readonly findings: readonly string[];
}

const NOTHING: ExplainState = { body: '', headers: '', computed: '', findings: [] };

/**
 * Compares the values that a developer's code used with the correct ones, and says which part differs. After an answer, the form shows the
 * entered values again, except the secret.
 */
export function ExplainForm({ action, place }: PlacedForm<ExplainState>) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useFormAction(action, NOTHING);
  const [verdict, ...more] = state.findings;
  return (
    <ActionForm action={submit} hidden={place} className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <p>{t('explainText')}</p>
      {verdict && !pending && (
        <Focused key={verdict} label={t('verdict')}>
          <Notice tone="wait" title={verdict}>
            {more.length > 0 && (
              <ul className="mt-1 list-disc pl-5">
                {more.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
          </Notice>
        </Focused>
      )}
      <Textarea id="body" label={t('pasteBody')} hint={t('lineNote')} rows={5} spellCheck={false} defaultValue={state.body} />
      <Textarea
        id="headers"
        label={t('pasteHeaders')}
        hint={t('pasteHeadersHint')}
        rows={5}
        spellCheck={false}
        defaultValue={state.headers}
      />
      <Field id="secret" type="password" label={t('pasteSecret')} autoComplete="off" maxLength={500} />
      <Field id="computed" label={t('pasteComputed')} autoComplete="off" maxLength={500} defaultValue={state.computed} />
      <SubmitButton sending={t('explaining')}>{t('explain')}</SubmitButton>
    </ActionForm>
  );
}
