import { lowestId } from '@/lib/core/ids';
import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { AuditFilter } from './filter-rules';
import { PERSON_ACTIONS } from './person-actions';

export interface ListedEntry {
  readonly id: string;
  readonly environment: Environment | null;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly sealed: boolean;
  /** Its place in the merchant's chain; null while it is not sealed, and in the operator's chain, which is not the merchant's to count. */
  readonly number: bigint | null;
  readonly hash: Buffer | null;
}

interface ListOptions {
  readonly filter: AuditFilter;
  /** Whether what members did outside any merchant is told too. */
  readonly people: boolean;
  /** Entries older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

const COLUMNS = `id, environment, actor, action, subject, address, data, at, chain_number IS NOT NULL AS sealed,
  CASE WHEN merchant_id IS NOT NULL THEN chain_number END AS number, CASE WHEN merchant_id IS NOT NULL THEN chain_hash END AS hash`;
/** @param e the entries' alias. Parameters 3 to 8 are the filter's. */
const matches = (e: string) => `($3::uuid IS NULL OR ${e}.id < $3)
  AND ($4::text IS NULL OR CASE WHEN $4 LIKE 'user:%' THEN ${e}.actor = $4 ELSE ${e}.actor LIKE $4 || ':%' END)
  AND ($5::text IS NULL OR translate(${e}.action, '.-', '__') = $5)
  AND ($6::timestamptz IS NULL OR ${e}.at >= $6) AND ($7::timestamptz IS NULL OR ${e}.at < $7)`;

/**
 * @returns a merchant's entries of one environment and of both, newest first; with `people` also what its members did where they
 *   sign in, since they are members: nobody else's, and nothing of what they do for other merchants.
 */
export async function listEntries(db: Queryable, { merchantId, environment }: Scope, options: ListOptions): Promise<ListedEntry[]> {
  const { filter, people, before, limit } = options;
  return db.query<ListedEntry>(
    {
      text: `SELECT * FROM (
               (SELECT ${COLUMNS} FROM audit_entry e WHERE e.merchant_id = $1 AND (e.environment = $2 OR e.environment IS NULL) AND ${matches('e')}
                ORDER BY e.id DESC LIMIT $8)
               UNION ALL
               SELECT p.* FROM membership s CROSS JOIN LATERAL (
                 SELECT ${COLUMNS} FROM audit_entry e
                 WHERE e.merchant_id IS NULL AND e.subject = s.user_id::text AND e.action = ANY ($9) AND e.at >= s.created_at AND ${matches('e')}
                 ORDER BY e.id DESC LIMIT $8) p
               WHERE $10 AND s.merchant_id = $1
             ) found ORDER BY id DESC LIMIT $8`,
    },
    [merchantId, environment, before, filter.by, filter.action, filter.from, filter.until, limit, PERSON_ACTIONS, people],
  );
}

/** One thing that was done, with what it was done to by its name. */
export interface Change extends Pick<ListedEntry, 'id' | 'at' | 'action' | 'actor' | 'address'> {
  /** A key's label, a member's e-mail address; null where there is none. */
  readonly about: string | null;
}

/** @returns what was done of some kinds since an instant, oldest first; what belongs to no environment counts as live. */
export async function listChanges(
  db: Queryable,
  { merchantId, environment }: Scope,
  { actions, since }: { readonly actions: readonly string[]; readonly since: Date },
): Promise<Change[]> {
  return db.query<Change>(
    {
      text: `SELECT e.id, e.at, e.action, e.actor, e.address, coalesce(k.label, e.data->>'member', u.email) AS about
             FROM audit_entry e
             LEFT JOIN api_key k ON k.id = e.subject AND k.merchant_id = $1 AND e.action LIKE 'key.%'
             LEFT JOIN "user" u ON u.id = CASE WHEN e.action LIKE 'member.%' THEN e.subject::uuid END
             WHERE e.merchant_id = $1 AND coalesce(e.environment, 'live') = $2 AND e.action = ANY ($3) AND e.id >= $4 ORDER BY e.id`,
    },
    [merchantId, environment, actions, lowestId(since.getTime())],
  );
}
