import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Permission } from '@/lib/accounts/permissions';
import { type Locale, translator } from '@/lib/i18n/translator';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import { Shell } from './shell';

interface NotAllowedProps {
  readonly access: MerchantAccess;
  readonly permission: Permission;
  readonly locale: Locale;
}

/** A page that somebody's role does not open: says which role they have, what is missing, and who can give it. */
export function NotAllowed({ access, permission, locale }: NotAllowedProps) {
  const t = translator(locale, 'Shell');
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader title={t('notAllowedTitle')} />
      <EmptyState title={t('notAllowed', { role: t(`role_${access.role}`) })} text={t('notAllowedText', { permission })} />
    </Shell>
  );
}
