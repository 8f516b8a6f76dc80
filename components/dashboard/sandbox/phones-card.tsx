import type { Place } from '@/components/dashboard/place';
import { buttonClass } from '@/components/ui/button';
import { CopiedValue } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

interface PhonesCardProps {
  readonly url: string;
  /** The action that makes all links invalid. Null if the member has no permission. */
  readonly end: ((form: FormData) => Promise<void>) | null;
  readonly place: Place;
  readonly locale: Locale;
}

/** The link to the test phones of the sandbox. */
export function PhonesCard({ url, end, place, locale }: PhonesCardProps) {
  const t = translator(locale, 'PhoneCard');
  return (
    <Card id="phones" title={t('title')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="max-w-prose">{t('text')}</p>
        <a href={url} target="_blank" rel="noreferrer" className={`justify-self-start ${buttonClass('primary')}`}>
          {t('open')}
        </a>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <p className="text-muted">{t('share')}</p>
          <CopiedValue label={t('link')} value={url} />
        </div>
        {end && (
          <ActionForm action={end} hidden={place} className="grid">
            <SubmitButton look="plain">{t('end')}</SubmitButton>
          </ActionForm>
        )}
      </div>
    </Card>
  );
}
