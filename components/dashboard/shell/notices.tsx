import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { dashboardPath, isFactorDue, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { actorName } from '@/lib/audit/actor-name';
import type { CounterView } from '@/lib/counter/show-counter';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Section } from './navigation';

/** If the API rejects the requests of the merchant, shows the reason on every page. */
export function StatusNotice({ access, locale }: { readonly access: MerchantAccess; readonly locale: Locale }) {
  const t = translator(locale, 'Dashboard');
  const { status, scope, merchant } = access;
  if (status === 'active') return null;
  if (status !== 'pending') {
    return <Notice tone="bad" title={t(`${status}Title`)} text={t(`${status}Text`)} />;
  }
  if (scope.environment === 'sandbox') {
    return <Notice tone="wait" title={t('pendingSandboxTitle')} text={t('pendingSandboxText')} />;
  }
  return (
    <Notice tone="wait" title={t('pendingTitle')}>
      <p>{t('pendingText')}</p>
      <TextLink href={dashboardPath({ slug: merchant.slug, environment: 'sandbox', page: 'bills' })}>{t('toSandbox')}</TextLink>
    </Notice>
  );
}

/** Tells a cashier that somebody made a new link under the cashier's name. */
export function NewLinkNotice({ link, locale }: { readonly link: NonNullable<CounterView['newLink']>; readonly locale: Locale }) {
  const t = translator(locale, 'Cashiers');
  const facts = { who: actorName(link.by, locale), when: formatInstant(link.at, locale) };
  return <Notice tone="wait" title={t('newLinkMade', facts)} text={t('newLinkMadeText')} />;
}

interface SecondFactorNoticeProps {
  readonly access: MerchantAccess;
  readonly section: Section | null;
  readonly locale: Locale;
}

/**
 * Asks a member to set up a second factor, if the member needs one to change bills, keys or webhooks, or to make changes in the shown
 * section.
 */
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
