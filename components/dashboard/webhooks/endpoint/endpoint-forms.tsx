'use client';

import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field, Select, Textarea } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';

interface SecretFormProps {
  readonly action: FormAction<never, readonly { readonly label: string; readonly value: string }[]>;
}

/** Shows the signing secret on request. */
export function SecretForm({ action }: SecretFormProps) {
  const t = useTranslations('Hooks');
  const { sender, done } = useFormAction(action, {});
  if (done) {
    return (
      <Focused label={t('secretTitle')}>
        {done.map((secret) => (
          <CopiedValue key={secret.label} {...secret} />
        ))}
        <p className="text-sm text-muted">{t('hideHint')}</p>
      </Focused>
    );
  }
  return (
    <ActionForm action={sender} className="grid gap-3">
      <code aria-hidden="true" className="block rounded-lg bg-ground p-3 text-sm wrap-anywhere">
        whsec_••••••••••••••••••••••••
      </code>
      <SubmitButton look="plain">
        <Icon name="eye" /> {t('showSecret')}
      </SubmitButton>
    </ActionForm>
  );
}

const OVERLAPS = ['day', 'hour', 'week', 'none'] as const;

interface RotateFormProps {
  readonly action: FormAction<'overlap', { readonly secret: string; readonly note: string }>;
}

/** Creates a new signing secret. For a chosen time, webhooks are signed with both secrets. */
export function RotateForm({ action }: RotateFormProps) {
  const t = useTranslations('Hooks');
  const { sender, typed, done, field } = useFormAction(action, { overlap: 'day' });
  if (done) {
    return (
      <Focused label={t('rotatedTitle')}>
        <Notice tone="good" title={t('rotatedTitle')} text={done.note} />
        <CopiedValue label={t('secretIs')} value={done.secret} />
      </Focused>
    );
  }
  return (
    <ActionForm action={sender}>
      <p>{t('rotateText')}</p>
      <Select
        key={typed.overlap}
        {...field('overlap')}
        label={t('overlap')}
        options={OVERLAPS.map((value) => ({ value, text: t(`o_${value}`) }))}
      />
      <SubmitButton sending={t('rotating')}>{t('rotate')}</SubmitButton>
    </ActionForm>
  );
}

interface AddressFormProps {
  /** Its result is the message that the address was saved or proposed, with the receiver's answer to the test webhook. */
  readonly action: FormAction<'url', string>;
  readonly live: boolean;
  readonly url: string | null;
  /** True while a proposal waits for the operator's decision. Afterwards, the message that the proposal was sent is no longer shown. */
  readonly open: boolean;
}

/** The form for the webhook address. If the receiver accepts a test webhook, the address is set in the sandbox, or proposed in live. */
export function AddressForm({ action, live, url, open }: AddressFormProps) {
  const t = useTranslations('Hooks');
  const { sender, typed, done, pending, field } = useFormAction(action, { url: url ?? '' });
  return (
    <ActionForm key={typed.url} action={sender}>
      <Field
        {...field('url')}
        type="url"
        label={t(live ? 'proposeLabel' : 'addressLabel')}
        hint={t(live ? 'proposeHint' : 'addressHint')}
        maxLength={2_000}
        autoComplete="off"
        required
      />
      <SubmitButton sending={t('addressTesting')}>{t(live ? 'propose' : 'addressSave')}</SubmitButton>
      <div role="status" className="empty:-mt-4">
        {done !== undefined && !pending && (open || !live) && <Notice tone="good" text={done} />}
      </div>
    </ActionForm>
  );
}

interface ExplainFormProps {
  /** Its result are sentences. The first one is the verdict. */
  readonly action: FormAction<'body' | 'headers' | 'secret' | 'computed', readonly string[]>;
}

/**
 * Compares the values that a developer's code used with the correct ones, and says which part differs. After an answer, the form shows the
 * entered values again, except the secret.
 */
export function ExplainForm({ action }: ExplainFormProps) {
  const t = useTranslations('Hooks');
  const { sender, done, pending, field } = useFormAction(action, {});
  const [verdict, ...more] = done ?? [];
  return (
    <ActionForm action={sender} className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
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
      <Textarea {...field('body')} label={t('pasteBody')} hint={t('lineNote')} rows={5} spellCheck={false} />
      <Textarea {...field('headers')} label={t('pasteHeaders')} hint={t('pasteHeadersHint')} rows={5} spellCheck={false} />
      <Field {...field('secret')} type="password" label={t('pasteSecret')} autoComplete="off" maxLength={500} />
      <Field {...field('computed')} label={t('pasteComputed')} autoComplete="off" maxLength={500} />
      <SubmitButton sending={t('explaining')}>{t('explain')}</SubmitButton>
    </ActionForm>
  );
}
