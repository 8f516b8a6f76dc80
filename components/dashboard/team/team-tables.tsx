import { ResultNotice } from '@/components/dashboard/result-notice';
import { Badge, LineIcon } from '@/components/ui/badge';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { TextLink } from '@/components/ui/links';
import { Line, LineCell, LineInitials, List } from '@/components/ui/list';
import type { PlainAction } from '@/lib/entry/server/form-action';
import { PINS_MAX } from '@/lib/identity/accounts/cashier-rules';
import { describeDevice } from '@/lib/identity/accounts/describe-device';
import type { Role } from '@/lib/identity/accounts/permissions';
import { INVITATIONS_A_DAY } from '@/lib/identity/accounts/team/invitation-rules';
import type { MemberView, TeamView } from '@/lib/identity/accounts/team/team';
import { mayAssign } from '@/lib/identity/accounts/team/team-rules';
import { actorName } from '@/lib/identity/audit/actor-name';
import { formatMobile } from '@/lib/platform/core/mobile';
import { formatAgo, formatDay, formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { type InviteCashier, NewLink, SendAgain, type SendAgainAction } from './invite-forms';
import { roleTitle } from './role-title';

interface MemberTableProps {
  readonly members: readonly MemberView[];
  readonly now: Date;
  readonly locale: Locale;
  /** The user id of the viewer. */
  readonly reader: string;
  /** Omitted if the signed-in member may not change members or has not confirmed their identity. */
  readonly change?: MemberChange;
}

export function MemberTable({ members, now, locale, reader, change }: MemberTableProps) {
  const t = translator(locale, 'Team');
  const role = translator(locale, 'Shell');
  const columns = [
    { text: t('initials'), hidden: true },
    { text: t('member') },
    { text: t('role') },
    { text: t('lastSeen') },
    { text: t('secondFactor') },
    ...(change ? [{ text: t('actions'), hidden: true }] : []),
  ];
  return (
    <>
      <List label={t('members')} columns={columns} widths={change ? WIDTHS_WITH_ACTIONS : WIDTHS}>
        {members.map((member) => (
          <Line key={member.userId}>
            <LineCell at="lead">
              <LineInitials name={member.name} />
            </LineCell>
            <LineCell at="title" className="md:py-1.5">
              <span className="block wrap-anywhere">
                <strong>{member.name}</strong>
                {member.userId === reader && <span className="text-muted"> ({t('you')})</span>}
              </span>
              <span className="block text-small text-muted wrap-anywhere">
                {member.mobile === null ? member.email : formatMobile(member.mobile)}
              </span>
              {isUnconfirmed(member) && <Badge tone="wait" icon="question" text={t('emailUnconfirmed')} />}
            </LineCell>
            <LineCell at="end" className="md:text-left">
              {roleTitle(role(`role_${member.role}`))}
            </LineCell>
            <LineCell
              at="below"
              title={`${t('since')}: ${formatInstant(member.since, locale)}`}
              className="text-muted max-md:col-end-4 max-md:text-small"
            >
              <span className="md:hidden">{t('lastSeen')}: </span>
              {member.lastSeenAt ? formatAgo(member.lastSeenAt, now, locale) : t('never')}
            </LineCell>
            <LineCell at="third" className="max-md:col-end-4">
              <SecondFactor member={member} self={member.userId === reader} locale={locale} />
            </LineCell>
            {change && (
              <LineCell at="fourth">
                <MemberActions member={member} self={member.userId === reader} locale={locale} change={change} />
              </LineCell>
            )}
          </Line>
        ))}
      </List>
      {members.some(isUnconfirmed) && <p className="mt-3 max-w-prose text-sm text-muted">{t('emailUnconfirmedText')}</p>}
    </>
  );
}

const WIDTHS = '[--columns:2.25rem_minmax(0,3fr)_8rem_10rem_11rem]';
const WIDTHS_WITH_ACTIONS = '[--columns:2.25rem_minmax(0,3fr)_8rem_10rem_11rem_7rem]';

/** Whether a member has a second factor. The viewer can turn it on. Cashiers have none, because they sign in with phone and PIN. */
function SecondFactor({ member, self, locale }: { readonly member: MemberView; readonly self: boolean; readonly locale: Locale }) {
  const t = translator(locale, 'Team');
  const { secondFactor, mobile } = member;
  if (mobile !== null) return <span className="text-small text-muted">{t('byPin')}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-small">
      <span className="text-muted md:hidden">{t('secondFactor')}: </span>
      <span className={`inline-flex items-center gap-1 font-semibold ${secondFactor ? 'text-good-ink' : 'text-muted'}`}>
        <Icon name={secondFactor ? 'lock' : 'circle'} className="size-3.5" />
        {t(secondFactor ? 'on' : 'off')}
      </span>
      {self && !secondFactor && (
        <TextLink href="/account/second-factor" className="inline-flex min-h-control items-center">
          {t('turnOn')}
        </TextLink>
      )}
    </span>
  );
}

