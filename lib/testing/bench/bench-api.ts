import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Request } from 'autocannon';
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
import { cpuSeconds } from './cpu-time';
import { runLoad } from './load';
import { residentMemory, sharedMemory } from './memory';
import { measurePromptWait } from './prompt-wait';
import { type MeasuredCost, memoryTable, type Row, ratesTable } from './report';
import { runBench, say, type Undo } from './run-bench';
import { type Running, startProcess } from './servers';

const WARM_UP_SECONDS = 2;
const BILLS_READ = 200;
const WORKER_MS = 5_000;
const MOBILE = '0712345678';
const ROUTE_NAMES = ['create', 'create with mobile', 'create with Idempotency-Key', 'get'] as const;

interface Target extends Running {
  readonly name: string;
  readonly url: string;
}

interface Route {
  readonly name: (typeof ROUTE_NAMES)[number];
  readonly requests: readonly Request[];
  readonly distinct: boolean;
}

interface Bench {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly merchantId: string;
  readonly key: KeyPair;
  readonly undo: Undo;
}

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '1,32,128' },
      routes: { type: 'string', default: ROUTE_NAMES.join() },
      processes: { type: 'string', default: '1' },
      next: { type: 'boolean', default: false },
    },
  });
  const connections = values.connections.split(',').map(Number);
  const { seconds, rounds, processes } = values;
  const options = { seconds: Number(seconds), rounds: Number(rounds), processes: Number(processes), connections };
  for (const [name, value] of Object.entries(options))
    if (![value].flat().every((number) => Number.isInteger(number) && number > 0))
      throw new Error(`--${name} must be a whole number above 0`);
  return { ...options, routes: new Set(values.routes.split(',')), next: values.next };
}

