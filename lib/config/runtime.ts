import type { Clock, Random } from '@/lib/core/clock';
import type { Database } from '@/lib/db/database';
import type { Log } from '@/lib/log/log';
import type { Secrets } from './secrets';
import type { ConnectedSettings } from './settings';

/** What a use case may need from the process it runs in. Each takes only the parts it uses. */
export interface Runtime {
  readonly settings: ConnectedSettings;
  readonly secrets: Secrets;
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Of a command: the address of whoever runs it, for audit entries that name no other. */
  readonly operatorAddress?: string | null;
}

export type Environment = 'live' | 'sandbox';

export const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

/** Whose data a query may see. Every query of a merchant's data takes one. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
