import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { CashierForm, InviteForm } from '@/components/dashboard/team/invite-forms';
import { roleTitle } from '@/components/dashboard/team/role-title';
import { DeviceList, InvitationTable, MemberTable, TeamResult } from '@/components/dashboard/team/team-tables';
import { Icon } from '@/components/ui/icon';
import { Card, PageHeader } from '@/components/ui/layout';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import { openVisit } from '@/lib/entry/server/visit';
import { isProven, may } from '@/lib/identity/accounts/access/grant-access';
import { ROLES, roleMay } from '@/lib/identity/accounts/permissions';
import { listTeam } from '@/lib/identity/accounts/team/team';
import { mayAssign } from '@/lib/identity/accounts/team/team-rules';
import { translator } from '@/lib/platform/i18n/translator';
import {
  changeRoleAction,
  inviteAction,
  inviteAgainAction,
  inviteCashierAction,
  removeMemberAction,
  revokeDeviceAction,
  revokeInvitationAction,
} from './actions';

export const generateMetadata = titled('Team', 'title');

/** Whom one can invite: cashiers by phone number, all others by e-mail. */
const INVITED = ['cashier', 'member'] as const;

/**
 * The page of members and pending invitations. To change them, a member needs the permission and must have confirmed their identity
 * recently.
 */
export default async function TeamPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'team');
  const team = await listTeam(runtime, access);
  if (!team) return <NotAllowed access={access} permission="team.view" locale={locale} />;
  const { done, problem, wrong, invite } = await searchParams;
  const t = translator(locale, 'Team');
  const cashiers = translator(locale, 'Cashiers');
  const allowed = may(access, 'team.change');
  const changes = allowed && isProven(access, runtime.clock());
  const { role } = access;
  const roles = ROLES.filter((one) => mayAssign(role, one));
  const inviting = allowed ? (INVITED.find((one) => one === invite) ?? null) : null;
  const now = runtime.clock();
  const confirm = (back: string) => <ConfirmCard locale={locale} back={back} wrong={wrong !== undefined} />;
  return (
    <Shell access={access} locale={locale} section="team" texts={['Team', 'Cashiers']}>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#roles" locale={locale} />} title={t('title')} intro={t('intro')}>
        {allowed && (
          <ButtonLink href={path('team?invite=cashier')} look="primary">
            <Icon name="plus" />
            {t('invite')}
          </ButtonLink>
        )}
      </PageHeader>
      <TeamResult done={single(done)} problem={single(problem)} locale={locale} />
      {inviting &&
        (changes ? (
          <Card id="invite" title={t('invite')} action={<TextLink href={path('team')}>{t('close')}</TextLink>}>
            <div className="grid gap-4">
              <Nav
                look="chips"
                label={t('inviteWhom')}
                items={INVITED.map((one) => ({ href: path(`team?invite=${one}`), text: t(`invite_${one}`), current: one === inviting }))}
              />
              <p className="max-w-prose text-muted">{inviting === 'cashier' ? cashiers('intro') : t('inviteText')}</p>
              {inviting === 'cashier' ? (
                <CashierForm key={`${place.merchant}/${place.environment}`} action={inviteCashierAction} again={path('team')} />
              ) : (
                <InviteForm key={`${place.merchant}/${place.environment}`} action={inviteAction} roles={roles} again={path('team')} />
              )}
            </div>
          </Card>
        ) : (
          confirm(path(`team?invite=${inviting}`))
        ))}
      <Card id="members" title={t('members')}>
        <MemberTable
          members={team.members}
          now={now}
          locale={locale}
          reader={access.user.id}
          {...(changes && {
            change: { role, roles, changeRole: changeRoleAction, remove: removeMemberAction, newLink: inviteCashierAction },
          })}
        />
      </Card>
      {team.invitations.length > 0 && (
        <Card id="invitations" title={t('invitations')}>
          <InvitationTable
            invitations={team.invitations}
            now={now}
            locale={locale}
            {...(changes && { change: { role, sendAgain: inviteAgainAction, revoke: revokeInvitationAction } })}
          />
        </Card>
      )}
      {team.devices.length > 0 && (
        <Card id="devices" title={cashiers('devices')}>
          <DeviceList
            devices={team.devices}
            members={team.members}
            now={now}
            locale={locale}
            {...(changes && { revoke: revokeDeviceAction })}
          />
        </Card>
      )}
      {!changes && allowed && inviting === null && confirm(path('team'))}
      {!allowed && !roleMay(role, 'team.change') && <Notice tone="wait" text={t('viewer')} />}
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
