import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

export const databaseReadOnly: Scenario = {
  name: 'database-read-only',
  what: 'PostgreSQL accepts no writes for 10 s (default_transaction_read_only)',
  recoverySeconds: 5,
  async fault({ layout: { cluster } }) {
    await cluster.sql('ALTER SYSTEM SET default_transaction_read_only = on');
    await cluster.sql('SELECT pg_reload_conf()');
    await delay(10_000);
    await cluster.sql('ALTER SYSTEM RESET default_transaction_read_only');
    await cluster.sql('SELECT pg_reload_conf()');
    return {};
  },
};
