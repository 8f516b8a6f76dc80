'use client';

import { useActionState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Field } from '@/components/ui/field';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

/** What came of creating a key. The secret lives in this answer alone: not in an address, a cookie or the database. */
export type CreateKeyState =
  | { readonly kind: 'form'; readonly typed: string; readonly problem: string | null }
  | { readonly kind: 'created'; readonly keyId: string; readonly secret: string; readonly curl: string };

interface CreateKeyFormProps {
  readonly action: (before: CreateKeyState, form: FormData) => Promise<CreateKeyState>;
  readonly merchant: string;
  readonly environment: string;
  readonly labelMax: number;
  /** The page itself, loaded anew. */
  readonly again: string;
  readonly texts: Readonly<
    Record<
      | 'label'
      | 'labelHint'
      | 'create'
      | 'creating'
      | 'createdTitle'
      | 'createdText'
      | 'keyId'
      | 'secret'
      | 'copy'
      | 'copied'
      | 'tryIt'
      | 'again',
      string
    >
  >;
}

export function CreateKeyForm({ action, merchant, environment, labelMax, again, texts }: CreateKeyFormProps) {
  const [state, submit, pending] = useActionState(action, { kind: 'form', typed: '', problem: null });
  if (state.kind === 'created') {
    return (
      <Focused label={texts.createdTitle}>
        <Notice tone="good" title={texts.createdTitle}>
          <p>{texts.createdText}</p>
        </Notice>
        <Shown label={texts.keyId} value={state.keyId} texts={texts} />
        <Shown label={texts.secret} value={state.secret} texts={texts} />
        <Shown label={texts.tryIt} value={state.curl} texts={texts} />
        <p>
          <a href={again} className="font-semibold text-brand underline">
            {texts.again}
          </a>
        </p>
      </Focused>
    );
  }
  return (
    <form action={submit} className="grid max-w-xl gap-4">
      <input type="hidden" name="merchant" value={merchant} />
      <input type="hidden" name="environment" value={environment} />
      <Field
        id="label"
        name="label"
        label={texts.label}
        hint={texts.labelHint}
        problem={state.problem}
        defaultValue={state.typed}
        maxLength={labelMax}
        required
        autoComplete="off"
      />
      <Button disabled={pending} className="justify-self-start">
        {pending ? texts.creating : texts.create}
      </Button>
    </form>
  );
}

function Shown({ label, value, texts }: { readonly label: string; readonly value: string; readonly texts: CreateKeyFormProps['texts'] }) {
  return (
    <div>
      <p className="flex items-center justify-between gap-3">
        <span className="font-semibold">{label}</span>
        <CopyButton value={value} label={`${texts.copy}: ${label}`} copy={texts.copy} copied={texts.copied} />
      </p>
      <code className="mt-1 block rounded-lg bg-ground p-3 text-sm wrap-anywhere select-all" data-shown={label}>
        {value}
      </code>
    </div>
  );
}