function isUnconfirmed({ emailConfirmed, mobile }: MemberView): boolean {
  return !emailConfirmed && mobile === null;
}

interface MemberChange {
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly changeRole: PlainAction;
  readonly remove: PlainAction;
  readonly newLink: InviteCashier;
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
  const hidden = { member: userId };
  return (
    <Fold title={t('change')} about={name} className="md:relative md:text-right">
      <div className="mt-2 grid max-w-xs gap-3 rounded-lg border border-line bg-surface p-3 text-left shadow-lg md:absolute md:top-full md:right-0 md:z-20 md:w-80">
        {touches && mobile !== null && <NewLink action={change.newLink} cashier={{ name, mobile }} />}
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

interface InvitationTableProps {
  readonly invitations: TeamView['invitations'];
  readonly now: Date;
  readonly locale: Locale;
  /** Omitted if the viewer may not change invitations or has not confirmed their identity. */
  readonly change?: {
    readonly role: Role;
    readonly sendAgain: SendAgainAction;
    readonly revoke: PlainAction;
  };
}

export function InvitationTable({ invitations, now, locale, change }: InvitationTableProps) {
  const t = translator(locale, 'Team');
  const columns = [
    { text: t('initials'), hidden: true },
    { text: t('member') },
    { text: t('role') },
    { text: t('invited') },
    { text: t('state') },
    ...(change ? [{ text: t('actions'), hidden: true }] : []),
  ];
  return (
    <List label={t('invitations')} columns={columns} widths={change ? INVITATION_WIDTHS_WITH_ACTIONS : INVITATION_WIDTHS}>
      {invitations.map(({ id, email, mobile, name, role, invitedBy, createdAt, expiresAt, state }) => (
        <Line key={id}>
          <LineCell at="lead">
            <LineInitials name={name ?? email} />
          </LineCell>
          <LineCell at="title" className="md:py-1.5">
            <strong className="block wrap-anywhere">{name ?? email}</strong>
            {mobile !== null && <span className="block text-small text-muted">{formatMobile(mobile)}</span>}
          </LineCell>
          <LineCell at="end" className="md:text-left">
            {roleTitle(translator(locale, 'Shell')(`role_${role}`))}
          </LineCell>
          <LineCell at="below" title={formatInstant(createdAt, locale)} className="text-muted max-md:col-end-4 max-md:text-small">
            {formatAgo(createdAt, now, locale)}{' '}
            <span className="text-small wrap-anywhere md:block">{t('invitedBy', { name: actorName(invitedBy, locale) })}</span>
          </LineCell>
          <LineCell at="third" className="max-md:col-end-4">
            <span className="flex flex-wrap items-center gap-x-2">
              <Badge tone={state === 'open' ? 'wait' : 'quiet'} icon="clock" text={t(`state_${state}`)} />
              {state === 'open' && <span className="text-small text-muted">{t('until', { when: formatDay(expiresAt, locale) })}</span>}
            </span>
          </LineCell>
          {change && (
            <LineCell at="fourth">
              {mayAssign(change.role, role) && (
                <div className="flex flex-wrap gap-2 max-md:mt-2 md:justify-end">
                  <SendAgain action={change.sendAgain} invitation={{ id, email: name ?? email }} />
                  <ActionForm action={change.revoke} hidden={{ invitation: id }}>
                    <SubmitButton look="plain" aria-label={t('revokeOf', { email: name ?? email })}>
                      {t('revoke')}
                    </SubmitButton>
                  </ActionForm>
                </div>
              )}
            </LineCell>
          )}
        </Line>
      ))}
    </List>
  );
}

const INVITATION_WIDTHS = '[--columns:2.25rem_minmax(0,2fr)_8rem_minmax(0,1.5fr)_11rem]';
const INVITATION_WIDTHS_WITH_ACTIONS = '[--columns:2.25rem_minmax(0,2fr)_6.5rem_minmax(0,1.5fr)_9rem_minmax(0,13rem)]';

const DONE = ['role', 'removed', 'revoked', 'device'] as const;
const PROBLEMS = [
  'not_allowed',
  'second_factor_due',
  'not_proven',
  'owners_only',
  'last_owner',
  'cashier_only',
  'no_such_device',
  'no_such_member',
  'no_such_invitation',
  'too_many',
] as const;

interface TeamResultProps {
  /** The result or the problem of the last action, from the query of the page. */
  readonly done: string | null;
  readonly problem: string | null;
  readonly locale: Locale;
}

export function TeamResult({ done, problem, locale }: TeamResultProps) {
  const t = translator(locale, 'Team');
  const good = DONE.find((one) => one === done);
  const bad = PROBLEMS.find((one) => one === problem);
  if (!good && !bad) return null;
  const title = good ? t(`done_${good}`) : t('problemTitle');
  return (
    <ResultNotice text={title} good={!bad}>
      {bad && <p>{t(bad, { most: String(INVITATIONS_A_DAY) })}</p>}
    </ResultNotice>
  );
}

interface DeviceListProps {
  readonly devices: TeamView['devices'];
  readonly members: TeamView['members'];
  readonly now: Date;
  readonly locale: Locale;
  /** Omitted if the viewer may not revoke devices or has not confirmed their identity. */
  readonly revoke?: PlainAction;
}

/** The phones on which cashiers sign in with a PIN. */
export function DeviceList({ devices, members, now, locale, revoke }: DeviceListProps) {
  const t = translator(locale, 'Cashiers');
  const account = translator(locale, 'Account');
  const columns = [
    { text: t('state'), hidden: true },
    { text: t('name') },
    { text: t('device') },
    { text: t('lastSignIn') },
    ...(revoke ? [{ text: t('revoke'), hidden: true }] : []),
  ];
  return (
    <List label={t('devices')} columns={columns} widths={DEVICE_WIDTHS}>
      {devices.map(({ id, userId, userAgent, wrongPins, lastUsedAt }) => {
        const name = members.find((member) => member.userId === userId)?.name ?? '';
        const { browser, system } = describeDevice(userAgent);
        const device = account('device', {
          browser: browser ?? account('unknownBrowser'),
          system: system ?? account('unknownSystem'),
        });
        const locked = wrongPins >= PINS_MAX;
        return (
          <Line key={id}>
            <LineCell at="lead">
              <LineIcon tone={locked ? 'bad' : 'quiet'} icon={locked ? 'lock' : 'phone'} />
            </LineCell>
            <LineCell at="title" className="md:py-1.5">
              <strong className="wrap-anywhere">{name}</strong> {locked && <Badge tone="bad" icon="lock" text={t('locked')} />}
            </LineCell>
            <LineCell at="below" className="text-muted max-md:col-end-4 max-md:text-small">
              {device}
            </LineCell>
            <LineCell at="third" title={formatInstant(lastUsedAt, locale)} className="text-muted max-md:col-end-4">
              <span className="md:hidden">{t('lastSignIn')}: </span>
              {formatAgo(lastUsedAt, now, locale)}
            </LineCell>
            {revoke && (
              <LineCell at="fourth">
                <ActionForm action={revoke} hidden={{ device: id }} className="max-md:mt-2 md:text-right">
                  <SubmitButton look="plain" aria-label={t('revokeOf', { name, device })}>
                    {t('revoke')}
                  </SubmitButton>
                </ActionForm>
              </LineCell>
            )}
          </Line>
        );
      })}
    </List>
  );
}

const DEVICE_WIDTHS = '[--columns:2rem_minmax(0,2fr)_minmax(0,2fr)_10rem_10rem]';
