'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button, buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

/** The error or the new recovery codes. Only this answer contains the codes. */
export type CodesState =
  | { readonly kind: 'form'; readonly problem: string | null }
  | { readonly kind: 'codes'; readonly codes: readonly string[]; readonly switchedOn: boolean };

interface SecondFactorPanelProps {
  readonly action: FormAction<CodesState>;
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
  const [state, submit] = useFormAction(action, { kind: 'form', problem: null });
  if (state.kind === 'codes') return <RecoveryCodes codes={state.codes} switchedOn={state.switchedOn} />;
  return (
    <>
      {children}
      <ActionForm action={submit} problem={kind === 'on' ? state.problem : null} className="mt-3 grid max-w-md gap-4">
        {kind === 'setting_up' && (
          <Field
            id="code"
            label={t('code')}
            hint={t('codeHint')}
            problem={state.problem}
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
function RecoveryCodes({ codes, switchedOn }: { readonly codes: readonly string[]; readonly switchedOn: boolean }) {
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
