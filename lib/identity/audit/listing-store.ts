import { lowestId } from '@/lib/platform/core/ids';
import { isRecord } from '@/lib/platform/core/is-record';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { apiKey, auditEntry, membership } from '@/lib/platform/db/generated/tables';
import { array, boolean, bytea, environment, int4, int8, nullable, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { AuditFilter } from './filter-rules';

/** Account actions, which belong to no merchant. The owners of a merchant see them for its members, since the day each member joined. */
const PERSON_ACTIONS: readonly string[] = [
  'sign-in',
  'sign-in.refused',
  'sign-in.code-due',
  'sign-in.code-refused',
  'sign-out',
  'session.ended',
  'identity.proven',
  'identity.refused',
  'password.changed',
  'password.reset-link',
  'password.reset',
  'second-factor.on',
  'second-factor.off',
  'second-factor.removed',
  'recovery-codes.renewed',
  'email.asked',
  'email.changed',
];

interface ListOptions {
  readonly filter: AuditFilter;
  /** Whether to include the account actions of the members, such as signing in. These entries belong to no merchant. */
  readonly people: boolean;
  /** The id of an entry. Only older entries are returned. */
  readonly before: string | null;
  readonly limit: number;
}

const COLUMNS = `id, environment, actor, action, subject, address, data, at, chain_number IS NOT NULL AS sealed,
  CASE WHEN merchant_id IS NOT NULL THEN chain_number END AS number, CASE WHEN merchant_id IS NOT NULL THEN chain_hash END AS hash`;
const matches = `($before::uuid IS NULL OR e.id < $before)
  AND ($by::text IS NULL OR CASE WHEN $by LIKE 'user:%' THEN e.actor = $by ELSE e.actor LIKE $by || ':%' END)
  AND ($action::text IS NULL OR translate(e.action, '.-', '__') = $action)
  AND ($from::timestamptz IS NULL OR e.at >= $from) AND ($until::timestamptz IS NULL OR e.at < $until)`;

const LIST_ENTRIES = statement({
  name: 'list audit entries',
  text: `SELECT * FROM (
           (SELECT ${COLUMNS} FROM audit_entry e
            WHERE e.merchant_id = $merchantId AND (e.environment = $environment OR e.environment IS NULL) AND ${matches}
            ORDER BY e.id DESC LIMIT $limit::int)
           UNION ALL
           SELECT p.* FROM membership s CROSS JOIN LATERAL (
             SELECT ${COLUMNS} FROM audit_entry e
             WHERE e.merchant_id IS NULL AND e.subject = s.user_id::text AND e.action = ANY ($personActions) AND e.at >= s.created_at AND ${matches}
             ORDER BY e.id DESC LIMIT $limit::int) p
           WHERE $people AND s.merchant_id = $merchantId
         ) found ORDER BY id DESC LIMIT $limit::int`,
  parameters: {
    merchantId: membership.merchantId,
    environment,
    before: nullable(uuid),
    by: nullable(auditEntry.actor),
    action: nullable(auditEntry.action),
    from: nullable(timestamptz),
    until: nullable(timestamptz),
    limit: int4,
    personActions: array(auditEntry.action),
    people: boolean,
  },
  columns: {
    ...pick(auditEntry, 'id environment actor action subject address data at'),
    sealed: boolean,
    /** The number in the merchant's chain. Null for unsealed entries and for the operator's chain, whose numbers merchants must not see. */
    number: nullable(int8),
    hash: nullable(bytea),
  },
});

export type ListedEntry = Omit<Awaited<ReturnType<typeof LIST_ENTRIES.rows>>[number], 'data'> & {
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Returns a merchant's entries, newest first: those of one environment, and those that concern both environments. With `people`, also
 * returns the account actions of the members (`PERSON_ACTIONS`) since they joined, but nothing that they did for other merchants.
 */
export async function listEntries(db: Queryable, { merchantId, environment }: Scope, options: ListOptions): Promise<ListedEntry[]> {
  const { filter, people, before, limit } = options;
  const { by, action, from, until } = filter;
  const sought = { merchantId, environment, before, by, action, from, until, limit, personActions: PERSON_ACTIONS, people };
  const rows = await LIST_ENTRIES.rows(db, sought);
  return rows.map((row) => ({ ...row, data: isRecord(row.data) ? row.data : {} }));
}

const LIST_CHANGES = statement({
  name: 'list changes in the audit log',
  text: `SELECT e.id, e.at, e.action, e.actor, e.address, coalesce(k.label, e.data->>'member', u.mobile, u.email) AS about
         FROM audit_entry e
         LEFT JOIN api_key k ON k.id = e.subject AND k.merchant_id = $merchantId AND e.action LIKE 'key.%'
         LEFT JOIN "user" u ON u.id = CASE WHEN e.action LIKE 'member.%' OR e.action LIKE 'cashier.%' THEN e.subject::uuid END
         WHERE e.merchant_id = $merchantId AND coalesce(e.environment, 'live') = $environment AND e.action = ANY ($actions) AND e.id >= $lowestId
         ORDER BY e.id`,
  parameters: { ...pick(apiKey, 'merchantId environment'), actions: array(auditEntry.action), lowestId: uuid },
  columns: {
    ...pick(auditEntry, 'id at action actor address'),
    /** The name of the object that the entry refers to: a key's label or a member's e-mail address. Null if the object has no name. */
    about: nullable(text),
  },
});

/** An audit entry with the name of the object it refers to. */
export type NamedEntry = Awaited<ReturnType<typeof LIST_CHANGES.rows>>[number];

/** Returns entries with the given actions since an instant, oldest first. Entries that belong to no environment count as live. */
export async function listChanges(
  db: Queryable,
  { merchantId, environment }: Scope,
  { actions, since }: { readonly actions: readonly string[]; readonly since: Date },
): Promise<NamedEntry[]> {
  return LIST_CHANGES.rows(db, { merchantId, environment, actions, lowestId: lowestId(since.getTime()) });
}
