import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readinessHandler } from '@/lib/entry/http/health';
import { forWeb } from '@/lib/entry/server/web-runtime';
import { createSecrets, firstKeys } from '@/lib/platform/config/secrets';
import { findCommitProblem } from '@/lib/platform/db/check-writable';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { collectLog } from '@/testing/log-lines';
import { TEST_SECRET_KEY } from '@/testing/runtime';
import { buildRuntime } from './process-runtime';
import { startHeartbeat } from './start-heartbeat';
import { connectedSettings } from './start-settings';

// The faults are settings of a whole server, so these tests have a server of their own.
const PASSWORDS = { databasePassword: 'test', superuserPassword: 'test' };
const WAIT = { timeout: 60_000 };

let folder = '';
let server: EmbeddedPostgres;
let superuser: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-heartbeat-'));
  server = await startEmbedded({ dataDir: folder, ...PASSWORDS, settings: ['shared_buffers=16MB'] });
  await migrate(server.ownerUrl, { applicationUrl: server.url });
  superuser = new pg.Client(server.superuserUrl);
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function set(setting: string): Promise<void> {
  await superuser.query(`ALTER SYSTEM ${setting}`);
  await superuser.query('SELECT pg_reload_conf()');
}

async function startProcess() {
  const { log } = collectLog();
  const settings = connectedSettings({ NODE_ENV: 'test', DATABASE_URL: server.url, SECRET_KEY: TEST_SECRET_KEY });
  const secrets = createSecrets(settings, firstKeys(settings.SECRET_KEY));
  const runtime = buildRuntime({ settings, process: 'test', secrets, log });
  const heartbeat = await startHeartbeat(runtime, 'web');
  const web = forWeb(runtime);
  const ready = async () => (await readinessHandler(() => web)(new Request('http://localhost/readyz'))).json();
  return {
    ready,
    async stop() {
      web.limits.stop();
      await heartbeat.stop();
      await runtime.db.close();
    },
  };
}

test('a process is not ready while commits wait for a lost standby, and the reason names it', WAIT, async () => {
  const web = await startProcess();
  expect(await web.ready()).toEqual({ status: 'ready' });
  expect(await findCommitProblem(server.url)).toBeNull();
  await set("SET synchronous_standby_names = 'gone'");
  const reason = expect.stringContaining('synchronous_standby_names is "gone", connected standbys: 0, waiting sessions: 1');
  await expect.poll(web.ready, WAIT).toEqual({ status: 'not ready', reason });
  expect(await findCommitProblem(server.url)).toEqual(reason);
  const { rows } = await superuser.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  expect(rows).toHaveLength(1);
  await set('RESET synchronous_standby_names');
  await expect.poll(web.ready, WAIT).toEqual({ status: 'ready' });
  expect(await findCommitProblem(server.url)).toBeNull();
  await web.stop();
});

test('a process is not ready while PostgreSQL cannot write files, and the reason is that of PostgreSQL', WAIT, async () => {
  const web = await startProcess();
  // A limit of the server, instead of a full disk: both refuse the file that each heartbeat writes.
  await set('SET temp_file_limit = 0');
  await expect.poll(web.ready, WAIT).toEqual({ status: 'not ready', reason: expect.stringContaining('temporary file size exceeds') });
  expect(await findCommitProblem(server.url)).toContain('temporary file size exceeds');
  await set('RESET temp_file_limit');
  await expect.poll(web.ready, WAIT).toEqual({ status: 'ready' });
  await web.stop();
});
