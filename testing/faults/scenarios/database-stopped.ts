import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

export const databaseStopped: Scenario = {
  name: 'database-stopped',
  what: 'PostgreSQL is stopped for 29 s',
  recoverySeconds: 15,
  async fault({ layout: { cluster } }) {
    await cluster.stop('fast');
    await delay(29_000);
    await cluster.start();
    return {};
  },
};
