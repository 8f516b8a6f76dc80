import type { Secrets } from '@/lib/config/secrets';
import type { ConnectedSettings } from '@/lib/config/settings';
import type { Clock, Random } from '@/lib/core/clock';
import type { Database } from '@/lib/db/database';
import type { Log } from '@/lib/log/log';

/** What use cases need from their process. Each use case takes only the parts that it uses. */
export interface Runtime {
  readonly settings: ConnectedSettings;
  readonly secrets: Secrets;
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
