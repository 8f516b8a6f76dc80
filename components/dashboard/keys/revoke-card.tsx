import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { type Locale, translator } from '@/lib/i18n/translator';
import { PlaceFields, type PlaceProps } from './place-fields';

interface RevokeCardProps extends PlaceProps {
  readonly action: (form: FormData) => Promise<void>;
  readonly keyId: string;
  readonly label: string;
  readonly locale: Locale;
}

/** Opens to a question before it does anything. */
export function RevokeCard({ action, merchant, environment, keyId, label, locale }: RevokeCardProps) {
  const t = translator(locale, 'KeyPage');
  return (
    <Card id="revoke" title={t('revoke')}>
      <p>{t('revokeText')}</p>
      <details className="mt-2">
        <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 font-semibold text-danger">
          {t('revoke')} <Icon name="down" />
        </summary>
        <form action={action} className="mt-2">
          <PlaceFields merchant={merchant} environment={environment} />
          <input type="hidden" name="key" value={keyId} />
          <Button look="danger" className="wrap-anywhere">
            {t('revokeNow', { label })}
          </Button>
        </form>
      </details>
    </Card>
  );
}
