import { Icon } from '@/components/ui/icon';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { dashboardPath, isFactorDue, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { currentHold } from '@/lib/platform/hold/hold';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { Section } from './navigation';

/** Says on every page that the copy of the database is on hold. */
export function HoldNotice({ locale }: Pick<NoticeProps, 'locale'>) {
  const t = translator(locale, 'Dashboard');
  const hold = currentHold();
  if (hold === null) return null;
  return <Notice tone="bad" title={t('onHoldTitle')} text={t('onHoldText', { since: formatInstant(hold.since, locale) })} />;
}

/**
 * If the API rejects the requests of the merchant, shows the reason on every page. Before the activation of live payments it is one line,
 * with a link to the overview, which says what is missing.
 */
export function StatusNotice({ access, section, locale }: NoticeProps) {
  const t = translator(locale, 'Dashboard');
  const { status, scope } = access;
  if (status === 'active') return null;
  if (status !== 'pending') {
    return <Notice tone="bad" title={t(`${status}Title`)} text={t(`${status}Text`)} />;
  }
  if (scope.environment === 'sandbox') {
    return <Notice tone="wait" title={t('pendingSandboxTitle')} text={t('pendingSandboxText')} />;
  }
  // The overview begins with what is missing.
  if (section === 'overview') return null;
  return (
    <div role="note" className="flex items-center gap-2 rounded-lg border-l-4 border-amber bg-amber-soft px-3 py-1">
      <Icon name="warning" />
      <p className="min-w-0 flex-1 text-small font-semibold wrap-anywhere sm:text-base">{t('pendingTitle')}</p>
      <MissingLink access={access} locale={locale} inLine />
    </div>
  );
}

interface MissingLinkProps extends Pick<NoticeProps, 'access' | 'locale'> {
  /** Whether the link is in a line of text. Otherwise it looks like a button. */
  readonly inLine?: boolean;
}

/** Before the activation of live payments: the link to what is missing, for those who may see it. */
export function MissingLink({ access, locale, inLine = false }: MissingLinkProps) {
  const { status, scope, merchant } = access;
  if (status !== 'pending' || scope.environment !== 'live' || !may(access, 'overview.view')) return null;
  const href = `${dashboardPath({ slug: merchant.slug, environment: 'live', page: 'overview' })}#activation`;
  const text = translator(locale, 'Dashboard')('missing');
  if (!inLine) return <ButtonLink href={href}>{text}</ButtonLink>;
  return (
    <TextLink href={href} className="inline-flex min-h-control shrink-0 items-center text-small sm:text-base">
      {text}
    </TextLink>
  );
}

interface NoticeProps {
  readonly access: MerchantAccess;
  readonly section: Section | null;
  readonly locale: Locale;
}

/**
 * Asks a member to set up a second factor, if the member needs one to change bills, keys or webhooks, or to make changes in the shown
 * section.
 */
export function SecondFactorNotice({ access, section, locale }: NoticeProps) {
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
