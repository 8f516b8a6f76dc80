import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, makeCluster } from '../cluster';
import type { Layout, LayoutOptions, Scenario } from '../scenario';
import { waitForVerdict } from '../verdict';

const PROMOTED_AFTER_MS = 3_000;

export const failoverClean: Scenario = {
  name: 'failover-clean',
  what: 'the primary is killed, its connections break, and the standby is promoted after 3 s',
  recoverySeconds: 30,
  layout: withStandby,
  async fault({ layout, database }) {
    const standby = standbyOf(layout);
    await layout.cluster.stop('kill');
    await database.accept('refuse');
    database.reset();
    await delay(PROMOTED_AFTER_MS);
    await promote(standby);
    database.pointAt(standby.port);
    await database.accept('pass');
    return { survivor: standby };
  },
};

export const failoverSilent: Scenario = {
  name: 'failover-silent',
  what: 'the primary is lost without a word: connections hang, and the standby is promoted at the same address after 3 s',
  recoverySeconds: 45,
  layout: withStandby,
  async fault({ layout, database }) {
    const standby = standbyOf(layout);
    await database.accept('hang');
    database.blackHole();
    await delay(PROMOTED_AFTER_MS);
    await promote(standby);
    database.pointAt(standby.port);
    await database.accept('pass');
    return { survivor: standby };
  },
};

export const standbyLost: Scenario = {
  name: 'standby-lost',
  what: 'the synchronous standby is killed, so that no commit ends, and started again',
  recoverySeconds: 45,
  layout: withStandby,
  async fault(world) {
    const standby = standbyOf(world.layout);
    await standby.stop('kill');
    const reason = 'commits wait for a synchronous standby';
    const problems = await waitForVerdict(world, { reason, finding: 'commits_end', detail: reason, alert: 'BiliCommitsFail' });
    await standby.start();
    return { problems };
  },
};

/** Starts a primary with synchronous replication: it commits only what its standby has. */
async function withStandby({ template, folder, undo }: LayoutOptions): Promise<Layout> {
  const cluster = await makeCluster(template, `${folder}/primary`);
  undo(() => cluster.stop('immediate'));
  await cluster.start();
  const standby = await makeCluster(template, `${folder}/standby`, cluster);
  undo(() => standby.stop('immediate'));
  await standby.start();
  await cluster.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await cluster.sql('SELECT pg_reload_conf()');
  for (;;) {
    const [follower] = await cluster.sql("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
    if (follower) return { cluster, frontPort: cluster.port, standby };
    await delay(100);
  }
}

function standbyOf({ standby }: Layout): Cluster {
  if (!standby) throw new Error('there is no standby');
  return standby;
}

async function promote(standby: Cluster): Promise<void> {
  // The promoted server commits without a standby, because `synchronous_standby_names` was set on the primary only.
  const [promoted] = await standby.sql('SELECT pg_promote(true, 30) AS done');
  if (promoted?.done !== true) throw new Error('the standby could not be promoted');
}
