import type { ProfileStatus } from '@/lib/core/profile-status';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, profileStatus, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** The status and settings of a merchant in one environment. They decide whether and how bills can be created. */
export interface Profile {
  readonly status: ProfileStatus;
  readonly uniqueReferences: boolean;
  readonly partialPayments: boolean;
}

const FIND_PROFILE = statement({
  name: 'find a profile',
  text: `SELECT status, unique_references AS "uniqueReferences", partial_payments AS "partialPayments"
         FROM merchant_profile WHERE merchant_id = $merchantId AND environment = $environment`,
  parameters: { merchantId: uuid, environment },
  columns: { status: profileStatus, uniqueReferences: boolean, partialPayments: boolean },
});

export async function findProfile(db: Queryable, scope: Scope): Promise<Profile | undefined> {
  return FIND_PROFILE.first(db, scope);
}