async function main(undo: Undo): Promise<void> {
  const options = readOptions();
  say('Starting PostgreSQL and the servers…');
  const folder = await mkdtemp(join(tmpdir(), 'bili-bench-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const bench = await prepare(folder, undo);
  const bare = await startBare(bench);
  const product = await startProduct(bench, options.processes, 'direct');
  const viaNext = options.next ? await startProduct(bench, options.processes, 'next') : null;
  const targets = viaNext ? [bare, product, viaNext] : [bare, product];
  const routes = await planRoutes(bench, targets);

  const promptWait = await promptWaitOf(bench, product);
  const rows: Row[] = [];
  for (const route of routes.filter(({ name }) => options.routes.has(name)))
    for (const connections of options.connections) rows.push(...(await measureRoute(bench, route, connections, targets, options)));
  const memory: [string, number | null][] = [
    ['bare', await residentMemory(bare.pid)],
    ['web (HTTP_DOOR=direct)', await residentMemory(product.pid)],
    ...(viaNext ? [['web (HTTP_DOOR=next)', await residentMemory(viaNext.pid)] satisfies [string, number | null]] : []),
    ['database', await sharedMemory(await postmasterOf(folder))],
    ['worker', await workerMemory(bench)],
  ];

  const { seconds, rounds } = options;
  process.stdout.write(`
Medians of ${rounds} rounds of ${seconds} s each, one after another on each server; ratios are taken round by round. The hand-written server
has no Idempotency-Keys, so it is compared with its plain answers. The last columns are microseconds of processor time for each request.
No worker runs during the load.

${ratesTable(rows)}

Memory after the load. The database counts shared pages once and holds the connections of all servers;
the worker was started last and has sent prompts for ${WORKER_MS / 1_000} s.

${memoryTable(memory)}

From creating a bill to the provider's record of its prompt, one bill at a time on a worker that has nothing else to do:
median ${promptWait.toFixed(0)} ms.
`);
}

/** Creates a migrated database with one merchant and its sandbox key. */
async function prepare(folder: string, undo: Undo): Promise<Bench> {
  const secrets = await storeSecrets(folder, undefined);
  const embedded = await startEmbedded({ dataDir: folder, ...secrets });
  undo.push(() => embedded.stop());
  await migrate(embedded.url);
  const env = { DATABASE_URL: embedded.url, SECRET_KEY: secrets.secretKey, DATA_DIR: folder, HOST: '127.0.0.1', ...UNLIMITED };
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

async function startBare({ folder, env, merchantId, undo }: Bench): Promise<Target> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const bareEnv = { ...env, PORT: String(port), BENCH_MERCHANT: merchantId, BENCH_BASE_URL: url };
  const running = await startProcess({ name: 'bare', program: 'bench/bare-server.mjs', args: [], env: bareEnv, logFolder: folder });
  undo.push(() => running.stop());
  return { ...running, name: 'bare', url };
}

async function startProduct({ folder, env, undo }: Bench, processes: number, door: 'direct' | 'next'): Promise<Target> {
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

function headersOf({ key }: Bench): Record<string, string> {
  return { authorization: `ApiKey ${key.id}:${key.secret}`, 'content-type': 'application/json' };
}

function createRequest(bench: Bench, extra: object, headers: Record<string, string> = {}): Request {
  const body = JSON.stringify({ amount: 5000, reference: 'ORDER-[<id>]', ...extra });
  return { method: 'POST', path: '/api/v3/bills/create', headers: { ...headersOf(bench), ...headers }, body };
}

async function planRoutes(bench: Bench, targets: readonly Target[]): Promise<Route[]> {
  const create = (extra: object) => createRequest(bench, extra);
  const read = (id: string): Request => ({ method: 'GET', path: `/api/v3/bills/${id}`, headers: headersOf(bench) });

  const ids = await Promise.all(Array.from({ length: BILLS_READ }, () => firstAnswer(targets[1], create({})).then(({ id }) => String(id))));
  const keyed = createRequest(bench, {}, { 'idempotency-key': 'KEY-[<id>]' });
  const routes: Route[] = [
    { name: 'create', requests: [create({})], distinct: true },
    { name: 'create with mobile', requests: [create({ mobile: MOBILE })], distinct: true },
    { name: 'create with Idempotency-Key', requests: [keyed], distinct: true },
    { name: 'get', requests: ids.map(read), distinct: false },
  ];
  for (const { name, requests } of routes) await checkShapes(name, requests[0], targets);
  return routes;
}

/** Checks that the baseline answers with the same members as the product. Otherwise the comparison would be wrong. */
async function checkShapes(route: string, request: Request | undefined, targets: readonly Target[]): Promise<void> {
  const shapes = await Promise.all(targets.map(async (target) => Object.keys(await firstAnswer(target, request)).join()));
  if (new Set(shapes).size !== 1) throw new Error(`${route}: the servers answer with other members: ${shapes.join(' | ')}`);
}

async function firstAnswer(
  target: Target | undefined,
  { method = 'GET', path = '/', headers, body }: Request = {},
): Promise<Record<string, unknown>> {
  const sent = headers === undefined ? {} : Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await fetch(`${target?.url}${path}`, { method, headers: sent, body: body === undefined ? null : String(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target?.name}: ${method} ${path} answered ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Interleaves the rounds of all servers, so that other load on the machine affects all of them equally. */
async function measureRoute(
  { folder }: Bench,
  route: Route,
  connections: number,
  targets: readonly Target[],
  { seconds, rounds }: Options,
): Promise<Row[]> {
  const database = await postmasterOf(folder);
  const used = (pid: number) => [pid, database].map((root) => cpuSeconds(root) ?? Number.NaN);
  const load = async ({ url, pid }: Target, duration: number): Promise<MeasuredCost> => {
    const before = used(pid);
    const measured = await runLoad({ ...route, url, connections, seconds: duration });
    const [serverMicros = 0, databaseMicros = 0] = used(pid).map((after, index) => ((after - (before[index] ?? 0)) * 1e6) / measured.count);
    return { ...measured, serverMicros, databaseMicros };
  };
  say(`Measuring: ${route.name}, ${connections} connections…`);
  for (const target of targets) await load(target, WARM_UP_SECONDS);
  const measured = new Map<string, MeasuredCost[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) measured.get(target.name)?.push(await load(target, seconds));
  }
  const yardstick = measured.get('bare') ?? [];
  return [...measured].map(([server, results]) => ({ route: route.name, connections, server, rounds: results, yardstick }));
}

/** Measures the time until a prompt is sent. This runs first, while the queue is empty. */
async function promptWaitOf(bench: Bench, product: Target): Promise<number> {
  say('Measuring: from a bill to its prompt…');
  const worker = await startWorker(bench);
  try {
    return await measurePromptWait(bench.env.DATABASE_URL ?? '', (index) =>
      firstAnswer(product, createRequest(bench, { mobile: MOBILE, reference: `WAIT-${index}` })),
    );
  } finally {
    await worker.stop();
  }
}

function startWorker({ folder, env }: Bench): Promise<Running> {
  return startProcess({ name: 'worker', program: 'bili.mjs', args: ['worker'], env, logFolder: folder });
}

/** Starts a worker and measures its memory. This runs last, because the worker would take processor time from some rounds only. */
async function workerMemory(bench: Bench): Promise<number | null> {
  const worker = await startWorker(bench);
  try {
    await delay(WORKER_MS);
    return await residentMemory(worker.pid);
  } finally {
    await worker.stop();
  }
}

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

await runBench(main);
