import { Help } from '@/components/dashboard/help/help';
import { EmptyState, PageHeader } from '@/components/ui/layout';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { type Permission, ROLES, roleMay } from '@/lib/accounts/permissions';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { Shell } from './shell';

interface NotAllowedProps {
  readonly access: MerchantAccess;
  readonly permission: Permission;
  readonly locale: Locale;
}

/** Shown if the viewer's role may not open the page: the viewer's role, the roles that may, and who can change the viewer's role. */
export function NotAllowed({ access, permission, locale }: NotAllowedProps) {
  const shell = translator(locale, 'Shell');
  const t = translator(locale, 'NotAllowed');
  const roles = ROLES.filter((role) => roleMay(role, permission)).map((role) => t(`for_${role}`));
  const listed = new Intl.ListFormat(locale).format(roles);
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader help={<Help page="notAllowed" locale={locale} />} title={shell('notAllowedTitle')} />
      <EmptyState title={shell('notAllowed', { role: t(`you_${access.role}`) })} text={t('text', { roles: listed })} />
    </Shell>
  );
}
