import { Badge } from '@/components/ui/badge';
import { Cell, Row, Table } from '@/components/ui/table';
import type { MemberView } from '@/lib/accounts/team/list-team';
import { formatInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { MemberActions, type MemberChange } from './member-actions';

interface MemberTableProps {
  readonly members: readonly MemberView[];
  readonly locale: Locale;
  /** The user id of the viewer. */
  readonly reader: string;
  /** Omitted if the viewer may not change members or has not confirmed their identity. */
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
              <span className="block text-sm text-muted">{member.email}</span>
              {!member.emailConfirmed && <Badge tone="wait" icon="question" text={t('emailUnconfirmed')} />}
            </Cell>
            <Cell label={t('role')} whole>
              {role(`role_${member.role}`)}
            </Cell>
            <Cell label={t('since')} whole>
              {formatInstant(member.since, locale)}
            </Cell>
            <Cell label={t('lastSeen')} whole>
              {member.lastSeenAt ? formatInstant(member.lastSeenAt, locale) : t('never')}
            </Cell>
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
      {members.some(({ emailConfirmed }) => !emailConfirmed) && (
        <p className="mt-3 max-w-prose text-sm text-muted">{t('emailUnconfirmedText')}</p>
      )}
    </>
  );
}
