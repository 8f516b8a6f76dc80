'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PlaceFields, type PlaceProps } from '@/components/dashboard/keys/place-fields';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import { Textarea } from '@/components/ui/textarea';

export interface ExplainState {
  readonly body: string;
  readonly headers: string;
  readonly computed: string;
  /** In sentences, the verdict first. */
  readonly findings: readonly string[];
}

interface ExplainFormProps extends PlaceProps {
  readonly action: (before: ExplainState, form: FormData) => Promise<ExplainState>;
}

const NOTHING: ExplainState = { body: '', headers: '', computed: '', findings: [] };

/** Takes what somebody's code had, and says which part differs. The secret is never filled in again. */
export function ExplainForm({ action, merchant, environment }: ExplainFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useActionState(action, NOTHING);
  const [verdict, ...more] = state.findings;
  return (
    <form action={submit} className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <PlaceFields merchant={merchant} environment={environment} />
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
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('explaining') : t('explain')}
      </Button>
    </form>
  );
}
