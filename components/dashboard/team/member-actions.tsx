import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import type { Role } from '@/lib/accounts/permissions';
import type { MemberView } from '@/lib/accounts/team/list-team';
import { mayAssign } from '@/lib/accounts/team/team-rules';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Place } from '../place';

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

/** The actions for a member. Empty for members that only an owner may change. */
export function MemberActions({ member, self, locale, change }: MemberActionsProps) {
  const t = translator(locale, 'Team');
  const { userId, name, role } = member;
  const touches = mayAssign(change.role, role);
  if (!self && !touches) return null;
  const hidden = { ...change.place, member: userId };
  return (
    <Fold title={t('change')} about={name}>
      <div className="mt-2 grid max-w-xs gap-3 rounded-lg bg-sunken p-3">
        {touches && (
          <ActionForm action={change.changeRole} hidden={hidden} className="grid gap-2">
            <Select
              id={`role-${userId}`}
              name="role"
              label={t('newRole', { name })}
              defaultValue={role}
              options={change.roles.map((one) => ({ value: one, text: translator(locale, 'Shell')(`role_${one}`) }))}
            />
            <SubmitButton look="plain" className="w-full">
              {t('save')}
            </SubmitButton>
          </ActionForm>
        )}
        <ActionForm action={change.remove} hidden={hidden} className="grid gap-2 border-t border-line pt-3 first:border-0 first:pt-0">
          <p className="text-sm">{self ? t('leaveText') : t('removeText', { name })}</p>
          <SubmitButton look="danger" className="w-full wrap-anywhere">
            {self ? t('leave') : t('remove', { name })}
          </SubmitButton>
        </ActionForm>
      </div>
    </Fold>
  );
}
