import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { CashierForm } from '@/components/dashboard/cashiers/cashier-form';
import { DeviceList } from '@/components/dashboard/cashiers/device-list';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { InvitationTable } from '@/components/dashboard/team/invitation-table';
import { InviteForm } from '@/components/dashboard/team/invite-form';
import { MemberTable } from '@/components/dashboard/team/member-table';
import { roleTitle } from '@/components/dashboard/team/role-title';
import { TeamResult } from '@/components/dashboard/team/team-result';
import { Card, PageHeader } from '@/components/ui/layout';
import { Notice } from '@/components/ui/notice';
import { isProven, may } from '@/lib/accounts/access/grant-access';
import { ROLES, roleMay } from '@/lib/accounts/permissions';
import { listTeam } from '@/lib/accounts/team/list-team';
import { mayAssign } from '@/lib/accounts/team/team-rules';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import {
  changeRoleAction,
  inviteAction,
  inviteAgainAction,
  inviteCashierAction,
  newLinkAction,
  removeMemberAction,
  revokeDeviceAction,
  revokeInvitationAction,
} from './actions';

export const generateMetadata = titled('Team', 'title');

/**
 * The page of members and pending invitations. To change them, a member needs the permission and must have confirmed their identity
 * recently.
 */
export default async function TeamPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'team');
  const team = await listTeam(runtime, access);
  if (!team) return <NotAllowed access={access} permission="team.view" locale={locale} />;
  const { done, problem, wrong } = await searchParams;
  const t = translator(locale, 'Team');
  const cashiers = translator(locale, 'Cashiers');
  const allowed = may(access, 'team.change');
  const changes = allowed && isProven(access, runtime.clock());
  const { role } = access;
  const roles = ROLES.filter((one) => mayAssign(role, one));
  return (
    <Shell access={access} locale={locale} section="team" texts={['Team', 'Cashiers']}>
      <PageHeader help={<Help page="team" locale={locale} />} title={t('title')} intro={t('intro')} />
      <TeamResult done={single(done)} problem={single(problem)} locale={locale} />
      <Card id="members" title={t('members')}>
        <MemberTable
          members={team.members}
          locale={locale}
          reader={access.user.id}
          {...(changes && {
            change: { place, role, roles, changeRole: changeRoleAction, remove: removeMemberAction, newLink: newLinkAction },
          })}
        />
      </Card>
      {team.invitations.length > 0 && (
        <Card id="invitations" title={t('invitations')}>
          <InvitationTable
            invitations={team.invitations}
            locale={locale}
            {...(changes && { change: { place, role, sendAgain: inviteAgainAction, revoke: revokeInvitationAction } })}
          />
        </Card>
      )}
      {team.devices.length > 0 && (
        <Card id="devices" title={cashiers('devices')}>
          <DeviceList
            devices={team.devices}
            members={team.members}
            locale={locale}
            {...(changes && { change: { place, revoke: revokeDeviceAction } })}
          />
        </Card>
      )}
      {changes ? (
        <>
          <Card id="cashier" title={cashiers('title')}>
            <p className="mb-3 max-w-prose text-muted">{cashiers('intro')}</p>
            <CashierForm key={`${place.merchant}/${place.environment}`} action={inviteCashierAction} place={place} again={path('team')} />
          </Card>
          <Card id="invite" title={t('inviteTitle')}>
            <InviteForm
              key={`${place.merchant}/${place.environment}`}
              action={inviteAction}
              place={place}
              roles={roles}
              again={path('team')}
            />
          </Card>
        </>
      ) : allowed ? (
        <ConfirmCard locale={locale} back={path('team')} wrong={wrong !== undefined} />
      ) : (
        !roleMay(role, 'team.change') && <Notice tone="wait" text={t('viewer')} />
      )}
      <Card id="roles" title={t('roles')}>
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
          {ROLES.map((one) => (
            <div key={one} className="contents">
              <dt className="font-semibold">{roleTitle(translator(locale, 'Shell')(`role_${one}`))}</dt>
              <dd className="mb-2 text-muted sm:mb-0">{t(`about_${one}`)}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </Shell>
  );
}
