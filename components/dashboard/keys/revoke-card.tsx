import { Card } from '@/components/ui/card';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Place } from '../place';

interface RevokeCardProps {
  readonly action: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly keyId: string;
  readonly label: string;
  readonly locale: Locale;
}

/** Revokes a key after confirmation. */
export function RevokeCard({ action, place, keyId, label, locale }: RevokeCardProps) {
  const t = translator(locale, 'KeyPage');
  return (
    <Card id="revoke" title={t('revoke')}>
      <p>{t('revokeText')}</p>
      <Fold title={t('revoke')} look="danger" className="mt-2">
        <ActionForm action={action} hidden={{ ...place, key: keyId }} className="mt-2">
          <SubmitButton look="danger" className="wrap-anywhere">
            {t('revokeNow', { label })}
          </SubmitButton>
        </ActionForm>
      </Fold>
    </Card>
  );
}
