import type { Drive, Scenario } from './scenario';
import { databaseReadOnly } from './scenarios/database-read-only';
import { databaseRestart } from './scenarios/database-restart';
import { databaseStopped } from './scenarios/database-stopped';
import { diskFull } from './scenarios/disk-full';
import { failoverClean, failoverSilent, standbyLost } from './scenarios/failover';
import { fewConnections } from './scenarios/few-connections';
import { killWeb, noWeb } from './scenarios/kill-web';
import { killWorker } from './scenarios/kill-worker';
import { poolerTransaction } from './scenarios/pooler-transaction';
import { providerGone } from './scenarios/provider-gone';
import { webClockAhead, webClockBehind, workerClock } from './scenarios/worker-clock';
import { everyWay } from './ways/every-way';

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly (Scenario | Drive)[] = [
  killWeb,
  killWorker,
  noWeb,
  databaseRestart,
  databaseStopped,
  databaseReadOnly,
  fewConnections,
  diskFull,
  workerClock,
  webClockAhead,
  webClockBehind,
  poolerTransaction,
  providerGone,
  failoverClean,
  failoverSilent,
  standbyLost,
  everyWay,
];
