import { ROLES } from '@/lib/accounts/permissions';
import { type Locale, translator } from '@/lib/i18n/translator';

/** Describes each role in one sentence. */
export function RoleList({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Team');
  const name = translator(locale, 'Shell');
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {ROLES.map((role) => (
        <div key={role} className="contents">
          <dt className="font-semibold first-letter:uppercase">{name(`role_${role}`)}</dt>
          <dd className="mb-2 text-muted sm:mb-0">{t(`about_${role}`)}</dd>
        </div>
      ))}
    </dl>
  );
}
