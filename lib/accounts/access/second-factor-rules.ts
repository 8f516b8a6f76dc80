import type { Permission } from '@/lib/accounts/permissions';
import type { Settings } from '@/lib/config/settings';
import type { Environment } from '@/lib/core/scope';

/** Where a member without a second factor may look but not change anything. */
export interface FactorDue {
  /** What belongs to the merchant as a whole: team and settings. */
  readonly merchant: boolean;
  /** What belongs to the environment: keys, webhooks, and bills that exist. */
  readonly environment: boolean;
}

/**
 * The permissions that take a second factor where one is required, and what each belongs to. Creating bills is not among them: a
 * collector at a till does that all day, and an API key does it without a person.
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
  /** The merchant's own setting, which can only be stricter. */
  readonly requiredByMerchant: boolean;
  /** Whether the operator has ever activated the merchant in live. */
  readonly live: boolean;
  readonly environment: Environment;
  /** Whether the member has a second factor. */
  readonly has: boolean;
}

/** Pure. @returns where a member has to set up a second factor before changing anything. */
export function factorDue({ policy, requiredByMerchant, live, environment, has }: Requirement): FactorDue {
  if (has) return { merchant: false, environment: false };
  const everywhere = policy === 'all' || requiredByMerchant;
  const merchant = everywhere || (policy === 'live' && live);
  return { merchant, environment: everywhere || (merchant && environment === 'live') };
}

/** Pure. @returns whether a permission waits for its member's second factor. */
export function waitsForFactor(due: FactorDue, permission: Permission): boolean {
  const about = SENSITIVE[permission];
  return about !== undefined && due[about];
}
