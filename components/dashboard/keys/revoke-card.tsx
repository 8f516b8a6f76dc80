import { ActionForm } from '@/components/ui/action-form';
import { Card } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { SubmitButton } from '@/components/ui/submit-button';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Place } from '../place';

interface RevokeCardProps {
  readonly action: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly keyId: string;
  readonly label: string;
  readonly locale: Locale;
}

/** Opens to a question before it does anything. */
export function RevokeCard({ action, place, keyId, label, locale }: RevokeCardProps) {
  const t = translator(locale, 'KeyPage');
  return (
    <Card id="revoke" title={t('revoke')}>
      <p>{t('revokeText')}</p>
      <details className="mt-2">
        <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 font-semibold text-danger">
          {t('revoke')} <Icon name="down" />
        </summary>
        <ActionForm action={action} hidden={{ ...place, key: keyId }} className="mt-2">
          <SubmitButton look="danger" className="wrap-anywhere">
            {t('revokeNow', { label })}
          </SubmitButton>
        </ActionForm>
      </details>
    </Card>
  );
}
