import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '@/lib/platform/db/migrate';
import { startPgBouncer } from '@/testing/fakes/pgbouncer';
import { makeCluster } from '../cluster';
import type { Scenario } from '../scenario';

export const poolerTransaction: Scenario = {
  name: 'pooler-transaction',
  what: 'PgBouncer in transaction mode is paused for 5 s, and gives every client other server connections',
  recoverySeconds: 15,
  async layout({ template, folder, undo }) {
    const cluster = await makeCluster(template, `${folder}/primary`);
    undo(() => cluster.stop('fast'));
    await cluster.start();
    const pooler = await startPgBouncer({ databaseUrl: cluster.url, poolMode: 'transaction', settings: ['default_pool_size=20'] }).catch(
      (error: Error) => error,
    );
    if (pooler instanceof Error) return pooler.message;
    undo(() => pooler.stop());
    // Behind a pooler, `migrate` stores the session settings as defaults of the database role, so every server connection has them.
    await migrate(pooler.url);
    return { cluster, frontPort: Number(new URL(pooler.url).port), pooler };
  },
  async fault({ layout: { pooler } }) {
    await pooler?.admin('RECONNECT');
    await pooler?.admin('PAUSE');
    await delay(5_000);
    await pooler?.admin('RESUME');
    return {};
  },
};
