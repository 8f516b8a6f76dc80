import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { createKey } from '@/lib/identity/keys/change-keys';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { operatorActor } from '@/lib/platform/core/actor';
import { createLog } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { startTcpProxy, type TcpProxy } from '@/testing/fakes/tcp-proxy';
import { freePorts } from '@/testing/free-ports';
import { type Env, type Running, startProgram } from '@/testing/process';
import type { Cluster } from './cluster';
import type { Layout, LayoutOptions } from './scenario';

const ACTOR = operatorActor('faults');
const READY = { web: 'web is listening', worker: 'worker is running' } as const;
const KEY_BITS = 2_048;

/** A process of the product that can be killed and restarted. */
export interface Slot {
  readonly name: string;
  /** Starts the process and waits until it reports that it is ready. @param env additional settings. */
  start(env?: Env): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Returns whether the process is running. */
  runs(): boolean;
  /** Returns the output of the process, including earlier runs. */
  output(): string;
}

/** The product with two web and two worker processes. Its database is behind a proxy. */
export interface Machine {
  readonly layout: Layout;
  readonly runtime: Runtime;
  readonly web: readonly [Slot, Slot];
  readonly worker: readonly [Slot, Slot];
  /** Sandbox base addresses of the web processes. */
  readonly origins: readonly string[];
  /** Ports with the metrics of one web process and one worker. */
  readonly metricsPorts: readonly number[];
  readonly database: TcpProxy;
  /** Returns the environment variables for commands. @param cluster the server that has the database now. */
  env(cluster: Cluster): Env;
  /** Connects to the database directly, not through the proxy. @param cluster the server that has the database now. */
  connect(cluster: Cluster): Runtime;
  /** Starts the processes and waits until they are ready. */
  start(): Promise<void>;
}

/** The product with a merchant who has an account at one provider, which is behind a proxy. */
export interface World extends Machine {
  readonly key: KeyPair;
  readonly provider: TcpProxy;
  readonly simulator: MpesaSimulator;
}

export async function startWorld(layout: Layout, { folder, undo }: Omit<LayoutOptions, 'template'>): Promise<World> {
  const machine = await prepareMachine(layout, { folder, undo });
  const { runtime } = machine;
  const simulator = await startMpesaSimulator({ ...runtime, mode: 'async', keyBits: KEY_BITS });
  undo(() => simulator.stop());
  const provider = await startTcpProxy(Number(new URL(simulator.url).port));
  undo(async () => provider.close());
  const key = await addShop(runtime, simulator, provider);
  await machine.start();
  return { ...machine, key, provider, simulator };
}

/** Prepares the processes of the product. The caller adds merchants and provider accounts, and then starts them. */
export async function prepareMachine(
  layout: Layout,
  { folder, undo }: Omit<LayoutOptions, 'template'>,
  settings: Env = {},
): Promise<Machine> {
  const { cluster, frontPort } = layout;
  const database = await startTcpProxy(frontPort);
  undo(async () => database.close());
  const secretKey = randomBytes(32).toString('base64');
  const ports = await freePorts(6);
  const common: Env = { SECRET_KEY: secretKey, LOG_FORMAT: 'json', RATE_LIMIT_SANDBOX_WRITES: '1000000', ...settings };
  const through: Env = { ...common, DATABASE_URL: database.throughProxy(cluster.url) };
  const env = ({ url }: Cluster): Env => ({ ...common, DATABASE_URL: url, PORT: String(ports[0]), SANDBOX_PORT: String(ports[1]) });
  const log = createLog({ level: 'silent', format: 'json', process: 'faults' });
  const settingsOf = (to: Cluster) => connectedSettings({ NODE_ENV: 'production', ...env(to) });
  const secrets = await checkDeployment(settingsOf(cluster));
  function connect(to: Cluster): Runtime {
    const connected = buildRuntime({ settings: settingsOf(to), process: 'faults', secrets, log });
    undo(() => connected.db.close());
    return connected;
  }
  const runtime = connect(cluster);

  const slot = (name: string, role: 'web' | 'worker', env: Env): Slot => newSlot(name, role, { ...through, ...env });
  // Workers name the first web process to providers, as the address of callbacks.
  const address = { PORT: String(ports[0]), SANDBOX_PORT: String(ports[1]) };
  const web = [
    slot('web 1', 'web', address),
    slot('web 2', 'web', { PORT: String(ports[2]), SANDBOX_PORT: String(ports[3]), METRICS_PORT: String(ports[4]) }),
  ] as const;
  const worker = [
    slot('worker 1', 'worker', address),
    slot('worker 2', 'worker', { ...address, WORKER_METRICS_PORT: String(ports[5]) }),
  ] as const;
  async function start(): Promise<void> {
    for (const one of [...web, ...worker]) {
      undo(() => writeFile(join(folder, `${one.name}.log`), one.output()));
      undo(() => one.stop('SIGTERM'));
    }
    await Promise.all([...web, ...worker].map((one) => one.start()));
  }
  const origins = [`http://127.0.0.1:${ports[1]}`, `http://127.0.0.1:${ports[3]}`];
  return { layout, runtime, web, worker, origins, metricsPorts: ports.slice(4), database, env, connect, start };
}

/** Creates a merchant with an account at the simulated provider. Returns the merchant's API key. */
async function addShop(runtime: Runtime, simulator: MpesaSimulator, provider: TcpProxy): Promise<KeyPair> {
  const created = await createMerchant(runtime, { name: 'Duka', email: 'duka@example.com', live: 'pending' });
  if (!created.ok) throw new Error(created.error);
  const { id: merchantId } = created.value.merchant;
  const credentials = JSON.stringify({ ...simulator.credentials, baseUrl: `http://127.0.0.1:${provider.port}` });
  const account = { provider: 'mpesa', environment: 'sandbox', merchantId, label: 'M-Pesa', networks: null, credentials } as const;
  const added = await addAccount({ ...runtime, providers: createRegistry(runtime, null) }, { ...account, actor: ACTOR });
  if (!added.ok) throw new Error(added.error.join(' '));
  // The sandbox's own provider would take over the prompts if the simulated one is slow, and its payments are not in the comparison.
  await runtime.db.prisma.providerAccount.updateMany({ where: { provider: 'sandbox' }, data: { disabledAt: runtime.clock() } });
  simulator.control({ callbackUrl: added.value.callbackUrl });
  const key = await createKey(runtime, operatorAccess(ACTOR, { merchantId, environment: 'sandbox' }), { label: 'faults' });
  if (!key.ok) throw new Error(key.error);
  return key.value;
}

function newSlot(name: string, role: 'web' | 'worker', settings: Env): Slot {
  let running: Running | undefined;
  let before = '';
  const output = () => before + (running?.output() ?? '');
  return {
    name,
    output,
    runs: () => running?.child.exitCode === null && running.child.signalCode === null,
    async start(env = {}) {
      before = output();
      running = startProgram([role], { ...settings, ...env });
      await running.printed(READY[role]);
    },
    async stop(signal) {
      await running?.kill(signal);
    },
  };
}
