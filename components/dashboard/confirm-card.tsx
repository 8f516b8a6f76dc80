import { confirmAction } from '@/app/(auth)/confirm/actions';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { type Locale, translator } from '@/lib/i18n/translator';

interface ConfirmCardProps {
  readonly locale: Locale;
  /** The page to come back to. */
  readonly back: string;
  /** Whether it was tried and the password was not right: `wrong` in the page's query. */
  readonly wrong: boolean;
}

/** Stands in the place of a form that changes something delicate, until its reader has proven who they are: nothing typed is lost. */
export function ConfirmCard({ locale, back, wrong }: ConfirmCardProps) {
  const t = translator(locale, 'Shell');
  return (
    <Card id="confirm" title={t('confirmTitle')}>
      <p className="mb-3 text-muted">{t('confirmText')}</p>
      <form action={confirmAction} className="grid max-w-md gap-4">
        <input type="hidden" name="back" value={back} />
        <Field
          id="confirm-password"
          name="password"
          type="password"
          label={t('confirmPassword')}
          problem={wrong ? t('confirmWrong') : null}
          autoComplete="current-password"
          required
          maxLength={1000}
        />
        <Button className="justify-self-start">{t('confirmButton')}</Button>
      </form>
    </Card>
  );
}
