import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { WEB_NODE_OPTIONS } from '@/lib/cli/processes/supervise';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { createKey } from '@/lib/identity/keys/change-keys';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { storeSecrets } from '@/lib/platform/config/data-dir';
import { operatorActor } from '@/lib/platform/core/actor';
import { startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { createLog } from '@/lib/platform/log/log';
import { freePorts } from '@/testing/free-ports';
import { UNLIMITED } from '@/testing/unlimited';
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
  const settings = connectedSettings({ ...process.env, ...env });
  const runtime = buildRuntime({ settings, process: 'bench', secrets: await checkDeployment(settings), log });
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

export async function startProduct({ folder, env, undo }: Bench, processes: number): Promise<Target> {
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  const webEnv = { ...env, PORT: String(port), SANDBOX_PORT: String(sandboxPort), WEB_PROCESSES: String(processes) };
  const running = await startProcess({
    name: 'web',
    program: 'bili.mjs',
    args: ['web'],
    env: webEnv,
    nodeOptions: WEB_NODE_OPTIONS,
    logFolder: folder,
  });
  undo.push(() => running.stop());
  return { ...running, name: 'product', url: `http://127.0.0.1:${sandboxPort}` };
}

export function startWorker({ folder, env }: Bench): Promise<Running> {
  return startProcess({ name: 'worker', program: 'bili.mjs', args: ['worker'], env, logFolder: folder });
}

export async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}
