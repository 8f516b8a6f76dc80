import type { Secrets } from '@/lib/platform/config/secrets';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import type { Clock, Random } from '@/lib/platform/core/clock';
import type { Health } from '@/lib/platform/db/check-writable';
import type { Database } from '@/lib/platform/db/database';
import type { MachineClock } from '@/lib/platform/db/watch-clock';
import type { Log } from '@/lib/platform/log/log';

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
