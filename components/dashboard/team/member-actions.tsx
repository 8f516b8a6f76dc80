import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Select } from '@/components/ui/select';
import type { MemberView } from '@/lib/accounts/list-team';
import type { Role } from '@/lib/accounts/permissions';
import { mayGive } from '@/lib/accounts/team-rules';
import { type Locale, translator } from '@/lib/i18n/translator';
import { type Place, PlaceFields } from '../place-fields';

export interface MemberChange {
  readonly place: Place;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly changeRole: (form: FormData) => Promise<void>;
  readonly remove: (form: FormData) => Promise<void>;
}

interface MemberActionsProps {
  readonly member: MemberView;
  readonly self: boolean;
  readonly locale: Locale;
  readonly change: MemberChange;
}

/** Opens to what may be done with a member; nothing where only an owner may. */
export function MemberActions({ member, self, locale, change }: MemberActionsProps) {
  const t = translator(locale, 'Team');
  const { userId, name, role } = member;
  const touches = mayGive(change.role, role);
  if (!self && !touches) return null;
  return (
    <details>
      <summary className="inline-flex min-h-9 cursor-pointer list-none items-center gap-1 font-semibold whitespace-nowrap text-brand">
        {t('change')} <span className="sr-only">{name}</span> <Icon name="down" />
      </summary>
      <div className="mt-2 grid max-w-xs gap-3 rounded-lg bg-sunken p-3">
        {touches && (
          <form action={change.changeRole} className="grid gap-2">
            <PlaceFields {...change.place} />
            <input type="hidden" name="member" value={userId} />
            <Select
              id={`role-${userId}`}
              name="role"
              label={t('newRole', { name })}
              defaultValue={role}
              options={change.roles.map((one) => ({ value: one, text: translator(locale, 'Shell')(`role_${one}`) }))}
            />
            <Button look="plain">{t('save')}</Button>
          </form>
        )}
        <form action={change.remove} className="grid gap-2 border-t border-line pt-3 first:border-0 first:pt-0">
          <PlaceFields {...change.place} />
          <input type="hidden" name="member" value={userId} />
          <p className="text-sm">{self ? t('leaveText') : t('removeText', { name })}</p>
          <Button look="danger" className="wrap-anywhere">
            {self ? t('leave') : t('remove', { name })}
          </Button>
        </form>
      </div>
    </details>
  );
}
