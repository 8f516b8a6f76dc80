import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { merchantProfile } from '@/lib/platform/db/generated/tables';
import { pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

/** The status and settings of a merchant in one environment. They decide whether and how bills can be created. */
const PROFILE = {
  text: `SELECT status, unique_references AS "uniqueReferences", partial_payments AS "partialPayments",
           return_origins AS "returnOrigins", cashiers_take_cash AS "cashiersTakeCash",
           issues_instruments AS "issuesInstruments"
         FROM merchant_profile WHERE merchant_id = $merchantId AND environment = $environment`,
  parameters: pick(merchantProfile, 'merchantId environment'),
  columns: pick(merchantProfile, 'status uniqueReferences partialPayments returnOrigins cashiersTakeCash issuesInstruments'),
};
const FIND_PROFILE = statement({ ...PROFILE, name: 'find a profile' });
const LOCK_PROFILE = statement({ ...PROFILE, name: 'lock a profile', text: `${PROFILE.text} FOR NO KEY UPDATE` });

type Profile = Awaited<ReturnType<typeof FIND_PROFILE.rows>>[number];

/** Absent fields stay as they are. */
export type ProfileChange = Partial<Profile>;

export async function findProfile(db: Queryable, scope: Scope): Promise<Profile | undefined> {
  return FIND_PROFILE.first(db, scope);
}

/** Locks a profile until the transaction ends and returns it. Returns undefined if there is no such profile. */
export async function lockProfile(tx: Queryable, scope: Scope): Promise<Profile | undefined> {
  return LOCK_PROFILE.first(tx, scope);
}
