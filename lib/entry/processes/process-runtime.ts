import { randomBytes, randomFillSync } from 'node:crypto';
import { INSTRUMENT_TRANSITIONS } from '@/lib/gateway/instruments/rules';
import { checkTransitions } from '@/lib/gateway/payments/rules';
import { FIRST_REFUND_STATES, REFUND_TRANSITIONS } from '@/lib/gateway/refund-states/rules';
import { DELIVERY_TRANSITIONS, FIRST_DELIVERY_STATES } from '@/lib/gateway/webhooks/state';
import { armFailPoint } from '@/lib/platform/config/fail-point';
import type { Secrets } from '@/lib/platform/config/secrets';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import type { Random } from '@/lib/platform/core/clock';
import { checkWritable, type Health } from '@/lib/platform/db/check-writable';
import { openDatabase } from '@/lib/platform/db/database';
import { DatabaseUnavailable, isBusy, isDatabaseUnavailable } from '@/lib/platform/db/errors';
import type { SessionNeed } from '@/lib/platform/db/session';
import { createClock } from '@/lib/platform/db/watch-clock';
import { createLog, type Log, type LogOptions } from '@/lib/platform/log/log';
import { createOutage } from '@/lib/platform/log/outage';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface RuntimeOptions {
  readonly settings: ConnectedSettings;
  readonly process: string;
  /** From `checkDeployment`. */
  readonly secrets: Secrets;
  readonly log?: Log;
  /** Replaces standard output as the destination of the log, for tests. */
  readonly destination?: LogOptions['destination'];
  /** What the process needs from its database sessions. The default, `serves`, is the strictest requirement. */
  readonly databaseNeed?: SessionNeed;
}

/** Ids and references need at most this many random bytes. A request for more bytes is for a secret. */
const ID_BYTES_MAX = 20;

/** Takes random bytes for ids and references from a pool, because a system call for each id would be slow. Secrets do not use the pool. */
export function pooledRandom(): Random {
  const pool = Buffer.alloc(4_096);
  let used = pool.length;
  return (bytes) => {
    if (bytes > ID_BYTES_MAX) return new Uint8Array(randomBytes(bytes));
    if (used + bytes > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    // Returns a copy, because the bytes of the pool are overwritten later.
    return new Uint8Array(pool.subarray(used - bytes, used));
  };
}

/** Creates the runtime of a process. It does not connect to the database yet. */
export function buildRuntime({
  settings,
  process: name,
  secrets,
  log: given,
  destination,
  databaseNeed = 'serves',
}: RuntimeOptions): Runtime {
  checkTransitions();
  checkTransitions(REFUND_TRANSITIONS, FIRST_REFUND_STATES);
  checkTransitions(DELIVERY_TRANSITIONS, FIRST_DELIVERY_STATES);
  checkTransitions(INSTRUMENT_TRANSITIONS, ['ASKED']);
  armFailPoint(settings.FAILPOINT);
  const outage = createOutage({ isOutage: (error) => isDatabaseUnavailable(error) && !isBusy(error) });
  const { LOG_LEVEL: level, LOG_FORMAT: format } = settings;
  const log = given ?? createLog({ level, format, process: name, divert: outage.takes, destination });
  const db = openDatabase({
    url: settings.DATABASE_URL,
    poolSize: settings.DATABASE_POOL_SIZE,
    applicationName: `bili-${name}`,
    need: databaseNeed,
    onError: (error) => log.warn({ err: error }, 'a database connection failed'),
  });
  const health: Health = new Map();
  outage.watch({
    log,
    async findTrouble() {
      const problem = health.get('commits');
      if (problem !== undefined) return new DatabaseUnavailable(new Error(problem));
      return checkWritable(db).then(
        () => null,
        (error: Error) => error,
      );
    },
  });
  return {
    settings,
    log,
    secrets,
    db,
    ...createClock(),
    random: pooledRandom(),
    health,
  };
}
