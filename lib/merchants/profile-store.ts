import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, environment, profileStatus, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** The status and settings of a merchant in one environment. They decide whether and how bills can be created. */
const PROFILE = {
  text: `SELECT status, unique_references AS "uniqueReferences", partial_payments AS "partialPayments",
           return_origins AS "returnOrigins"
         FROM merchant_profile WHERE merchant_id = $merchantId AND environment = $environment`,
  parameters: { merchantId: uuid, environment },
  columns: {
    status: profileStatus,
    uniqueReferences: boolean,
    /** Whether customers may pay a part of a bill on the payment page. */
    partialPayments: boolean,
    /** The origins to which payment pages may link back, such as `https://shop.example.com`. */
    returnOrigins: array(text),
  },
};
const FIND_PROFILE = statement({ ...PROFILE, name: 'find a profile' });
const LOCK_PROFILE = statement({ ...PROFILE, name: 'lock a profile', text: `${PROFILE.text} FOR NO KEY UPDATE` });

type Profile = Awaited<ReturnType<typeof FIND_PROFILE.rows>>[number];

/** Absent fields stay as they are. */
export type ProfileChange = Partial<Profile>;

export async function findProfile(db: Queryable, scope: Scope): Promise<Profile | undefined> {
  return FIND_PROFILE.first(db, scope);
}

const REQUEST_ACTIVATION = statement({
  name: 'request the activation of a profile',
  text: `UPDATE merchant_profile SET activation_requested_at = $now
         WHERE merchant_id = $merchantId AND environment = $environment AND status = 'pending' AND activation_requested_at IS NULL
         RETURNING merchant_id AS "merchantId"`,
  parameters: { merchantId: uuid, environment, now: timestamptz },
  columns: { merchantId: uuid },
});

/** Stores that a member requests the activation. Returns false if the profile is not pending, or if the activation was requested before. */
export async function markActivationRequested(tx: Queryable, { merchantId, environment }: Scope, now: Date): Promise<boolean> {
  return (await REQUEST_ACTIVATION.rows(tx, { merchantId, environment, now })).length > 0;
}

/** Locks a profile until the transaction ends and returns it. Returns undefined if there is no such profile. */
export async function lockProfile(tx: Queryable, scope: Scope): Promise<Profile | undefined> {
  return LOCK_PROFILE.first(tx, scope);
}
