import type { Secrets } from '@/lib/config/secrets';
import type { ConnectedSettings } from '@/lib/config/settings';
import type { Clock, Random } from '@/lib/core/clock';
import type { Database } from '@/lib/db/database';
import type { Log } from '@/lib/log/log';

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
