import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem } from '@/lib/identity/accounts/passwords/password-limits';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { PasswordField } from './password-field';

const PROBLEMS: readonly PasswordProblem[] = ['too_short', 'too_long', 'too_common', 'too_personal'];

interface NewPasswordFieldProps {
  /** Why the password that the person entered before was rejected, from the query of the page. Unknown values are ignored. */
  readonly problem: string | string[] | undefined;
  readonly locale: Locale;
}

/** A field for a new password. If the password that the person entered before was rejected, the field shows the reason. */
export function NewPasswordField({ problem, locale }: NewPasswordFieldProps) {
  const t = translator(locale, 'Account');
  const found = PROBLEMS.find((one) => one === problem);
  return (
    <PasswordField
      id="password"
      words={passwordWords(locale)}
      label={t('newPassword')}
      hint={t('newPasswordHint')}
      problem={found ? translator(locale, 'PasswordProblem')(found) : null}
      autoComplete="new-password"
      required
      minLength={PASSWORD_MIN}
      maxLength={PASSWORD_MAX}
    />
  );
}

export function passwordWords(locale: Locale): { readonly show: string; readonly hide: string; readonly what: string } {
  const t = translator(locale, 'PasswordField');
  return { show: t('show'), hide: t('hide'), what: t('what') };
}
