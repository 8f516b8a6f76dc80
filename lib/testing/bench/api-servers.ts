import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorAccess } from '@/lib/accounts/access/grant-access';
import { WEB_NODE_OPTIONS } from '@/lib/cli/supervise';
import { storeSecrets } from '@/lib/config/data-dir';
import { operatorActor } from '@/lib/core/actor';
import { startEmbedded } from '@/lib/db/embedded';
import { migrate } from '@/lib/db/migrate';
import { createKey } from '@/lib/keys/create-key';
import type { KeyPair } from '@/lib/keys/rules';
import { createLog } from '@/lib/log/log';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { connectedSettings } from '@/lib/processes/start-settings';
import { freePorts } from '@/lib/testing/free-ports';
import { UNLIMITED } from '@/lib/testing/unlimited';
import type { Undo } from './run-bench';
import { type Running, startProcess } from './servers';

export interface Target extends Running {
  readonly name: string;
  readonly url: string;
}

export interface Bench {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly merchantId: string;
  readonly key: KeyPair;
  readonly undo: Undo;
}

/** Creates a migrated database with one merchant and its sandbox key. */
export async function prepare(folder: string, undo: Undo): Promise<Bench> {
  const secrets = await storeSecrets(folder, undefined);
  const embedded = await startEmbedded({ dataDir: folder, ...secrets });
  undo.push(() => embedded.stop());
  await migrate(embedded.ownerUrl);
  const env = { DATABASE_URL: embedded.ownerUrl, SECRET_KEY: secrets.secretKey, DATA_DIR: folder, HOST: '127.0.0.1', ...UNLIMITED };
  const log = createLog({ level: 'silent', format: 'json', process: 'bench' });
  const runtime = buildRuntime({ settings: connectedSettings({ ...process.env, ...env }), process: 'bench', log });
  try {
    const created = await createMerchant(runtime, { name: 'Bench', email: 'bench@example.com', live: 'pending' });
    if (!created.ok) throw new Error(created.error);
    const merchantId = created.value.merchant.id;
    const access = operatorAccess(operatorActor('bench'), { merchantId, environment: 'sandbox' });
    const key = await createKey(runtime, access, { label: 'Bench' });
    if (!key.ok) throw new Error(key.error);
    return { folder, env, merchantId, key: key.value, undo };
  } finally {
    await runtime.db.close();
  }
}

export async function startBare({ folder, env, merchantId, undo }: Bench): Promise<Target> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const bareEnv = { ...env, PORT: String(port), BENCH_MERCHANT: merchantId, BENCH_BASE_URL: url };
  const running = await startProcess({ name: 'bare', program: 'bench/bare-server.mjs', args: [], env: bareEnv, logFolder: folder });
  undo.push(() => running.stop());
  return { ...running, name: 'bare', url };
}

export async function startProduct({ folder, env, undo }: Bench, processes: number, door: 'direct' | 'next'): Promise<Target> {
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  const webEnv = { ...env, PORT: String(port), SANDBOX_PORT: String(sandboxPort), HTTP_DOOR: door, WEB_PROCESSES: String(processes) };
  const running = await startProcess({
    name: `web-${door}`,
    program: 'bili.mjs',
    args: ['web'],
    env: webEnv,
    nodeOptions: WEB_NODE_OPTIONS,
    logFolder: folder,
  });
  undo.push(() => running.stop());
  return { ...running, name: door === 'direct' ? 'product' : 'product via Next.js', url: `http://127.0.0.1:${sandboxPort}` };
}

export function startWorker({ folder, env }: Bench): Promise<Running> {
  return startProcess({ name: 'worker', program: 'bili.mjs', args: ['worker'], env, logFolder: folder });
}

export async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}
