import { Badge } from '@/components/ui/badge';
import { ActionForm, type FormAction, SubmitButton } from '@/components/ui/forms/action-form';
import { Cell, Row, Table } from '@/components/ui/table';
import type { Role } from '@/lib/accounts/permissions';
import type { TeamView } from '@/lib/accounts/team/list-team';
import { mayAssign } from '@/lib/accounts/team/team-rules';
import { actorName } from '@/lib/audit/actor-name';
import { formatMobile } from '@/lib/core/mobile';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Place } from '../place';
import { SendAgain, type SendAgainState } from './invite-form';
import { roleTitle } from './role-title';

interface InvitationTableProps {
  readonly invitations: TeamView['invitations'];
  readonly locale: Locale;
  /** Omitted if the viewer may not change invitations or has not confirmed their identity. */
  readonly change?: {
    readonly place: Place;
    readonly role: Role;
    readonly sendAgain: FormAction<SendAgainState>;
    readonly revoke: (form: FormData) => Promise<void>;
  };
}

export function InvitationTable({ invitations, locale, change }: InvitationTableProps) {
  const t = translator(locale, 'Team');
  return (
    <Table caption={t('invitations')} columns={[t('email'), t('role'), t('invited'), t('state'), ...(change ? [t('actions')] : [])]}>
      {invitations.map(({ id, email, mobile, name, role, invitedBy, createdAt, expiresAt, state }) => (
        <Row key={id}>
          <Cell>
            <strong>{name ?? email}</strong>
            {mobile !== null && <span className="block text-sm text-muted">{formatMobile(mobile)}</span>}
          </Cell>
          <Cell label={t('role')} whole value={roleTitle(translator(locale, 'Shell')(`role_${role}`))} />
          <Cell label={t('invited')}>
            {formatInstant(createdAt, locale)}
            <span className="block text-sm text-muted">{t('invitedBy', { name: actorName(invitedBy, locale) })}</span>
          </Cell>
          <Cell label={t('state')}>
            <Badge tone={state === 'open' ? 'wait' : 'quiet'} icon="clock" text={t(`state_${state}`)} />
            {state === 'open' && <span className="block text-sm text-muted">{t('until', { when: formatInstant(expiresAt, locale) })}</span>}
          </Cell>
          {change && (
            <Cell>
              {mayAssign(change.role, role) && (
                <div className="flex flex-wrap gap-2">
                  <SendAgain action={change.sendAgain} place={change.place} invitation={{ id, email: name ?? email }} />
                  <ActionForm action={change.revoke} hidden={{ ...change.place, invitation: id }}>
                    <SubmitButton look="plain" aria-label={t('revokeOf', { email: name ?? email })}>
                      {t('revoke')}
                    </SubmitButton>
                  </ActionForm>
                </div>
              )}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}
