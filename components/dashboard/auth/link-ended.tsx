import { ButtonLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { PlainPage } from './plain-page';

/** Shown for an expired or used link. `again` is the address of the form that asks for a new link. */
export function LinkEnded({ locale, again }: { readonly locale: Locale; readonly again: string }) {
  const t = translator(locale, 'SignInMore');
  return (
    <PlainPage locale={locale} title={t('linkEndedTitle')}>
      <Notice tone="bad" role="alert" text={t('linkEndedText')} />
      <ButtonLink href={again} look="primary">
        {t('askAgain')}
      </ButtonLink>
    </PlainPage>
  );
}
