import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** What decides whether and how bills may be made for a merchant, in one environment, at this moment. */
export interface Profile {
  readonly status: 'pending' | 'active' | 'suspended' | 'closed';
  readonly uniqueReferences: boolean;
  readonly partialPayments: boolean;
}

export async function findProfile(db: Queryable, scope: Scope): Promise<Profile | undefined> {
  const [profile] = await db.query<Profile>(
    {
      text: `SELECT status, unique_references AS "uniqueReferences", partial_payments AS "partialPayments"
             FROM merchant_profile WHERE merchant_id = $1 AND environment = $2`,
    },
    [scope.merchantId, scope.environment],
  );
  return profile;
}
