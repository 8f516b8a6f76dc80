import { passwordWords } from '@/components/dashboard/auth/new-password-field';
import { PasswordField } from '@/components/dashboard/auth/password-field';
import { waitTime } from '@/components/dashboard/wait-time';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import { Notice } from '@/components/ui/notice';
import { sessionToken } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { readProofNeeded } from '@/lib/identity/accounts/sign-in/prove-identity';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { confirmAction } from './actions';

interface ConfirmCardProps {
  readonly locale: Locale;
  readonly back: string;
  /** True if the last submission of this form failed: the password or the code was wrong, or there were too many attempts. */
  readonly wrong: boolean;
}

/**
 * Is shown instead of a sensitive form until the person has confirmed the password and, if set up, the second factor. The page shows the
 * sensitive form only afterwards, so the confirmation never discards values that were typed into it.
 */
export async function ConfirmCard({ locale, back, wrong }: ConfirmCardProps) {
  const t = translator(locale, 'Shell');
  const proof = translator(locale, 'Proof');
  const runtime = webRuntime();
  const needed = await readProofNeeded(runtime, await sessionToken(runtime));
  return (
    <Card id="confirm" title={t('confirmTitle')}>
      <p className="mb-3 text-muted">{t('confirmText')}</p>
      {needed.until ? (
        <Notice tone="wait" role="alert" text={proof('wait', { time: waitTime(needed.until, locale) })} />
      ) : (
        <ActionForm action={confirmAction} hidden={{ back }} className="grid max-w-md gap-4">
          <PasswordField
            id="confirm-password"
            name="password"
            words={passwordWords(locale)}
            label={t('confirmPassword')}
            problem={wrong ? (needed.code ? proof('wrong') : t('confirmWrong')) : null}
            autoComplete="current-password"
            required
            maxLength={1000}
          />
          {needed.code && (
            <Field
              id="confirm-code"
              name="code"
              label={proof('code')}
              hint={proof('codeHint')}
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              required
              maxLength={30}
            />
          )}
          <SubmitButton>{t('confirmButton')}</SubmitButton>
        </ActionForm>
      )}
    </Card>
  );
}
