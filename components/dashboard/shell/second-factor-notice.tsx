import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { isFactorDue, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Section } from './section';

interface SecondFactorNoticeProps {
  readonly access: MerchantAccess;
  readonly section: Section | null;
  readonly locale: Locale;
}

/** Tells a member to set up a second factor if changes require it. */
export function SecondFactorNotice({ access, section, locale }: SecondFactorNoticeProps) {
  const t = translator(locale, 'Dashboard');
  const here = isFactorDue(access, 'bills.change') || isFactorDue(access, 'keys.change') || isFactorDue(access, 'webhooks.change');
  const merchant =
    (section === 'team' && isFactorDue(access, 'team.change')) || (section === 'settings' && isFactorDue(access, 'settings.change'));
  if (!here && !merchant) return null;
  return (
    <Notice tone="wait" title={t('secondFactorTitle')}>
      <p>{t('secondFactorText')}</p>
      <TextLink href="/account/second-factor">{t('secondFactorLink')}</TextLink>
    </Notice>
  );
}
