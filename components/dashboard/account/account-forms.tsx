'use client';

import type { ReactNode } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';

/** The new recovery codes. Only this answer contains them. */
interface NewCodes {
  readonly codes: readonly string[];
  readonly switchedOn: boolean;
}

interface SecondFactorPanelProps {
  readonly action: FormAction<'code', NewCodes>;
  readonly kind: 'setting_up' | 'on';
  /** Shown above the form. */
  readonly children: ReactNode;
}

/**
 * Turns the second factor on, or creates new recovery codes. Both use the same form at the same position of the tree, so that the codes
 * stay visible when the page around them changes, even without JavaScript.
 */
export function SecondFactorPanel({ action, kind, children }: SecondFactorPanelProps) {
  const t = useTranslations('Account');
  const { sender, done, field } = useFormAction(action, {});
  if (done) return <RecoveryCodes {...done} />;
  return (
    <>
      {children}
      <ActionForm action={sender} className="mt-3 grid max-w-md gap-4">
        {kind === 'setting_up' && (
          <Field
            {...field('code')}
            label={t('code')}
            hint={t('codeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={12}
          />
        )}
        <SubmitButton look={kind === 'on' ? 'plain' : 'primary'}>{t(kind === 'on' ? 'renew' : 'turnOn')}</SubmitButton>
      </ActionForm>
    </>
  );
}

/** New recovery codes, which are shown only once, and ways to store them. */
function RecoveryCodes({ codes, switchedOn }: NewCodes) {
  const t = useTranslations('Account');
  const text = codes.join('\n');
  return (
    <Focused label={t('codesShownTitle')}>
      {switchedOn && <p className="font-semibold">{t('twoIsOn')}</p>}
      <Notice tone="wait" title={t('codesShownTitle')} text={t('codesShownText')} />
      <ol aria-label={t('codesTitle')} className="grid grid-cols-1 gap-x-8 gap-y-2 rounded-lg bg-ground p-4 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2 print:hidden">
        <CopyButton value={text} text={t('copyAll')} />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Bili\n\n${text}\n`)}`}
          download="bili-recovery-codes.txt"
          className={buttonClass('plain')}
        >
          {t('download')}
        </a>
        <Button type="button" look="plain" onClick={() => window.print()}>
          {t('print')}
        </Button>
        <a href="/account" className={buttonClass('primary')}>
          {t('done')}
        </a>
      </div>
    </Focused>
  );
}

/** The form with which a person replaces the e-mail address of the account. Its result is the address that the mail was sent to. */
export function EmailForm({ action }: { readonly action: FormAction<'email', string> }) {
  const t = useTranslations('Account');
  const { sender, done, field } = useFormAction(action, {});
  if (done !== undefined) {
    const text = t('emailSent', { email: done });
    return (
      <Focused label={text}>
        <Notice tone="good">
          <p className="wrap-anywhere">{text}</p>
        </Notice>
      </Focused>
    );
  }
  return (
    <ActionForm action={sender} className="grid max-w-md gap-4">
      <Field
        {...field('email')}
        type="email"
        label={t('newEmail')}
        hint={t('newEmailHint')}
        autoComplete="email"
        required
        maxLength={254}
      />
      <p className="text-sm text-muted">{t('emailEnds')}</p>
      <SubmitButton>{t('emailSend')}</SubmitButton>
    </ActionForm>
  );
}
