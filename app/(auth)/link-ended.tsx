import { Tell } from '@/components/auth/auth-page';
import { translator } from '@/lib/platform/i18n/translator';
import type { Guest, GuestAnswer } from './guest-page';

/** Shows that a link is expired or used. @param again the address of the form that asks for a new link */
export function showLinkEnded({ locale }: Guest, again: string): GuestAnswer {
  const t = translator(locale, 'SignInMore');
  const content = (
    <>
      <Tell tone="bad" role="alert">
        <p>{t('linkEndedText')}</p>
      </Tell>
      <a href={again} className="button fill">
        {t('askAgain')}
      </a>
    </>
  );
  return { title: t('linkEndedTitle'), content, art: 'error' };
}
