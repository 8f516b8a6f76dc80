import { NewLink, type NewLinkState } from '@/components/dashboard/cashiers/cashier-form';
import { Badge } from '@/components/ui/badge';
import { Fold } from '@/components/ui/fold';
import { ActionForm, type FormAction, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Cell, Row, Table } from '@/components/ui/table';
import type { Role } from '@/lib/accounts/permissions';
import type { MemberView } from '@/lib/accounts/team/list-team';
import { mayAssign } from '@/lib/accounts/team/team-rules';
import { formatMobile } from '@/lib/core/mobile';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Place } from '../place';
import { roleTitle } from './role-title';

interface MemberTableProps {
  readonly members: readonly MemberView[];
  readonly locale: Locale;
  /** The user id of the viewer. */
  readonly reader: string;
  /** Omitted if the signed-in member may not change members or has not confirmed their identity. */
  readonly change?: MemberChange;
}

export function MemberTable({ members, locale, reader, change }: MemberTableProps) {
  const t = translator(locale, 'Team');
  const role = translator(locale, 'Shell');
  return (
    <>
      <Table
        caption={t('members')}
        columns={[t('member'), t('role'), t('since'), t('lastSeen'), t('secondFactor'), ...(change ? [t('actions')] : [])]}
      >
        {members.map((member) => (
          <Row key={member.userId}>
            <Cell>
              <strong>{member.name}</strong>
              {member.userId === reader && <span className="text-muted"> ({t('you')})</span>}
              <span className="block text-sm text-muted">{member.mobile === null ? member.email : formatMobile(member.mobile)}</span>
              {isUnconfirmed(member) && <Badge tone="wait" icon="question" text={t('emailUnconfirmed')} />}
            </Cell>
            <Cell label={t('role')} whole value={roleTitle(role(`role_${member.role}`))} />
            <Cell label={t('since')} whole value={formatInstant(member.since, locale)} />
            <Cell label={t('lastSeen')} whole value={member.lastSeenAt ? formatInstant(member.lastSeenAt, locale) : t('never')} />
            <Cell label={t('secondFactor')} whole>
              <Badge
                tone={member.secondFactor ? 'good' : 'quiet'}
                icon={member.secondFactor ? 'lock' : 'circle'}
                text={t(member.secondFactor ? 'on' : 'off')}
              />
            </Cell>
            {change && (
              <Cell>
                <MemberActions member={member} self={member.userId === reader} locale={locale} change={change} />
              </Cell>
            )}
          </Row>
        ))}
      </Table>
      {members.some(isUnconfirmed) && <p className="mt-3 max-w-prose text-sm text-muted">{t('emailUnconfirmedText')}</p>}
    </>
  );
}

function isUnconfirmed({ emailConfirmed, mobile }: MemberView): boolean {
  return !emailConfirmed && mobile === null;
}

interface MemberChange {
  readonly place: Place;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly changeRole: (form: FormData) => Promise<void>;
  readonly remove: (form: FormData) => Promise<void>;
  readonly newLink: FormAction<NewLinkState>;
}

interface MemberActionsProps {
  readonly member: MemberView;
  readonly self: boolean;
  readonly locale: Locale;
  readonly change: MemberChange;
}

/** The actions for a member. Empty for members that only an owner may change. */
function MemberActions({ member, self, locale, change }: MemberActionsProps) {
  const t = translator(locale, 'Team');
  const { userId, name, role, mobile } = member;
  const touches = mayAssign(change.role, role);
  if (!self && !touches) return null;
  const hidden = { ...change.place, member: userId };
  return (
    <Fold title={t('change')} about={name} className="md:-my-1.5">
      <div className="mt-2 grid max-w-xs gap-3 rounded-lg bg-sunken p-3">
        {touches && mobile !== null && <NewLink action={change.newLink} place={change.place} cashier={{ name, mobile }} />}
        {touches && mobile === null && (
          <ActionForm action={change.changeRole} hidden={hidden} className="grid gap-2">
            <Select
              id={`role-${userId}`}
              name="role"
              label={t('newRole', { name })}
              defaultValue={role}
              options={change.roles.map((one) => ({ value: one, text: roleTitle(translator(locale, 'Shell')(`role_${one}`)) }))}
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
