import type { Permission } from '@/lib/accounts/permissions';
import type { Settings } from '@/lib/config/settings';
import type { Environment } from '@/lib/core/scope';

/** What a member may see, but may not change before setting up a second factor. */
export interface FactorDue {
  /** True if what belongs to the merchant as a whole cannot be changed: team and settings. */
  readonly merchant: boolean;
  /** True if what belongs to the environment cannot be changed: keys, webhooks and existing bills. */
  readonly environment: boolean;
}

/**
 * The permissions that need a second factor if one is required. The value is the field of `FactorDue` that applies to the permission.
 * Creating bills needs no second factor, because a collector creates bills all day, and an API key creates them without a person.
 */
const SENSITIVE: Partial<Record<Permission, keyof FactorDue>> = {
  'team.change': 'merchant',
  'settings.change': 'merchant',
  'keys.change': 'environment',
  'webhooks.change': 'environment',
  'bills.change': 'environment',
};

interface Requirement {
  readonly policy: Settings['REQUIRE_SECOND_FACTOR'];
  /** True if the merchant itself requires a second factor. If false, the operator's policy alone decides. */
  readonly requiredByMerchant: boolean;
  /** Whether the operator has ever activated the merchant in live. */
  readonly live: boolean;
  readonly environment: Environment;
  /** Whether the member has a second factor. */
  readonly has: boolean;
}

/** Pure. Returns what a member may not change before setting up a second factor. */
export function factorDue({ policy, requiredByMerchant, live, environment, has }: Requirement): FactorDue {
  if (has) return { merchant: false, environment: false };
  const everywhere = policy === 'all' || requiredByMerchant;
  const merchant = everywhere || (policy === 'live' && live);
  return { merchant, environment: everywhere || (merchant && environment === 'live') };
}

/** Pure. Returns whether a permission needs a second factor that the member does not have. */
export function needsFactor(due: FactorDue, permission: Permission): boolean {
  const about = SENSITIVE[permission];
  return about !== undefined && due[about];
}
