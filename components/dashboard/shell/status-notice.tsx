import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { dashboardPath, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';

/** Shows on every page why the API rejects requests, if it does. */
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
