import type { Secrets } from '@/lib/config/secrets';
import type { ConnectedSettings } from '@/lib/config/settings';
import type { Clock, Random } from '@/lib/core/clock';
import type { Health } from '@/lib/db/check-writable';
import type { Database } from '@/lib/db/database';
import type { MachineClock } from '@/lib/db/watch-clock';
import type { Log } from '@/lib/log/log';

/** What use cases need from their process. Each use case takes only the parts that it uses. */
export interface Runtime {
  readonly settings: ConnectedSettings;
  readonly secrets: Secrets;
  readonly db: Database;
  /** The time. It is that of the database while the machine's clock is wrong. */
  readonly clock: Clock;
  readonly machineClock: MachineClock;
  readonly random: Random;
  readonly log: Log;
  readonly health: Health;
}

/** What a use case needs to read data. */
export type ReadRuntime = Pick<Runtime, 'db' | 'clock'>;

/** What a use case needs to change data: new ids and audit entries need the time and random bytes. */
export type WriteRuntime = Pick<Runtime, 'db' | 'clock' | 'random'>;

/** What a use case needs to change data and to send mails about the change. */
export type NotifyRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;
